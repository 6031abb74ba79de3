import {
  MAINTENANCE_CALENDAR_DAYS,
  MAINTENANCE_MAX_MINUTES,
  MAINTENANCE_MAX_OCCURRENCES,
  MAINTENANCE_PREVIEWED,
  type MaintenanceOccurrence,
  type MaintenancePreview,
  type MaintenanceSchedule,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { invalid, invalidField } from '../../http/refusal.ts'
import {
  type MaintenanceRow,
  type NamedObjects,
  readObjects,
  reportOf,
  storedOf,
} from '../../monitoring/maintenance/maintenance.store.ts'
import { createOccurrences, faultOfSchedule, type Span } from '../../monitoring/maintenance/recurrence.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database } from '../../store/database.ts'
import { fromIso, toIso } from '../../store/time.ts'
import { seesAll } from '../../store/visible.ts'
import { objectWords, readNamed, readRunsWithin, seenMaintenance } from './maintenance.store.ts'
import type { MaintenanceObjects } from './maintenance-objects.ts'

interface CalendarDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly objects: MaintenanceObjects
  readonly now: () => number
}
const DAY_MS = 86_400_000

export const checkSchedule = (schedule: MaintenanceSchedule): void => {
  const fault = faultOfSchedule(schedule, MAINTENANCE_MAX_MINUTES)
  if (fault !== null) throw invalidField(schedule.kind === 'one-off' ? 'schedule.to' : 'schedule.rrule', fault)
}

/** The windows of a period: what took place as it did, what is to come by its schedule. */
export const createMaintenanceCalendar = ({ database, monitoring, objects, now }: CalendarDeps) => {
  const { db } = database

  const within = async (viewer: Viewer, fromMs: number, toMs: number): Promise<MaintenanceOccurrence[]> => {
    const runs = await readRunsWithin(db, fromMs, toMs, MAINTENANCE_MAX_OCCURRENCES)
    const { rows } =
      await sql<MaintenanceRow>`select * from maintenance where ${seenMaintenance(viewer)} and starts_at < ${toMs}
      and (ends_at is null or ends_at > ${fromMs} or id in (${sql.join([0, ...runs.map(run => run.maintenance_id ?? 0)])}))
      order by starts_at limit ${MAINTENANCE_MAX_OCCURRENCES}`.execute(db)
    const named = await readNamed(
      db,
      viewer,
      rows.map(({ id }) => id),
      2,
    )
    const found: MaintenanceOccurrence[] = []
    for (const row of rows) {
      const about = {
        maintenanceId: row.id,
        comment: row.comment,
        recurring: row.kind === 'recurring',
        flexible: row.flexible_minutes !== null,
        objects: objectWords(named.get(row.id) ?? { ...NO_OBJECTS }),
      }
      const own = runs.filter(run => run.maintenance_id === row.id)
      for (const run of own)
        found.push({
          ...about,
          ...{ from: toIso(run.started_at), to: toIso(run.ended_at ?? run.until) },
          state: run.ended_at === null ? 'running' : 'over',
          broken: reportOf(run.report)?.brokenCount ?? null,
        })
      const starts = new Set(own.map(run => run.occurrence_at))
      for (const span of planned(row, fromMs, toMs))
        if (!starts.has(span.fromMs))
          found.push({ ...about, ...isoOf(span), state: stateAt(row.id, span), broken: null })
    }
    return found.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)).slice(0, MAINTENANCE_MAX_OCCURRENCES)
  }
  /** What a schedule says of a period; of a rule, what is over is what took place. */
  const planned = (row: MaintenanceRow, fromMs: number, toMs: number): Span[] => {
    const { schedule, skippedThroughMs } = storedOf(row)
    return createOccurrences(schedule)
      .within(fromMs, toMs, MAINTENANCE_MAX_OCCURRENCES)
      .filter(span => span.fromMs > (skippedThroughMs ?? 0) && (schedule.kind === 'one-off' || span.toMs > now()))
  }
  const stateAt = (id: number, span: Span): MaintenanceOccurrence['state'] => {
    if (span.toMs <= now()) return 'over'
    if (span.fromMs > now()) return 'planned'
    return monitoring.maintenances.now(id)?.state ?? 'over'
  }

  return {
    async calendar(viewer: Viewer, query: { from: string; to: string }): Promise<MaintenanceOccurrence[]> {
      const [fromMs, toMs] = [fromIso(query.from), fromIso(query.to)]
      if (!(toMs > fromMs) || toMs - fromMs > MAINTENANCE_CALENDAR_DAYS * DAY_MS)
        throw invalid([`La période va d’une date à une autre, ${MAINTENANCE_CALENDAR_DAYS} jours au plus.`])
      return within(viewer, fromMs, toMs)
    },
    async preview(
      viewer: Viewer,
      body: Parameters<MaintenanceObjects>[1] & {
        readonly schedule: MaintenanceSchedule
        readonly propagate: boolean
        readonly maintenanceId?: number | undefined
      },
    ): Promise<MaintenancePreview> {
      checkSchedule(body.schedule)
      const found = await objects(viewer, body)
      const kept: NamedObjects | undefined =
        body.maintenanceId === undefined || !seesAll(viewer)
          ? undefined
          : (await readObjects(db, [body.maintenanceId])).get(body.maintenanceId)
      const cover = await monitoring.maintenances.cover(
        {
          sites: [...found.sites, ...(kept?.sites ?? [])],
          hosts: [...found.hosts, ...(kept?.hosts ?? [])],
          metrics: [...found.metrics, ...(kept?.metrics ?? [])],
        },
        body.propagate,
      )
      const occurrences = createOccurrences(body.schedule)
      const first = occurrences.at(now()) ?? occurrences.after(now())
      const next = first === null ? [] : [first]
      while (next.length < MAINTENANCE_PREVIEWED) {
        const last = next[next.length - 1]
        const span = last === undefined ? null : occurrences.after(last.fromMs)
        if (span === null) break
        next.push(span)
      }
      return {
        occurrences: next.map(isoOf),
        hosts: cover.hosts.size,
        metrics: cover.metrics.size,
        matched: found.matched,
      }
    },
  }
}
const NO_OBJECTS = { sites: [], siteCount: 0, hosts: [], hostCount: 0, metrics: [], metricCount: 0 }
const isoOf = ({ fromMs, toMs }: Span) => ({ from: toIso(fromMs), to: toIso(toMs) })
