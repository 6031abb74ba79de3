import {
  GLOBAL_STREAM,
  hostStream,
  type Incident,
  type IncidentDetail,
  incidentRoutes,
  type Metric,
  metricRoutes,
} from '@narval/contracts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useLiveRows } from '../../ui/live-rows.ts'
import { useAskAgain } from '../../ui/use-ask-again.ts'
import { incidentPath } from './chain-view.ts'

export const INCIDENT_LIST = 'incident'

const detailQuery = (id: number) =>
  queryOptions({
    queryKey: ['incident', id],
    queryFn: ({ signal }) => call(incidentRoutes.detail, { params: { id: String(id) }, signal }),
    refetchInterval: EVERY_MS,
  })

/** What no hub tells is seen this late. */
const EVERY_MS = 20_000
/** Hosts whose change may change the incident: its own, those of its chain, those that it makes unreachable. */
const hostsOf = ({ incident, chain, effects }: IncidentDetail): ReadonlySet<number> =>
  new Set([
    ...(incident.hostId === null ? [] : [incident.hostId]),
    ...chain.filter(link => link.kind === 'host').map(link => link.id),
    ...effects.map(effect => effect.hostId),
  ])

const probesOf = ({ incident, chain }: IncidentDetail): readonly number[] => [
  ...(incident.probeId === null ? [] : [incident.probeId]),
  ...chain.filter(link => link.kind === 'probe' || link.kind === 'link').map(link => link.id),
]

/** An incident with its story, asked for again when the hubs say that something of it moved. */
export const useLiveIncident = (id: number) => {
  const client = useQueryClient()
  const query = useQuery(detailQuery(id))
  const again = useAskAgain(() => void client.invalidateQueries({ queryKey: detailQuery(id).queryKey }))
  const { data } = query
  const hostId = data?.incident.hostId ?? null
  useHubEvent('metric', hostId === null ? null : hostStream(hostId), ({ metrics, entities }) => {
    const own = data?.incident.metricId
    const hosts = data === undefined ? new Set<number>() : hostsOf(data)
    // A value that moves within its state changes no story.
    const moved = metrics.some(metric => hosts.has(metric.hostId) && metric.severity !== severityOf(data, metric.id))
    if (moved || (own != null && entities?.includes(own) === true)) again()
  })
  useHubEvent('metric', GLOBAL_STREAM, ({ incidents = [] }) => {
    if (incidents.includes(id) || data?.merged.some(one => incidents.includes(one.id)) === true) again()
  })
  useHubEvent('host', GLOBAL_STREAM, ({ hosts }) => {
    if (data === undefined) return
    const known = hostsOf(data)
    // What a probe leaves unknown is not named before it is: any host may be the next.
    const mayJoin = data.incident.kind !== 'metric' && data.incident.closedAt === null
    if (hosts.some(host => known.has(host.id) || (mayJoin && host.severity === 'unknown'))) again()
  })
  useHubEvent('service', GLOBAL_STREAM, ({ probes = [] }) => {
    if (data !== undefined && probes.some(probe => probesOf(data).includes(probe))) again()
  })
  useHubEvent('communication', GLOBAL_STREAM, ({ link }) => {
    if (link?.startsWith(incidentPath(id)) === true) again()
  })
  useHubJoined('metric', again)
  return query
}

const severityOf = (data: IncidentDetail | undefined, metricId: number) =>
  data?.chain.find(link => link.kind === 'metric' && link.id === metricId)?.severity

/** Writes what an action answered into the page, and asks for the rest of it. */
export const useIncidentChanged = (id: number) => {
  const client = useQueryClient()
  return (): void => {
    void client.invalidateQueries({ queryKey: detailQuery(id).queryKey })
    void client.invalidateQueries({ queryKey: ['incidents'] })
  }
}

/** The metric of an incident, for its chart; its value follows its host's stream. */
export const useIncidentMetric = ({ metricId, hostId }: Pick<Incident, 'metricId' | 'hostId'>) => {
  const client = useQueryClient()
  const queryKey = ['metric', metricId] as const
  useHubEvent('metric', hostId === null ? null : hostStream(hostId), ({ metrics }) => {
    const change = metrics.find(metric => metric.id === metricId)
    if (change === undefined) return
    const { hostId: _host, siteId: _site, ...live } = change
    client.setQueryData<Metric>(queryKey, metric => (metric === undefined ? metric : { ...metric, ...live }))
  })
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call(metricRoutes.get, { params: { id: String(metricId) }, signal }),
    enabled: metricId !== null,
  })
}

/** Rows of the list are asked for again when a state, a probe or an alert changes. */
export const useLiveIncidents = (): void => {
  const rows = useLiveRows<Incident>(INCIDENT_LIST)
  useHubEvent('metric', GLOBAL_STREAM, ({ entities = [], incidents = [] }) => {
    if (entities.length + incidents.length > 0) rows.refetch()
  })
  useHubEvent('host', GLOBAL_STREAM, ({ hosts }) => {
    if (hosts.length > 0) rows.refetch()
  })
  useHubEvent('service', GLOBAL_STREAM, ({ probes = [] }) => {
    if (probes.length > 0) rows.refetch()
  })
  useHubEvent('communication', GLOBAL_STREAM, rows.refetch)
  useHubJoined('host', rows.refetch)
}
