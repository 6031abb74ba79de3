import { dashboardRoutes, GLOBAL_STREAM, statusRoutes } from '@narval/contracts'
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useLiveRows } from '../../ui/live-rows.ts'
import { HOUR_MS, hourStart } from './status-columns.ts'

const HOURS = ['status', 'hours'] as const
const PRESENT = ['status', 'present'] as const
const SITES = ['status', 'sites'] as const
const GROUPS = ['status', 'groups'] as const
export const CHANGE_LIST = 'status-change'

export interface StatusWindow {
  readonly fromMs: number
  readonly untilMs: number
  readonly site: number | null
}
const queryOf = ({ fromMs, untilMs, site }: StatusWindow) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(untilMs).toISOString(),
  ...(site !== null && { site: String(site) }),
})

/** The hours of a window, asked once; the last two, that still change, again and again. */
export const useStatusHours = (window: StatusWindow) => {
  const hours = useQuery({
    queryKey: [...HOURS, window],
    queryFn: ({ signal }) => call(statusRoutes.hours, { query: queryOf(window), signal }),
    placeholderData: keepPreviousData,
    staleTime: HOUR_MS,
  })
  const late = { ...window, fromMs: hourStart(window.untilMs - 1) - HOUR_MS }
  const present = useQuery({
    queryKey: [...PRESENT, late],
    queryFn: ({ signal }) => call(statusRoutes.hours, { query: queryOf(late), signal }),
    refetchInterval: REFRESH_MS,
  })
  return { hours, late: present.data }
}

export const useStatusSites = () =>
  useQuery({ queryKey: SITES, queryFn: ({ signal }) => call(dashboardRoutes.status, { signal }) })

/** What changed, alike together. */
export const useChangeGroups = (window: StatusWindow) =>
  useQuery({
    queryKey: [...GROUPS, window],
    queryFn: ({ signal }) => call(statusRoutes.changeGroups, { query: queryOf(window), signal }),
    placeholderData: keepPreviousData,
  })

/** Time alone moves the present hour this often. */
const REFRESH_MS = 60_000
/** Messages of a storm make one question. */
const COALESCED_MS = 3_000

const refresh = (client: QueryClient): void => {
  for (const queryKey of [PRESENT, SITES, GROUPS]) void client.invalidateQueries({ queryKey })
}

/** Asks again when confirmed states changed, and for all that was missed while nothing was heard. */
export const useLiveStatus = (): void => {
  const client = useQueryClient()
  const rows = useLiveRows<{ readonly id: number }>(CHANGE_LIST)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const later = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      refresh(client)
      rows.refetch()
    }, COALESCED_MS)
  }
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )
  // Counters are told with every confirmed change, and with nothing else.
  useHubEvent('service', GLOBAL_STREAM, message => {
    if ('severities' in message) later()
  })
  useHubEvent('site', GLOBAL_STREAM, ({ entities = [] }) => {
    if (entities.length > 0) later()
  })
  useHubJoined('service', again => {
    if (!again) return
    void client.invalidateQueries({ queryKey: HOURS })
    later()
  })
}
