import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { table as words } from '../i18n/table.ts'
import { isRange, rangeOf, rangeText } from '../lib/filter-range.ts'
import type { TypedFilter } from './data-table-types.ts'

interface TypedValueProps {
  readonly filter: TypedFilter
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A filter that one writes: a text to find, or the ends of a range. Applied by Enter or the button, not at each key. */
export const TypedValue = ({ filter, value, onChange }: TypedValueProps) => {
  const [text, setText] = useState(value)
  const [range, setRange] = useState(() => rangeOf(value))
  const written = filter.typed === 'text' ? text.trim() : rangeText(range)
  const valid = filter.typed === 'text' || isRange(filter.typed, range)
  const type = filter.typed === 'date' ? 'date' : 'text'
  const inputMode = filter.typed === 'number' ? 'decimal' : undefined
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (valid) onChange(written)
      }}
    >
      <Stack gap={8} p={4}>
        {filter.typed === 'text' ? (
          <TextInput
            size="sm"
            data-autofocus
            label={words.contains}
            maxLength={200}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
        ) : (
          <Group gap={8} grow wrap="nowrap" align="flex-start">
            {(['from', 'to'] as const).map(end => (
              <TextInput
                key={end}
                size="sm"
                type={type}
                inputMode={inputMode}
                data-autofocus={end === 'from' || undefined}
                label={words.ends[end]}
                value={range[end]}
                onChange={event => setRange({ ...range, [end]: event.currentTarget.value })}
              />
            ))}
          </Group>
        )}
        <Button type="submit" size="compact-sm" disabled={!valid}>
          {words.applyFilter}
        </Button>
      </Stack>
    </form>
  )
}
