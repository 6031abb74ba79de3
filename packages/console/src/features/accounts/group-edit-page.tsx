import { Text } from '@mantine/core'
import { type UserGroupDetail, type UserGroupPlan, userGroupRoutes } from '@narval/contracts'
import { useState } from 'react'
import { form as formWords } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { HistoryCard } from '../../ui/history-card.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { useListReturn } from '../../ui/use-list-return.ts'
import { DeletePlanned } from './account-dialogs.tsx'
import classes from './accounts.module.css'
import { fr } from './fr.ts'
import { GroupForm } from './group-form.tsx'

const LIST = '/user/group'

/** /user/group/new */
export const GroupNewPage = () => {
  const back = useListReturn(LIST)
  return (
    <>
      <PageHeader />
      <GroupForm record={null} readOnly={false} {...back} />
    </>
  )
}

/** /user/group/:id */
export const GroupEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['user-group', id]} load={signal => call(userGroupRoutes.get, { params: { id }, signal })}>
      {group => <GroupEditor record={group} />}
    </EditorPage>
  )
}

const GroupEditor = ({ record }: { readonly record: UserGroupDetail }) => {
  const readOnly = !useSession().can('user_group_write')
  const back = useListReturn(LIST)
  const afterSaving = useAfterSaving()
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <PageHeader title={record.name} meta={fr.memberCount(record.members)} />
      <GroupForm
        record={record}
        readOnly={readOnly}
        {...back}
        {...(!readOnly && { onDelete: () => setDeleting(true) })}
      />
      {deleting && (
        <DeleteGroupDialog
          group={record}
          onClose={() => setDeleting(false)}
          onDone={() => afterSaving(formWords.deleted(record.name), LIST)}
        />
      )}
      <div className={classes.below}>
        <HistoryCard object="user-group" id={record.id} version={record.updatedAt} />
      </div>
    </>
  )
}

const { groupDeletion: words } = fr
const KINDS = ['members', 'freed', 'fieldPrivileges', 'notificationRules'] as const

const Plan = ({ plan }: { readonly plan: UserGroupPlan }) => {
  const shown = KINDS.filter(kind => plan[kind] > 0)
  if (shown.length === 0) return <Text size="sm">{words.nothing}</Text>
  return (
    <ul className={classes.plan}>
      {shown.map(kind => (
        <li key={kind}>{words[kind](plan[kind])}</li>
      ))}
    </ul>
  )
}

interface DeleteGroupDialogProps {
  readonly group: { readonly id: number; readonly name: string }
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Says who loses what, and who sees more, then deletes. */
export const DeleteGroupDialog = ({ group: { id, name }, onClose, onDone }: DeleteGroupDialogProps) => (
  <DeletePlanned
    name={name}
    sure={fr.deletion.sureGroup}
    plan={signal => call(userGroupRoutes.plan, { params: { id }, signal })}
    run={() => call(userGroupRoutes.delete, { params: { id } })}
    onClose={onClose}
    onDone={onDone}
  >
    {plan => <Plan plan={plan} />}
  </DeletePlanned>
)
