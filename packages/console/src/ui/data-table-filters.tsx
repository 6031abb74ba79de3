import {
  ActionIcon,
  Button,
  Checkbox,
  Popover,
  ScrollArea,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { fold } from '@narval/contracts'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { table as words } from '../i18n/table.ts'
import { rangeWords } from '../lib/filter-range.ts'
import type { OptionSource } from '../lib/option-source.ts'
import classes from './data-table.module.css'
import { TypedValue } from './data-table-typed-filter.tsx'
import type { FilterChoice, TableFilter } from './data-table-types.ts'
import { useOptionName, useOptions } from './use-options.ts'

interface FilterProps {
  readonly filter: TableFilter
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** A filter as a chip: closed it says what it holds, open it offers its choices. */
export const TableFilterChip = ({ filter, values, onChange }: FilterProps) => (
  <Popover position="bottom-start" shadow="md" width={280} trapFocus withinPortal>
    <div className={classes.chipGroup} data-active={values.length > 0 || undefined}>
      <Popover.Target>
        <UnstyledButton className={classes.chip} data-active={values.length > 0 || undefined}>
          <span className={classes.chipText}>
            {filter.label}
            {values.length > 0 && '\u202f: '}
            {values.length > 0 && <FilterSummary filter={filter} values={values} />}
          </span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      {values.length > 0 && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={words.clearFilter(filter.label)}
          onClick={() => onChange([])}
        >
          <IconX size={14} />
        </ActionIcon>
      )}
    </div>
    <Popover.Dropdown p={8}>
      {'choices' in filter ? (
        <Choices
          label={filter.label}
          choices={filter.choices}
          values={values}
          onChange={next => onChange(filter.single ? next.slice(-1) : next)}
        />
      ) : 'typed' in filter ? (
        <TypedValue
          key={values[0] ?? ''}
          filter={filter}
          value={values[0] ?? ''}
          onChange={value => onChange(value === '' ? [] : [value])}
        />
      ) : (
        <RemoteChoices label={filter.label} source={filter.source} values={values} onChange={onChange} />
      )}
    </Popover.Dropdown>
  </Popover>
)

const FilterSummary = ({ filter, values }: Omit<FilterProps, 'onChange'>) => {
  if ('choices' in filter) {
    const known = filter.choices.filter(choice => values.includes(choice.value)).map(choice => choice.label)
    return known.length === 0 ? values.join(', ') : known.join(', ')
  }
  if ('typed' in filter) return typedWords(filter.typed, values[0] ?? '')
  return (
    <>
      <SourceName source={filter.source} value={values[0] ?? ''} />
      {values.length > 1 && ` + ${values.length - 1}`}
    </>
  )
}

const typedWords = (typed: 'text' | 'number' | 'date', value: string): string =>
  typed === 'text'
    ? value
    : rangeWords(value, end => (typed === 'date' ? end.split('-').reverse().join('/') : end.replace('.', ',')))

const SourceName = ({ source, value }: { source: OptionSource; value: string }) => {
  const id = Number(value)
  return useOptionName(source, Number.isInteger(id) && id > 0 ? id : null) ?? '…'
}

const toggle = (values: readonly string[], value: string): readonly string[] =>
  values.includes(value) ? values.filter(other => other !== value) : [...values, value]

interface ChoicesProps {
  readonly label: string
  readonly choices: readonly FilterChoice[]
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** More choices than this are searched, and scroll. */
const MANY = 12

const Choices = ({ label, choices, values, onChange }: ChoicesProps) => {
  const [term, setTerm] = useState('')
  // What was ticked when it opened comes first where the others hide it; nothing moves under the pointer.
  const [ticked] = useState(values)
  const isLong = choices.length > MANY
  const found = isLong ? choices.filter(choice => fold(choice.label).includes(fold(term))) : choices
  const isTicked = ({ value }: FilterChoice) => ticked.includes(value)
  const shown = isLong ? [...found.filter(isTicked), ...found.filter(choice => !isTicked(choice))] : found
  return (
    <Stack gap={2} role="group" aria-label={label}>
      {isLong && (
        <TextInput
          size="sm"
          data-autofocus
          placeholder={words.filterSearch}
          aria-label={words.filterSearch}
          value={term}
          onChange={event => setTerm(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah={320}>
        {shown.map(choice => (
          <Checkbox
            key={choice.value}
            size="sm"
            p={6}
            checked={values.includes(choice.value)}
            onChange={() => onChange(toggle(values, choice.value))}
            label={
              <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
                {choice.icon}
                {choice.label}
              </span>
            }
          />
        ))}
        {shown.length === 0 && <Text size="sm">{words.filterNone}</Text>}
      </ScrollArea.Autosize>
      <ClearChoices label={label} values={values} onChange={onChange} />
    </Stack>
  )
}

const ClearChoices = ({ label, values, onChange }: Omit<ChoicesProps, 'choices'>) =>
  values.length > 0 && (
    <Button variant="subtle" size="compact-sm" onClick={() => onChange([])}>
      {words.clearFilter(label)}
    </Button>
  )

const RemoteChoices = ({
  label,
  source,
  values,
  onChange,
}: Omit<ChoicesProps, 'choices'> & { source: OptionSource }) => {
  const [term, setTerm] = useState('')
  const { page, loading, failed } = useOptions(source, term, true)
  const choices = page.results.map(({ id, text }) => ({ value: String(id), label: text }))
  const missing = values.filter(value => !choices.some(choice => choice.value === value))
  return (
    <Stack gap={6}>
      <TextInput
        size="sm"
        data-autofocus
        placeholder={words.filterSearch}
        aria-label={`${words.filterSearch} (${label})`}
        value={term}
        onChange={event => setTerm(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={280} type="auto">
        {missing.map(value => (
          <Checkbox
            key={value}
            size="sm"
            p={6}
            checked
            label={<SourceName source={source} value={value} />}
            onChange={() => onChange(toggle(values, value))}
          />
        ))}
        <Choices label={label} choices={choices} values={values} onChange={onChange} />
      </ScrollArea.Autosize>
      {failed && <Hint>{words.failed}</Hint>}
      {!failed && !loading && choices.length === 0 && <Hint>{words.filterNone}</Hint>}
      {page.pagination.more && <Hint>{words.filterMore}</Hint>}
    </Stack>
  )
}

const Hint = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" px={6}>
    {children}
  </Text>
)
