import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { probeOptions } from '../../lib/option-sources.ts'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import classes from './group.module.css'
import { fr } from './group-fr.ts'

export interface Member {
  readonly id: number
  readonly name: string
}
interface GroupMembersProps {
  readonly members: readonly Member[]
  readonly onChange: (members: readonly Member[]) => void
}

/** Swaps a member with the one before it (-1) or after it (1). */
const moved = (members: readonly Member[], from: number, step: -1 | 1): readonly Member[] => {
  const [one, other] = [members[from], members[from + step]]
  if (one === undefined || other === undefined) return members
  return members.map(member => (member === one ? other : member === other ? one : member))
}

/** The probes of a group, put in order, taken off, added by name. */
export const GroupMembers = ({ members, onChange }: GroupMembersProps) => {
  const add = async (id: number | null): Promise<void> => {
    if (id === null || members.some(member => member.id === id)) return
    onChange([...members, { id, name: await probeOptions.nameOf(id, new AbortController().signal) }])
  }
  return (
    <div>
      <p className={classes.label}>{fr.members}</p>
      <p className={classes.help}>{fr.membersHelp}</p>
      {members.length === 0 ? (
        <p className={classes.help}>{fr.noMembers}</p>
      ) : (
        <ol className={classes.order} aria-label={fr.members}>
          {members.map(({ id, name }, rank) => (
            <li key={id}>
              <span className={classes.name}>{name}</span>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={fr.up(name)}
                aria-disabled={rank === 0}
                onClick={() => onChange(moved(members, rank, -1))}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={fr.down(name)}
                aria-disabled={rank === members.length - 1}
                onClick={() => onChange(moved(members, rank, 1))}
              >
                <IconArrowDown size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={fr.takeOff(name)}
                onClick={() => onChange(members.filter(member => member.id !== id))}
              >
                <IconX size={16} />
              </ActionIcon>
            </li>
          ))}
        </ol>
      )}
      <RemoteSelect
        // A fresh box after each choice: what was chosen is in the list above.
        key={members.length}
        source={probeOptions}
        label={fr.addMember}
        value={null}
        onChange={id => void add(id)}
      />
    </div>
  )
}
