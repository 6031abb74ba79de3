import { Checkbox, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type QueryKey, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { form as words } from '../i18n/form.ts'
import { DialogActions } from './dialog-actions.tsx'
import { Notice } from './notice.tsx'
import { errorText } from './page.tsx'
import { useFocusReturn } from './use-focus-return.ts'

/** What a plan of deletion means to who reads it. */
interface PlanReading {
  readonly said: ReactNode
  /** Beside the box to tick first; null: there is none. */
  readonly tick: string | null
  /** False: it can not be done at all, and `said` tells why. */
  readonly possible: boolean
  /** Under the box: what can not be had back. */
  readonly lost: string
}

interface DeletionProps<P> {
  readonly queryKey: QueryKey
  /** Asks what would be lost; what it answers is shown before anything is deleted. */
  readonly plan: () => Promise<P>
  readonly read: (plan: P) => PlanReading
  readonly run: (ticked: boolean) => Promise<unknown>
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Inside a dialog: what a deletion takes along, the question, and a refusal in full. */
export const Deletion = <P,>({ queryKey, plan, read, run, onClose, onDeleted }: DeletionProps<P>) => {
  useFocusReturn()
  const [ticked, setTicked] = useState(false)
  const planned = useQuery({
    queryKey: ['deletion-plan', ...queryKey],
    queryFn: plan,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const deletion = useMutation({ mutationFn: () => run(ticked), onSuccess: onDeleted })
  const reading = planned.data === undefined ? null : read(planned.data)
  const possible = reading?.possible ?? false
  const tick = possible ? (reading?.tick ?? null) : null
  const refused = deletion.error ?? planned.error
  return (
    <Stack gap="md">
      {planned.isPending && (
        <Group gap="sm">
          <Loader size="xs" />
          <Text size="sm">{words.deletePlanning}</Text>
        </Group>
      )}
      {reading?.said}
      {tick !== null && (
        <Checkbox label={tick} checked={ticked} onChange={event => setTicked(event.currentTarget.checked)} />
      )}
      {possible && (
        <Text size="sm" c="dimmed">
          {reading?.lost}
        </Text>
      )}
      {refused !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.deleteRefused}>
          <p>{errorText(refused)}</p>
        </Notice>
      )}
      <DialogActions
        onCancel={onClose}
        submit={words.delete}
        onSubmit={() => deletion.mutate()}
        busy={deletion.isPending}
        disabled={!possible || (tick !== null && !ticked)}
        danger
        focus="cancel"
      />
    </Stack>
  )
}
