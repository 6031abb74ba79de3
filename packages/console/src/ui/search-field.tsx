import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { table as words } from '../i18n/table.ts'
import toolbar from './toolbar.module.css'

/** Typing is over when it pauses for so long. */
const SEARCH_DEBOUNCE_MS = 250

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Words to look for, told once typing pauses. */
export const SearchField = ({ label, value, onSearch }: SearchFieldProps) => {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = useDebouncedCallback((next: string) => {
    sent.current = next
    onSearch(next)
  }, SEARCH_DEBOUNCE_MS)
  // The URL may change otherwise (« back », « effacer »): then the box follows; it never undoes what is being typed.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  const change = (next: string): void => {
    setText(next)
    send(next)
  }
  return (
    <TextInput
      className={toolbar.search}
      size="sm"
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? null : <CloseButton size="sm" aria-label={words.clearSearch} onClick={() => change('')} />
      }
      value={text}
      onChange={event => change(event.currentTarget.value)}
    />
  )
}
