import { Alert, Button, Group, Loader, Modal, Text } from '@mantine/core'
import { probeRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './probe.module.css'

interface EnrollDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

const { enroll: words } = fr

/** A one-time code, and the command that uses it. */
export const EnrollDialog = ({ opened, onClose }: EnrollDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={<strong>{words.title}</strong>} size="lg" centered>
    <EnrollContent onClose={onClose} />
  </Modal>
)

const EnrollContent = ({ onClose }: Pick<EnrollDialogProps, 'onClose'>) => {
  // A code is asked for each time the dialog opens, never twice by itself.
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['probe', 'code'],
    queryFn: ({ signal }) => call(probeRoutes.code, { signal }),
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  })
  return (
    <div className={classes.enroll}>
      <Text size="sm">{words.intro}</Text>
      {isFetching && <Loader size="sm" />}
      {error !== null && !isFetching && (
        <Alert color="red" title={words.failed} role="alert">
          {errorText(error)}
        </Alert>
      )}
      {data !== undefined && !isFetching && (
        <>
          <div>
            <p className={classes.label}>{words.command}</p>
            <CopyText
              text={`NARVAL_SERVER=${data.serverUrl ?? location.origin} NARVAL_ENROLL_CODE=${data.code} npm start -w packages/probe`}
              label={words.command}
              words={words}
            />
          </div>
          <div>
            <p className={classes.label}>{words.code}</p>
            <CopyText text={data.code} label={words.code} words={words} />
          </div>
          <Text size="sm">
            {words.expires} {formatDateTime(data.expiresAt)}. {words.next}
          </Text>
        </>
      )}
      <Group justify="flex-end">
        <Button variant="subtle" onClick={() => void refetch()} disabled={isFetching}>
          {words.again}
        </Button>
        <Button onClick={onClose}>{words.close}</Button>
      </Group>
    </div>
  )
}
