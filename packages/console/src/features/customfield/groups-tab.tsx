import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { customFieldRoutes, type FieldGroup } from '@narval/contracts'
import { IconFolders, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { form } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { fieldGroupsQuery } from '../../lib/custom-field-queries.ts'
import { Card, EmptyState, ErrorState, errorText, LoadingState } from '../../ui/page.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import classes from './custom-field-page.module.css'
import { saveGroup, useFieldRefresh, useOrderGroups } from './field-queries.ts'
import { fr } from './fr.ts'
import { NameDialog } from './name-dialog.tsx'
import { SortableList } from './sortable-list.tsx'

type Open = { readonly kind: 'new' } | { readonly kind: 'rename' | 'delete'; readonly group: FieldGroup } | null
const { groups: words } = fr

/** The groups of fields: their names and their order. */
export const GroupsTab = () => {
  const { data: groups, error, refetch } = useQuery(fieldGroupsQuery)
  const order = useOrderGroups(fieldGroupsQuery.queryKey)
  const [open, setOpen] = useState<Open>(null)
  if (groups === undefined)
    return error === null ? <LoadingState height={300} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ kind: 'new' })}>
      {words.add}
    </Button>
  )
  const save = (ids: readonly number[]): void =>
    order.mutate(ids, {
      onError: failure => notifications.show({ title: fr.order.failed, message: errorText(failure), color: 'red' }),
    })
  return (
    <>
      <p className={classes.intro}>{words.intro}</p>
      {groups.length === 0 ? (
        <Card>
          <EmptyState title={words.emptyTitle} icon={<IconFolders size={28} stroke={1.6} />} action={add}>
            {words.emptyText}
          </EmptyState>
        </Card>
      ) : (
        <>
          <div className={classes.toolbar}>
            <span className={classes.spacer} />
            {add}
          </div>
          <Card flush>
            <SortableList
              label={fr.tabs.groups}
              items={groups}
              nameOf={group => group.name}
              render={group => <GroupRow group={group} onOpen={setOpen} />}
              onOrder={save}
            />
          </Card>
        </>
      )}
      <GroupDialogs open={open} onClose={() => setOpen(null)} />
    </>
  )
}

const GroupRow = ({ group, onOpen }: { readonly group: FieldGroup; readonly onOpen: (open: Open) => void }) => (
  <div className={classes.groupRow}>
    <strong>{group.name}</strong>
    <span className={classes.minor}>{fr.definitions.count(group.definitions)}</span>
    <span className={classes.rowActions}>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPencil size={15} />}
        aria-label={words.renameOf(group.name)}
        onClick={() => onOpen({ kind: 'rename', group })}
      >
        {words.rename}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        leftSection={<IconTrash size={15} />}
        aria-label={words.deleteOf(group.name)}
        title={group.definitions > 0 ? words.notEmpty : undefined}
        disabled={group.definitions > 0}
        onClick={() => onOpen({ kind: 'delete', group })}
      >
        {words.delete}
      </Button>
    </span>
  </div>
)

const GroupDialogs = ({ open, onClose }: { readonly open: Open; readonly onClose: () => void }) => {
  const refresh = useFieldRefresh()
  const done = (message: string): void => {
    notifications.show({ message, color: 'green' })
    refresh()
  }
  if (open === null) return null
  if (open.kind === 'delete') {
    const { group } = open
    return (
      <ConfirmDialog
        title={form.deleteTitle(group.name)}
        text={words.deleteText}
        run={() => call(customFieldRoutes.deleteGroup, { params: { id: group.id } })}
        onDone={() => {
          done(words.deleted(group.name))
          onClose()
        }}
        onClose={onClose}
      />
    )
  }
  const group = open.kind === 'rename' ? open.group : null
  return (
    <NameDialog
      title={group === null ? words.newTitle : words.renameTitle}
      label={words.name}
      initial={{ name: group?.name ?? '', description: '' }}
      submitLabel={group === null ? words.create : words.rename}
      save={async ({ name }) => {
        await saveGroup(group, name)
        done(group === null ? words.created(name) : words.renamed(name))
      }}
      onClose={onClose}
    />
  )
}
