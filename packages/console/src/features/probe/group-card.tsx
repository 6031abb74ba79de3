import { ActionIcon, Button } from '@mantine/core'
import type { ProbeGroup } from '@narval/contracts'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Card, NotLoaded } from '../../ui/page.tsx'
import { Since } from '../../ui/time.tsx'
import classes from './group.module.css'
import { GroupDeletion, GroupDialog } from './group-dialogs.tsx'
import { fr } from './group-fr.ts'
import { useProbeGroups } from './group-queries.ts'
import { ProbeStateBadge } from './probe-state.tsx'

type Dialog = { readonly kind: 'edit' | 'delete'; readonly group: ProbeGroup } | { readonly kind: 'create' }

/** Groups of probes: who stands where, and who runs for whom now. */
export const GroupCard = () => {
  const { data, error, refetch } = useProbeGroups()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = (): void => setDialog(null)
  return (
    <Card
      className={classes.card ?? ''}
      title={fr.title}
      aside={
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlus size={15} />}
          onClick={() => setDialog({ kind: 'create' })}
        >
          {fr.create}
        </Button>
      }
    >
      <p className={classes.help}>{fr.help}</p>
      {data === undefined ? (
        <NotLoaded error={error} onRetry={refetch} height={80} />
      ) : data.length === 0 ? (
        <p className={classes.none}>{fr.none}</p>
      ) : (
        <div className={classes.groups}>
          {data.map(group => (
            <GroupOfProbes key={group.id} group={group} onOpen={kind => setDialog({ kind, group })} />
          ))}
        </div>
      )}
      {dialog?.kind === 'create' && <GroupDialog group={null} onClose={close} />}
      {dialog?.kind === 'edit' && <GroupDialog group={dialog.group} onClose={close} />}
      {dialog?.kind === 'delete' && <GroupDeletion group={dialog.group} onClose={close} />}
    </Card>
  )
}

interface GroupOfProbesProps {
  readonly group: ProbeGroup
  readonly onOpen: (kind: 'edit' | 'delete') => void
}

const GroupOfProbes = ({ group, onOpen }: GroupOfProbesProps) => (
  <section className={classes.group} aria-label={group.name}>
    <header className={classes.head}>
      <h3>{group.name}</h3>
      <ActionIcon variant="subtle" color="gray" aria-label={fr.edit(group.name)} onClick={() => onOpen('edit')}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={fr.remove(group.name)} onClick={() => onOpen('delete')}>
        <IconTrash size={16} />
      </ActionIcon>
    </header>
    {group.members.length === 0 ? (
      <p className={classes.help}>{fr.noMembers}</p>
    ) : (
      <ol className={classes.members}>
        {group.members.map(({ id, name, state, standIn, scanners }) => (
          <li key={id}>
            <ProbeStateBadge state={state} />
            <span>
              <Link to={`/probe/edit/${id}`}>{name}</Link>
              <span className={classes.detail}>
                {' · '}
                {fr.scanners(scanners)}
                {standIn !== null && scanners > 0 && (
                  <>
                    {' '}
                    <strong>{fr.standIn(standIn.name, scanners)}</strong> depuis <Since at={standIn.since} />
                  </>
                )}
              </span>
            </span>
          </li>
        ))}
      </ol>
    )}
  </section>
)
