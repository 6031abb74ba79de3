import { GLOBAL_STREAM, type Maintenance, maintenanceRoutes } from '@narval/contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useLiveRows } from '../../ui/live-rows.ts'

export const MAINTENANCE_LIST = 'maintenance'
const KEY = 'maintenances'

export const calendarQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [KEY, 'calendar', from, to],
    queryFn: ({ signal }) => call(maintenanceRoutes.calendar, { query: { from, to }, signal }),
    refetchInterval: 60_000,
  })
export const maintenanceQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => call(maintenanceRoutes.get, { params: { id }, signal }),
  })
export const runsQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, id, 'runs'],
    queryFn: ({ signal }) => call(maintenanceRoutes.runs, { params: { id }, signal }),
  })

/** Everything shown of maintenances is asked for again when one starts, ends or changes. */
export const useLiveMaintenances = (): (() => void) => {
  const client = useQueryClient()
  const rows = useLiveRows<Maintenance>(MAINTENANCE_LIST)
  const again = (): void => {
    void client.invalidateQueries({ queryKey: [KEY] })
    rows.refetch()
  }
  useHubEvent('service', GLOBAL_STREAM, ({ maintenances = [] }) => {
    if (maintenances.length > 0) again()
  })
  useHubJoined('service', again)
  return again
}
