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
import type { ComponentType, ReactNode } from 'react'
import { acting as words } from '../i18n/acting.ts'
import type { Place } from '../lib/rights.ts'
import { useSession } from '../lib/session.ts'
import { type ActTargets, type IncidentChangeInput, useActing } from './acting.ts'
import { CommentManyDialog } from './comment-many-dialog.tsx'
import { CommentPanel } from './comment-panel.tsx'
import type { BulkSelection } from './data-table-selection.ts'
import type { TableColumn } from './data-table-types.ts'
import { maintainedOf, useActDialogs } from './incident-dialogs.tsx'

/** The column of what acts on a row, the last of its list. */
export const actionsColumn = <T,>(cell: TableColumn<T>['cell']): TableColumn<T> => ({
  ...{ id: 'actions', header: words.actions, fixed: true, sortable: false, cell },
  width: 72,
})

export interface Acted {
  readonly of: ActedObject
  readonly id: number
  readonly name: string
  /** Where it is: acting asks for the right there. */
  readonly on: Place
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

interface ActItemProps {
  readonly icon: ComponentType<{ readonly size: number }>
  readonly size?: number
  readonly onClick: () => void
  readonly children: ReactNode
}

const ActItem = ({ icon: Icon, size = 16, onClick, children }: ActItemProps) => (
  <Menu.Item leftSection={<Icon size={size} />} onClick={onClick}>
    {children}
  </Menu.Item>
)

type Dialogs = ReturnType<typeof useActDialogs>

interface OpenItemsProps {
  readonly acted: Acted
  readonly open: Dialogs['open']
  readonly change: (input: IncidentChangeInput, done: (count: number) => string) => void
}

/** What can be done about an incident that is open, or may be. */
const OpenItems = ({ acted: { acknowledged, owner = null, ...acted }, open, change }: OpenItemsProps) => {
  const login = useSession().user?.login ?? ''
  if (acted.open === false) return null
  return (
    <>
      {acknowledged !== true && (
        <ActItem icon={IconUserCheck} onClick={() => open('acknowledge')}>
          {words.acknowledge}
        </ActItem>
      )}
      {acknowledged !== false && (
        <ActItem icon={IconUserX} onClick={() => change({ unacknowledge: true }, words.unacknowledged)}>
          {words.unacknowledge}
        </ActItem>
      )}
      {owner !== login && (
        <ActItem icon={IconHandStop} onClick={() => change({ own: { owner: login } }, words.owned)}>
          {words.own}
        </ActItem>
      )}
      <ActItem icon={IconUserPlus} onClick={() => open('give')}>
        {words.give}
      </ActItem>
      {owner !== null && (
        <ActItem icon={IconUserX} onClick={() => change({ own: { owner: null } }, words.released)}>
          {words.release}
        </ActItem>
      )}
    </>
  )
}

interface RowMenuProps {
  readonly acted: Acted
  /** What else can be done about the row. */
  readonly children?: ReactNode
  readonly onDone?: () => void
}

/** What can be done about one row, behind one button; acting asks for incident_write, writing does not. */
export const RowMenu = ({ acted, children, onDone }: RowMenuProps) => {
  const acts = useSession().canOn(acted.on, 'incident_write')
  const acting = useActing()
  const targets: ActTargets = { of: acted.of, target: { ids: [acted.id] }, what: acted.name }
  const maintained = acted.maintain === undefined ? maintainedOf(targets) : acted.maintain
  const { opened, open, close, dialogs } = useActDialogs(targets, maintained, onDone)
  const change: OpenItemsProps['change'] = (input, done) => void acting.change(targets, input, done).then(onDone)
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.of(acted.name)}>
            <IconDotsVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {acts && <OpenItems acted={acted} open={open} change={change} />}
          {acts && maintained !== null && (
            <ActItem icon={IconTool} onClick={() => open('maintain')}>
              {words.maintain}
            </ActItem>
          )}
          {acts && (
            <ActItem icon={IconRefresh} onClick={() => void acting.check(targets)}>
              {words.check}
            </ActItem>
          )}
          {acted.comment !== undefined && (acts || acted.comment.kind !== 'incident') && (
            <ActItem icon={IconMessage} onClick={() => open('comment')}>
              {words.comment}
            </ActItem>
          )}
          {children}
        </Menu.Dropdown>
      </Menu>
      {dialogs}
      <Modal
        opened={opened === 'comment'}
        onClose={close}
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
  const targets: ActTargets = { of, target, what: noun(selection.count) }
  const maintained = maintainedOf(targets)
  const { opened, open, close, dialogs } = useActDialogs(targets, maintained, selection.clear)
  if (!can('incident_write')) return null
  const second = { size: 'compact-sm', variant: 'default' } as const
  return (
    <>
      <Button size="compact-sm" leftSection={<IconUserCheck size={15} />} onClick={() => open('acknowledge')}>
        {words.acknowledge}
      </Button>
      <Button {...second} leftSection={<IconHandStop size={15} />} onClick={() => open('own')}>
        {words.own}
      </Button>
      <Button {...second} leftSection={<IconRefresh size={15} />} onClick={() => void acting.check(targets)}>
        {words.check}
      </Button>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button {...second} aria-label={words.menu} px={6}>
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ActItem size={15} icon={IconUserX} onClick={() => open('unacknowledge')}>
            {words.unacknowledge}
          </ActItem>
          <ActItem size={15} icon={IconTool} onClick={() => open('maintain')}>
            {words.maintain}
          </ActItem>
          <ActItem size={15} icon={IconUserPlus} onClick={() => open('give')}>
            {words.give}
          </ActItem>
          <ActItem size={15} icon={IconUserX} onClick={() => open('release')}>
            {words.release}
          </ActItem>
          <ActItem size={15} icon={IconMessage} onClick={() => open('comment')}>
            {words.comment}
          </ActItem>
          {children}
        </Menu.Dropdown>
      </Menu>
      {dialogs}
      {opened === 'comment' && (
        <CommentManyDialog
          targets={targets}
          noun={noun}
          onClose={close}
          onDone={() => {
            selection.clear()
            close()
          }}
        />
      )}
    </>
  )
}
