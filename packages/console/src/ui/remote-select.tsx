import { Loader, Select } from '@mantine/core'
import { type ReactNode, type Ref, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { form as words } from '../i18n/form.ts'
import { NOTHING } from '../lib/format.ts'
import type { OptionSource } from '../lib/option-source.ts'
import { FIELD_ORDER, type FieldProps } from './form-fields.tsx'
import classes from './remote-select.module.css'
import { useOptionName, useOptions } from './use-options.ts'

interface SourceProps {
  readonly source: OptionSource
  /** Name of the value as loaded with the record, so that it need not be asked for. */
  readonly known?: { readonly id: number; readonly name: string } | null
  /** After the box, on its line. */
  readonly beside?: ReactNode
}
interface RemoteSelectProps extends SourceProps {
  readonly label: string
  /** The label is said, not shown: something beside it shows it. */
  readonly quiet?: boolean
  readonly value: number | null
  readonly onChange: (id: number | null) => void
  readonly help?: FieldProps<FieldValues, unknown>['help']
  readonly required?: boolean
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly error?: string | undefined
  readonly name?: string
  readonly onBlur?: () => void
  readonly ref?: Ref<HTMLInputElement>
}

/** Value of the line that says there is more; it can't be chosen. */
const MORE = 'more'

/** A choice among things that the server is asked for as one types. */
export const RemoteSelect = ({
  source,
  known,
  value,
  onChange,
  help,
  required = false,
  quiet = false,
  label: name,
  beside,
  ...rest
}: RemoteSelectProps) => {
  const [term, setTerm] = useState('')
  const [opened, setOpened] = useState(false)
  const [picked, setPicked] = useState<{ id: number; name: string } | null>(null)
  const remembered = [picked, known ?? null].find(entry => entry !== null && entry.id === value)?.name
  const label = useOptionName(source, value, remembered)
  // The text in the box is the chosen name until one types: it is no search.
  const { page, loading, failed } = useOptions(source, term === label ? '' : term, opened)
  const found = page.results.map(result => ({ value: String(result.id), label: result.text }))
  const chosen = value === null ? null : String(value)
  const current =
    chosen === null || found.some(option => option.value === chosen) ? [] : [{ value: chosen, label: label ?? '…' }]
  const more = page.pagination.more ? [{ value: MORE, label: words.more, disabled: true }] : []
  const pick = (next: string | null): void => {
    const option = found.find(entry => entry.value === next)
    if (option !== undefined) setPicked({ id: Number(option.value), name: option.label })
    onChange(next === null ? null : Number(next))
  }
  return (
    <Select
      {...rest}
      {...(quiet ? { 'aria-label': name } : { label: name })}
      value={chosen}
      onChange={pick}
      data={[...current, ...found, ...more]}
      searchable
      searchValue={opened ? term : (label ?? '')}
      onSearchChange={setTerm}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      clearable={!required}
      allowDeselect={false}
      maxDropdownHeight={280}
      placeholder={rest.disabled ? NOTHING : (rest.placeholder ?? words.search)}
      nothingFoundMessage={loading ? words.loading : failed ? words.loadFailed : words.nothingFound}
      rightSection={opened && loading ? <Loader size={14} /> : undefined}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      {...(beside !== undefined && {
        inputContainer: (input: ReactNode) => (
          <div className={classes.beside}>
            {input}
            {beside}
          </div>
        ),
      })}
      withAsterisk={required && !quiet}
    />
  )
}

/** The same as a field of a form; empty is null. */
export const RemoteSelectField = <V extends FieldValues, O>(props: FieldProps<V, O> & SourceProps) => {
  const { control, name, ...rest } = props
  const { field, fieldState } = useController({ control, name })
  return (
    <RemoteSelect
      {...rest}
      ref={field.ref}
      name={field.name}
      onBlur={field.onBlur}
      value={typeof field.value === 'number' ? field.value : null}
      // A required field that is cleared is not there, which the schema says as « Champ requis ».
      onChange={id => field.onChange(id ?? (rest.required ? undefined : null))}
      error={fieldState.error?.message}
    />
  )
}
