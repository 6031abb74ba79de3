import { ActionIcon, Badge, Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CLAIM_TEXTS, CLAIMS, type DatatableInput, type UserGroup, userGroupRoutes } from '@narval/contracts'
import { IconDotsVertical, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { form as formWords } from '../../i18n/form.ts'
import { call, fetchFile } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { PageHeader } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { GROUP_LIST } from './account-queries.ts'
import { lackedLabels, type Placed, placeNames } from './claim-sources.ts'
import { fr } from './fr.ts'
import { DeleteGroupDialog } from './group-edit-page.tsx'

const { groupColumns: words } = fr

const claimText = ({ claims }: UserGroup): string =>
  claims.some(({ claim }) => claim === 'admin')
    ? fr.administrator
    : CLAIMS.filter(claim => claims.some(one => one.claim === claim))
        .map(claim => CLAIM_TEXTS[claim].label)
        .join(', ') || fr.claimCount(0)
const placeText = (group: Placed): string => placeNames(group).join(', ') || fr.noPlaceLeft

const COLUMNS: readonly TableColumn<UserGroup>[] = [
  { id: 'name', header: words.name, grow: 1.2, card: 'title', cell: group => <strong>{group.name}</strong> },
  { id: 'description', header: words.description, grow: 1.6, cell: group => group.description },
  { id: 'members', header: words.members, width: 104, align: 'right', cell: group => group.members },
  {
    id: 'claims',
    header: words.claims,
    grow: 2,
    cell: group => <span title={claimText(group)}>{claimText(group)}</span>,
  },
  {
    id: 'limited',
    header: words.scope,
    grow: 1.2,
    cell: group =>
      group.limited ? (
        <Badge variant="light" tt="none" fw={550} title={placeText(group)}>
          {placeText(group)}
        </Badge>
      ) : (
        fr.everywhere
      ),
  },
  { id: 'updatedAt', header: words.updated, width: 126, align: 'right', cell: group => <Ago at={group.updatedAt} /> },
  {
    id: 'actions',
    fixed: true,
    header: words.actions,
    width: 84,
    sortable: false,
    cell: group => <GroupMenu group={group} />,
  },
]
const FILTERS: readonly TableFilter[] = [
  {
    ...{ name: 'limited', label: fr.groupFilters.limited, single: true },
    choices: [
      { value: 'true', label: fr.groupFilters.yes },
      { value: 'false', label: fr.groupFilters.no },
    ],
  },
  {
    name: 'claim',
    label: fr.filters.claim,
    choices: CLAIMS.map(claim => ({ value: claim, label: CLAIM_TEXTS[claim].label })),
  },
]
const LOOK: RowLook<UserGroup> = {
  key: group => group.id,
  name: group => group.name,
  href: group => `/user/group/${group.id}`,
}
const EXPORT = {
  name: 'groupes',
  fetch: (body: DatatableInput) =>
    fetchFile(userGroupRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: 120_000 }),
}
const BY_NAME = { column: 'name', dir: 'asc' } as const
const REFRESH_MS = 30_000

const AddGroup = () => (
  <Button component={Link} to="/user/group/new" leftSection={<IconPlus size={16} />}>
    {fr.addGroup}
  </Button>
)

/** /user/group */
export const GroupListPage = () => {
  const writes = useSession().can('user_group_write')
  return (
    <>
      {writes && <PageHeader actions={<AddGroup />} />}
      <DataTable<UserGroup>
        list={GROUP_LIST}
        fetchPage={(body, signal) => call(userGroupRoutes.datatable.put, { body, signal })}
        columns={COLUMNS}
        filters={FILTERS}
        defaultSort={BY_NAME}
        look={LOOK}
        noun={fr.group}
        searchLabel={fr.searchGroups}
        empty={{ title: fr.noGroups, text: fr.noGroupsText, action: writes && <AddGroup /> }}
        refreshMs={REFRESH_MS}
        keeps="groups"
        exports={EXPORT}
      />
    </>
  )
}

/** What can be done about one group: it is deleted by who holds all that it gives. */
const GroupMenu = ({ group }: { readonly group: UserGroup }) => {
  const { can, everywhere } = useSession()
  const client = useQueryClient()
  const [deleting, setDeleting] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { id, name, claims } = group
  const may =
    can('user_group_write') &&
    lackedLabels(
      everywhere,
      claims.map(({ claim }) => claim),
    ) === ''
  const close = (): void => {
    setDeleting(false)
    button.current?.focus()
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={fr.actionsOf(name)} ref={button}>
            <IconDotsVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={`/user/group/${id}`} leftSection={<IconPencil size={16} />}>
            {fr.actions.open}
          </Menu.Item>
          {may && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDeleting(true)}>
              {fr.actions.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {deleting && (
        <DeleteGroupDialog
          group={group}
          onClose={close}
          onDone={() => {
            notifications.show({ message: formWords.deleted(name), color: 'green' })
            void client.invalidateQueries()
            close()
          }}
        />
      )}
    </>
  )
}
