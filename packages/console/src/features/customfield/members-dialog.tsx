import { ActionIcon, Modal, Stack, TextInput } from '@mantine/core'
import { customFieldRoutes, fold, type PrivilegeGroup, type ReplyOf } from '@narval/contracts'
import { IconAlertTriangle, IconSearch, IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { userOptions } from '../../lib/custom-field-queries.ts'
import type { OptionSource } from '../../lib/option-source.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText, NotLoaded } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import classes from './custom-field-page.module.css'
import { membersQuery } from './field-queries.ts'
import { fr } from './fr.ts'

type Member = ReplyOf<typeof customFieldRoutes.privilegeGroupUsers>[number]
interface MembersProps {
  readonly group: PrivilegeGroup
  readonly onSaved: () => void
  readonly onClose: () => void
}
const { userGroups: words } = fr
/** From so many members on they can be filtered. */
const MANY = 8

/** Who is of a user group: accounts found by name are added, members are taken off, and all of it is saved at once. */
export const MembersDialog = ({ group, onSaved, onClose }: MembersProps) => {
  const { data, error, refetch } = useQuery(membersQuery(group.id))
  return (
    <Modal opened onClose={onClose} title={<strong>{words.membersTitle(group.name)}</strong>} centered>
      {data !== undefined ? (
        <Members group={group} initial={data} onSaved={onSaved} onClose={onClose} />
      ) : (
        <NotLoaded error={error} onRetry={refetch} height={160} />
      )}
    </Modal>
  )
}

const nameOf = ({ name, login }: Member): string => (name === '' || name === login ? login : `${name} (${login})`)

const Members = ({ group, initial, onSaved, onClose }: MembersProps & { readonly initial: readonly Member[] }) => {
  const [members, setMembers] = useState(() => initial.map(member => ({ id: member.idUser, name: nameOf(member) })))
  const [term, setTerm] = useState('')
  const save = useMutation({
    mutationFn: () =>
      call(customFieldRoutes.setPrivilegeGroupUsers, {
        params: { id: group.id },
        body: { users: members.map(member => member.id) },
      }),
    onSuccess: onSaved,
  })
  const shown = members.filter(member => fold(member.name).includes(fold(term)))
  return (
    <Stack gap="md">
      {save.error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.refused}>
          <p>{errorText(save.error)}</p>
        </Notice>
      )}
      <AddMember
        exclude={members.map(member => member.id)}
        onAdd={member => setMembers([...members, member].toSorted((a, b) => a.name.localeCompare(b.name, 'fr')))}
      />
      {members.length > MANY && (
        <TextInput
          type="search"
          aria-label={words.searchMember}
          placeholder={words.searchMember}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={term}
          onChange={event => setTerm(event.currentTarget.value)}
        />
      )}
      {shown.length === 0 ? (
        <p className={classes.hint}>{members.length === 0 ? words.noMembers : words.noMemberMatch}</p>
      ) : (
        <ul className={classes.members} aria-label={words.membersTitle(group.name)}>
          {shown.map(member => (
            <li key={member.id}>
              {member.name}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.removeMember(member.name)}
                onClick={() => setMembers(members.filter(other => other.id !== member.id))}
              >
                <IconX size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <DialogActions
        onCancel={onClose}
        submit={words.membersSave}
        onSubmit={() => save.mutate()}
        busy={save.isPending}
      />
    </Stack>
  )
}

interface AddProps {
  readonly exclude: readonly number[]
  readonly onAdd: (member: { readonly id: number; readonly name: string }) => void
}

/** Finds an account and adds it; the box is empty again for the next. */
const AddMember = ({ exclude, onAdd }: AddProps) => {
  const [round, setRound] = useState(0)
  const source: OptionSource = {
    ...userOptions,
    key: `user-except-${exclude.join('-')}`,
    search: async (term, signal) => {
      const page = await userOptions.search(term, signal)
      return { ...page, results: page.results.filter(user => !exclude.includes(user.id)) }
    },
  }
  const add = (id: number | null): void => {
    if (id === null) return
    void userOptions.nameOf(id, AbortSignal.timeout(10_000)).then(
      name => onAdd({ id, name }),
      () => onAdd({ id, name: `n°\u202f${id}` }),
    )
    setRound(round + 1)
  }
  return <RemoteSelect key={round} label={words.addMember} source={source} value={null} onChange={add} />
}
