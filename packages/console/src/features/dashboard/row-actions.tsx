import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { acknowledgementRoutes, hostRoutes, type ProblemRow } from '@narval/contracts'
import { IconActivity, IconDotsVertical, IconRefresh, IconServer, IconUserCheck, IconUserX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'

interface RowActionsProps {
  readonly problem: ProblemRow
  readonly onAcknowledge: (problem: ProblemRow) => void
  readonly onChanged: () => void
}

const tell = async (work: Promise<{ title: string; message: string } | null>): Promise<void> => {
  try {
    const said = await work
    if (said !== null) notifications.show({ ...said, color: 'blue' })
  } catch (error) {
    notifications.show({ title: fr.failed, message: errorText(error), color: 'red' })
  }
}

/** What can be done about one row; acting asks for incident_write. */
export const RowActions = ({ problem, onAcknowledge, onChanged }: RowActionsProps) => {
  const acts = useSession().can('incident_write')
  const check = async () => {
    const { scanners } = await call(hostRoutes.check, { params: { id: String(problem.hostId) } })
    return { title: fr.checked(problem.hostName), message: fr.checkedText(scanners) }
  }
  const unacknowledge = async () => {
    if (problem.incidentId !== null)
      await call(acknowledgementRoutes.unacknowledge, { params: { id: String(problem.incidentId) } })
    onChanged()
    return null
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={fr.actions.of(`${problem.hostName}, ${problem.name}`)}>
          <IconDotsVertical size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts && problem.incidentId !== null && problem.acknowledgedBy === null && (
          <Menu.Item leftSection={<IconUserCheck size={16} />} onClick={() => onAcknowledge(problem)}>
            {fr.actions.acknowledge}
          </Menu.Item>
        )}
        {acts && problem.acknowledgedBy !== null && (
          <Menu.Item leftSection={<IconUserX size={16} />} onClick={() => void tell(unacknowledge())}>
            {fr.actions.unacknowledge}
          </Menu.Item>
        )}
        {acts && (
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => void tell(check())}>
            {fr.actions.check}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconServer size={16} />} component={Link} to={`/host/${problem.hostId}`}>
          {fr.actions.open}
        </Menu.Item>
        <Menu.Item leftSection={<IconActivity size={16} />} component={Link} to={`/metric/${problem.id}`}>
          {fr.actions.openMetric}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
