import { notifications } from '@mantine/notifications'
import {
  type DiscoveryFinding,
  type DiscoveryRange,
  type DiscoveryRun,
  discoveryRoutes,
  type REVIEW_ACTIONS,
} from '@narval/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { LIST_KEY, useLiveRows } from '../../ui/live-rows.ts'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'

export const FINDING_LIST = 'discovery'
const RANGES_KEY = ['discovery', 'ranges'] as const
/** While something is under way it is asked for again often. */
const BUSY_MS = 2_000
const IDLE_MS = 20_000

export const isUnderWay = (run: DiscoveryRun | null): boolean => run?.state === 'running' || run?.state === 'waiting'

/** Every range with its last run, live. */
export const useRanges = () =>
  useQuery({
    queryKey: RANGES_KEY,
    queryFn: ({ signal }) => call(discoveryRoutes.list, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ lastRun }) => isUnderWay(lastRun)) === true ? BUSY_MS : IDLE_MS,
  })

/** Asks for the findings again whenever a run of these ranges found something, or ended. */
export const useFindingsOf = (ranges: readonly DiscoveryRange[]): void => {
  const { refetch } = useLiveRows<DiscoveryFinding>(FINDING_LIST)
  const told = ranges.map(({ lastRun: run }) => `${run?.id} ${run?.state} ${run?.found} ${run?.changed}`).join('\n')
  const before = useRef(told)
  useEffect(() => {
    if (before.current !== told) refetch()
    before.current = told
  }, [told, refetch])
}

const useFresh = () => {
  const client = useQueryClient()
  return async (): Promise<void> => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['discovery'] }),
      client.invalidateQueries({ queryKey: [LIST_KEY] }),
    ])
  }
}

/** Starts a run of a range, or ends the one under way. */
export const useRun = ({ id, name, lastRun }: DiscoveryRange) => {
  const fresh = useFresh()
  const start = useMutation({
    mutationFn: () => call(discoveryRoutes.run, { params: { id } }),
    onSuccess: async () => {
      notifications.show({ message: fr.ranges.started(name), color: 'green' })
      await fresh()
    },
    onError: error => notifications.show({ color: 'red', title: fr.ranges.refused, message: errorText(error) }),
  })
  const cancel = useMutation({
    mutationFn: () => call(discoveryRoutes.cancel, { params: { id: lastRun?.id ?? 0 } }),
    onSuccess: async () => {
      notifications.show({ message: fr.ranges.cancelled(name), color: 'green' })
      await fresh()
    },
    onError: async error => {
      notifications.show({ color: 'red', title: fr.ranges.cancelRefused, message: errorText(error) })
      await fresh()
    },
  })
  return { start, cancel }
}

export type ReviewAction = (typeof REVIEW_ACTIONS)[number]

/** What a person decides of findings without making hosts of them. */
export const useReview = (onDone?: () => void) => {
  const fresh = useFresh()
  return useMutation({
    mutationFn: (body: { ids: number[]; action: ReviewAction }) => call(discoveryRoutes.review, { body }),
    onSuccess: async ({ changed }, { action }) => {
      notifications.show({ message: fr.actions.done[action](changed), color: 'green' })
      onDone?.()
      await fresh()
    },
    onError: error => notifications.show({ color: 'red', title: fr.actions.refused, message: errorText(error) }),
  })
}
