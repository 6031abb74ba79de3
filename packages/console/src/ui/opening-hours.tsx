import { ActionIcon, Button, TextInput } from '@mantine/core'
import {
  MAX_OPENING_RANGES,
  type OpeningRange,
  openingRange,
  readClock,
  WEEK_DAYS,
  type WeekDay,
} from '@narval/contracts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { DAY_LETTERS, DAY_NAMES, openingSummary } from '../lib/opening-text.ts'
import type { FieldProps } from './form-fields.tsx'
import classes from './opening-hours.module.css'

const words = {
  always: '24\u202fh/24, 7\u202fj/7',
  office: 'Heures de bureau (lun.–ven. 8\u202fh–18\u202fh)',
  add: 'Ajouter une plage',
  remove: (index: number) => `Retirer la plage ${index + 1}`,
  range: (index: number) => `Plage ${index + 1}`,
  from: 'de',
  to: 'à',
  summary: 'Résumé',
  badClock: 'Heure attendue, comme 08:00',
} as const

const OFFICE: readonly OpeningRange[] = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }]

interface OpeningHoursProps {
  readonly label: string
  readonly help?: FieldProps<FieldValues, unknown>['help']
  readonly value: readonly OpeningRange[]
  readonly onChange: (ranges: readonly OpeningRange[]) => void
  /** What is wrong with the whole, and with each range by its index. */
  readonly error?: string | undefined
  readonly rangeErrors?: ReadonlyMap<number, string>
}

/** Service hours: days and times in rows, the usual ones at a click, and what it all means in one line. */
export const OpeningHours = ({ label, help, value, onChange, error, rangeErrors }: OpeningHoursProps) => {
  const id = useId()
  const replace = (index: number, range: OpeningRange): void =>
    onChange(value.map((one, at) => (at === index ? range : one)))
  return (
    <fieldset className={classes.editor} aria-describedby={help === undefined ? undefined : `${id}-help`}>
      <legend className={classes.label}>{label}</legend>
      <output className={classes.summary}>{openingSummary(value)}</output>
      {value.map((range, index) => (
        <div className={classes.item} key={index}>
          <RangeRow
            index={index}
            range={range}
            onChange={next => replace(index, next)}
            onRemove={() => onChange(value.filter((_, at) => at !== index))}
          />
          {rangeErrors?.get(index) !== undefined && (
            <p className={classes.error} role="alert">
              {rangeErrors.get(index)}
            </p>
          )}
        </div>
      ))}
      {error !== undefined && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <div className={classes.actions}>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={14} />}
          disabled={value.length >= MAX_OPENING_RANGES}
          onClick={() => onChange([...value, { days: freeDays(value), from: '08:00', to: '18:00' }])}
        >
          {words.add}
        </Button>
        <Button variant="subtle" size="compact-md" disabled={value.length === 0} onClick={() => onChange([])}>
          {words.always}
        </Button>
        <Button variant="subtle" size="compact-md" onClick={() => onChange(OFFICE)}>
          {words.office}
        </Button>
      </div>
      {help !== undefined && (
        <p className={classes.help} id={`${id}-help`}>
          {help}
        </p>
      )}
    </fieldset>
  )
}

/** Days that no range has yet: those that one most likely wants to add. */
const freeDays = (ranges: readonly OpeningRange[]): number[] =>
  WEEK_DAYS.filter(day => !ranges.some(({ days }) => days.includes(day)))

interface RangeRowProps {
  readonly index: number
  readonly range: OpeningRange
  readonly onChange: (range: OpeningRange) => void
  readonly onRemove: () => void
}

const RangeRow = ({ index, range, onChange, onRemove }: RangeRowProps) => {
  const toggle = (day: WeekDay): void => {
    const days = range.days.includes(day) ? range.days.filter(one => one !== day) : [...range.days, day]
    onChange({ ...range, days: days.toSorted((a, b) => a - b) })
  }
  return (
    <fieldset className={classes.range} aria-label={words.range(index)}>
      <div className={classes.days}>
        {WEEK_DAYS.map(day => (
          <button
            key={day}
            type="button"
            className={classes.day}
            aria-pressed={range.days.includes(day)}
            aria-label={DAY_NAMES[day - 1]}
            title={DAY_NAMES[day - 1]}
            onClick={() => toggle(day)}
          >
            {DAY_LETTERS[day - 1]}
          </button>
        ))}
      </div>
      <div className={classes.times}>
        <ClockInput
          label={`${words.range(index)}, ${words.from}`}
          value={range.from}
          onChange={from => onChange({ ...range, from })}
        />
        <span aria-hidden="true">{words.to}</span>
        <ClockInput
          label={`${words.range(index)}, ${words.to}`}
          value={range.to}
          onChange={to => onChange({ ...range, to })}
        />
      </div>
      <ActionIcon variant="subtle" color="red" aria-label={words.remove(index)} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </fieldset>
  )
}

/** A time of the day, up to 24:00, which a browser's own time field does not know; « 8 » and « 8h30 » are understood. */
export const ClockInput = ({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (time: string) => void
}) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const settle = (): void => {
    const time = readClock(text)
    setText(time ?? text)
    onChange(time ?? text)
  }
  return (
    <TextInput
      className={classes.clock}
      aria-label={label}
      inputMode="numeric"
      placeholder="08:00"
      maxLength={8}
      autoComplete="off"
      value={text}
      error={readClock(text) === null ? true : undefined}
      onChange={event => {
        setText(event.currentTarget.value)
        // Whole already: the summary follows as one types.
        if (/^\d\d:\d\d$/.test(event.currentTarget.value)) onChange(event.currentTarget.value)
      }}
      onBlur={settle}
      onKeyDown={event => {
        if (event.key === 'Enter') settle()
      }}
    />
  )
}

/** The same as a field of a form. */
export const OpeningHoursField = <V extends FieldValues, O>({ control, name, label, help }: FieldProps<V, O>) => {
  const { field, fieldState } = useController({ control, name })
  const ranges = rangesOf(field.value)
  return (
    <OpeningHours
      label={label}
      help={help}
      value={ranges}
      onChange={next => {
        field.onChange(next)
        field.onBlur()
      }}
      error={fieldState.error?.message}
      rangeErrors={errorsByRange(fieldState.error)}
    />
  )
}

/** Rows that are being typed are no valid ranges yet: only their shape is asked. */
const rangesOf = (value: unknown): readonly OpeningRange[] =>
  Array.isArray(value) ? value.filter((one: unknown): one is OpeningRange => isShaped(one)) : []
const isShaped = (one: unknown): boolean =>
  openingRange.safeParse(one).success ||
  (typeof one === 'object' && one !== null && 'days' in one && Array.isArray(one.days) && 'from' in one && 'to' in one)

/** The first sentence of each range: the form's library keeps them as a tree beside the values. */
const errorsByRange = (error: unknown): ReadonlyMap<number, string> => {
  const found = new Map<number, string>()
  if (typeof error !== 'object' || error === null) return found
  for (const [key, part] of Object.entries(error)) {
    const sentence = /^\d+$/.test(key) ? firstMessage(part) : undefined
    if (sentence !== undefined) found.set(Number(key), sentence)
  }
  return found
}

const firstMessage = (part: unknown): string | undefined => {
  if (typeof part !== 'object' || part === null) return undefined
  if ('message' in part && typeof part.message === 'string' && part.message !== '') return part.message
  for (const [key, inner] of Object.entries(part)) {
    const sentence = key === 'ref' ? undefined : firstMessage(inner)
    if (sentence !== undefined) return sentence
  }
  return undefined
}
