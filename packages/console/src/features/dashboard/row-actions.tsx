import { Menu } from '@mantine/core'
import type { ProblemRow } from '@narval/contracts'
import { IconActivity, IconServer, IconUrgent } from '@tabler/icons-react'
import { Link } from 'react-router'
import { commentedPath } from '../../lib/comment-queries.ts'
import { RowMenu } from '../../ui/incident-actions.tsx'
import { fr } from './fr.ts'

interface RowActionsProps {
  readonly problem: ProblemRow
  readonly onChanged: () => void
}

/** What can be done about one problem, and where it is seen. */
export const RowActions = ({ problem, onChanged }: RowActionsProps) => {
  const { id, incidentId, hostId, siteId, hostName, name, acknowledgedBy } = problem
  const comment =
    incidentId === null ? ({ kind: 'metric', id } as const) : ({ kind: 'incident', id: incidentId } as const)
  return (
    <RowMenu
      acted={{
        ...{ of: 'problem', id, name: `${hostName}, ${name}`, open: incidentId !== null, comment },
        ...{ on: { siteId, hostId }, acknowledged: acknowledgedBy !== null },
      }}
      onDone={onChanged}
    >
      <Menu.Divider />
      {incidentId !== null && (
        <Menu.Item leftSection={<IconUrgent size={16} />} component={Link} to={commentedPath('incident', incidentId)}>
          {fr.actions.openIncident}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconServer size={16} />} component={Link} to={`/host/${hostId}`}>
        {fr.actions.open}
      </Menu.Item>
      <Menu.Item leftSection={<IconActivity size={16} />} component={Link} to={`/metric/${id}`}>
        {fr.actions.openMetric}
      </Menu.Item>
    </RowMenu>
  )
}
