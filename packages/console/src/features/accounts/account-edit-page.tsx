import { type Account, accountRoutes } from '@narval/contracts'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { form as formWords } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { HistoryCard } from '../../ui/history-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { SecondFactorRemoval } from '../../ui/second-factor-removal.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { useListReturn } from '../../ui/use-list-return.ts'
import { DeleteAccountDialog, PasswordDialog } from './account-dialogs.tsx'
import { AccountForm, type Created } from './account-form.tsx'
import { AccountState } from './account-list-page.tsx'
import { AccountMenu } from './account-menu.tsx'
import { AccountSessions } from './account-sessions.tsx'
import classes from './accounts.module.css'
import { fr } from './fr.ts'

const LIST = '/user/edit'

/** /user/edit/new: the provisional password is shown before one goes back to the list. */
export const AccountNewPage = () => {
  const { onCancel, onSaved } = useListReturn(LIST)
  const [made, setMade] = useState<Created | null>(null)
  const leave = (): void => onSaved({ name: made?.login ?? '' })
  return (
    <>
      <PageHeader />
      <AccountForm record={null} readOnly={false} onSaved={setMade} onCancel={onCancel} />
      <PasswordDialog
        password={made?.temporaryPassword ?? null}
        login={made?.login ?? ''}
        until={made?.passwordExpiresAt ?? null}
        onClose={leave}
      />
    </>
  )
}

/** /user/edit/:id */
export const AccountEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['account', id]} load={signal => call(accountRoutes.get, { params: { id }, signal })}>
      {account => <AccountEditor record={account} />}
    </EditorPage>
  )
}

const isAdmin = ({ claims }: Account): boolean => claims.some(({ claim }) => claim === 'admin')

const AccountEditor = ({ record }: { readonly record: Account }) => {
  const { can } = useSession()
  const { onCancel, onSaved } = useListReturn(LIST)
  const afterSaving = useAfterSaving()
  const [deleting, setDeleting] = useState(false)
  const admin = isAdmin(record)
  const ofAnother = admin && !can('admin')
  const readOnly = !can('user_write') || ofAnother
  return (
    <>
      <PageHeader
        title={record.login}
        meta={<LiveState record={record} />}
        actions={<LiveMenu record={record} admin={admin} />}
      />
      {ofAnother && can('user_write') && (
        <Notice tone="neutral" icon={<IconLock size={18} />}>
          {fr.adminOnly}
        </Notice>
      )}
      <AccountForm
        record={record}
        readOnly={readOnly}
        onSaved={({ login }) => onSaved({ name: login })}
        onCancel={onCancel}
        {...(!readOnly && { onDelete: () => setDeleting(true) })}
      />
      {deleting && (
        <DeleteAccountDialog
          account={record}
          onClose={() => setDeleting(false)}
          onDone={() => afterSaving(formWords.deleted(record.login), LIST)}
        />
      )}
      <div className={classes.below}>
        <Card title={fr.sessions.title}>
          <AccountSessions id={record.idUser} mayEnd={!readOnly} />
        </Card>
        <FactorOf record={record} mayRemove={!readOnly} />
        <HistoryCard object="account" id={record.idUser} version={record.updatedAt} />
      </div>
    </>
  )
}

const REFRESH_MS = 15_000
/** What changes by itself while the form is open: the form keeps what it was loaded with. */
const useLive = (record: Account): Account =>
  useQuery({
    queryKey: ['account', record.idUser],
    queryFn: ({ signal }) => call(accountRoutes.get, { params: { id: record.idUser }, signal }),
    initialData: record,
    refetchInterval: REFRESH_MS,
  }).data

const FactorOf = ({ record, mayRemove }: { readonly record: Account; readonly mayRemove: boolean }) => {
  const { user } = useSession()
  const { idUser, login, secondFactor } = useLive(record)
  return secondFactor ? (
    <SecondFactorRemoval id={idUser} login={login} mayRemove={mayRemove && user?.idUser !== idUser} />
  ) : null
}
const LiveState = ({ record }: { readonly record: Account }) => <AccountState account={useLive(record)} />
const LiveMenu = ({ record, admin }: { readonly record: Account; readonly admin: boolean }) => {
  const { idUser, login, enabled, lockedUntil } = useLive(record)
  return <AccountMenu account={{ idUser, login, enabled, lockedUntil, admin }} />
}
