import { MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { form as words } from '../i18n/form.ts'
import { NNBSP } from '../lib/format.ts'

export interface FieldProps<V extends FieldValues, O> {
  readonly control: Control<V, unknown, O>
  readonly name: FieldPath<V>
  readonly label: string
  readonly help?: ReactNode
  readonly required?: boolean
  readonly placeholder?: string
  readonly disabled?: boolean
}

/** Help under the input, so that the inputs of a row stand side by side whatever is said of each. */
export const FIELD_ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'error', 'description']

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

interface TextProps {
  readonly type?: 'text' | 'email' | 'tel' | 'url'
  readonly maxLength?: number
  readonly autoFocus?: boolean
}

/** One line of text. */
export const TextField = <V extends FieldValues, O>({
  control,
  name,
  help,
  required,
  autoFocus,
  ...rest
}: FieldProps<V, O> & TextProps) => {
  const { field, fieldState } = useController({ control, name })
  return (
    <TextInput
      {...rest}
      {...field}
      value={textOf(field.value)}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      data-autofocus={autoFocus}
      error={fieldState.error?.message}
      autoComplete="off"
    />
  )
}

/** Several lines. */
export const ParagraphField = <V extends FieldValues, O>({
  control,
  name,
  help,
  required,
  ...rest
}: FieldProps<V, O>) => {
  const { field, fieldState } = useController({ control, name })
  return (
    <Textarea
      {...rest}
      {...field}
      value={textOf(field.value)}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message}
      autosize
      minRows={3}
      maxRows={12}
    />
  )
}

interface NumberProps {
  readonly unit?: string
  readonly decimals?: number
  /** A name rather than a quantity (a port): no spaces between thousands. */
  readonly plain?: boolean
}

/** A number, French on screen; empty is null. What is no number stays as typed and is refused by the schema. */
export const NumberField = <V extends FieldValues, O>({
  control,
  name,
  help,
  required,
  unit,
  decimals,
  plain,
  ...rest
}: FieldProps<V, O> & NumberProps) => {
  const { field, fieldState } = useController({ control, name })
  const { value, onChange, ...bound } = field
  return (
    <NumberInput
      {...rest}
      {...bound}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      onChange={next => onChange(next === '' ? null : next)}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message}
      decimalSeparator=","
      thousandSeparator={plain === true ? '' : NNBSP}
      decimalScale={decimals ?? 0}
      suffix={unit === undefined ? undefined : `${NNBSP}${unit}`}
      clampBehavior="none"
      hideControls
      inputMode={decimals === undefined ? 'numeric' : 'decimal'}
    />
  )
}

/** Yes or no. */
export const SwitchField = <V extends FieldValues, O>({ control, name, label, help, disabled }: FieldProps<V, O>) => {
  const { field, fieldState } = useController({ control, name })
  const { value, ...bound } = field
  return (
    <Switch
      {...bound}
      checked={value === true}
      label={label}
      description={help}
      withThumbIndicator={false}
      disabled={disabled}
      error={fieldState.error?.message}
    />
  )
}

interface ChoiceProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

/** One of a closed set. */
export const ChoiceField = <V extends FieldValues, O>({
  control,
  name,
  help,
  required,
  choices,
  ...rest
}: FieldProps<V, O> & ChoiceProps) => {
  const { field, fieldState } = useController({ control, name })
  return (
    <Select
      {...rest}
      {...field}
      // An empty text may be one of the choices, with a name of its own.
      value={choices.some(choice => choice.value === field.value) ? textOf(field.value) : null}
      data={[...choices]}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message}
      allowDeselect={false}
      searchable={choices.length > 12}
      nothingFoundMessage={words.nothingFound}
    />
  )
}

/** Several of a closed set. */
export const ChoicesField = <V extends FieldValues, O>({
  control,
  name,
  help,
  required,
  choices,
  ...rest
}: FieldProps<V, O> & ChoiceProps) => {
  const { field, fieldState } = useController({ control, name })
  const chosen = Array.isArray(field.value) ? field.value.filter((one: unknown) => typeof one === 'string') : []
  return (
    <MultiSelect
      {...rest}
      {...field}
      value={chosen}
      data={[...choices]}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message ?? memberError(fieldState.error)}
      searchable={choices.length > 12}
      nothingFoundMessage={words.nothingFound}
      clearable
    />
  )
}

interface IdChoiceProps {
  readonly choices: readonly { readonly id: number; readonly name: string }[]
  /** What null is called. */
  readonly empty: string
}

/** One of a few records, or none of them. */
export const IdChoiceField = <V extends FieldValues, O>(props: FieldProps<V, O> & IdChoiceProps) => {
  const { control, name, help, required, choices, empty, ...rest } = props
  const { field, fieldState } = useController({ control, name })
  const value = typeof field.value === 'number' ? String(field.value) : ''
  const data = [
    { value: '', label: empty },
    ...choices.map(choice => ({ value: String(choice.id), label: choice.name })),
  ]
  const missing = data.some(option => option.value === value) ? [] : [{ value, label: `n° ${value}` }]
  return (
    <Select
      {...rest}
      {...field}
      value={value}
      onChange={next => field.onChange(next === null || next === '' ? null : Number(next))}
      data={[...data, ...missing]}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message}
      allowDeselect={false}
    />
  )
}

/** A few words, each its own. */
export const TagsField = <V extends FieldValues, O>({ control, name, help, required, ...rest }: FieldProps<V, O>) => {
  const { field, fieldState, formState } = useController({ control, name })
  const tags = Array.isArray(field.value) ? field.value.filter((tag: unknown) => typeof tag === 'string') : []
  const inner = memberError(fieldState.error)
  return (
    <TagsInput
      {...rest}
      {...field}
      disabled={rest.disabled || formState.disabled}
      value={tags}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message ?? inner}
      splitChars={[',', ';']}
      clearable
    />
  )
}

/** A list's error may be on one of its members: say the first. */
const memberError = (error: unknown): string | undefined => {
  if (!Array.isArray(error)) return undefined
  const first: unknown = error.find(member => member !== undefined && member !== null)
  return typeof first === 'object' && first !== null && 'message' in first && typeof first.message === 'string'
    ? first.message
    : undefined
}
