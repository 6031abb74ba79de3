import type { Maintenance, MaintenanceInput, MaintenanceRun, MaintenanceSchedule } from '@narval/contracts'
import { fold } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { Model } from '../../monitoring/fleet/model.ts'
import {
  type MaintenanceRow,
  type NamedObjects,
  reportOf,
  scheduleOf,
} from '../../monitoring/maintenance/maintenance.store.ts'
import type { MaintenanceNow } from '../../monitoring/maintenance/maintenance-window.ts'
import { turns } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { idFilter, type ListSpec, wordFilter, wordsOf } from '../../store/datatable.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { seesAll, seesHost, visibleSite, visibleTo } from '../../store/visible.ts'
import { instantOf } from '../../store/wall-time.ts'

const KINDS = new Map([
  ['one-off', 'one-off'],
  ['recurring', 'recurring'],
])
type Standing = ReadonlyMap<number, Maintenance['state']>

/** Where each stands is known by memory: those that it does not know are over. */
const stateFilter =
  (standing: Standing) =>
  (value: Parameters<ListSpec['filters'][string]>[0]): RawBuilder<boolean> => {
    const states: readonly Maintenance['state'][] = ['running', 'armed', 'planned', 'over']
    const wanted = new Set(wordsOf(value, new Map(states.map(state => [state, state]))))
    const known = [...standing].filter(([, state]) => wanted.has(state)).map(([id]) => id)
    const found = sql<boolean>`maintenance.id in (${sql.join([0, ...known])})`
    return wanted.has('over')
      ? sql<boolean>`(${found} or maintenance.id not in (${sql.join([0, ...standing.keys()])}))`
      : found
  }

const OBJECT_SITE = sql`coalesce(o.site_id, o_host.site_id, o_owner.site_id)`
const OBJECT_TAGS = sql`coalesce(o_host.tags_folded, o_owner.tags_folded)`
const OBJECTS = sql`maintenance_object o left join host o_host on o_host.id = o.host_id
  left join metric o_metric on o_metric.id = o.metric_id left join host o_owner on o_owner.id = o_metric.host_id`

/** An object that one sees, or a site of which one sees some equipment, that it covers. */
const told = (viewer: Viewer | 'system'): RawBuilder<boolean> =>
  sql<boolean>`(${visibleTo(viewer, OBJECT_SITE, OBJECT_TAGS)} or ${visibleSite(viewer, sql`o.site_id`)})`

/** A maintenance that names something one sees; who sees all, sees those too that name nothing any more. */
export const seenMaintenance = (viewer: Viewer | 'system'): RawBuilder<boolean> =>
  seesAll(viewer)
    ? sql<boolean>`1 = 1`
    : sql<boolean>`exists (select 1 from ${OBJECTS} where o.maintenance_id = maintenance.id and ${told(viewer)})`

