import { ActionIcon, Button, Menu, Modal } from '@mantine/core'
import type { ActedObject, CommentKind, MaintenanceTargets } from '@narval/contracts'
import {
  IconDots,
  IconDotsVertical,
  IconHandStop,
  IconMessage,
  IconRefresh,
  IconTool,
  IconUserCheck,
  IconUserPlus,
  IconUserX,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { acting as words } from '../i18n/acting.ts'
import { useSession } from '../lib/session.ts'
import { type ActTargets, type IncidentChangeInput, useActing } from './acting.ts'
import { CommentPanel } from './comment-panel.tsx'
import type { BulkSelection } from './data-table-selection.ts'
import { ActDialogs, maintainedOf, type Opened } from './incident-dialogs.tsx'

/** Head of the column that holds `RowMenu`. */
export const ACTIONS = words.actions

export interface Acted {
  readonly of: ActedObject
  readonly id: number
  readonly name: string
  /** Whether an incident is open; left out: not known. */
  readonly open?: boolean
  /** Whether it is acknowledged; left out: not known. */
  readonly acknowledged?: boolean
  readonly owner?: string | null
  /** What a maintenance would cover; left out: the row itself; null: nothing. */
  readonly maintain?: MaintenanceTargets | null
  /** What is written on; left out: nothing can be. */
  readonly comment?: { readonly kind: CommentKind; readonly id: number }
}

interface RowMenuProps {
  readonly acted: Acted
  /** What else can be done about the row. */
  readonly children?: ReactNode
  readonly onDone?: () => void
}

const isOpenOrUnknown = ({ open }: Acted): boolean => open ?? true

/** What can be done about one row, behind one button; acting asks for incident_write, writing does not. */
export const RowMenu = ({ acted, children, onDone }: RowMenuProps) => {
  const { can, user } = useSession()
  const acts = can('incident_write')
  const acting = useActing()
  const [opened, setOpened] = useState<Opened | null>(null)
  const targets: ActTargets = { of: acted.of, target: { ids: [acted.id] }, what: acted.name }
  const change = (input: IncidentChangeInput, done: (count: number) => string): void =>
    void acting.change(targets, input, done).then(onDone)
  const login = user?.login ?? ''
  const open = isOpenOrUnknown(acted)
  const { acknowledged } = acted
  const maintained = acted.maintain === undefined ? maintainedOf(targets) : acted.maintain
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.of(acted.name)}>
            <IconDotsVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {acts && open && acknowledged !== true && (
            <Menu.Item leftSection={<IconUserCheck size={16} />} onClick={() => setOpened('acknowledge')}>
              {words.acknowledge}
            </Menu.Item>
          )}
          {acts && open && acknowledged !== false && (
            <Menu.Item
              leftSection={<IconUserX size={16} />}
              onClick={() => change({ unacknowledge: true }, words.unacknowledged)}
            >
              {words.unacknowledge}
            </Menu.Item>
          )}
          {acts && open && acted.owner !== login && (
            <Menu.Item
              leftSection={<IconHandStop size={16} />}
              onClick={() => change({ own: { owner: login } }, words.owned)}
            >
              {words.own}
            </Menu.Item>
          )}
          {acts && open && (
            <Menu.Item leftSection={<IconUserPlus size={16} />} onClick={() => setOpened('give')}>
              {words.give}
            </Menu.Item>
          )}
          {acts && open && acted.owner !== undefined && acted.owner !== null && (
            <Menu.Item
              leftSection={<IconUserX size={16} />}
              onClick={() => change({ own: { owner: null } }, words.released)}
            >
              {words.release}
            </Menu.Item>
          )}
          {acts && maintained !== null && (
            <Menu.Item leftSection={<IconTool size={16} />} onClick={() => setOpened('maintain')}>
              {words.maintain}
            </Menu.Item>
          )}
          {acts && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => void acting.check(targets)}>
              {words.check}
            </Menu.Item>
          )}
          {acted.comment !== undefined && (acts || acted.comment.kind !== 'incident') && (
            <Menu.Item leftSection={<IconMessage size={16} />} onClick={() => setOpened('comment')}>
              {words.comment}
            </Menu.Item>
          )}
          {children}
        </Menu.Dropdown>
      </Menu>
      <ActDialogs
        targets={targets}
        maintained={maintained}
        opened={opened}
        onClose={() => setOpened(null)}
        onDone={onDone}
      />
      <Modal
        opened={opened === 'comment'}
        onClose={() => setOpened(null)}
        title={<strong>{words.commentTitle(acted.name)}</strong>}
        size="lg"
        centered
      >
        {opened === 'comment' && acted.comment !== undefined && <CommentPanel {...acted.comment} bare />}
      </Modal>
    </>
  )
}

interface BulkProps {
  readonly of: ActedObject
  readonly selection: BulkSelection
  readonly noun: (count: number) => string
  /** The list shows filters in another form than the server takes them. */
  readonly target?: ActTargets['target']
  /** More of them behind « … ». */
  readonly children?: ReactNode
}

/** What can be done about rows that are ticked, or all that the filter matches; nothing without incident_write. */
export const ActBulk = ({ of, selection, noun, target = selection.target, children }: BulkProps) => {
  const { can } = useSession()
  const acting = useActing()
  const [opened, setOpened] = useState<Opened | null>(null)
  if (!can('incident_write')) return null
  const targets: ActTargets = { of, target, what: noun(selection.count) }
  return (
    <>
      <Button size="compact-sm" leftSection={<IconUserCheck size={15} />} onClick={() => setOpened('acknowledge')}>
        {words.acknowledge}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconHandStop size={15} />}
        onClick={() => setOpened('own')}
      >
        {words.own}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconRefresh size={15} />}
        onClick={() => void acting.check(targets)}
      >
        {words.check}
      </Button>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button size="compact-sm" variant="default" aria-label={words.menu} px={6}>
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUserX size={15} />} onClick={() => setOpened('unacknowledge')}>
            {words.unacknowledge}
          </Menu.Item>
          {maintainedOf(targets) !== null && (
            <Menu.Item leftSection={<IconTool size={15} />} onClick={() => setOpened('maintain')}>
              {words.maintain}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconUserPlus size={15} />} onClick={() => setOpened('give')}>
            {words.give}
          </Menu.Item>
          <Menu.Item leftSection={<IconUserX size={15} />} onClick={() => setOpened('release')}>
            {words.release}
          </Menu.Item>
          {children}
        </Menu.Dropdown>
      </Menu>
      <ActDialogs
        targets={targets}
        maintained={maintainedOf(targets)}
        opened={opened}
        onClose={() => setOpened(null)}
        onDone={selection.clear}
      />
    </>
  )
}
