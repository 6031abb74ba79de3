import { Button, Group, Loader, Modal } from '@mantine/core'
import { type LogVerification, logRoutes } from '@narval/contracts'
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fr as shared } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { ErrorState } from '../../ui/page.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { fr } from './fr.ts'
import classes from './log.module.css'

const { verify: words } = fr
/** A million entries take some ten seconds. */
const TIMEOUT_MS = 300_000

/** Computes every seal of the log again, and says what it found. */
export const VerifyDialog = ({ onClose }: { readonly onClose: () => void }) => {
  useFocusReturn()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['log-verify'],
    queryFn: ({ signal }) => call(logRoutes.verify, { signal, timeoutMs: TIMEOUT_MS }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  return (
    <Modal opened onClose={onClose} title={<strong>{words.title}</strong>} size={560} centered>
      {isFetching ? (
        <Group>
          <Loader size="sm" />
          <output>{words.busy}</output>
        </Group>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        data !== undefined && <Found found={data} />
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" disabled={isFetching} onClick={() => void refetch()}>
          {words.again}
        </Button>
        <Button onClick={onClose}>{shared.common.close}</Button>
      </Group>
    </Modal>
  )
}

const Found = ({ found }: { readonly found: LogVerification }) => (
  <div className={classes.found}>
    <div className={classes.verdict} data-ok={found.ok || undefined} role="status">
      {found.ok ? <IconShieldCheck aria-hidden /> : <IconShieldX aria-hidden />}
      <div>
        <strong>{found.ok ? words.intact : words.broken(found.faultCount)}</strong>
        {found.ok ? (
          <p>{words.intactText}</p>
        ) : (
          <ul className={classes.faults}>
            {found.faults.map(({ kind, from, text }) => (
              <li key={`${kind} ${from}`}>{text}</li>
            ))}
          </ul>
        )}
        {found.faultCount > found.faults.length && words.more(found.faultCount - found.faults.length)}
      </div>
    </div>
    <dl className={classes.facts}>
      <dt>{words.checked}</dt>
      <dd>{formatNumber(found.checked, 0)}</dd>
      {found.from !== null && found.to !== null && (
        <>
          <dt>{words.places}</dt>
          <dd>{words.range(found.from, found.to)}</dd>
        </>
      )}
    </dl>
    {found.older > 0 && <p className={classes.muted}>{words.older(found.older)}</p>}
    {found.seal !== null && (
      <div>
        <p className={classes.label}>{words.seal}</p>
        <CopyText text={`${found.to}:${found.seal}`} label={words.seal} words={words.copyWords} />
        <p className={classes.muted}>{words.sealHelp}</p>
      </div>
    )}
  </div>
)