/** One of which nothing is hidden: only such ones are changed. */
export const whollySeen = (viewer: Viewer): RawBuilder<boolean> =>
  seesAll(viewer)
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(${seenMaintenance(viewer)} and not exists (select 1 from ${OBJECTS}
        where o.maintenance_id = maintenance.id and not ${visibleTo(viewer, OBJECT_SITE, OBJECT_TAGS)}))`

/** Which of these one sees whole. */
export const whollySeenOf = async (db: Db, viewer: Viewer, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  if (seesAll(viewer) || ids.length === 0) return new Set(ids)
  const rows = await db
    .selectFrom('maintenance')
    .select('id')
    .where('id', 'in', ids)
    .where(whollySeen(viewer))
    .execute()
  return new Set(rows.map(row => row.id))
}

export const NOTHING_COVERED = { hosts: 0, metrics: 0 }
/** Of what maintenances cover now, how much one sees. */
export const coveredSeen = (model: Model, viewer: Viewer): ((id: number) => typeof NOTHING_COVERED) => {
  const sees = seesHost(viewer)
  const counts = new Map<number, typeof NOTHING_COVERED>()
  const count = (of: 'hosts' | 'metrics', id: number | undefined): void => {
    if (id === undefined) return
    const held = counts.get(id) ?? NOTHING_COVERED
    counts.set(id, { ...held, [of]: held[of] + 1 })
  }
  for (const host of model.hosts.values()) if (sees(host)) count('hosts', host.maintenance?.id)
  for (const metric of model.metrics.values()) if (sees(metric.scanner.host)) count('metrics', metric.maintenance?.id)
  return id => counts.get(id) ?? NOTHING_COVERED
}

export const maintenanceList = (standing: Standing, viewer: Viewer): ListSpec => ({
  select: sql`maintenance.*`,
  from: sql`maintenance`,
  visible: seenMaintenance(viewer),
  columns: {
    id: { sort: sql`maintenance.id` },
    comment: { sort: sql`maintenance.comment_folded`, search: sql`maintenance.comment_folded` },
    author: { sort: sql`maintenance.author`, search: sql`lower(maintenance.author)` },
    kind: { sort: sql`maintenance.kind` },
    startsAt: { sort: sql`maintenance.starts_at` },
    createdAt: { sort: sql`maintenance.created_at` },
    updatedAt: { sort: sql`maintenance.updated_at` },
  },
  filters: {
    id: idFilter(sql`maintenance.id`),
    kind: wordFilter(sql`maintenance.kind`, KINDS),
    state: stateFilter(standing),
    hostId: value =>
      sql<boolean>`maintenance.id in (select maintenance_id from maintenance_object where ${idFilter(sql`host_id`)(value)})`,
    siteId: value =>
      sql<boolean>`maintenance.id in (select maintenance_id from maintenance_object where ${idFilter(sql`site_id`)(value)})`,
  },
  order: sql`maintenance.starts_at desc`,
  tie: sql`maintenance.id`,
})

/** Columns of a plan. */
export const planColumns = ({
  comment,
  schedule,
  flexibleMinutes,
  propagate,
}: Pick<MaintenanceInput, 'comment' | 'schedule' | 'flexibleMinutes' | 'propagate'>) => ({
  comment,
  comment_folded: fold(comment),
  flexible_minutes: flexibleMinutes,
  propagate: propagate ? (1 as const) : (0 as const),
  ...scheduleColumns(schedule),
})

const scheduleColumns = (schedule: MaintenanceSchedule) =>
  schedule.kind === 'one-off'
    ? {
        ...{ kind: schedule.kind, starts_at: Date.parse(schedule.from), ends_at: Date.parse(schedule.to) },
        ...{ rrule: null, start_local: null, duration_minutes: null, time_zone: null },
      }
    : {
        kind: schedule.kind,
        starts_at: instantOf(Date.parse(`${schedule.start}:00Z`), schedule.timeZone),
        ends_at: null,
        rrule: schedule.rrule.trim(),
        start_local: schedule.start,
        duration_minutes: schedule.durationMinutes,
        time_zone: schedule.timeZone,
      }

export const insertObjects = async (trx: Db, id: number, { sites, hosts, metrics }: NamedObjects): Promise<void> => {
  const none = { maintenance_id: id, site_id: null, host_id: null, metric_id: null }
  const rows = [
    ...sites.map(one => ({ ...none, site_id: one })),
    ...hosts.map(one => ({ ...none, host_id: one })),
    ...metrics.map(one => ({ ...none, metric_id: one })),
  ]
  for await (const some of turns(rows)) await trx.insertInto('maintenance_object').values(some).execute()
}

interface ObjectRow {
  maintenance_id: number
  kind: number
  n: number
  site_id: number | null
  host_id: number | null
  metric_id: number | null
  site_name: string | null
  host_name: string | null
  metric_name: string | null
  of_host_id: number | null
  of_host_name: string | null
}

export type NamedOf = Pick<Maintenance, 'sites' | 'siteCount' | 'hosts' | 'hostCount' | 'metrics' | 'metricCount'>
const NOTHING: NamedOf = { sites: [], siteCount: 0, hosts: [], hostCount: 0, metrics: [], metricCount: 0 }

/** What maintenances name that one sees: the first `names` of each kind, and how many. */
export const readNamed = async (
  db: Db,
  viewer: Viewer | 'system',
  ids: readonly number[],
  names: number,
): Promise<Map<number, NamedOf>> => {
  const found = new Map(ids.map(id => [id, { ...NOTHING, sites: [], hosts: [], metrics: [] } as NamedOf]))
  if (ids.length === 0) return found
  const answer = await sql<ObjectRow>`
    with object as (select o.*, case when o.site_id is not null then 0 when o.host_id is not null then 1 else 2 end as kind
      from ${OBJECTS} where maintenance_id in (${sql.join(ids)}) and ${told(viewer)}),
    placed as (select object.*, row_number() over (partition by maintenance_id, kind order by id) as place,
      count(*) over (partition by maintenance_id, kind) as n from object)
    select placed.maintenance_id, placed.kind, placed.n, placed.site_id, placed.host_id, placed.metric_id, site.name as site_name,
      host.name as host_name, metric.name as metric_name, owner.id as of_host_id, owner.name as of_host_name
    from placed left join site on site.id = placed.site_id left join host on host.id = placed.host_id
      left join metric on metric.id = placed.metric_id left join host owner on owner.id = metric.host_id
    where placed.place <= ${names} order by placed.maintenance_id, placed.kind, placed.place`.execute(db)
  for (const [id, rows] of Map.groupBy(answer.rows, row => row.maintenance_id)) found.set(id, namedOf(rows))
  return found
}

const namedOf = (rows: readonly ObjectRow[]): NamedOf => {
  const countOf = (kind: number): number => Number(rows.find(row => Number(row.kind) === kind)?.n ?? 0)
  return {
    sites: rows.flatMap(row => (row.site_id === null ? [] : { id: row.site_id, name: row.site_name ?? '' })),
    siteCount: countOf(0),
    hosts: rows.flatMap(row => (row.host_id === null ? [] : { id: row.host_id, name: row.host_name ?? '' })),
    hostCount: countOf(1),
    metrics: rows.flatMap(row =>
      row.metric_id === null
        ? []
        : {
            ...{ id: row.metric_id, name: row.metric_name ?? '' },
            ...{ hostId: row.of_host_id ?? 1, hostName: row.of_host_name ?? '' },
          },
    ),
    metricCount: countOf(2),
  }
}

/** « Lyon, srv-1 et 3 autres » */
export const objectWords = (named: NamedOf): string => {
  const names = [
    ...named.sites.map(({ name }) => name),
    ...named.hosts.map(({ name }) => name),
    ...named.metrics.map(({ name, hostName }) => `${hostName}\u202f: ${name}`),
  ]
  const total = named.siteCount + named.hostCount + named.metricCount
  const told = names.slice(0, 2)
  const others = total - told.length
  if (total === 0) return 'plus aucun objet'
  return others > 0 ? `${told.join(', ')} et ${others} autre${others > 1 ? 's' : ''}` : told.join(' et ')
}

interface RunRow {
  id: number
  maintenance_id: number | null
  started_at: number
  until: number
  ended_at: number | null
  ended_by: string | null
  host_count: number
  metric_count: number
  report: string | null
}
const RUN = sql`id, maintenance_id, started_at, until, ended_at, ended_by, host_count, metric_count, report`

export const toRun = (row: RunRow): MaintenanceRun => ({
  id: row.id,
  maintenanceId: row.maintenance_id,
  startedAt: toIso(row.started_at),
  until: toIso(row.until),
  endedAt: toIsoOrNull(row.ended_at),
  endedBy: row.ended_by,
  hosts: Number(row.host_count),
  metrics: Number(row.metric_count),
  report: reportOf(row.report),
})

export const readLastRuns = async (db: Db, ids: readonly number[]): Promise<Map<number, MaintenanceRun>> => {
  if (ids.length === 0) return new Map()
  const answer =
    await sql<RunRow>`select ${RUN} from (select r.*, row_number() over (partition by maintenance_id order by started_at desc, id desc)
    as place from maintenance_run r where ended_at is not null and maintenance_id in (${sql.join(ids)})) last where place = 1`.execute(
      db,
    )
  return new Map(answer.rows.map(row => [row.maintenance_id ?? 0, toRun(row)]))
}

export const readRunsOf = async (db: Db, id: number, limit: number): Promise<MaintenanceRun[]> =>
  (
    await sql<RunRow>`select ${RUN} from maintenance_run where maintenance_id = ${id} order by started_at desc, id desc limit ${limit}`.execute(
      db,
    )
  ).rows.map(toRun)

export const readRunsWithin = async (db: Db, fromMs: number, toMs: number, limit: number) =>
  (
    await sql<RunRow & { occurrence_at: number }>`select ${RUN}, occurrence_at from maintenance_run
      where maintenance_id is not null and started_at < ${toMs} and coalesce(ended_at, until) > ${fromMs}
      order by started_at limit ${limit}`.execute(db)
  ).rows

const OVER: MaintenanceNow = { state: 'over', current: null, next: null, covered: { hosts: 0, metrics: 0 } }
const spanOf = (span: MaintenanceNow['next']) =>
  span === null ? null : { from: toIso(span.fromMs), to: toIso(span.toMs) }

/** A row with what it names and where it stands. */
export const toMaintenance = (
  row: MaintenanceRow,
  named: NamedOf | undefined,
  now: MaintenanceNow | null,
  lastRun: MaintenanceRun | undefined,
  mayChange: boolean,
): Maintenance => {
  const { state, current, next, covered } = now ?? OVER
  return {
    id: row.id,
    comment: row.comment,
    schedule: scheduleOf(row),
    flexibleMinutes: row.flexible_minutes,
    propagate: row.propagate === 1,
    author: row.author,
    ...(named ?? NOTHING),
    ...{ state, covered, current: spanOf(current), next: spanOf(next) },
    ...{ lastRun: lastRun ?? null, mayChange },
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }
}
