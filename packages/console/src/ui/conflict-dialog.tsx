import { Button, Modal, Radio } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { form as words } from '../i18n/form.ts'
import { type ConflictSide, type FieldConflict, proposedSide } from '../lib/conflict.ts'
import classes from './conflict-dialog.module.css'

interface ConflictDialogProps {
  readonly conflicts: readonly FieldConflict[]
  /** Who saved the newer version, when that is known. */
  readonly by: string | null
  readonly labels: Readonly<Record<string, string>>
  /** How a field's value reads; others as `valueText` tells. */
  readonly describe: Readonly<Record<string, (value: unknown) => ReactNode>>
  /** The newer version whole: it names what its ids refer to. */
  readonly newer: Readonly<Record<string, unknown>>
  readonly onResolve: (choices: ReadonlyMap<string, ConflictSide>) => void
}

const propose = (conflicts: readonly FieldConflict[]): ReadonlyMap<string, ConflictSide> =>
  new Map(conflicts.map(conflict => [conflict.name, proposedSide(conflict)]))

/** Somebody else saved first: both versions side by side, field by field, and which of them is to be kept. Opens by itself. */
export const ConflictDialog = (props: ConflictDialogProps) => {
  const { conflicts, by, onResolve } = props
  const [opened, setOpened] = useState(true)
  const [choices, setChoices] = useState(() => propose(conflicts))
  const all = (side: ConflictSide): void => setChoices(new Map(conflicts.map(({ name }) => [name, side])))
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {words.compare}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={words.staleTitle}
        size={760}
        centered
        classNames={{ body: classes.modal }}
      >
        {conflicts.length === 0 ? (
          <p className={classes.intro}>{words.staleSame}</p>
        ) : (
          <>
            <p className={classes.intro}>
              {words.staleChoose} {words.stalePropose}
            </p>
            <div className={classes.head} aria-hidden="true">
              <span>{words.staleField}</span>
              <span>{words.staleMine}</span>
              <span>{words.staleTheirs(by)}</span>
            </div>
            {conflicts.map(conflict => (
              <ConflictRow
                key={conflict.name}
                {...props}
                conflict={conflict}
                side={choices.get(conflict.name) ?? 'mine'}
                onChoose={side => setChoices(new Map([...choices, [conflict.name, side]]))}
              />
            ))}
          </>
        )}
        <div className={classes.actions}>
          {conflicts.length > 0 && (
            <>
              <Button variant="default" onClick={() => all('mine')}>
                {words.keepMine}
              </Button>
              <Button variant="default" onClick={() => all('theirs')}>
                {words.takeTheirs}
              </Button>
            </>
          )}
          <span className={classes.spacer} />
          <Button data-autofocus onClick={() => onResolve(choices)}>
            {words.saveChoice}
          </Button>
        </div>
      </Modal>
    </>
  )
}

interface RowProps extends ConflictDialogProps {
  readonly conflict: FieldConflict
  readonly side: ConflictSide
  readonly onChoose: (side: ConflictSide) => void
}

const SIDES: readonly ConflictSide[] = ['mine', 'theirs']

const ConflictRow = ({ conflict, side, onChoose, labels, describe, newer, by }: RowProps) => {
  const { name } = conflict
  const label = labels[name] ?? name
  const read = describe[name] ?? ((value: unknown) => valueText(value, name, newer))
  const heading: Readonly<Record<ConflictSide, string>> = { mine: words.staleMine, theirs: words.staleTheirs(by) }
  return (
    <div className={classes.row} role="radiogroup" aria-label={words.staleSide(label)}>
      <div className={classes.field}>
        {label}
        {conflict.changedBy === 'both' && <small>{words.staleBoth}</small>}
      </div>
      {SIDES.map(one => (
        <Radio
          key={one}
          className={classes.side}
          name={`conflict-${name}`}
          checked={one === side}
          onChange={() => onChoose(one)}
          label={
            <>
              <span className={classes.heading}>{heading[one]}</span>
              {read(conflict[one])}
            </>
          }
        />
      ))}
    </div>
  )
}

/** A value as a person reads it; an id by the name that the newer version gives with it (`siteId`, `siteName`). */
export const valueText = (value: unknown, name: string, newer: Readonly<Record<string, unknown>>): ReactNode => {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <em className={classes.empty}>{words.empty}</em>
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (Array.isArray(value)) return value.map(one => (typeof one === 'object' ? JSON.stringify(one) : one)).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${key} ${one ?? '—'}`)
      .join(', ')
  if (typeof value !== 'number' || !name.endsWith('Id')) return String(value)
  const known = newer[name] === value ? newer[name.replace(/Id$/, 'Name')] : undefined
  return typeof known === 'string' ? known : `n° ${value}`
}
