import { Select, TextInput } from '@mantine/core'
import { type HolidayHours, holidayHours, holidayText, readHolidayText } from '@narval/contracts'
import { useEffect, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { holidays as words } from '../i18n/holidays.ts'
import { FIELD_ORDER, type FieldProps } from './form-fields.tsx'
import classes from './holiday-hours.module.css'

/** What may be done of public holidays: nothing, to be closed, or to be open at hours of their own. */
const HOLIDAY_MODES = ['ordinary', 'closed', 'open'] as const
type Mode = (typeof HOLIDAY_MODES)[number]
/** Which of them hours are. */
export const modeOf = (hours: HolidayHours): Mode =>
  hours === null ? 'ordinary' : hours.length === 0 ? 'closed' : 'open'
const USUAL: HolidayHours = [{ from: '09:00', to: '12:00' }]
/** Their French words. */
export const holidayModes = HOLIDAY_MODES.map(value => ({ value, label: words.modes[value] }))
/** What a choice begins with. */
export const hoursOfMode = (mode: string): HolidayHours => (mode === 'open' ? USUAL : mode === 'closed' ? [] : null)

interface HoursTextProps {
  readonly value: HolidayHours
  readonly onChange: (hours: HolidayHours) => void
}

/** Hours of a day as one text, told in the same way as in a file. What says none stays as typed, and is not taken. */
export const HolidayHoursText = ({ value, onChange }: HoursTextProps) => {
  const [text, setText] = useState(holidayText(value))
  useEffect(() => setText(before => (isSame(readHolidayText(before), value) ? before : holidayText(value))), [value])
  const read = hoursOf(text)
  return (
    <TextInput
      aria-label={words.hours}
      placeholder="09:00–12:00, 14:00–16:00"
      maxLength={80}
      autoComplete="off"
      value={text}
      error={read === null ? words.badHours : undefined}
      onChange={event => {
        setText(event.currentTarget.value)
        const hours = hoursOf(event.currentTarget.value)
        if (hours !== null) onChange(hours)
      }}
      onBlur={() => {
        if (read !== null) setText(holidayText(read))
      }}
    />
  )
}
const hoursOf = (text: string): HolidayHours => {
  const parsed = holidayHours.safeParse(readHolidayText(text))
  return parsed.success && parsed.data !== null && parsed.data.length > 0 ? parsed.data : null
}
const isSame = (a: HolidayHours | undefined, b: HolidayHours): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What a site does on public holidays, as a field of a form. */
export const HolidayHoursField = <V extends FieldValues, O>({ control, name, label, help }: FieldProps<V, O>) => {
  const { field, fieldState } = useController({ control, name })
  const parsed = holidayHours.safeParse(field.value)
  const value: HolidayHours = parsed.success ? parsed.data : Array.isArray(field.value) ? USUAL : null
  const take = (hours: HolidayHours): void => {
    field.onChange(hours)
    field.onBlur()
  }
  return (
    <div className={classes.field}>
      <Select
        label={label}
        description={help}
        inputWrapperOrder={FIELD_ORDER}
        allowDeselect={false}
        data={holidayModes}
        value={modeOf(value)}
        error={fieldState.error?.message}
        onChange={mode => take(hoursOfMode(mode ?? ''))}
      />
      {modeOf(value) === 'open' && <HolidayHoursText value={value} onChange={take} />}
    </div>
  )
}
