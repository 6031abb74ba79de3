import {
  GLOBAL_STREAM,
  type Host,
  hostRoutes,
  hostStream,
  type Metric,
  metricRoutes,
  opinionRoutes,
  scannerRoutes,
} from '@narval/contracts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { commentsQuery } from '../../lib/comment-queries.ts'
import { recordFieldsQuery } from '../../lib/custom-field-queries.ts'
import { hostCausesQuery } from '../../lib/host-causes.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { incidentKey, incidentsQuery } from '../../ui/incident-list.tsx'
import { recipientsQuery } from '../../ui/recipients-card.tsx'

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
    if (entities !== undefined)
      for (const key of ['host-scanners', 'host-opinions']) void client.invalidateQueries({ queryKey: [key, id] })
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

const scannersQuery = (id: number) =>
  queryOptions({
    queryKey: ['host-scanners', id],
    queryFn: ({ signal }) => call(scannerRoutes.list, { query: { host: String(id) }, signal }),
    refetchInterval: 30_000,
  })
export const useHostScanners = (id: number, enabled: boolean) => useQuery({ ...scannersQuery(id), enabled })

/** What other probes said of it; asked again with its metrics. */
const opinionsQuery = (id: number) =>
  queryOptions({
    queryKey: ['host-opinions', id],
    queryFn: ({ signal }) => call(opinionRoutes.ofHost, { query: { id: String(id) }, signal }),
  })
export const useHostOpinions = (id: number) => useQuery(opinionsQuery(id))

/** Through what it is reached and what through it, asked again with each of its states; those known stay meanwhile. */
export const useHostNeighbours = (host: Host | undefined) =>
  useQuery({
    queryKey: ['host-neighbours', host?.id ?? 0, host?.updatedAt, host?.state],
    queryFn: ({ signal }) => call(hostRoutes.neighbours, { params: { id: String(host?.id) }, signal }),
    enabled: host !== undefined,
    refetchInterval: 30_000,
    placeholderData: (known, query) => (query?.queryKey[1] === host?.id ? known : undefined),
  })

/** Whether all that pushes something else down is known, or has failed: shown at once, nothing moves under who reads. */
export const useHostReady = (id: number, host: Host | undefined, seesScanners: boolean): boolean => {
  const metrics = useQuery(metricsQuery(id))
  const fields = useQuery(recordFieldsQuery({ scope: 'host', id }))
  const incidents = useQuery(incidentsQuery(id))
  const scanners = useHostScanners(id, seesScanners)
  const neighbours = useHostNeighbours(host)
  const opinions = useHostOpinions(id)
  const comments = useQuery(commentsQuery('host', id))
  const recipients = useQuery(recipientsQuery(id))
  const causes = useQuery(hostCausesQuery(id))
  const pending = [
    metrics,
    fields,
    incidents,
    neighbours,
    opinions,
    comments,
    recipients,
    causes,
    ...(seesScanners ? [scanners] : []),
  ]
  return pending.every(query => !query.isPending)
}
