import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { OptionPage, OptionSource } from '../lib/option-source.ts'

const DEBOUNCE_MS = 200
const FRESH_MS = 30_000
const NOTHING: OptionPage = { results: [], pagination: { more: false } }

export interface Options {
  readonly page: OptionPage
  readonly loading: boolean
  readonly failed: boolean
}

/** Choices that match what is typed, asked of the server; the last ones stay while the next are on their way. */
export const useOptions = (source: OptionSource, term: string, enabled: boolean): Options => {
  const [settled] = useDebouncedValue(term.trim().slice(0, 200), DEBOUNCE_MS)
  const query = useQuery({
    queryKey: ['options', source.key, settled],
    queryFn: ({ signal }) => source.search(settled, signal),
    enabled,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  })
  return { page: query.data ?? NOTHING, loading: query.isFetching, failed: query.isError }
}

/** The name of a choice known by its id alone, e.g. from the URL; null while it is looked for. */
export const useOptionName = (source: OptionSource, id: number | null, known?: string | null): string | null => {
  const query = useQuery({
    queryKey: ['option-name', source.key, id],
    queryFn: ({ signal }) => (id === null ? Promise.resolve('') : source.nameOf(id, signal)),
    enabled: id !== null && (known ?? null) === null,
    staleTime: FRESH_MS,
  })
  return known ?? query.data ?? null
}
