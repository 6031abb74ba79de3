import { Button, Menu } from '@mantine/core'
import type { Incident } from '@narval/contracts'
import { IconArrowsJoin2, IconUserCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession } from '../../lib/session.ts'
import { AcknowledgeDialog } from '../../ui/acknowledge-dialog.tsx'
import { type Acted, RowMenu } from '../../ui/incident-actions.tsx'
import { fr } from './fr.ts'
import { MergeDialog } from './merge-dialog.tsx'

/** An incident as the actions take it. */
export const actedOf = ({ id, title, closedAt, acknowledgedBy, owner, metricId, siteId, hostId }: Incident): Acted => ({
  of: 'incident',
  id,
  name: title,
  on: { siteId, hostId },
  open: closedAt === null,
  acknowledged: acknowledgedBy !== null,
  owner,
  maintain: metricId === null ? null : { metrics: [metricId] },
  comment: { kind: 'incident', id },
})

interface ActionsProps {
  readonly incident: Incident
  readonly onChanged: () => void
}

/** What can be done about an open incident: acknowledged at once, the rest behind one button. */
export const Actions = ({ incident, onChanged }: ActionsProps) => {
  const acts = useSession().canOn(incident, 'incident_write')
  const [opened, setOpened] = useState<'acknowledge' | 'merge' | null>(null)
  const close = (): void => setOpened(null)
  if (!acts) return null
  return (
    <>
      {incident.acknowledgedBy === null && (
        <Button leftSection={<IconUserCheck size={16} />} onClick={() => setOpened('acknowledge')}>
          {fr.acknowledge}
        </Button>
      )}
      <RowMenu acted={actedOf(incident)} onDone={onChanged}>
        {incident.parentId === null && (
          <Menu.Item leftSection={<IconArrowsJoin2 size={16} />} onClick={() => setOpened('merge')}>
            {fr.merge}
          </Menu.Item>
        )}
      </RowMenu>
      <AcknowledgeDialog
        targets={
          opened === 'acknowledge' ? { of: 'incident', target: { ids: [incident.id] }, what: incident.title } : null
        }
        onClose={close}
        onDone={onChanged}
      />
      <MergeDialog incident={incident} opened={opened === 'merge'} onClose={close} onDone={onChanged} />
    </>
  )
}
