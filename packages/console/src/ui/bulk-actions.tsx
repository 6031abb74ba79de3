import { Button, Menu } from '@mantine/core'
import type { BulkReply } from '@narval/contracts'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { bulk as words } from '../i18n/bulk.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { BulkSelection } from './data-table-selection.ts'

/** A change that needs no further choice. */
interface FixedAction<C> {
  readonly label: string
  /** Of its dialog: « Activer 12 équipements ». */
  readonly title: (what: string) => string
  readonly change: C
  readonly destructive?: boolean
  /** Behind « … ». */
  readonly aside?: boolean
}

const ENABLE = { label: words.enable, title: words.enableTitle, change: { enabled: true } }
const DISABLE = { label: words.disable, title: words.disableTitle, change: { enabled: false } }
const INHERIT = {
  ...{ label: words.inherit, title: words.inheritTitle, change: { inherit: true as const } },
  aside: true,
}
const DELETE = {
  ...{ label: words.delete, title: words.deleteTitle, change: { delete: true as const } },
  ...{ destructive: true, aside: true },
}
/** For records that are switched on and off. */
export const RECORD_ACTIONS = [ENABLE, DISABLE, DELETE]
/** For those that also inherit from a model. */
export const INHERITING_ACTIONS = [ENABLE, DISABLE, INHERIT, DELETE]
/** Longest wait for a change of thousands. */
export const BULK_TIMEOUT_MS = 120_000

interface BulkActionsProps<C extends object> {
  readonly selection: BulkSelection
  readonly noun: (count: number) => string
  readonly run: (target: BulkSelection['target'], change: C, plan: boolean) => Promise<BulkReply>
  readonly actions: readonly FixedAction<C>[]
  /** Fields of a change that is composed. */
  readonly fields: (change: C, onChange: (change: C) => void) => ReactNode
  readonly nothing: C
}

const isSomething = (change: object): boolean =>
  Object.values(change).some(value => value !== undefined && !(Array.isArray(value) && value.length === 0))

/** What can be done with the rows that are ticked; each says what it would do before it does. */
export const BulkActions = <C extends object>(props: BulkActionsProps<C>) => {
  const { selection, noun, run, actions, fields, nothing } = props
  const [open, setOpen] = useState<FixedAction<C> | 'edit' | null>(null)
  const [change, setChange] = useState(nothing)
  const more = useRef<HTMLButtonElement>(null)
  const what = noun(selection.count)
  const close = (): void => {
    setOpen(null)
    setChange(nothing)
  }
  const aside = actions.filter(action => action.aside === true)
  return (
    <>
      <Button size="compact-sm" leftSection={<IconPencil size={15} />} onClick={() => setOpen('edit')}>
        {words.edit}
      </Button>
      {actions
        .filter(action => action.aside !== true)
        .map(action => (
          <Button key={action.label} size="compact-sm" variant="default" onClick={() => setOpen(action)}>
            {action.label}
          </Button>
        ))}
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button size="compact-sm" variant="default" aria-label={words.more} px={6} ref={more}>
            <IconDots size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {aside.map(action => (
            <Menu.Item
              key={action.label}
              {...(action.destructive === true && { color: 'red', leftSection: <IconTrash size={15} /> })}
              onClick={() => setOpen(action)}
            >
              {action.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && (
        <BulkDialog
          opened
          onClose={close}
          title={words.editTitle(what)}
          noun={noun}
          ready={isSomething(change)}
          run={plan => run(selection.target, change, plan)}
          onDone={close}
        >
          {fields(change, setChange)}
        </BulkDialog>
      )}
      {open !== null && open !== 'edit' && (
        <BulkDialog
          opened
          onClose={close}
          title={open.title(what)}
          noun={noun}
          ready
          destructive={open.destructive ?? false}
          backTo={more}
          run={plan => run(selection.target, open.change, plan)}
          onDone={() => {
            close()
            // What was deleted can not stay ticked.
            if (open.destructive === true) selection.clear()
          }}
        />
      )}
    </>
  )
}
