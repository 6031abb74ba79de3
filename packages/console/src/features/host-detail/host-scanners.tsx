import { ActionIcon } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { opinionRoutes, type Scanner } from '@narval/contracts'
import { IconUsers } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatMilliseconds } from '../../lib/format.ts'
import { ModelBadge } from '../../ui/model-badge.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './host-page.module.css'
import { useHostScanners } from './host-queries.ts'

/** What checks the host, how each went last, who runs it now, and another probe's word on it. */
export const Scanners = ({ hostId, canAsk }: { readonly hostId: number; readonly canAsk: boolean }) => {
  const { data } = useHostScanners(hostId, true)
  return (
    <Card title={fr.scanners}>
      <ul className={classes.links}>
        {(data ?? []).map(scanner => (
          <li key={scanner.id}>
            <SeverityIcon
              severity={
                !scanner.enabled || scanner.lastRun === null ? 'unknown' : scanner.lastError === null ? 'ok' : 'error'
              }
            />
            <div className={classes.scanner}>
              <ScannerFacts scanner={scanner} />
              {canAsk && scanner.enabled && <AskOpinion scanner={scanner} />}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const ScannerFacts = ({ scanner }: { readonly scanner: Scanner }) => (
  <span>
    <Link to={`/scanner/edit/${scanner.id}`}>{scanner.name}</Link>
    <ModelBadge modelId={scanner.modelId} modelName={scanner.modelName} /> ·{' '}
    {fr.everyS(scanner.effective.intervalSeconds)}
    <div className={classes.information}>
      {!scanner.enabled ? (
        fr.disabled
      ) : scanner.lastRun === null ? (
        fr.neverRun
      ) : (
        <>
          {fr.lastRun} <Ago at={scanner.lastRun} />
        </>
      )}
    </div>
    {scanner.standIn !== null && (
      <div className={classes.information}>{fr.runBy(scanner.standIn.name, scanner.probeName ?? '')}</div>
    )}
    {scanner.lastError !== null && <div className={classes.information}>{scanner.lastError}</div>}
  </span>
)

const AskOpinion = ({ scanner }: { readonly scanner: Scanner }) => {
  const asking = useMutation({
    mutationFn: () => call(opinionRoutes.ask, { body: { scannerId: scanner.id, probeId: null } }),
    onSuccess: ({ probeName, failure, durationMs }) =>
      notifications.show({
        title: fr.opinionTitle(probeName),
        message: failure === null ? fr.opinionOk(formatMilliseconds(durationMs)) : failure.message,
        color: failure === null ? 'green' : 'red',
      }),
    onError: error => notifications.show({ title: fr.failed, message: errorText(error), color: 'red' }),
  })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      loading={asking.isPending}
      title={fr.askOpinion(scanner.name)}
      aria-label={fr.askOpinion(scanner.name)}
      onClick={() => asking.mutate()}
    >
      <IconUsers size={16} />
    </ActionIcon>
  )
}
