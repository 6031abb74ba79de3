import { hostStream, type Scanner, scannerRoutes } from '@narval/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'

/** Runs are told by no hub: they are asked for when a value of the host has come, and from time to time. */
const REFRESH_MS = 15_000
/** However many messages come. */
const SETTLE_MS = 1_000

const metricsKey = (id: number) => ['scanner-metrics', id] as const
const runsKey = (id: number) => ['scanner-runs', id] as const
const stateKey = (id: number) => ['scanner-state', id] as const

/** What a scanner has produced so far, with the present values. */
export const useScannerMetrics = (id: number) =>
  useQuery({
    queryKey: metricsKey(id),
    queryFn: ({ signal }) => call(scannerRoutes.metrics, { query: { id: String(id) }, signal }),
    refetchInterval: REFRESH_MS,
  })

/** Its last runs. */
export const useScannerRuns = (id: number) =>
  useQuery({
    queryKey: runsKey(id),
    queryFn: ({ signal }) => call(scannerRoutes.runs, { query: { id: String(id) }, signal }),
    refetchInterval: REFRESH_MS,
  })

/** How a scanner fares now; its settings are as they were loaded, whatever somebody saved since. */
export const useScannerState = (scanner: Scanner): Scanner => {
  const { data } = useQuery({
    queryKey: stateKey(scanner.id),
    queryFn: ({ signal }) => call(scannerRoutes.get, { params: { id: scanner.id }, signal }),
    initialData: scanner,
    refetchInterval: REFRESH_MS,
  })
  return data
}

/** Asks again for what a run changes. */
export const useRefreshRuns = (id: number): (() => void) => {
  const client = useQueryClient()
  return () => {
    for (const queryKey of [metricsKey(id), runsKey(id), stateKey(id)]) void client.invalidateQueries({ queryKey })
  }
}

/** Keeps a scanner's runs, metrics and state fresh while its page is looked at. */
export const useFollowScanner = ({ id, hostId }: Pick<Scanner, 'id' | 'hostId'>): void => {
  const refresh = useRefreshRuns(id)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const soon = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      refresh()
    }, SETTLE_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useHubEvent('metric', hostStream(hostId), ({ metrics, entities }) => {
    if (entities !== undefined || metrics.some(metric => metric.hostId === hostId)) soon()
  })
  useHubJoined('metric', soon)
}
