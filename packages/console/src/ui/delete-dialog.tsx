import { Button, Checkbox, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { form as words } from '../i18n/form.ts'
import { Notice } from './notice.tsx'
import { errorText } from './page.tsx'
import { useFocusReturn } from './use-focus-return.ts'

/** How many of each would go along. */
export interface DeletionPlan {
  readonly sites?: number
  readonly hosts?: number
  readonly scanners?: number
  readonly metrics?: number
}

interface DeleteDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly name: string
  /** False for what has no measures of its own to lose. */
  readonly recorded?: boolean
  /** Asks what would go along; what it answers is shown before anything is deleted. */
  readonly plan: () => Promise<DeletionPlan>
  /** Why the plan makes deletion impossible, with what to do instead; false when it is possible. */
  readonly blocked?: (plan: DeletionPlan) => ReactNode
  readonly run: (cascade: boolean) => Promise<void>
  readonly onDeleted: () => void
}

const partsOf = (plan: DeletionPlan): string[] =>
  (['sites', 'hosts', 'scanners', 'metrics'] as const).flatMap(kind => {
    const count = plan[kind] ?? 0
    return count > 0 ? [words.plan[kind](count)] : []
  })

/** Says what a deletion takes along, asks, and shows a refusal in full. */
export const DeleteDialog = ({ opened, onClose, ...rest }: DeleteDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={<strong>{words.deleteTitle(rest.name)}</strong>} centered size="md">
    <DeleteContent onClose={onClose} {...rest} />
  </Modal>
)

const DeleteContent = (props: Omit<DeleteDialogProps, 'opened'>) => {
  const { onClose, plan, blocked, run, onDeleted, name, recorded = true } = props
  useFocusReturn()
  const [cascade, setCascade] = useState(false)
  const planned = useQuery({ queryKey: ['deletion-plan', name], queryFn: plan, staleTime: 0, gcTime: 0, retry: false })
  const deletion = useMutation({ mutationFn: () => run(cascade), onSuccess: onDeleted })
  const along = planned.data === undefined ? [] : partsOf(planned.data)
  const block = planned.data === undefined ? false : (blocked?.(planned.data) ?? false)
  const possible = planned.data !== undefined && block === false
  const refused = deletion.error ?? planned.error
  return (
    <Stack gap="md">
      {planned.isPending && (
        <Group gap="sm">
          <Loader size="xs" />
          <Text size="sm">{words.deletePlanning}</Text>
        </Group>
      )}
      {block}
      {possible && <Text size="sm">{along.length === 0 ? words.deleteAlone : words.deleteAlong(along)}</Text>}
      {possible && along.length > 0 && (
        <Checkbox
          label={words.deleteCascade}
          checked={cascade}
          onChange={event => setCascade(event.currentTarget.checked)}
        />
      )}
      {possible && (
        <Text size="sm" c="dimmed">
          {recorded ? words.deleteHistory : words.deleteForGood}
        </Text>
      )}
      {refused !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.deleteRefused}>
          <p>{errorText(refused)}</p>
        </Notice>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button
          color="red"
          loading={deletion.isPending}
          disabled={!possible || (along.length > 0 && !cascade)}
          onClick={() => deletion.mutate()}
        >
          {words.delete}
        </Button>
      </Group>
    </Stack>
  )
}
