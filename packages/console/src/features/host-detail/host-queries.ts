import { GLOBAL_STREAM, hostRoutes, hostStream, type Metric, metricRoutes, scannerRoutes } from '@narval/contracts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { incidentKey } from '../../ui/incident-list.tsx'

export const hostQuery = (id: number) =>
  queryOptions({
    queryKey: ['host', id],
    queryFn: ({ signal }) => call(hostRoutes.get, { params: { id: String(id) }, signal }),
  })
const metricsQuery = (id: number) =>
  queryOptions({
    queryKey: ['host-metrics', id],
    queryFn: ({ signal }) => call(metricRoutes.list, { query: { host: String(id) }, signal }),
  })

/** The metrics of a host, kept by its stream of the metric hub. */
export const useHostMetrics = (id: number) => {
  const client = useQueryClient()
  const { queryKey } = metricsQuery(id)
  useHubEvent('metric', hostStream(id), ({ metrics, entities }) => {
    const own = new Map(
      metrics
        .filter(metric => metric.hostId === id)
        .map(({ hostId: _host, siteId: _site, ...live }) => [live.id, live]),
    )
    const known = client.getQueryData<Metric[]>(queryKey)
    if (known === undefined) return
    const ids = new Set(known.map(metric => metric.id))
    if (entities !== undefined) void client.invalidateQueries({ queryKey: ['host-scanners', id] })
    if (entities !== undefined || [...own.keys()].some(one => !ids.has(one)))
      void client.invalidateQueries({ queryKey })
    if (own.size > 0)
      client.setQueryData<Metric[]>(
        queryKey,
        known.map(metric => ({ ...metric, ...own.get(metric.id) })),
      )
  })
  useHubJoined('metric', () => void client.invalidateQueries({ queryKey }))
  return useQuery(metricsQuery(id))
}

/** The host itself, kept by the host hub; its incidents are asked again when its state changes. */
export const useLiveHost = (id: number) => {
  const client = useQueryClient()
  useHubEvent('host', GLOBAL_STREAM, ({ hosts, entities }) => {
    const change = hosts.find(host => host.id === id)
    if (change !== undefined) {
      const { siteId: _site, ...live } = change
      client.setQueryData(hostQuery(id).queryKey, host => (host === undefined ? host : { ...host, ...live }))
      void client.invalidateQueries({ queryKey: incidentKey(id) })
    }
    if (entities?.includes(id) !== true) return
    // A monitoring model may have changed what it has as well.
    for (const queryKey of [hostQuery(id).queryKey, metricsQuery(id).queryKey, ['host-scanners', id]])
      void client.invalidateQueries({ queryKey })
  })
  useHubJoined('host', () => void client.invalidateQueries({ queryKey: hostQuery(id).queryKey }))
  return useQuery(hostQuery(id))
}

export const useHostScanners = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: ['host-scanners', id],
    queryFn: ({ signal }) => call(scannerRoutes.list, { query: { host: String(id) }, signal }),
    enabled,
    refetchInterval: 30_000,
  })
