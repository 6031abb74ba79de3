import { Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ProbeGroup, probeGroupRoutes } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { CatalogueDialog } from '../../ui/catalogue-dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/page.tsx'
import { fr } from './group-fr.ts'
import { GroupMembers, type Member } from './group-members.tsx'
import { useGroupsAgain } from './group-queries.ts'

const NAME_MAX = 100

interface GroupDialogProps {
  /** Null: a new one. */
  readonly group: ProbeGroup | null
  readonly onClose: () => void
}

/** Names a group and puts its probes in order; what the server refuses is said in the dialog. */
export const GroupDialog = ({ group, onClose }: GroupDialogProps) => {
  const again = useGroupsAgain()
  const [members, setMembers] = useState<readonly Member[]>(group?.members ?? [])
  const save = (name: string): Promise<ProbeGroup> => {
    const body = { name: name.trim(), memberIds: members.map(({ id }) => id) }
    return group === null
      ? call(probeGroupRoutes.create, { body })
      : call(probeGroupRoutes.update, { params: { id: group.id }, body: { ...body, updatedAt: group.updatedAt } })
  }
  return (
    <CatalogueDialog
      title={group === null ? fr.newTitle : fr.editTitle(group.name)}
      name={group?.name ?? null}
      maxLength={NAME_MAX}
      save={save}
      onClose={onClose}
      onSaved={({ name }) => {
        again()
        notifications.show({ color: 'green', message: fr.saved(name) })
        onClose()
      }}
    >
      <GroupMembers members={members} onChange={setMembers} />
    </CatalogueDialog>
  )
}

/** Says what becomes of the members, and asks. */
export const GroupDeletion = ({ group, onClose }: { readonly group: ProbeGroup; readonly onClose: () => void }) => {
  const again = useGroupsAgain()
  const deletion = useMutation({
    mutationFn: () => call(probeGroupRoutes.delete, { params: { id: group.id } }),
    onSuccess: () => {
      again()
      notifications.show({ color: 'green', message: fr.deleted(group.name) })
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={<strong>{fr.deleteTitle(group.name)}</strong>} centered>
      <Text size="sm">{fr.deleteText}</Text>
      {deletion.error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.refused}>
          <p>{errorText(deletion.error)}</p>
        </Notice>
      )}
      <DialogActions
        onCancel={onClose}
        submit={fr.delete}
        onSubmit={() => deletion.mutate()}
        busy={deletion.isPending}
        danger
        focus="cancel"
        mt="lg"
      />
    </Modal>
  )
}
