import { ActionIcon, Button, Menu, UnstyledButton } from '@mantine/core'
import type { FieldDefinition, FieldGroup, PrivilegeGroup, PrivilegeLevel } from '@narval/contracts'
import { IconChevronDown, IconChevronRight, IconDots, IconEdit, IconTrash, IconUsers } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { fr } from './fr.ts'
import { PrivilegeCellButton } from './privilege-cell.tsx'
import classes from './privilege-matrix.module.css'
import { type CellLevels, type CellPlace, cellKey } from './privilege-matrix.ts'
import type { UserGroupAction } from './user-group-dialogs.tsx'

interface GridProps {
  readonly groups: readonly FieldGroup[]
  readonly definitions: readonly FieldDefinition[]
  readonly userGroups: readonly PrivilegeGroup[]
  readonly saved: CellLevels
  readonly changes: CellLevels
  readonly onLevel: (place: CellPlace, level: PrivilegeLevel | null) => void
  readonly onAction: (action: UserGroupAction) => void
  /** Beside the legend: « Ajouter un groupe d’utilisateurs ». */
  readonly add: ReactNode
}

/** A row of the matrix: a group of fields, or one of its fields under it. */
type Row =
  | { readonly kind: 'group'; readonly group: FieldGroup; readonly fields: readonly FieldDefinition[] }
  | { readonly kind: 'field'; readonly group: FieldGroup; readonly definition: FieldDefinition }

/** Up to so many fields are shown unasked. */
const UNFOLDED_MAX = 12
const { privileges: words } = fr

const rowsOf = (
  groups: readonly FieldGroup[],
  definitions: readonly FieldDefinition[],
  open: ReadonlySet<number>,
): Row[] =>
  groups.flatMap((group): Row[] => {
    const fields = definitions.filter(definition => definition.groupId === group.id)
    const under = open.has(group.id) ? fields.map(definition => ({ kind: 'field' as const, group, definition })) : []
    return [{ kind: 'group', group, fields }, ...under]
  })

