import {
  GLOBAL_STREAM,
  HANDOVERS_SHOWN,
  handoverRoutes,
  type LogBookEntry,
  type LogBookKind,
  logBookRoutes,
} from '@narval/contracts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, fetchFile } from '../../lib/api.ts'
import { useCommented } from '../../lib/comment-queries.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useAskAgain } from '../../ui/use-ask-again.ts'
import type { Shift } from './shift.ts'

const KEY = ['log-book'] as const

export interface BookFilter {
  readonly period: Shift
  readonly site: number | null
  /** Null: all. */
  readonly kind: LogBookKind | null
}

const queryOf = ({ period, site, kind }: BookFilter, before?: string) => ({
  ...{ from: period.from.toISOString(), to: period.to.toISOString() },
  ...(site !== null && { site: String(site) }),
  ...(kind !== null && { kind }),
  ...(before !== undefined && { before }),
})

/** Has the book and the notes asked again, soon. */
export const useRefreshBook = (): (() => void) => {
  const client = useQueryClient()
  return useAskAgain(() => void client.invalidateQueries({ queryKey: KEY }))
}

/** Hears whatever the book may tell. */
const useBookChanged = (): void => {
  const refresh = useRefreshBook()
  useCommented(refresh)
  useHubEvent('service', GLOBAL_STREAM, ({ logBook, maintenances, probes }) => {
    if (logBook === true || maintenances !== undefined || (probes?.length ?? 0) > 0) refresh()
  })
  useHubEvent('metric', GLOBAL_STREAM, ({ incidents }) => {
    if (incidents !== undefined) refresh()
  })
  useHubEvent('host', GLOBAL_STREAM, ({ hosts }) => {
    if (hosts.length > 0) refresh()
  })
  useHubEvent('communication', GLOBAL_STREAM, refresh)
  useHubJoined('service', refresh)
}

/** The lines of a period, the newest first, live. */
export const useBook = (filter: BookFilter) => {
  useBookChanged()
  return useInfiniteQuery({
    queryKey: [...KEY, 'lines', queryOf(filter)],
    queryFn: ({ pageParam, signal }) => call(logBookRoutes.list, { query: queryOf(filter, pageParam), signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next ?? undefined,
  })
}

/** Lines that a sheet of paper holds at most. */
const PRINTED_MAX = 2_000
/** All lines of a period, for paper. */
export const readBook = async (filter: BookFilter): Promise<LogBookEntry[]> => {
  const entries: LogBookEntry[] = []
  let before: string | undefined
  do {
    const page = await call(logBookRoutes.list, { query: queryOf(filter, before) })
    entries.push(...page.entries)
    before = page.next ?? undefined
  } while (before !== undefined && entries.length < PRINTED_MAX)
  return entries
}
export const fetchBookFile = (filter: BookFilter): Promise<Blob> =>
  fetchFile(logBookRoutes.list, { query: queryOf(filter), accept: 'text/csv', timeoutMs: 120_000 })

/** When shifts begin. */
export const useShiftPlan = () =>
  useQuery({
    queryKey: [...KEY, 'shifts'],
    queryFn: ({ signal }) => call(logBookRoutes.shifts, { signal }),
    staleTime: 600_000,
  })

/** Hand-over notes, the newest first, live. */
export const useHandovers = () => {
  useBookChanged()
  return useInfiniteQuery({
    queryKey: [...KEY, 'handovers'],
    queryFn: ({ pageParam, signal }) =>
      call(handoverRoutes.list, { query: pageParam === undefined ? {} : { before: String(pageParam) }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: page => (page.length < HANDOVERS_SHOWN ? undefined : page.at(-1)?.id),
  })
}
export const useHandover = (id: number) => {
  useBookChanged()
  return useQuery({
    queryKey: [...KEY, 'handover', id],
    queryFn: ({ signal }) => call(handoverRoutes.get, { params: { id }, signal }),
  })
}
export const useHandoverSummary = (period: Shift, site: number | null) =>
  useQuery({
    queryKey: [...KEY, 'summary', period.from.toISOString(), site],
    queryFn: ({ signal }) => call(handoverRoutes.summary, { query: queryOf({ period, site, kind: null }), signal }),
  })

/** Says that a note was read. */
export const useTakeOver = (id: number) => {
  const refresh = useRefreshBook()
  return useMutation({ mutationFn: () => call(handoverRoutes.read, { params: { id } }), onSuccess: refresh })
}
