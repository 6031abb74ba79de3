import { SETTINGS } from '@narval/contracts'
import type { Control, FieldValues } from 'react-hook-form'
import { scanner as words } from '../i18n/scanner.ts'
import { type ScheduleField, scheduleText } from '../lib/schedule.ts'
import { fieldAt } from './field-path.ts'
import { NumberField } from './form-fields.tsx'
import type { ScheduleDefaults } from './use-schedule-defaults.ts'

interface ScheduleFieldProps<V extends FieldValues, O> {
  readonly control: Control<V, unknown, O>
  /** Path of what holds the schedule; '' for the form itself. */
  readonly at: string
  readonly field: ScheduleField
  /** What an empty field stands for. */
  readonly defaults: ScheduleDefaults
  readonly disabled?: boolean
  /** Says nothing of the empty field: its origin is told beside it. */
  readonly brief?: boolean
}

/** One figure of a scanner's schedule; the platform's stands in the empty field. */
export const ScheduleFieldInput = <V extends FieldValues, O>(props: ScheduleFieldProps<V, O>) => {
  const { control, at, field, defaults, disabled, brief = false } = props
  const inherited = scheduleText(field, defaults[field])
  const { unit } = SETTINGS[field]
  return (
    <NumberField
      control={control}
      name={fieldAt<V>(at, field)}
      label={words.schedule[field]}
      help={words.scheduleHelp[field] + (brief ? '' : words.empty(inherited))}
      placeholder={inherited}
      disabled={disabled}
      {...(unit === '' ? {} : { unit })}
    />
  )
}
