import { Loader, MultiSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { form as words } from '../i18n/form.ts'
import type { OptionSource } from '../lib/option-source.ts'
import { FIELD_ORDER, type FieldProps } from './form-fields.tsx'
import { useOptions } from './use-options.ts'

interface Named {
  readonly id: number
  readonly name: string
}
interface RemoteMultiSelectProps {
  readonly label: string
  /** The label is said, not shown: something beside it shows it. */
  readonly quiet?: boolean
  readonly source: OptionSource
  /** Names of the values as loaded with the record. */
  readonly known?: readonly Named[]
  readonly values: readonly number[]
  readonly onChange: (ids: number[]) => void
  readonly help?: ReactNode
  /** The record itself, for instance: never offered. */
  readonly without?: number | null
  readonly max: number
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly error?: string | undefined
  readonly onBlur?: () => void
}

/** Several choices, in the order in which they are made, among things that the server is asked for as one types. */
export const RemoteMultiSelect = (props: RemoteMultiSelectProps) => {
  const { label, quiet = false, source, known = [], values, onChange, help, without, max, ...rest } = props
  const [term, setTerm] = useState('')
  const [opened, setOpened] = useState(false)
  const [picked, setPicked] = useState<readonly Named[]>([])
  const { page, loading, failed } = useOptions(source, term, opened)
  const nameOf = (id: number): string => [...picked, ...known].find(one => one.id === id)?.name ?? `n° ${id}`
  const found = page.results.filter(one => one.id !== without && !values.includes(one.id))
  const data = [
    ...values.map(id => ({ value: String(id), label: nameOf(id) })),
    ...found.map(one => ({ value: String(one.id), label: one.text })),
  ]
  const pick = (next: string[]): void => {
    const added = next.flatMap(value => found.find(one => String(one.id) === value) ?? [])
    setPicked(before => [...before, ...added.map(one => ({ id: one.id, name: one.text }))])
    setTerm('')
    onChange(next.map(Number))
  }
  return (
    <MultiSelect
      {...rest}
      {...(quiet ? { 'aria-label': label } : { label })}
      value={values.map(String)}
      onChange={pick}
      data={data}
      maxValues={max}
      searchable
      searchValue={term}
      onSearchChange={setTerm}
      hidePickedOptions
      filter={({ options }) => options}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      clearable
      maxDropdownHeight={280}
      placeholder={values.length === 0 ? (rest.placeholder ?? words.search) : ''}
      nothingFoundMessage={loading ? words.loading : failed ? words.loadFailed : words.nothingFound}
      rightSection={opened && loading ? <Loader size={14} /> : undefined}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
    />
  )
}

type RemoteMultiSelectFieldProps<V extends FieldValues, O> = FieldProps<V, O> &
  Pick<RemoteMultiSelectProps, 'source' | 'known' | 'without' | 'max'>

/** The same as a field of a form. */
export const RemoteMultiSelectField = <V extends FieldValues, O>(props: RemoteMultiSelectFieldProps<V, O>) => {
  const { control, name, required: _, ...rest } = props
  const { field, fieldState } = useController({ control, name })
  const values: unknown[] = Array.isArray(field.value) ? field.value : []
  return (
    <RemoteMultiSelect
      {...rest}
      onBlur={field.onBlur}
      values={values.filter(value => typeof value === 'number')}
      onChange={field.onChange}
      error={fieldState.error?.message}
    />
  )
}
