import { Badge, Button } from '@mantine/core'
import {
  type AccountChange,
  type AccountRow,
  accountRoutes,
  CLAIM_TEXTS,
  CLAIMS,
  type DatatableInput,
} from '@narval/contracts'
import { IconCircleCheck, IconKey, IconLock, IconPlus, IconUserOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { bulk as bulkWords } from '../../i18n/bulk.ts'
import { avatarUrl } from '../../lib/account-name.ts'
import { call, fetchFile } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { BULK_TIMEOUT_MS, BulkActions } from '../../ui/bulk-actions.tsx'
import { BulkFields } from '../../ui/bulk-fields.tsx'
import { enabledFilter } from '../../ui/common-filters.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { PageHeader } from '../../ui/page.tsx'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import { Ago } from '../../ui/time.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ACCOUNT_LIST, groupOptions } from './account-queries.ts'
import classes from './accounts.module.css'
import { fr } from './fr.ts'

const { columns: words, states } = fr

/** The one thing that matters most of an account: locked, disabled, not yet used, or in use. */
export const AccountState = ({
  account,
}: {
  readonly account: Pick<AccountRow, 'enabled' | 'firstConnection' | 'lockedUntil'>
}) => {
  const { enabled, firstConnection, lockedUntil } = account
  if (lockedUntil !== null)
    return (
      <span className={classes.state} data-tone="warning" title={fr.lockedUntil(formatDateTime(lockedUntil))}>
        <IconLock size={15} aria-hidden="true" /> {states.locked}
      </span>
    )
  if (!enabled)
    return (
      <span className={classes.state} data-tone="muted">
        <IconUserOff size={15} aria-hidden="true" /> {states.disabled}
      </span>
    )
  if (firstConnection)
    return (
      <span className={classes.state} data-tone="accent">
        <IconKey size={15} aria-hidden="true" /> {states.firstConnection}
      </span>
    )
  return (
    <span className={classes.state}>
      <IconCircleCheck size={15} aria-hidden="true" /> {states.enabled}
    </span>
  )
}

const COLUMNS: readonly TableColumn<AccountRow>[] = [
  {
    id: 'login',
    header: words.login,
    grow: 1.2,
    card: 'title',
    cell: row => (
      <span className={classes.who}>
        <img src={avatarUrl(row.avatar)} width={24} height={24} alt="" />
        <strong>{row.login}</strong>
      </span>
    ),
  },
  {
    id: 'lastName',
    header: words.name,
    grow: 1.3,
    cell: row => `${row.firstName} ${row.lastName.toLocaleUpperCase('fr')}`.trim(),
  },
  { id: 'email', header: words.email, grow: 1.5, hidden: true, cell: row => row.email },
  { id: 'groups', header: words.groups, grow: 1.3, cell: row => row.groups },
  {
    id: 'claims',
    header: words.claims,
    width: 190,
    cell: row => (
      <span className={classes.rights}>
        {row.admin ? fr.administrator : fr.claimCount(row.claims)}
        {row.limited && (
          <Badge variant="light" tt="none" fw={550}>
            {fr.limited}
          </Badge>
        )}
      </span>
    ),
  },
  {
    id: 'enabled',
    header: words.state,
    width: 172,
    card: 'corner',
    cell: row => <AccountState account={row} />,
  },
  { id: 'sessions', header: words.sessions, width: 96, align: 'right', cell: row => row.sessions },
  {
    id: 'lastLoginAt',
    header: words.lastLogin,
    width: 160,
    align: 'right',
    cell: row => (row.lastLoginAt === null ? fr.never : <Ago at={row.lastLoginAt} />),
  },
  {
    id: 'createdAt',
    header: words.created,
    width: 126,
    align: 'right',
    hidden: true,
    cell: row => <Ago at={row.createdAt} />,
  },
  {
    id: 'updatedAt',
    header: words.updated,
    width: 126,
    align: 'right',
    hidden: true,
    cell: row => <Ago at={row.updatedAt} />,
  },
  {
    id: 'actions',
    fixed: true,
    header: words.actions,
    width: 84,
    sortable: false,
    cell: row => <AccountMenu account={row} />,
  },
]

