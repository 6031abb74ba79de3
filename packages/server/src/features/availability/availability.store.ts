import { holidayHours, holidayRegionOf, openingHours } from '@narval/contracts'
import {
  HOST_STATES,
  type HolidayRegion,
  type HostStateChange,
  type LateSpan,
  type MaintenanceSpan,
  type MaintenanceTime,
} from '@narval/engine'
import { type Selectable, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { turns } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { rangesOf } from '../../store/id-ranges.ts'
import type { SiteTables } from '../../store/tables/site.ts'
import type { StateHistoryTables } from '../../store/tables/state-history.ts'
import { visibleIncident } from '../../store/visible.ts'
import { serviceSpans } from './service-spans.ts'

/** What was written of some hosts, by id; who has none is left out. */
export interface WrittenOf {
  /** The state that held at the beginning of the period, then those of the period, in order. */
  readonly changes: ReadonlyMap<number, readonly HostStateChange[]>
  readonly late: ReadonlyMap<number, readonly LateSpan[]>
}

export const readWritten = async (db: Db, ids: readonly number[], period: MaintenanceSpan): Promise<WrittenOf> => {
  const before = await sql<ChangeRow>`select change.host_id, change.at, change.state, change.flapping from host
    join host_change change on change.host_id = host.id and change.at =
      (select max(held.at) from host_change held where held.host_id = host.id and held.at <= ${period.fromMs})
    where host.id in (${sql.join(ids)})`.execute(db)
  const within = await db
    .selectFrom('host_change')
    .selectAll()
    .where('host_id', 'in', ids)
    .where('at', '>', period.fromMs)
    .where('at', '<', period.toMs)
    .orderBy('host_id')
    .orderBy('at')
    .execute()
  const late = await lateRows(db, ids, period)
  const doubted = [...new Set(late.filter(row => isDoubted(row, period.fromMs)).map(row => row.host_id))]
  const earlier = doubted.length === 0 ? NOTHING : await readEarlier(db, doubted, period)
  return {
    changes: byHost([...earlier.changes, ...before.rows, ...within], toChange),
    late: byHost([...earlier.late, ...late], toLate),
  }
}

const lateRows = (db: Db, ids: readonly number[], period: MaintenanceSpan) =>
  db
    .selectFrom('host_late')
    .selectAll()
    .where('host_id', 'in', ids)
    .where('until_at', '>', period.fromMs)
    .where('from_at', '<', period.toMs)
    .execute()

/** What came late of some hosts. */
export const readLate = async (db: Db, ids: readonly number[], period: MaintenanceSpan) =>
  byHost(await lateRows(db, ids, period), toLate)

const NOTHING = { changes: [], late: [] } as const
type LateTold = Pick<Selectable<StateHistoryTables['host_late']>, 'from_at' | 'until_at' | 'good' | 'confirmed_at'>
const toLate = (row: LateTold): LateSpan => ({
  ...{ fromMs: Number(row.from_at), toMs: Number(row.until_at), good: row.good === 1 },
  ...(row.good === 0 && { confirmedMs: row.confirmed_at === null ? null : Number(row.confirmed_at) }),
})
/** What its first failures are depends on what was known before them. */
const isDoubted = ({ from_at, good, confirmed_at }: LateTold, periodMs: number): boolean =>
  good === 0 && (confirmed_at === null || confirmed_at > Math.max(from_at, periodMs))

/** What was written before the period since something was last known as it happened. */
const readEarlier = async (db: Db, ids: readonly number[], { fromMs }: MaintenanceSpan) => {
  const known = sql`coalesce((select max(held.at) from host_change held where held.host_id = host.id
    and held.at <= ${fromMs} and held.state not in ('unknown', 'pending')), 0)`
  const changes = await sql<ChangeRow>`select change.host_id, change.at, change.state, change.flapping from host
    join host_change change on change.host_id = host.id and change.at <= ${fromMs} and change.at >= ${known}
    where host.id in (${sql.join(ids)}) order by change.host_id, change.at`.execute(db)
  const late = await sql<LateTold & { host_id: number }>`select late.host_id, late.from_at, late.until_at, late.good,
      late.confirmed_at from host join host_late late on late.host_id = host.id and late.until_at <= ${fromMs}
      and late.until_at >= ${known} where host.id in (${sql.join(ids)})`.execute(db)
  // The last one before the period is read for every host.
  return { changes: changes.rows.filter((row, index, all) => all[index + 1]?.host_id === row.host_id), late: late.rows }
}

interface ChangeRow {
  host_id: number
  at: number
  state: string
  flapping: number
}

const toChange = (row: ChangeRow): HostStateChange => ({
  atMs: Number(row.at),
  state: HOST_STATES.find(state => state === row.state) ?? 'unknown',
  flapping: row.flapping === 1,
})

const byHost = <Row extends { readonly host_id: number }, T>(rows: readonly Row[], to: (row: Row) => T) =>
  gathered(rows, row => row.host_id, to)

/** What rows say, by what they are of, in their order. */
export const gathered = <Row, T>(
  rows: readonly Row[],
  of: (row: Row) => number,
  to: (row: Row) => T,
): ReadonlyMap<number, readonly T[]> => {
  const found = new Map<number, T[]>()
  for (const row of rows) {
    const held = found.get(of(row))
    if (held === undefined) found.set(of(row), [to(row)])
    else held.push(to(row))
  }
  return found
}

/** Its life is written each minute: a restart is no time of which nothing is known, as long as silence would not be told of. */
const STOPPED_MS = 180_000

/** When the server did not run. */
export const readStops = async (db: Db, { fromMs, toMs }: MaintenanceSpan): Promise<MaintenanceSpan[]> => {
  const runs = await db
    .selectFrom('server_run')
    .select(['started_at', 'seen_at'])
    .where('started_at', '<', toMs)
    .where('seen_at', '>=', sql<number>`coalesce((select max(seen_at) from server_run where seen_at < ${fromMs}), 0)`)
    .orderBy('started_at')
    .execute()
  let seenMs: number | null = null
  const stops: MaintenanceSpan[] = []
  for (const { started_at, seen_at } of runs) {
    if (seenMs !== null && started_at - seenMs > STOPPED_MS) stops.push({ fromMs: seenMs, toMs: started_at })
    seenMs = Math.max(seenMs ?? 0, seen_at)
  }
  return stops
}

/** A maintenance that took place within the period, or takes place. */
export interface ToldRun extends MaintenanceTime {
  /** Null: deleted since. */
  readonly maintenanceId: number | null
  readonly comment: string
  /** Hosts that it covered whole, and every metric that it covered, as ranges of ids in order. */
  readonly hosts: ReturnType<typeof rangesOf>
  readonly metrics: ReturnType<typeof rangesOf>
}

/** A run that lasts reaches to the end of the period. */
export const readRuns = async (db: Db, { fromMs, toMs }: MaintenanceSpan): Promise<ToldRun[]> => {
  const rows = await db
    .selectFrom('maintenance_run')
    .select(['id', 'maintenance_id', 'comment', 'started_at', 'ended_at', 'hosts', 'metrics'])
    .where('started_at', '<', toMs)
    .where(eb => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', fromMs)]))
    .orderBy('started_at')
    .execute()
  return rows.map(row => ({
    ...{ id: row.id, maintenanceId: row.maintenance_id, comment: row.comment },
    ...{ fromMs: row.started_at, toMs: row.ended_at ?? toMs, hosts: rangesOf(row.hosts) },
    metrics: rangesOf(row.metrics),
  }))
}

/** Service hours of each site within the period; null: at any time. */
export const readService = async (
  db: Db,
  period: MaintenanceSpan,
  siteId?: number,
): Promise<Map<number, MaintenanceSpan[] | null>> => {
  const rows = await db
    .selectFrom('site')
    .select(['id', 'opening_hours', 'holidays', 'country', 'postal_code', 'time_zone'])
    .$if(siteId !== undefined, query => query.where('id', '=', siteId ?? 0))
    .execute()
  const made = new Map<string, MaintenanceSpan[] | null>()
  const found = new Map<number, MaintenanceSpan[] | null>()
  for await (const some of turns(rows)) {
    for (const row of some) {
      const region = row.holidays === null ? null : holidayRegionOf(row.country, row.postal_code)
      const key = `${row.time_zone} ${row.opening_hours} ${region} ${row.holidays}`
      const known = made.get(key)
      const spans = known === undefined ? spansOf(row, region, period) : known
      if (known === undefined) made.set(key, spans)
      found.set(row.id, spans)
    }
  }
  return found
}

type ServiceRow = Pick<Selectable<SiteTables['site']>, 'opening_hours' | 'holidays' | 'time_zone'>
const spansOf = (
  { opening_hours, holidays, time_zone }: ServiceRow,
  region: HolidayRegion | null,
  period: MaintenanceSpan,
) =>
  serviceSpans(openingHours.parse(JSON.parse(opening_hours)), time_zone, period, {
    ...{ region, holidays: holidayHours.parse(JSON.parse(holidays ?? 'null')) },
  })

/** An incident that may tell of a host's bad time. */
export interface ToldIncident extends MaintenanceSpan {
  readonly id: number
  readonly title: string
  /** Of its life test, of what it hangs on, of its probe, or of another metric of it. */
  readonly about: 'life' | 'cut' | 'probe' | 'other'
  readonly metricId: number | null
}
const MAX_INCIDENTS = 2_000

/** Those that somebody may see: what made a host unreachable may stand on another site. */
export const readIncidents = async (
  db: Db,
  viewer: Viewer,
  host: { readonly id: number; readonly lifeId: number | null; readonly probeId: number | null },
  { fromMs, toMs }: MaintenanceSpan,
): Promise<ToldIncident[]> => {
  const { rows } = await sql<{
    id: number
    kind: string
    metric_id: number | null
    host_id: number | null
    host_name: string | null
    metric_name: string | null
    probe_name: string | null
    from_at: number
    until_at: number | null
    cut: number
  }>`select incident.id, incident.kind, incident.metric_id, incident.host_id, host.name as host_name,
      metric.name as metric_name, probe.name as probe_name, told.from_at, told.until_at, told.cut
    from (
      select id, opened_at as from_at, closed_at as until_at, 0 as cut from incident
        where host_id = ${host.id} or (kind = 'probe' and probe_id = ${host.probeId ?? 0})
      union all select incident_id, since, until, 1 from incident_effect where host_id = ${host.id} and kind = 'cut'
    ) told
    join incident on incident.id = told.id
    left join host on host.id = incident.host_id
    left join metric on metric.id = incident.metric_id
    left join probe on probe.id = incident.probe_id
    where ${visibleIncident(viewer)} and told.from_at < ${toMs} and (told.until_at is null or told.until_at > ${fromMs})
    order by told.from_at desc, incident.id desc limit ${MAX_INCIDENTS}`.execute(db)
  return rows.reverse().map(row => ({
    id: Number(row.id),
    title:
      row.kind === 'metric'
        ? [row.host_name, row.metric_name].filter(name => name !== null).join('\u202f: ')
        : row.kind === 'probe'
          ? `Sonde ${row.probe_name ?? ''} hors ligne`
          : `Liaison de la sonde ${row.probe_name ?? ''}`,
    about:
      Number(row.cut) === 1
        ? 'cut'
        : row.kind === 'probe'
          ? 'probe'
          : row.kind === 'link' || (row.metric_id !== null && row.metric_id === host.lifeId)
            ? 'life'
            : 'other',
    metricId: row.metric_id,
    fromMs: Number(row.from_at),
    toMs: row.until_at === null ? toMs : Number(row.until_at),
  }))
}
