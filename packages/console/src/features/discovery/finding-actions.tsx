import { Button, Menu } from '@mantine/core'
import { APPROVE_MAX, type DiscoveryFinding, discoveryRoutes } from '@narval/contracts'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { type ReviewAction, useReview } from './discovery-queries.ts'
import { fr } from './fr.ts'

const { actions: words } = fr
const OTHERS: readonly ReviewAction[] = ['accept', 'restore', 'forget']

/** The findings that are ticked: by their ids, or the first of all that the filter matches. */
const findingsOf = async ({ target }: BulkSelection): Promise<DiscoveryFinding[]> => {
  const body =
    'ids' in target
      ? { length: APPROVE_MAX, filters: { id: target.ids.slice(0, APPROVE_MAX) } }
      : { ...target.filter, start: 0, length: APPROVE_MAX }
  return (await call(discoveryRoutes.datatable.put, { body })).data
}

/** What can be done with findings that are ticked. */
export const FindingActions = ({ selection }: { readonly selection: BulkSelection }) => {
  const [approving, setApproving] = useState<readonly DiscoveryFinding[] | null>(null)
  const review = useReview(selection.clear)
  const open = useMutation({ mutationFn: () => findingsOf(selection), onSuccess: setApproving })
  const decide = useMutation({
    mutationFn: async (action: ReviewAction) =>
      review.mutateAsync({ action, ids: (await findingsOf(selection)).map(({ id }) => id) }),
  })
  return (
    <>
      <Button
        size="compact-sm"
        leftSection={<IconPlus size={15} />}
        loading={open.isPending}
        onClick={() => open.mutate()}
      >
        {words.approve}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        loading={decide.isPending && decide.variables === 'ignore'}
        onClick={() => decide.mutate('ignore')}
      >
        {words.ignore}
      </Button>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button size="compact-sm" variant="default" aria-label={words.more} px={6}>
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {OTHERS.map(action => (
            <Menu.Item
              key={action}
              {...(action === 'forget' && { color: 'red' })}
              onClick={() => decide.mutate(action)}
            >
              {words[action]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {approving !== null && (
        <ApproveDialog findings={approving} onClose={() => setApproving(null)} onDone={selection.clear} />
      )}
    </>
  )
}
