import { type MaintenanceReport, type MaintenanceSchedule, maintenanceReport } from '@narval/contracts'
import type { MaintenanceRunState, MaintenanceSpan } from '@narval/engine'
import { sql } from 'kysely'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { fromRanges, inRanges, toRanges } from '../../store/id-ranges.ts'
import { toIso } from '../../store/time.ts'

/** What the database keeps of a maintenance. */
export interface StoredMaintenance {
  readonly id: number
  readonly comment: string
  readonly author: string | null
  readonly schedule: MaintenanceSchedule
  readonly flexibleMs: number | null
  readonly propagate: boolean
  /** A window beside the schedule. */
  readonly extra: MaintenanceSpan | null
  readonly skippedThroughMs: number | null
  readonly plannedMs: number
}

export interface MaintenanceRow {
  id: number
  comment: string
  kind: string
  starts_at: number
  ends_at: number | null
  rrule: string | null
  start_local: string | null
  duration_minutes: number | null
  time_zone: string | null
  flexible_minutes: number | null
  propagate: number
  author: string | null
  extra_from: number | null
  extra_to: number | null
  skipped_through: number | null
  created_at: number
  updated_at: number
  updated_by: string | null
}

export const scheduleOf = (row: MaintenanceRow): MaintenanceSchedule =>
  row.kind === 'recurring'
    ? {
        kind: 'recurring',
        rrule: row.rrule ?? '',
        start: row.start_local ?? '',
        durationMinutes: row.duration_minutes ?? 1,
        timeZone: row.time_zone ?? 'UTC',
      }
    : { kind: 'one-off', from: toIso(row.starts_at), to: toIso(row.ends_at ?? row.starts_at) }

export const storedOf = (row: MaintenanceRow): StoredMaintenance => ({
  id: row.id,
  comment: row.comment,
  author: row.author,
  schedule: scheduleOf(row),
  flexibleMs: row.flexible_minutes === null ? null : row.flexible_minutes * 60_000,
  propagate: row.propagate === 1,
  extra: row.extra_from === null || row.extra_to === null ? null : { fromMs: row.extra_from, toMs: row.extra_to },
  skippedThroughMs: row.skipped_through,
  plannedMs: row.created_at,
})

/** Those that ended longer ago without having been seen are left as they are. */
const LOOK_BACK_MS = 7 * 86_400_000

/** Maintenances that may still do something: not over, running, or over without that anybody saw it. */
export const readLive = async (db: Db, nowMs: number): Promise<MaintenanceRow[]> =>
  (
    await sql<MaintenanceRow>`select * from maintenance m where ends_at is null or ends_at > ${nowMs} or extra_to > ${nowMs}
      or exists (select 1 from maintenance_run r where r.maintenance_id = m.id and r.ended_at is null)
      or (ends_at > ${nowMs - LOOK_BACK_MS} and not exists (select 1 from maintenance_run r where r.maintenance_id = m.id))
      order by id`.execute(db)
  ).rows

/** Ids of what a maintenance names. */
export interface NamedObjects {
  readonly sites: readonly number[]
  readonly hosts: readonly number[]
  readonly metrics: readonly number[]
}

export const readObjects = async (db: Db, ids: readonly number[]): Promise<Map<number, NamedObjects>> => {
  const found = new Map(
    ids.map(id => [id, { sites: [], hosts: [], metrics: [] } as Record<keyof NamedObjects, number[]>]),
  )
  for (const some of batches(ids)) {
    const rows = await db
      .selectFrom('maintenance_object')
      .select(['maintenance_id', 'site_id', 'host_id', 'metric_id'])
      .where('maintenance_id', 'in', some)
      .orderBy('id')
      .execute()
    for (const row of rows) {
      const objects = found.get(row.maintenance_id)
      if (row.site_id !== null) objects?.sites.push(row.site_id)
      if (row.host_id !== null) objects?.hosts.push(row.host_id)
      if (row.metric_id !== null) objects?.metrics.push(row.metric_id)
    }
  }
  return found
}

/** Which site stands under which. */
export const readSiteParents = async (db: Db): Promise<Map<number, number | null>> =>
  new Map(
    (await db.selectFrom('site').select(['id', 'parent_id']).execute()).map(({ id, parent_id }) => [id, parent_id]),
  )

