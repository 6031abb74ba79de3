import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { fromRanges } from '../../store/id-ranges.ts'
import { toIso } from '../../store/time.ts'
import { seesAll } from '../../store/visible.ts'
import { type Line, type LogBookQuery, PLAIN, SOURCE, type Source, seenHosts, within } from './log-book.store.ts'

/** A time that a maintenance took place, with the hosts of it that are asked for and may be seen. */
export interface RunRow {
  id: number
  maintenance_id: number | null
  comment: string
  started_at: number
  until: number
  ended_at: number | null
  ended_by: string | null
  author: string | null
  hosts: string
  host_count: number
}
/** Runs that are looked at: beyond, a shift has none that anybody reads. */
const RUNS_MAX = 2_000

/** Which of runs concern what may be seen and a site, and how many of their hosts. */
export const narrowRuns = async (
  db: Db,
  viewer: Viewer,
  site: number | null,
  rows: readonly RunRow[],
): Promise<RunRow[]> => {
  if (rows.length === 0 || (seesAll(viewer) && site === null)) return [...rows]
  const seen = await seenHosts(db, viewer, site)
  return rows.flatMap(row => {
    const host_count = fromRanges(row.hosts).intersection(seen).size
    return host_count === 0 ? [] : [{ ...row, host_count }]
  })
}

const RUNS = sql`maintenance_run run left join maintenance on maintenance.id = run.maintenance_id`
const FIELDS = sql`run.id, run.maintenance_id, run.comment, run.started_at, run.until, run.ended_at, run.ended_by,
  maintenance.author, run.hosts, run.host_count`

/** Those that last. */
export const openRuns = async (db: Db, viewer: Viewer, site: number | null): Promise<RunRow[]> => {
  const { rows } = await sql<RunRow>`select ${FIELDS} from ${RUNS} where run.ended_at is null
    order by run.until, run.id limit ${RUNS_MAX}`.execute(db)
  return narrowRuns(db, viewer, site, rows)
}

/** Maintenances that began or ended. */
export const maintenanceLines = async (db: Db, viewer: Viewer, query: LogBookQuery): Promise<Line[]> => {
  if (!query.kinds.has('maintenance')) return []
  const [started, ended] = await Promise.all([
    linesOf(db, viewer, query, 'started'),
    linesOf(db, viewer, query, 'ended'),
  ])
  return [...started, ...ended]
}

const linesOf = async (
  db: Db,
  viewer: Viewer,
  query: LogBookQuery,
  source: Extract<Source, 'started' | 'ended'>,
): Promise<Line[]> => {
  const at = source === 'started' ? sql`run.started_at` : sql`run.ended_at`
  const { rows } = await sql<RunRow>`select ${FIELDS} from ${RUNS} where ${at} is not null
    and ${within(query, source, at, sql`run.id`)} order by ${at} desc, run.id desc limit ${RUNS_MAX}`.execute(db)
  return (await narrowRuns(db, viewer, query.site, rows)).slice(0, query.limit).map(row => {
    const [atMs, who] = source === 'started' ? [row.started_at, row.author] : [row.ended_at ?? 0, row.ended_by]
    return {
      place: { at: atMs, source: SOURCE[source], id: row.id },
      entry: {
        ...PLAIN,
        ...{ key: `maintenance-${source}:${row.id}`, at: toIso(atMs), kind: 'maintenance', title: row.comment },
        event: source === 'started' ? 'maintenance-started' : 'maintenance-ended',
        id: row.maintenance_id ?? row.id,
        link: row.maintenance_id === null ? null : `/dashboard/live-view/maintenance/${row.maintenance_id}`,
        text: row.host_count === 1 ? '1 équipement' : `${row.host_count} équipements`,
        author: who,
      },
    }
  })
}
