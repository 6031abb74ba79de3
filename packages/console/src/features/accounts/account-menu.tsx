import { ActionIcon, Menu, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type AccountRow, accountRoutes } from '@narval/contracts'
import {
  IconDeviceDesktop,
  IconDotsVertical,
  IconKey,
  IconLockOpen,
  IconPencil,
  IconToggleLeft,
  IconToggleRight,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { LIST_KEY } from '../../ui/live-rows.ts'
import { errorText } from '../../ui/page.tsx'
import { DeleteAccountDialog, ResetDialog } from './account-dialogs.tsx'
import { AccountSessions } from './account-sessions.tsx'
import { fr } from './fr.ts'

type Target = Pick<AccountRow, 'idUser' | 'login' | 'enabled' | 'lockedUntil' | 'admin'>
interface Act {
  readonly run: () => Promise<unknown>
  readonly done: string
}

/** What can be done about one account, behind one button. Nobody acts on an administrator without being one (S34). */
export const AccountMenu = ({ account }: { readonly account: Target }) => {
  const { can, user } = useSession()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'reset' | 'sessions' | 'delete' | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { idUser, login, enabled, lockedUntil, admin } = account
  const may = can('user_write') && (!admin || can('admin'))
  const isOwn = user?.idUser === idUser
  const act = useMutation({
    mutationFn: ({ run }: Act) => run(),
    onSuccess: (_, { done }) => notifications.show({ message: done, color: 'green' }),
    onError: error => notifications.show({ title: fr.done.failed, message: errorText(error), color: 'red' }),
    onSettled: () => client.invalidateQueries({ queryKey: [LIST_KEY] }),
  })
  const close = (): void => {
    setDialog(null)
    void client.invalidateQueries({ queryKey: [LIST_KEY] })
    button.current?.focus()
  }
  const params = { id: idUser }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={fr.actionsOf(login)} ref={button}>
            <IconDotsVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={`/user/edit/${idUser}`} leftSection={<IconPencil size={16} />}>
            {fr.actions.open}
          </Menu.Item>
          {may && lockedUntil !== null && (
            <Menu.Item
              leftSection={<IconLockOpen size={16} />}
              onClick={() =>
                act.mutate({ run: () => call(accountRoutes.unlock, { params }), done: fr.done.unlocked(login) })
              }
            >
              {fr.actions.unlock}
            </Menu.Item>
          )}
          {may && !isOwn && (
            <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setDialog('reset')}>
              {fr.actions.reset}
            </Menu.Item>
          )}
          {may && !isOwn && (
            <Menu.Item
              leftSection={enabled ? <IconToggleLeft size={16} /> : <IconToggleRight size={16} />}
              onClick={() =>
                act.mutate({
                  run: () => call(accountRoutes.update, { params, body: { enabled: !enabled } }),
                  done: enabled ? fr.done.disabled(login) : fr.done.enabled(login),
                })
              }
            >
              {enabled ? fr.actions.disable : fr.actions.enable}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconDeviceDesktop size={16} />} onClick={() => setDialog('sessions')}>
            {fr.actions.sessions}
          </Menu.Item>
          {may && !isOwn && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDialog('delete')}>
              {fr.actions.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'reset' && <ResetDialog account={account} onClose={close} onDone={close} />}
      {dialog === 'delete' && (
        <DeleteAccountDialog
          account={account}
          onClose={close}
          onDone={() => {
            notifications.show({ message: fr.done.deleted(login), color: 'green' })
            close()
          }}
        />
      )}
      <Modal
        opened={dialog === 'sessions'}
        onClose={close}
        title={<strong>{fr.sessions.of(login)}</strong>}
        size="lg"
        centered
      >
        {dialog === 'sessions' && <AccountSessions id={idUser} mayEnd={may} />}
      </Modal>
    </>
  )
}
