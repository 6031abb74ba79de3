import { notifications } from '@mantine/notifications'
import { customFieldRoutes, type PrivilegeGroup } from '@narval/contracts'
import { call } from '../../lib/api.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useFieldRefresh } from './field-queries.ts'
import { fr } from './fr.ts'
import { MembersDialog } from './members-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'

/** What is being done to the user groups of the matrix. */
export type UserGroupAction =
  | { readonly kind: 'new' }
  | { readonly kind: 'rename' | 'members' | 'delete'; readonly group: PrivilegeGroup }

interface DialogsProps {
  readonly action: UserGroupAction
  readonly onClose: () => void
}
const { userGroups: words } = fr

const saveGroup = (group: PrivilegeGroup | null, body: { name: string; description: string }) =>
  group === null
    ? call(customFieldRoutes.createPrivilegeGroup, { body })
    : call(customFieldRoutes.updatePrivilegeGroup, {
        params: { id: group.id },
        body: { ...body, updatedAt: group.updatedAt },
      })

/** The dialogs that create, rename, fill and delete user groups. */
export const UserGroupDialogs = ({ action, onClose }: DialogsProps) => {
  const refresh = useFieldRefresh()
  const done = (message: string): void => {
    notifications.show({ message, color: 'green' })
    refresh()
  }
  const group = action.kind === 'new' ? null : action.group
  if (action.kind === 'members' && group !== null)
    return (
      <MembersDialog
        group={group}
        onSaved={() => {
          done(words.membersSaved(group.name))
          onClose()
        }}
        onClose={onClose}
      />
    )
  if (action.kind === 'delete' && group !== null)
    return (
      <ConfirmDialog
        title={words.deleteTitle(group.name)}
        text={words.deleteText(group.members)}
        run={() => call(customFieldRoutes.deletePrivilegeGroup, { params: { id: group.id } })}
        onDone={() => {
          done(words.deleted(group.name))
          onClose()
        }}
        onClose={onClose}
      />
    )
  return (
    <NameDialog
      title={group === null ? words.newTitle : words.renameTitle}
      label={words.name}
      descriptionLabel={words.description}
      help={group === null ? words.addHelp : undefined}
      initial={{ name: group?.name ?? '', description: group?.description ?? '' }}
      submitLabel={group === null ? fr.groups.create : fr.groups.rename}
      save={async body => {
        await saveGroup(group, body)
        done(group === null ? words.created(body.name) : words.renamed(body.name))
      }}
      onClose={onClose}
    />
  )
}
