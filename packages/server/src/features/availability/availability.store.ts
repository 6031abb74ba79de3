import { openingHours } from '@narval/contracts'
import {
  HOST_STATES,
  type HostStateChange,
  type LateSpan,
  type MaintenanceSpan,
  type MaintenanceTime,
} from '@narval/engine'
import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { rangesOf } from '../../store/id-ranges.ts'
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
  const late = await db
    .selectFrom('host_late')
    .selectAll()
    .where('host_id', 'in', ids)
    .where('until_at', '>', period.fromMs)
    .where('from_at', '<', period.toMs)
    .execute()
  return {
    changes: byHost([...before.rows, ...within], toChange),
    late: byHost(late, row => ({ fromMs: row.from_at, toMs: row.until_at, good: row.good === 1 })),
  }
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

const byHost = <Row extends { readonly host_id: number }, T>(rows: readonly Row[], to: (row: Row) => T) => {
  const found = new Map<number, T[]>()
  for (const row of rows) {
    const held = found.get(row.host_id)
    if (held === undefined) found.set(row.host_id, [to(row)])
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
  /** Hosts that it covered, as ranges of ids in order. */
  readonly hosts: ReturnType<typeof rangesOf>
}

/** A run that lasts reaches to the end of the period. */
export const readRuns = async (db: Db, { fromMs, toMs }: MaintenanceSpan): Promise<ToldRun[]> => {
  const rows = await db
    .selectFrom('maintenance_run')
    .select(['id', 'maintenance_id', 'comment', 'started_at', 'ended_at', 'hosts'])
    .where('started_at', '<', toMs)
    .where(eb => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', fromMs)]))
    .orderBy('started_at')
    .execute()
  return rows.map(row => ({
    ...{ id: row.id, maintenanceId: row.maintenance_id, comment: row.comment },
    ...{ fromMs: row.started_at, toMs: row.ended_at ?? toMs, hosts: rangesOf(row.hosts) },
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
    .select(['id', 'opening_hours', 'time_zone'])
    .$if(siteId !== undefined, query => query.where('id', '=', siteId ?? 0))
    .execute()
  const made = new Map<string, MaintenanceSpan[] | null>()
  return new Map(
    rows.map(({ id, opening_hours, time_zone }) => {
      const key = `${time_zone} ${opening_hours}`
      const spans = made.get(key) ?? serviceSpans(openingHours.parse(JSON.parse(opening_hours)), time_zone, period)
      made.set(key, spans)
      return [id, spans] as const
    }),
  )
}

/** An incident that may tell of a host's bad time. */
export interface ToldIncident extends MaintenanceSpan {
  readonly id: number
  readonly title: string
  /** Of its life test, of what it hangs on, of its probe, or of another metric of it. */
  readonly about: 'life' | 'cut' | 'probe' | 'other'
}
const MAX_INCIDENTS = 2_000

export const readIncidents = async (
  db: Db,
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
      union all select incident_id, since, until, 1 from incident_effect where host_id = ${host.id}
    ) told
    join incident on incident.id = told.id
    left join host on host.id = incident.host_id
    left join metric on metric.id = incident.metric_id
    left join probe on probe.id = incident.probe_id
    where told.from_at < ${toMs} and (told.until_at is null or told.until_at > ${fromMs})
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
    fromMs: Number(row.from_at),
    toMs: row.until_at === null ? toMs : Number(row.until_at),
  }))
}