/** User groups × groups of fields, whose fields unfold. Arrows go from cell to cell; the head and the first column stay in sight. */
export const PrivilegeGrid = (props: GridProps) => {
  const { groups, definitions, userGroups } = props
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(definitions.length <= UNFOLDED_MAX ? groups.map(group => group.id) : []),
  )
  const rows = rowsOf(groups, definitions, open)
  const { table, active, setActive, onKeyDown } = useGridFocus(rows.length, userGroups.length)
  const toggle = (id: number): void =>
    setOpen(new Set(open.has(id) ? [...open].filter(other => other !== id) : [...open, id]))
  return (
    <>
      <div className={classes.toolbar}>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setOpen(new Set(open.size === 0 ? groups.map(group => group.id) : []))}
        >
          {open.size === 0 ? words.unfoldAll : words.foldAll}
        </Button>
        <span className={classes.keys}>{words.keys}</span>
        {props.add}
      </div>
      <div className={classes.scroller}>
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrows go from cell to cell, as in every grid
          role="grid"
          className={classes.table}
          style={columnsOf(userGroups.length)}
          aria-label={words.matrix}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr>
              <th scope="col" className={classes.corner}>
                {words.rows}
              </th>
              {userGroups.map(userGroup => (
                <UserGroupHead key={userGroup.id} userGroup={userGroup} onAction={props.onAction} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr
                key={row.kind === 'group' ? `g${row.group.id}` : `d${row.definition.id}`}
                data-kind={row.kind}
                onFocus={event => {
                  const column = Number(event.target.getAttribute('data-column') ?? '-1')
                  if (column >= 0) setActive({ row: index, column })
                }}
              >
                <RowHead
                  {...props}
                  row={row}
                  index={index}
                  open={open.has(row.group.id)}
                  focused={active.row === index && active.column === 0}
                  onToggle={toggle}
                />
                {userGroups.map((userGroup, column) => (
                  <PrivilegeCellButton
                    key={userGroup.id}
                    userGroup={userGroup}
                    place={placeOf(row, userGroup)}
                    name={row.kind === 'group' ? row.group.name : row.definition.label}
                    saved={props.saved}
                    changes={props.changes}
                    at={`${index}:${column + 1}`}
                    column={column + 1}
                    focused={active.row === index && active.column === column + 1}
                    onLevel={props.onLevel}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Their number, for the width below which the table scrolls. */
const columnsOf = (count: number): CSSProperties & Record<'--columns', number> => ({ '--columns': count })

const placeOf = (row: Row, { id }: PrivilegeGroup): CellPlace => ({
  userGroupId: id,
  groupId: row.group.id,
  definitionId: row.kind === 'field' ? row.definition.id : null,
})

/** One cell of the grid is in the order of the tabulator; arrows move which one. */
const useGridFocus = (rows: number, columns: number) => {
  const table = useRef<HTMLTableElement>(null)
  const [wanted, setActive] = useState({ row: 0, column: 1 })
  const active = { row: Math.min(wanted.row, rows - 1), column: Math.min(wanted.column, columns) }
  const go = (row: number, column: number): boolean => {
    const cell = table.current?.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`)
    cell?.focus()
    return cell !== null && cell !== undefined
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.at === undefined) return
    const { row, column } = active
    const moves: Readonly<Record<string, () => boolean>> = {
      ArrowLeft: () => go(row, column - 1),
      ArrowRight: () => go(row, column + 1),
      // A field's name is no button: from a group's, the next group's is sought.
      ArrowUp: () => seek(row - 1, -1, column),
      ArrowDown: () => seek(row + 1, 1, column),
      Home: () => go(event.ctrlKey ? 0 : row, 1),
      End: () => go(event.ctrlKey ? rows - 1 : row, columns),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }
  const seek = (from: number, by: -1 | 1, column: number): boolean => {
    for (let row = from; row >= 0 && row < rows; row += by) if (go(row, column)) return true
    return false
  }
  return { table, active, setActive, onKeyDown }
}

interface RowHeadProps extends Pick<GridProps, 'userGroups' | 'saved' | 'changes'> {
  readonly row: Row
  readonly index: number
  readonly open: boolean
  readonly focused: boolean
  readonly onToggle: (id: number) => void
}

const RowHead = ({ row, index, open, focused, onToggle, ...levels }: RowHeadProps) => {
  if (row.kind === 'field')
    return (
      <th scope="row" className={classes.rowHead}>
        <span className={classes.fieldName}>{row.definition.label}</span>
      </th>
    )
  const { group, fields } = row
  const exceptions = exceptionsOf(row.group, fields, levels)
  return (
    <th scope="row" className={classes.rowHead}>
      <UnstyledButton
        className={classes.fold}
        data-at={`${index}:0`}
        data-column={0}
        tabIndex={focused ? 0 : -1}
        aria-expanded={open}
        onClick={() => onToggle(group.id)}
      >
        {open ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        <span>
          {group.name}
          <small>
            {[fr.definitions.count(fields.length), words.exceptions(exceptions)].filter(Boolean).join(' · ')}
          </small>
        </span>
      </UnstyledButton>
    </th>
  )
}

/** How many cells of a group's fields say something of their own. */
const exceptionsOf = (
  group: FieldGroup,
  fields: readonly FieldDefinition[],
  { userGroups, saved, changes }: Pick<GridProps, 'userGroups' | 'saved' | 'changes'>,
): number =>
  userGroups
    .filter(userGroup => !userGroup.admin)
    .flatMap(userGroup =>
      fields.map(field => ({ userGroupId: userGroup.id, groupId: group.id, definitionId: field.id })),
    )
    .filter(place => {
      const key = cellKey(place)
      return (changes.has(key) ? changes.get(key) : (saved.get(key) ?? null)) !== null
    }).length

interface HeadProps {
  readonly userGroup: PrivilegeGroup
  readonly onAction: (action: UserGroupAction) => void
}

const UserGroupHead = ({ userGroup, onAction }: HeadProps) => {
  const { name, description, members, admin } = userGroup
  return (
    <th scope="col" title={description === '' ? undefined : description}>
      <span className={classes.head}>
        <span>
          {name}
          <small>{fr.userGroups.memberCount(members)}</small>
        </span>
        {!admin && (
          <Menu position="bottom-end" shadow="md" withinPortal>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="sm" aria-label={fr.userGroups.actions(name)}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconUsers size={15} />}
                onClick={() => onAction({ kind: 'members', group: userGroup })}
              >
                {fr.userGroups.members}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconEdit size={15} />}
                onClick={() => onAction({ kind: 'rename', group: userGroup })}
              >
                {fr.userGroups.rename}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={15} />}
                onClick={() => onAction({ kind: 'delete', group: userGroup })}
              >
                {fr.userGroups.delete}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
    </th>
  )
}
