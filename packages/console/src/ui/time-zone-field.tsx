import { type ComboboxItem, type OptionsFilter, Select } from '@mantine/core'
import { fold } from '@narval/contracts'
import { type FieldValues, useController } from 'react-hook-form'
import { form as words } from '../i18n/form.ts'
import { FIELD_ORDER, type FieldProps } from './form-fields.tsx'

const MOST = 60
const ZONES: ComboboxItem[] = Intl.supportedValuesOf('timeZone').map(zone => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
}))

/** Without case or accents, words in any order: « reunion », « paris europe ». */
const filter: OptionsFilter = ({ options, search }) => {
  const wanted = fold(search).split(' ')
  return options.filter(option => {
    const label = 'label' in option ? fold(String(option.label)) : ''
    return wanted.every(word => label.includes(word))
  })
}

/** A time zone, by search among all that the browser knows. */
export const TimeZoneField = <V extends FieldValues, O>({ control, name, label, help, required }: FieldProps<V, O>) => {
  const { field, fieldState } = useController({ control, name })
  const value = typeof field.value === 'string' && field.value !== '' ? field.value : null
  // A zone that this browser does not list is one all the same.
  const data = value === null || ZONES.some(zone => zone.value === value) ? ZONES : [...ZONES, { value, label: value }]
  return (
    <Select
      {...field}
      label={label}
      value={value}
      data={data}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message}
      allowDeselect={false}
      searchable
      selectFirstOptionOnChange
      filter={filter}
      limit={MOST}
      nothingFoundMessage={words.nothingFound}
    />
  )
}
