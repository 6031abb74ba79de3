import type { DatatableReply, DatatableRequest, Incident, IncidentDetail } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import { readTimeline } from '../../monitoring/incident-log.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { opinionsOf } from '../../monitoring/second-opinion.store.ts'
import type { Database } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { fetchOne } from '../../store/fetch.ts'
import { type IncidentRow, incidentList, readEffects, toIncident } from './incident.store.ts'
import { createIncidentMerge } from './incident-merge.ts'

const MAX_INCIDENTS = 200

/** Incidents as people read them, and what of them is changed by hand but acknowledging. */
export const createIncidentService = (database: Database, monitoring: Monitoring, now: () => number) => {
  const { db } = database
  const present = async (rows: readonly IncidentRow[]): Promise<Incident[]> => {
    const opinions = await opinionsOf(
      db,
      rows.map(row => row.id),
    )
    return rows.map(row => toIncident(row, opinions.get(row.id) ?? null))
  }
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
  return {
    get,
    list: (viewer: Viewer, query: { host?: string | undefined; open?: string | undefined }): Promise<Incident[]> => {
      const host = query.host === undefined ? sql`1 = 1` : sql`incident.host_id = ${Number(query.host)}`
      const open =
        query.open === undefined
          ? sql`1 = 1`
          : sql`incident.closed_at ${query.open === 'true' ? sql`is null` : sql`is not null`}`
      return newest(viewer, sql<boolean>`${host} and ${open}`)
    },
    async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<Incident>> {
      // What another one explains is read there: it is listed where it is asked for.
      const filters = { roots: true, ...request.filters }
      const page = await runDatatable<IncidentRow>(database, incidentList(viewer), { ...request, filters })
      return { ...page, data: await present(page.data) }
    },
    async detail(viewer: Viewer, id: number): Promise<IncidentDetail> {
      const incident = await get(viewer, id)
      const [timeline, merged, effects] = await Promise.all([
        readTimeline(db, id),
        newest(viewer, sql<boolean>`incident.parent_id = ${id}`),
        readEffects(db, id),
      ])
      return { incident, chain: [], timeline, merged, effects }
    },
    ...createIncidentMerge({ database, monitoring, now, get }),
  }
}
export type IncidentService = ReturnType<typeof createIncidentService>
