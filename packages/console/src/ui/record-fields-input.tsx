import { MultiSelect, NumberInput, PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import {
  FIELD_LONG_TEXT_MAX,
  FIELD_TEXT_MAX,
  type FieldDefinition,
  type FieldValue,
  type Unit,
} from '@narval/contracts'
import { type ReactNode, useEffect, useState } from 'react'
import { customField as words } from '../i18n/custom-field.ts'
import { form } from '../i18n/form.ts'
import { measuredUnit } from '../lib/custom-field.ts'
import { userOptions } from '../lib/custom-field-queries.ts'
import { NNBSP } from '../lib/format.ts'
import { readMeasure, writeMeasure } from '../lib/measure.ts'
import { hostOptions, siteOptions } from '../lib/option-sources.ts'
import { FIELD_ORDER } from './form-fields.tsx'
import { RemoteSelect } from './remote-select.tsx'

/** The part of a definition that an input needs. */
export type FieldShape = Pick<FieldDefinition, 'type' | 'label' | 'unit' | 'choices' | 'required'>

export interface FieldInputProps {
  readonly shape: FieldShape
  readonly value: FieldValue
  readonly onChange: (value: FieldValue) => void
  /** Under the input: help, where the value comes from. */
  readonly note?: ReactNode
  readonly error?: string | undefined
  readonly disabled?: boolean
  /** Name of what an id stands for, when it came with the record. */
  readonly known?: string | undefined
  readonly placeholder?: string | undefined
}

/** What every input of Mantine is given. */
const common = ({ shape, note, error, disabled, placeholder }: FieldInputProps) => ({
  label: shape.label,
  description: note,
  inputWrapperOrder: FIELD_ORDER,
  withAsterisk: shape.required,
  error,
  disabled: disabled === true,
  ...(placeholder !== undefined && { placeholder }),
})

const textOf = (value: FieldValue): string => (typeof value === 'string' ? value : '')

/** The input of a custom field, by its type; empty is null. */
export const FieldInput = (props: FieldInputProps) => {
  switch (props.shape.type) {
    case 'long-text':
      return <LongTextInput {...props} />
    case 'integer':
    case 'decimal':
      return <QuantityInput {...props} />
    case 'boolean':
      return <YesNoInput {...props} />
    case 'choice':
    case 'multiple-choice':
      return <ChoiceInput {...props} />
    case 'host':
    case 'site':
    case 'user':
      return <RecordInput {...props} />
    case 'secret':
      return <SecretInput {...props} />
    default:
      return <LineInput {...props} />
  }
}

const LINES = {
  text: { type: 'text' },
  date: { type: 'date' },
  url: { type: 'url', placeholder: words.urlPlaceholder },
  email: { type: 'email' },
  phone: { type: 'tel' },
  ip: { type: 'text', placeholder: words.ipPlaceholder },
  mac: { type: 'text', placeholder: words.macPlaceholder },
} as const
const isLine = (type: string): type is keyof typeof LINES => Object.hasOwn(LINES, type)

const LineInput = (props: FieldInputProps) => {
  const { type } = props.shape
  return (
    <TextInput
      {...(isLine(type) ? LINES[type] : LINES.text)}
      {...common(props)}
      {...(props.disabled === true && { placeholder: '' })}
      value={textOf(props.value)}
      onChange={event => props.onChange(event.currentTarget.value)}
      maxLength={FIELD_TEXT_MAX}
      autoComplete="off"
    />
  )
}

const LongTextInput = (props: FieldInputProps) => (
  <Textarea
    {...common(props)}
    value={textOf(props.value)}
    onChange={event => props.onChange(event.currentTarget.value)}
    maxLength={FIELD_LONG_TEXT_MAX}
    autosize
    minRows={3}
    maxRows={12}
  />
)

const QuantityInput = (props: FieldInputProps) => {
  const { unit, type } = props.shape
  const measured = measuredUnit(unit)
  if (measured !== null) return <MeasureInput {...props} unit={measured} />
  const bare = unit === '' || unit === 'count' || unit === 'code'
  return (
    <NumberInput
      {...common(props)}
      value={typeof props.value === 'number' || typeof props.value === 'string' ? props.value : ''}
      onChange={next => props.onChange(next === '' ? null : next)}
      decimalSeparator=","
      thousandSeparator={NNBSP}
      decimalScale={type === 'integer' ? 0 : 6}
      suffix={bare ? undefined : `${NNBSP}${unit}`}
      clampBehavior="none"
      hideControls
      inputMode={type === 'integer' ? 'numeric' : 'decimal'}
    />
  )
}

const writtenOf = (value: FieldValue, unit: Unit): string =>
  typeof value === 'number' ? writeMeasure(value, unit) : textOf(value)

/** A number in one of the metrics' units, typed as one writes it (« 100 Mbit/s »). */
const MeasureInput = ({ unit, ...props }: FieldInputProps & { readonly unit: Unit }) => {
  const { value, onChange } = props
  const [text, setText] = useState(() => writtenOf(value, unit))
  // The value came from elsewhere: show it, but leave alone a text that already means it.
  useEffect(() => {
    setText(shown => ((readMeasure(shown, unit) ?? null) === value || value === shown ? shown : writtenOf(value, unit)))
  }, [value, unit])
  return (
    <TextInput
      {...common(props)}
      value={text}
      onChange={event => {
        const typed = event.currentTarget.value
        setText(typed)
        const measure = readMeasure(typed, unit)
        // What is no measure goes on as typed: the server then refuses it beside the field.
        onChange(measure === undefined ? typed : measure)
      }}
      onBlur={() => setText(writtenOf(value, unit))}
      inputMode="decimal"
      autoComplete="off"
    />
  )
}

const YES_NO = [
  { value: 'true', label: words.yes },
  { value: 'false', label: words.no },
]
const YesNoInput = (props: FieldInputProps) => (
  <Select
    {...common(props)}
    placeholder={props.placeholder ?? words.unset}
    data={YES_NO}
    value={typeof props.value === 'boolean' ? String(props.value) : null}
    onChange={next => props.onChange(next === null ? null : next === 'true')}
    clearable
    allowDeselect={false}
  />
)

const MANY = 8
const ChoiceInput = (props: FieldInputProps) => {
  const { shape, value } = props
  const multiple = shape.type === 'multiple-choice'
  const chosen = Array.isArray(value) ? value : textOf(value) === '' ? [] : [textOf(value)]
  // A choice that was taken off the list since stays readable until it is replaced.
  const data = [...new Set([...shape.choices, ...chosen])].filter(choice => choice !== '')
  const list = { data, clearable: true, searchable: data.length > MANY, nothingFoundMessage: form.nothingFound }
  return multiple ? (
    <MultiSelect
      {...common(props)}
      {...list}
      placeholder={chosen.length > 0 ? undefined : (props.placeholder ?? words.multiplePlaceholder)}
      value={chosen}
      onChange={props.onChange}
    />
  ) : (
    <Select
      {...common(props)}
      {...list}
      placeholder={props.placeholder ?? words.multiplePlaceholder}
      value={chosen[0] ?? null}
      onChange={props.onChange}
      allowDeselect={false}
    />
  )
}

const SOURCES = { host: hostOptions, site: siteOptions, user: userOptions } as const
const RecordInput = (props: FieldInputProps) => {
  const { shape, value, known } = props
  const id = typeof value === 'number' ? value : null
  const source = shape.type === 'host' || shape.type === 'site' ? SOURCES[shape.type] : SOURCES.user
  return (
    <RemoteSelect
      source={source}
      label={shape.label}
      help={props.note}
      required={shape.required}
      disabled={props.disabled === true}
      error={props.error}
      value={id}
      known={id !== null && known !== undefined ? { id, name: known } : null}
      onChange={props.onChange}
    />
  )
}

/** Write-only: a secret that is there reads as `true` and is shown as dots, never as itself. */
const SecretInput = (props: FieldInputProps) => (
  <PasswordInput
    {...common(props)}
    placeholder={props.placeholder ?? (props.value === true ? words.secretSet : words.secretPlaceholder)}
    value={textOf(props.value)}
    onChange={event => props.onChange(event.currentTarget.value)}
    maxLength={FIELD_TEXT_MAX}
    autoComplete="new-password"
    visibilityToggleButtonProps={{ 'aria-label': words.showSecret }}
  />
)
