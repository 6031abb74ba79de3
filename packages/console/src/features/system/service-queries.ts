import { SERVICES_STREAM, type Service, serviceRoutes } from '@narval/contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useLiveRows } from '../../ui/live-rows.ts'

export const SERVICE_LIST = 'service'
/** Figures move without an event: rates, queues, ages. */
export const FIGURES_MS = 5_000
const STORAGE_MS = 30_000

export const serviceQuery = (id: number) =>
  queryOptions({
    queryKey: ['service', id],
    queryFn: ({ signal }) => call(serviceRoutes.get, { params: { id }, signal }),
    refetchInterval: FIGURES_MS,
  })

export const storageQuery = queryOptions({
  queryKey: ['service', 'storage'],
  queryFn: ({ signal }) => call(serviceRoutes.storage, { signal }),
  refetchInterval: STORAGE_MS,
})

/** Asks again when the hub says that a service changed its state. */
export const useLiveServices = (): void => {
  const client = useQueryClient()
  const rows = useLiveRows<Service>(SERVICE_LIST)
  const refetch = (): void => {
    rows.refetch()
    void client.invalidateQueries({ queryKey: ['service'] })
  }
  useHubEvent('service', SERVICES_STREAM, ({ services }) => {
    if (services === true) refetch()
  })
  useHubJoined('service', refetch)
}
