import { Autocomplete, MultiSelect, Select } from '@mantine/core'
import { FIELD_TYPES, type FieldGroup, type FieldScope, type FieldType, UNITS } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { type Control, useController } from 'react-hook-form'
import { customField } from '../../i18n/custom-field.ts'
import { defaultOf, defaultTextOf, measuredUnit, unitLabel } from '../../lib/custom-field.ts'
import { FIELD_ORDER } from '../../ui/form-fields.tsx'
import { FieldInput, type FieldShape } from '../../ui/record-fields-input.tsx'
import classes from './definition-form.module.css'
import type { DefinitionOutput, DefinitionValues } from './definition-values.ts'
import { typesQuery } from './field-queries.ts'
import { fr } from './fr.ts'

type FormControl = Control<DefinitionValues, unknown, DefinitionOutput>
interface ControlProps {
  readonly control: FormControl
}
const { fields, help } = fr.form

const TYPE_CHOICES = FIELD_TYPES.map(type => ({ value: type, label: customField.types[type] }))
const typeOf = (value: string): FieldType | undefined => FIELD_TYPES.find(type => type === value)

/** The type, each with what it is for. */
export const TypeField = ({ control, filled }: ControlProps & { readonly filled: boolean }) => {
  const { field, fieldState } = useController({ control, name: 'type' })
  return (
    <Select
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={field.value}
      onChange={field.onChange}
      data={TYPE_CHOICES}
      renderOption={({ option }) => {
        const type = typeOf(option.value)
        return (
          <span className={classes.option}>
            {option.label}
            <small>{type !== undefined && customField.typeHelp[type]}</small>
          </span>
        )
      }}
      label={fields.type}
      description={filled ? help.typeFilled : customField.typeHelp[field.value]}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk
      allowDeselect={false}
      withScrollArea={false}
      classNames={{ options: classes.types ?? '' }}
      error={fieldState.error?.message}
    />
  )
}

export const GroupField = ({ control, groups }: ControlProps & { readonly groups: readonly FieldGroup[] }) => {
  const { field, fieldState } = useController({ control, name: 'groupId' })
  return (
    <Select
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={typeof field.value === 'number' ? String(field.value) : null}
      onChange={next => field.onChange(next === null ? undefined : Number(next))}
      data={groups.map(group => ({ value: String(group.id), label: group.name }))}
      label={fields.groupId}
      description={groups.length === 0 ? help.noGroup : undefined}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk
      allowDeselect={false}
      error={fieldState.error?.message}
    />
  )
}

/** The types of sites or of equipment concerned; none: all of them. */
export const TypesField = ({ control, scope }: ControlProps & { readonly scope: FieldScope }) => {
  const { field, fieldState } = useController({ control, name: 'types' })
  const { data } = useQuery(typesQuery(scope))
  const chosen = (field.value ?? []).map(String)
  const known = (data ?? []).map(type => ({ value: String(type.id), label: type.name }))
  const missing = chosen
    .filter(id => !known.some(type => type.value === id))
    .map(id => ({ value: id, label: `n°\u202f${id}` }))
  return (
    <MultiSelect
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={chosen}
      onChange={next => field.onChange(next.map(Number))}
      data={[...known, ...missing]}
      label={fields.types}
      description={help.types}
      placeholder={chosen.length === 0 ? fr.form.allTypes : undefined}
      inputWrapperOrder={FIELD_ORDER}
      searchable
      clearable
      error={fieldState.error?.message}
    />
  )
}

const MEASURED = UNITS.filter(unit => measuredUnit(unit) !== null)
/** One of the metrics' units, or any other. */
export const UnitField = ({ control }: ControlProps) => {
  const { field, fieldState } = useController({ control, name: 'unit' })
  return (
    <Autocomplete
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={unitLabel(field.value ?? '')}
      onChange={text => field.onChange(MEASURED.find(unit => unitLabel(unit) === text) ?? text)}
      data={MEASURED.map(unitLabel)}
      label={fields.unit}
      description={help.unit}
      inputWrapperOrder={FIELD_ORDER}
      maxLength={16}
      autoComplete="off"
      error={fieldState.error?.message}
    />
  )
}

/** The default, in the very input that the field will have. */
export const DefaultField = ({ control, shape }: ControlProps & { readonly shape: FieldShape }) => {
  const { field, fieldState } = useController({ control, name: 'defaultValue' })
  return (
    <FieldInput
      key={`${shape.type} ${shape.unit}`}
      shape={{ ...shape, label: fields.defaultValue, required: false }}
      value={defaultOf(shape.type, field.value ?? '')}
      onChange={value => field.onChange(defaultTextOf(value))}
      note={help.defaultValue}
      error={fieldState.error?.message}
    />
  )
}
