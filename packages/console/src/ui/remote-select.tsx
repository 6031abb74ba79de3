import { Loader, Select } from '@mantine/core'
import { useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { form as words } from '../i18n/form.ts'
import type { OptionSource } from '../lib/option-source.ts'
import type { FieldProps } from './form-fields.tsx'
import { useOptionName, useOptions } from './use-options.ts'

interface RemoteSelectProps {
  readonly source: OptionSource
  /** Name of the value as loaded with the record, so that it need not be asked for. */
  readonly known?: { readonly id: number; readonly name: string } | null
}

/** A choice among things that the server is asked for as one types; empty is null. */
export const RemoteSelectField = <V extends FieldValues, O>(props: FieldProps<V, O> & RemoteSelectProps) => {
  const { control, name, help, required, source, known, ...rest } = props
  const { field, fieldState } = useController({ control, name })
  const [term, setTerm] = useState('')
  const [opened, setOpened] = useState(false)
  const [picked, setPicked] = useState<{ id: number; name: string } | null>(null)
  const id = typeof field.value === 'number' ? field.value : null
  const remembered = [picked, known ?? null].find(entry => entry !== null && entry.id === id)?.name
  const label = useOptionName(source, id, remembered)
  // The text in the box is the chosen name until one types: it is no search.
  const { page, loading, failed } = useOptions(source, term === label ? '' : term, opened)
  const found = page.results.map(result => ({ value: String(result.id), label: result.text }))
  const current =
    id === null || found.some(option => option.value === String(id)) ? [] : [{ value: String(id), label: label ?? '…' }]
  const hint = failed ? words.loadFailed : page.pagination.more ? words.more : undefined
  return (
    <Select
      {...rest}
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={id === null ? null : String(id)}
      onChange={value => {
        const next = value === null ? null : Number(value)
        const option = found.find(entry => entry.value === value)
        if (next !== null && option !== undefined) setPicked({ id: next, name: option.label })
        field.onChange(next)
      }}
      data={[...current, ...found]}
      searchable
      searchValue={opened ? term : (label ?? '')}
      onSearchChange={setTerm}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      clearable={required !== true}
      allowDeselect={false}
      maxDropdownHeight={280}
      placeholder={rest.placeholder ?? words.search}
      nothingFoundMessage={loading ? words.loading : failed ? words.loadFailed : words.nothingFound}
      rightSection={opened && loading ? <Loader size={14} /> : undefined}
      description={help}
      withAsterisk={required}
      error={fieldState.error?.message}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      comboboxProps={{ shadow: 'md' }}
      aria-description={hint}
    />
  )
}
