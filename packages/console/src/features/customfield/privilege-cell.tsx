import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { PrivilegeGroup, PrivilegeLevel } from '@narval/contracts'
import { IconEye, IconPencil, IconShieldCheck, IconX } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { customField } from '../../i18n/custom-field.ts'
import { fr } from './fr.ts'
import classes from './privilege-matrix.module.css'
import { type CellLevels, type CellPlace, cellKey, effectiveLevel, nextLevel, ownLevel } from './privilege-matrix.ts'

const ICONS: Readonly<Record<PrivilegeLevel, ReactNode>> = {
  none: <IconX size={15} aria-hidden />,
  read: <IconEye size={15} aria-hidden />,
  write: <IconPencil size={15} aria-hidden />,
}
const DIGITS: Readonly<Record<string, PrivilegeLevel>> = { '0': 'none', '1': 'read', '2': 'write' }
const { privileges: words } = fr

interface CellProps {
  readonly userGroup: PrivilegeGroup
  readonly place: CellPlace
  /** Of the row: the group of fields, or the field. */
  readonly name: string
  readonly saved: CellLevels
  readonly changes: CellLevels
  /** Its place in the grid, `row:column`. */
  readonly at: string
  readonly column: number
  readonly focused: boolean
  readonly onLevel: (place: CellPlace, level: PrivilegeLevel | null) => void
}

/** A cell of three states, four for a field: a click or the space bar goes to the next, digits go straight to one. */
export const PrivilegeCellButton = (props: CellProps) => {
  const { userGroup, place, name, saved, changes, at, column, focused, onLevel } = props
  if (userGroup.admin)
    return (
      <td>
        <span
          className={classes.all}
          title={words.allHelp}
          data-at={at}
          data-column={column}
          tabIndex={focused ? 0 : -1}
        >
          <IconShieldCheck size={15} aria-hidden />
          {words.all}
        </span>
      </td>
    )
  const own = ownLevel(saved, changes, place)
  const level = effectiveLevel(saved, changes, place)
  const text = customField.levels[level]
  const changed = changes.has(cellKey(place))
  const keys = (event: KeyboardEvent): void => {
    const digit = DIGITS[event.key]
    if (digit !== undefined) onLevel(place, digit)
    else if ((event.key === 'Backspace' || event.key === 'Delete') && place.definitionId !== null) onLevel(place, null)
    else return
    event.preventDefault()
  }
  return (
    <td>
      <UnstyledButton
        className={classes.cell}
        data-level={level}
        data-inherited={own === null || undefined}
        data-changed={changed || undefined}
        data-at={at}
        data-column={column}
        tabIndex={focused ? 0 : -1}
        onClick={() => onLevel(place, nextLevel(place, own))}
        onKeyDown={keys}
      >
        {ICONS[level]}
        <span>
          <VisuallyHidden>{words.cell(name, userGroup.name)}</VisuallyHidden>
          {text}
          {own === null && <small> {words.inherit}</small>}
          {changed && <VisuallyHidden> ({words.changedCell})</VisuallyHidden>}
        </span>
      </UnstyledButton>
    </td>
  )
}
