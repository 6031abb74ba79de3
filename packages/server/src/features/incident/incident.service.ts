import { INCIDENT_KINDS, type Incident } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { conflict, notFound } from '../../http/refusal.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { opinionsOf } from '../../monitoring/second-opinion.store.ts'
import type { Database } from '../../store/database.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { visibleTo } from '../../store/visible.ts'

interface IncidentRow {
  id: number
  kind: string
  metric_id: number | null
  metric_name: string | null
  host_id: number | null
  host_name: string | null
  site_id: number | null
  site_name: string | null
  probe_id: number | null
  probe_name: string | null
  severity_rank: number
  worst_rank: number
  information: string
  opened_at: number
  closed_at: number | null
  reopened: number
  flapping: number
  acknowledged_by: string | null
  acknowledged_at: number | null
  acknowledged_comment: string | null
  acknowledged_sticky: number
  acknowledged_until: number | null
  owner: string | null
  parent_id: number | null
  merged: number
  unreachable: number
}

/** Hosts that an incident makes unreachable: those of the moment, or of its end. */
const UNREACHABLE = sql`(select count(*) from incident_effect effect where effect.incident_id = incident.id
  and (effect.until is null or effect.until >= incident.closed_at))`
const FIELDS = sql`incident.id, incident.kind, incident.metric_id, metric.name as metric_name, host.id as host_id, host.name as host_name,
  site.id as site_id, site.name as site_name, incident.probe_id, probe.name as probe_name, incident.severity_rank, incident.worst_rank,
  incident.information, incident.opened_at, incident.closed_at, incident.reopened, incident.flapping, incident.acknowledged_by,
  incident.acknowledged_at, incident.acknowledged_comment, incident.acknowledged_sticky, incident.acknowledged_until, incident.owner,
  incident.parent_id, (select count(*) from incident child where child.parent_id = incident.id) as merged, ${UNREACHABLE} as unreachable`
const FROM = sql`incident left join metric on metric.id = incident.metric_id left join host on host.id = metric.host_id
  left join probe on probe.id = incident.probe_id left join site on site.id = coalesce(host.site_id, incident.site_id)`
const MAX_INCIDENTS = 200

const titleOf = (row: IncidentRow): string => {
  if (row.kind === 'probe') return `Sonde ${row.probe_name} hors ligne`
  if (row.kind === 'link') return `Liaison de la sonde ${row.probe_name} en cause`
  return `${row.host_name}\u202f: ${row.metric_name}`
}

const toIncident = (row: IncidentRow, opinion: Incident['opinion']): Incident => ({
  id: row.id,
  kind: INCIDENT_KINDS.find(kind => kind === row.kind) ?? 'metric',
  title: titleOf(row),
  metricId: row.metric_id,
  metricName: row.metric_name,
  hostId: row.host_id,
  hostName: row.host_name,
  siteId: row.site_id,
  siteName: row.site_name,
  probeId: row.probe_id,
  probeName: row.probe_name,
  severity: severityOf(row.severity_rank),
  worst: severityOf(row.worst_rank),
  information: row.information,
  openedAt: toIso(row.opened_at),
  closedAt: toIsoOrNull(row.closed_at),
  reopened: row.reopened,
  flapping: row.flapping === 1,
  inMaintenance: false,
  acknowledgedBy: row.acknowledged_by,
  acknowledgedAt: toIsoOrNull(row.acknowledged_at),
  acknowledgedComment: row.acknowledged_comment,
  acknowledgedSticky: row.acknowledged_sticky === 1,
  acknowledgedUntil: toIsoOrNull(row.acknowledged_until),
  owner: row.owner,
  parentId: row.parent_id,
  merged: Number(row.merged),
  unreachable: Number(row.unreachable),
  opinion,
})

export const createIncidentService = (database: Database, monitoring: Monitoring, now: () => number) => {
  const { db } = database
  const get = async (viewer: Viewer, id: number): Promise<Incident> => {
    const answer =
      await sql<IncidentRow>`select ${FIELDS} from ${FROM} where ${visibleTo(viewer)} and incident.id = ${id}`.execute(
        db,
      )
    const row = answer.rows[0]
    if (row === undefined) throw notFound("Cet incident n'existe pas.")
    return toIncident(row, (await opinionsOf(db, [id])).get(id) ?? null)
  }
  const set = async (viewer: Viewer, id: number, comment: string | null): Promise<Incident> => {
    const before = await get(viewer, id)
    if (before.closedAt !== null) throw conflict('Cet incident est terminé.')
    const values =
      comment === null
        ? { acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null }
        : { acknowledged_by: viewer.login, acknowledged_at: now(), acknowledged_comment: comment }
    await db.updateTable('incident').set(values).where('id', '=', id).execute()
    await monitoring.evaluation.between(effects => {
      const metric = before.metricId === null ? undefined : monitoring.model.metrics.get(before.metricId)
      if (metric === undefined) return
      metric.acknowledged = comment !== null
      effects.fresh.add(metric)
      effects.hosts.add(metric.scanner.host)
    })
    if (before.metricId !== null)
      monitoring.publisher.changed({ entity: 'metric', ids: [before.metricId], action: 'updated' })
    return get(viewer, id)
  }
  return {
    get,
    list: async (
      viewer: Viewer,
      query: { host?: string | undefined; open?: string | undefined },
    ): Promise<Incident[]> => {
      const host =
        query.host === undefined ? sql<boolean>`1 = 1` : sql<boolean>`incident.host_id = ${Number(query.host)}`
      const open =
        query.open === undefined
          ? sql<boolean>`1 = 1`
          : query.open === 'true'
            ? sql<boolean>`incident.closed_at is null`
            : sql<boolean>`incident.closed_at is not null`
      const answer =
        await sql<IncidentRow>`select ${FIELDS} from ${FROM} where ${visibleTo(viewer)} and ${host} and ${open} order by incident.opened_at desc, incident.id desc limit ${MAX_INCIDENTS}`.execute(
          db,
        )
      const opinions = await opinionsOf(
        db,
        answer.rows.map(row => row.id),
      )
      return answer.rows.map(row => toIncident(row, opinions.get(row.id) ?? null))
    },
    acknowledge: (viewer: Viewer, id: number, comment: string) => set(viewer, id, comment),
    unacknowledge: (viewer: Viewer, id: number) => set(viewer, id, null),
  }
}
export type IncidentService = ReturnType<typeof createIncidentService>