const yesOrNo = (name: string, label: string, yes: string, no: string): TableFilter => ({
  ...{ name, label, single: true },
  choices: [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ],
})
const { filters } = fr
const OWN_FILTERS: readonly TableFilter[] = [
  enabledFilter,
  yesOrNo('locked', filters.locked, filters.lockedYes, filters.lockedNo),
  yesOrNo('firstConnection', filters.firstConnection, filters.firstYes, filters.firstNo),
  {
    name: 'claim',
    label: filters.claim,
    choices: CLAIMS.map(claim => ({ value: claim, label: CLAIM_TEXTS[claim].label })),
  },
]
const GROUP_FILTER: TableFilter = { name: 'groupId', label: filters.group, source: groupOptions }

const LOOK: RowLook<AccountRow> = {
  key: row => row.idUser,
  name: row => row.login,
  href: row => `/user/edit/${row.idUser}`,
  muted: row => !row.enabled,
}
const EXPORT = {
  name: 'comptes',
  fetch: (body: DatatableInput) =>
    fetchFile(accountRoutes.datatable.put, { body, accept: 'text/csv', timeoutMs: 120_000 }),
}
const BY_LOGIN = { column: 'login', dir: 'asc' } as const
const ALSO_SEARCHED = ['login', 'firstName', 'lastName', 'email']
/** No hub tells of accounts. */
const REFRESH_MS = 20_000

const run = (target: BulkSelection['target'], change: AccountChange, plan: boolean) =>
  call(accountRoutes.bulk, { body: { ...target, change, plan }, timeoutMs: BULK_TIMEOUT_MS })
const ACTIONS = [
  { label: bulkWords.enable, title: bulkWords.enableTitle, change: { enabled: true } },
  { label: bulkWords.disable, title: bulkWords.disableTitle, change: { enabled: false } },
  { label: fr.bulk.unlock, title: fr.bulk.unlockTitle, change: { unlock: true as const }, aside: true },
]
const MAX_GROUPS = 20

const changing = (selection: BulkSelection) => (
  <BulkActions<AccountChange>
    selection={selection}
    noun={fr.account}
    run={run}
    actions={ACTIONS}
    nothing={{}}
    fields={(change, onChange) => (
      <BulkFields>
        <RemoteMultiSelect
          label={fr.bulk.addGroups}
          source={groupOptions}
          values={change.addGroups ?? []}
          onChange={addGroups => onChange({ ...change, addGroups })}
          max={MAX_GROUPS}
        />
        <RemoteMultiSelect
          label={fr.bulk.removeGroups}
          source={groupOptions}
          values={change.removeGroups ?? []}
          onChange={removeGroups => onChange({ ...change, removeGroups })}
          max={MAX_GROUPS}
        />
      </BulkFields>
    )}
  />
)

const AddAccount = () => (
  <Button component={Link} to="/user/edit/new" leftSection={<IconPlus size={16} />}>
    {fr.addAccount}
  </Button>
)

/** /user/edit */
export const AccountListPage = () => {
  const { can } = useSession()
  const [writes, readsGroups] = [can('user_write'), can('user_group_read')]
  const shown = useMemo(() => (readsGroups ? [...OWN_FILTERS, GROUP_FILTER] : OWN_FILTERS), [readsGroups])
  return (
    <>
      {writes && <PageHeader actions={<AddAccount />} />}
      <DataTable<AccountRow>
        list={ACCOUNT_LIST}
        fetchPage={(body, signal) => call(accountRoutes.datatable.put, { body, signal })}
        columns={COLUMNS}
        filters={shown}
        defaultSort={BY_LOGIN}
        thenBy="login"
        alsoSearched={ALSO_SEARCHED}
        look={LOOK}
        noun={fr.account}
        searchLabel={fr.searchAccounts}
        empty={{ title: fr.noAccount, text: fr.noAccountText, action: writes && <AddAccount /> }}
        refreshMs={REFRESH_MS}
        keeps="accounts"
        exports={EXPORT}
        {...(writes && readsGroups && { bulk: changing })}
      />
    </>
  )
}
