import type { DatatableReply } from '@narval/contracts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'

/** First part of the query key of every list. */
export const LIST_KEY = 'datatable'
const REFETCH_MS = 1_000

export interface LiveRows<T> {
  /** Merges new fields into the rows shown that have these ids; rows that nobody looks at are left alone. */
  readonly patch: (changes: ReadonlyMap<number, Partial<T>>) => void
  /** Asks the server again, at most once a second however many messages come. */
  readonly refetch: () => void
}

const patchCache = <T extends { readonly id: number }>(
  client: QueryClient,
  list: string,
  changes: ReadonlyMap<number, Partial<T>>,
): void => {
  client.setQueriesData<DatatableReply<T>>({ queryKey: [LIST_KEY, list] }, reply => {
    if (reply === undefined || !reply.data.some(row => changes.has(row.id))) return reply
    return { ...reply, data: reply.data.map(row => ({ ...row, ...changes.get(row.id) })) }
  })
}

/** How messages of a hub reach the rows of a list. */
export const useLiveRows = <T extends { readonly id: number }>(list: string): LiveRows<T> => {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  return useMemo(
    () => ({
      patch: changes => patchCache(client, list, changes),
      refetch: () => {
        timer.current ??= setTimeout(() => {
          timer.current = null
          void client.invalidateQueries({ queryKey: [LIST_KEY, list] })
        }, REFETCH_MS)
      },
    }),
    [client, list],
  )
}
