import { type Incident, severity } from '@narval/contracts'
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
  metric_id: number
  metric_name: string
  host_id: number
  host_name: string
  site_id: number
  site_name: string
  severity_rank: number
  information: string
  opened_at: number
  closed_at: number | null
  acknowledged_by: string | null
  acknowledged_at: number | null
  acknowledged_comment: string | null
}

const FIELDS = sql`incident.id, incident.metric_id, metric.name as metric_name, host.id as host_id, host.name as host_name, site.id as site_id,
  site.name as site_name, incident.severity_rank, incident.information, incident.opened_at, incident.closed_at, incident.acknowledged_by,
  incident.acknowledged_at, incident.acknowledged_comment`
const FROM = sql`incident join metric on metric.id = incident.metric_id join host on host.id = metric.host_id join site on site.id = host.site_id`
const MAX_INCIDENTS = 200

const toIncident = (row: IncidentRow, opinion: Incident['opinion']): Incident => ({
  id: row.id,
  metricId: row.metric_id,
  metricName: row.metric_name,
  hostId: row.host_id,
  hostName: row.host_name,
  siteId: row.site_id,
  siteName: row.site_name,
  severity: severity.parse(severityOf(row.severity_rank)),
  information: row.information,
  openedAt: toIso(row.opened_at),
  closedAt: toIsoOrNull(row.closed_at),
  acknowledgedBy: row.acknowledged_by,
  acknowledgedAt: toIsoOrNull(row.acknowledged_at),
  acknowledgedComment: row.acknowledged_comment,
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
      const metric = monitoring.model.metrics.get(before.metricId)
      if (metric === undefined) return
      metric.acknowledged = comment !== null
      effects.fresh.add(metric)
      effects.hosts.add(metric.scanner.host)
    })
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