export interface OpenRun extends MaintenanceRunState {
  readonly id: number
}

/** Runs that have not ended, and when the last of each maintenance began in its schedule. */
export const readRuns = async (db: Db, ids: readonly number[]) => {
  const open = new Map<number, OpenRun>()
  const done = new Map<number, number>()
  for (const some of batches(ids)) {
    const rows = await db
      .selectFrom('maintenance_run')
      .select(['id', 'maintenance_id', 'occurrence_at', 'started_at', 'until', 'ended_at'])
      .where('maintenance_id', 'in', some)
      .orderBy('started_at')
      .execute()
    for (const row of rows) {
      const maintenanceId = row.maintenance_id ?? 0
      const run = { id: row.id, occurrenceMs: row.occurrence_at, startedMs: row.started_at, untilMs: row.until }
      if (row.ended_at === null) open.set(maintenanceId, run)
      else done.set(maintenanceId, row.occurrence_at)
    }
  }
  return { open, done }
}

export interface Covered {
  readonly hosts: ReadonlySet<number>
  readonly metrics: ReadonlySet<number>
}

/** Writes that a maintenance began; the same window again gives the run that is there. */
export const insertRun = async (
  db: Db,
  held: Pick<StoredMaintenance, 'id' | 'comment'>,
  run: MaintenanceRunState,
  covered: Covered,
  badAtStart: Iterable<number>,
): Promise<number> => {
  await db
    .insertInto('maintenance_run')
    .values({
      maintenance_id: held.id,
      comment: held.comment,
      occurrence_at: run.occurrenceMs,
      started_at: run.startedMs,
      until: run.untilMs,
      ended_at: null,
      ended_by: null,
      ...coveredColumns(covered),
      bad_at_start: toRanges(badAtStart),
      report: null,
    })
    .onConflict(conflict => conflict.columns(['maintenance_id', 'occurrence_at']).doNothing())
    .execute()
  const row = await db
    .selectFrom('maintenance_run')
    .select('id')
    .where('maintenance_id', '=', held.id)
    .where('occurrence_at', '=', run.occurrenceMs)
    .executeTakeFirstOrThrow()
  return row.id
}

const coveredColumns = ({ hosts, metrics }: Covered) => ({
  host_count: hosts.size,
  metric_count: metrics.size,
  hosts: toRanges(hosts),
  metrics: toRanges(metrics),
})

export const badAtStart = async (db: Db, runId: number): Promise<Set<number>> => {
  const row = await db.selectFrom('maintenance_run').select('bad_at_start').where('id', '=', runId).executeTakeFirst()
  return fromRanges(row?.bad_at_start ?? '')
}

export interface EndedRun {
  readonly id: number
  readonly endedMs: number
  readonly endedBy: string | null
  readonly report: MaintenanceReport
}

/** @returns false where it had been told already. */
export const endRun = async (
  db: Db,
  { id, endedMs, endedBy, report }: EndedRun,
  covered: Covered,
): Promise<boolean> => {
  const done = await db
    .updateTable('maintenance_run')
    .set({ ended_at: endedMs, ended_by: endedBy, report: JSON.stringify(report), ...coveredColumns(covered) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(done.numUpdatedRows) > 0
}

export const reportOf = (text: string | null): MaintenanceReport | null =>
  text === null ? null : maintenanceReport.parse(JSON.parse(text))

/**
 * When a host, or one of its metrics, was in maintenance within a period: what availability counts apart
 * (`timeInSpans`). A run that lasts reaches to `toMs`.
 */
export const maintenanceSpans = async (
  db: Db,
  of: { readonly hostId: number; readonly metricId?: number },
  fromMs: number,
  toMs: number,
): Promise<MaintenanceSpan[]> => {
  const rows = await db
    .selectFrom('maintenance_run')
    .select(['started_at', 'ended_at', 'hosts', 'metrics'])
    .where('started_at', '<', toMs)
    .where(eb => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', fromMs)]))
    .orderBy('started_at')
    .execute()
  return rows
    .filter(row => inRanges(row.hosts, of.hostId) || (of.metricId !== undefined && inRanges(row.metrics, of.metricId)))
    .map(row => ({ fromMs: row.started_at, toMs: row.ended_at ?? toMs }))
}
