import type {
  ChainLink,
  DatatableReply,
  DatatableRequest,
  HostCause,
  Incident,
  IncidentDetail,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Actors } from '../../actors.ts'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import { readTimeline } from '../../monitoring/incident/incident-log.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { opinionsOf } from '../../monitoring/probe/second-opinion.store.ts'
import type { Database } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { fetchOne } from '../../store/fetch.ts'
import { everyMatch } from '../../store/matching.ts'
import { seesAll, seesHost } from '../../store/visible.ts'
import {
  countEffects,
  type IncidentRow,
  incidentList,
  readEffects,
  readInstructions,
  toIncident,
} from './incident.store.ts'
import { causesOf } from './incident-cause.ts'
import { incidentChain } from './incident-chain.ts'
import { createIncidentMerge } from './incident-merge.ts'
import { inNobodysCharge, isOwnerLost } from './owner.ts'

const MAX_INCIDENTS = 200

interface ListQuery {
  readonly host?: string | undefined
  readonly metric?: string | undefined
  readonly probe?: string | undefined
  readonly open?: string | undefined
}

export interface IncidentServiceDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  /** Who may act on incidents. */
  readonly actors: Actors
  readonly now: () => number
}

/** Incidents as people read them, and what of them is changed by hand but acknowledging. */
export const createIncidentService = ({ database, monitoring, actors, now }: IncidentServiceDeps) => {
  const { db } = database
  const present = async (rows: readonly IncidentRow[]): Promise<Incident[]> => {
    const opinions = await opinionsOf(
      db,
      rows.map(row => row.id),
    )
    const open = rows.filter(row => row.closed_at === null)
    const owners = await actors.among(open.flatMap(row => row.owner ?? []))
    return rows.map(row => {
      const metric = row.metric_id === null ? undefined : monitoring.model.metrics.get(row.metric_id)
      const inMaintenance = row.closed_at === null && metric !== undefined && metric.maintenance !== null
      return toIncident(row, {
        opinion: opinions.get(row.id) ?? null,
        inMaintenance,
        ownerLost: isOwnerLost(row, owners),
      })
    })
  }
  const nobodys = ({ filters }: DatatableRequest) =>
    filters?.owned === undefined ? undefined : inNobodysCharge(db, actors)
  const get = async (viewer: Viewer, id: number): Promise<Incident> => {
    const row = await fetchOne<IncidentRow>(db, incidentList(viewer), id)
    const [found] = row === null ? [] : await present([row])
    if (found === undefined) throw notFound("Cet incident n'existe pas.")
    return found
  }
  const newest = async (viewer: Viewer, where = sql<boolean>`1 = 1`): Promise<Incident[]> => {
    const { select, from, visible } = incidentList(viewer)
    const answer =
      await sql<IncidentRow>`select ${select} from ${from} where ${visible} and ${where} order by incident.opened_at desc, incident.id desc
        limit ${MAX_INCIDENTS}`.execute(db)
    return present(answer.rows)
  }
  /** Of a probe, as long as it lasts, those that are unknown at this moment: others may come back and go again. */
  const effectsOf = async (viewer: Viewer, { id, kind, closedAt }: Incident) => {
    const onlyNow = kind !== 'metric' && closedAt === null
    const [effects, effectHosts, effectsEver] = await Promise.all([
      readEffects(db, viewer, id, onlyNow),
      countEffects(db, viewer, id, onlyNow),
      countEffects(db, viewer, id, false),
    ])
    return { effects, effectHosts, effectsEver }
  }
  const seesEntry = (viewer: Viewer, id: number | null): boolean => {
    const host = id === null ? undefined : monitoring.model.hosts.get(id)
    return host !== undefined && seesHost(viewer)(host)
  }
  /** What explains an incident may stand elsewhere than it. */
  const seesLink = (viewer: Viewer, { kind, id }: ChainLink): boolean => {
    if (seesAll(viewer) || kind === 'probe' || kind === 'link') return true
    return seesEntry(viewer, kind === 'metric' ? (monitoring.model.metrics.get(id)?.scanner.host.id ?? null) : id)
  }
  return {
    get,
    list: (viewer: Viewer, query: ListQuery): Promise<Incident[]> => {
      const of = (column: string, id: string | undefined) =>
        id === undefined ? sql`1 = 1` : sql`${sql.ref(`incident.${column}`)} = ${Number(id)}`
      const about = sql`${of('host_id', query.host)} and ${of('metric_id', query.metric)} and ${of('probe_id', query.probe)}`
      const open =
        query.open === undefined
          ? sql`1 = 1`
          : sql`incident.closed_at ${query.open === 'true' ? sql`is null` : sql`is not null`}`
      return newest(viewer, sql<boolean>`${about} and ${open}`)
    },
    async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<Incident>> {
      // What another one explains is read there: it is listed where it is asked for.
      const filters = { roots: true, ...request.filters }
      const list = incidentList(viewer, await nobodys(request))
      const page = await runDatatable<IncidentRow>(database, list, { ...request, filters })
      return { ...page, data: await present(page.data) }
    },
    /** Every incident that a request matches, slice by slice. */
    async everything(viewer: Viewer, request: DatatableRequest): Promise<AsyncIterable<readonly Incident[]>> {
      const filters = { roots: true, ...request.filters }
      const list = incidentList(viewer, await nobodys(request))
      return everyMatch<IncidentRow, Incident>(database, list, { ...request, filters }, present)
    },
    async detail(viewer: Viewer, id: number): Promise<IncidentDetail> {
      const incident = await get(viewer, id)
      const [chain, instructions, timeline, merged, reached] = await Promise.all([
        incidentChain(db, monitoring, incident),
        readInstructions(db, viewer, incident),
        readTimeline(db, id),
        newest(viewer, sql<boolean>`incident.parent_id = ${id}`),
        effectsOf(viewer, incident),
      ])
      const seen = chain.filter(link => seesLink(viewer, link))
      return { incident, chain: seen, instructions, timeline, merged, ...reached }
    },
    async causes(viewer: Viewer, hostId: number): Promise<HostCause[]> {
      const host = monitoring.model.hosts.get(hostId)
      if (host === undefined || !seesHost(viewer)(host)) throw notFound("Cet équipement n'existe pas.")
      return causesOf(db, monitoring.model, viewer, host)
    },
    ...createIncidentMerge({ database, monitoring, now, get }),
  }
}
export type IncidentService = ReturnType<typeof createIncidentService>
