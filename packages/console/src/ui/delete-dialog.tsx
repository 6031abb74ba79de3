import { Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { form as words } from '../i18n/form.ts'
import { Deletion } from './deletion.tsx'

/** How many of each would go along. */
export interface DeletionPlan {
  readonly sites?: number
  readonly hosts?: number
  readonly scanners?: number
  readonly metrics?: number
  readonly comments?: number
}

export interface DeleteDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly name: string
  /** False for what has no measures of its own to lose. */
  readonly recorded?: boolean
  /** Asks what would go along; what it answers is shown before anything is deleted. */
  readonly plan: () => Promise<DeletionPlan>
  /** Why the plan makes deletion impossible, with what to do instead; false when it is possible. */
  readonly blocked?: (plan: DeletionPlan) => ReactNode
  readonly run: (cascade: boolean) => Promise<unknown>
  readonly onDeleted: () => void
}

const partsOf = (plan: DeletionPlan): string[] =>
  (['sites', 'hosts', 'scanners', 'metrics', 'comments'] as const).flatMap(kind => {
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
  const read = (planned: DeletionPlan) => {
    const along = partsOf(planned)
    const block = blocked?.(planned) ?? false
    const said = <Text size="sm">{along.length === 0 ? words.deleteAlone : words.deleteAlong(along)}</Text>
    return {
      said: block === false ? said : block,
      tick: along.length === 0 ? null : words.deleteCascade,
      possible: block === false,
      lost: recorded ? words.deleteHistory : words.deleteForGood,
    }
  }
  return <Deletion queryKey={[name]} plan={plan} read={read} run={run} onClose={onClose} onDeleted={onDeleted} />
}
