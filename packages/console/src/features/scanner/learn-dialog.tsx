import { Button, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type LearntThresholds, type Metric, metricDefinition, type Scanner, scannerRoutes } from '@narval/contracts'
import { IconAlertTriangle, IconSchool } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { thresholdSummary } from '../../lib/threshold-summary.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText, LoadingState } from '../../ui/page.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { fr } from './fr.ts'
import classes from './learn-dialog.module.css'
import { useRefreshRuns } from './scanner-queries.ts'

const { learn: words } = fr

/** Whether some of these metrics learn from a value what is expected of them. */
export const learns = (scanner: Scanner, metrics: readonly Metric[]): boolean =>
  metrics.some(metric => metricDefinition(scanner.kind, metric.key, scanner.parameters)?.learn !== undefined)

/** « Réapprendre »: says what would change, then changes it. */
export const LearnButton = ({ scanner }: { readonly scanner: Scanner }) => {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="subtle" size="compact-sm" leftSection={<IconSchool size={15} />} onClick={() => setOpened(true)}>
        {words.button}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={<strong>{words.title}</strong>} size="lg" centered>
        <LearnContent scanner={scanner} onClose={() => setOpened(false)} />
      </Modal>
    </>
  )
}

const LearnContent = ({ scanner: { id }, onClose }: { readonly scanner: Scanner; readonly onClose: () => void }) => {
  useFocusReturn()
  const refresh = useRefreshRuns(id)
  const plan = useQuery({
    queryKey: ['learn-plan', id],
    queryFn: ({ signal }) => call(scannerRoutes.learn, { params: { id }, body: { plan: true }, signal }),
    ...{ staleTime: 0, gcTime: 0, retry: false },
  })
  const learning = useMutation({
    mutationFn: () => call(scannerRoutes.learn, { params: { id }, body: {} }),
    onSuccess: ({ changes }) => {
      notifications.show({ message: words.done(changes.length), color: 'green' })
      refresh()
      onClose()
    },
  })
  const refused = learning.error ?? plan.error
  const changes = plan.data?.changes ?? []
  return (
    <Stack gap="md">
      <Text size="sm">{words.help}</Text>
      {plan.isPending && <LoadingState height={120} />}
      {plan.isSuccess && changes.length === 0 && <Text size="sm">{words.nothing}</Text>}
      {changes.length > 0 && <Changes changes={changes} />}
      {refused !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.refused}>
          <p>{errorText(refused)}</p>
        </Notice>
      )}
      <DialogActions
        onCancel={onClose}
        submit={words.confirm(changes.length)}
        onSubmit={() => learning.mutate()}
        busy={learning.isPending}
        disabled={changes.length === 0}
        focus="cancel"
      />
    </Stack>
  )
}

const Changes = ({ changes }: { readonly changes: readonly LearntThresholds[] }) => (
  <ul className={classes.changes}>
    {changes.map(({ metricId, name, text, unit, before, after }) => (
      <li key={metricId}>
        <span>
          <strong>{name}</strong> <span className={classes.quiet}>{words.value(text)}</span>
        </span>
        <span className={classes.quiet}>
          {words.from(thresholdSummary(before, unit) || words.none)} → {thresholdSummary(after, unit) || words.none}
        </span>
      </li>
    ))}
  </ul>
)
