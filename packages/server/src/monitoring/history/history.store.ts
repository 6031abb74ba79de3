import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { createRowWriter } from '../../store/row-writer.ts'
import type { StateHistoryTables } from '../../store/tables/state-history.ts'
import { type ByRank, HOUR_MS, type Rank, type ServerRun } from './hour-ledger.ts'

export type MetricChangeRow = StateHistoryTables['metric_change']
export type HostChangeRow = StateHistoryTables['host_change']

/** Writes changes, no two of one metric at one time; written again they end in the same rows. */
export const saveMetricChanges = createRowWriter<MetricChangeRow>((trx, rows) =>
  trx
    .insertInto('metric_change')
    .values(rows)
    // Two changes in one millisecond are one: from what the first came, to what the last is.
    .onConflict(conflict =>
      conflict.columns(['metric_id', 'at']).doUpdateSet(eb => ({
        severity_rank: eb.ref('excluded.severity_rank'),
        cause: eb.ref('excluded.cause'),
      })),
    ),
)

/** The same of hosts. */
export const saveHostChanges = createRowWriter<HostChangeRow>((trx, rows) =>
  trx
    .insertInto('host_change')
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['host_id', 'at']).doUpdateSet(eb => ({
        state: eb.ref('excluded.state'),
        flapping: eb.ref('excluded.flapping'),
      })),
    ),
)

/** Rows of a walk read at once: some 3 ms, between which others get their turn. */
const SLICE = 2_000

/** Changes from one moment until before another, oldest first, by slices. */
export async function* metricChanges(db: Db, fromMs: number, untilMs: number): AsyncGenerator<MetricChangeRow[]> {
  for (let [at, id] = [fromMs, 0]; ; ) {
    const { rows } =
      await sql<MetricChangeRow>`select metric_id, at, severity_rank, cause, before_rank from metric_change
      where (at, metric_id) > (${at}, ${id}) and at < ${untilMs} order by at, metric_id limit ${SLICE}`.execute(db)
    yield rows
    const last = rows[rows.length - 1]
    if (last === undefined || rows.length < SLICE) return
    ;[at, id] = [last.at, last.metric_id]
    await setImmediate()
  }
}

/** What was last written of these metrics; those of which nothing is are left out. */
export const lastMetricChanges = async (db: Db, ids: readonly number[]): Promise<Map<number, Rank>> => {
  const { rows } = await sql<{ metric_id: number; severity_rank: Rank }>`select c.metric_id, c.severity_rank
    from metric_change c where c.metric_id in (${sql.join(ids)})
    and c.at = (select max(n.at) from metric_change n where n.metric_id = c.metric_id)`.execute(db)
  return new Map(rows.map(row => [row.metric_id, row.severity_rank]))
}

/** The same of hosts. */
export const lastHostChanges = async (db: Db, ids: readonly number[]): Promise<Map<number, HostChangeRow>> => {
  const { rows } = await sql<HostChangeRow>`select c.host_id, c.at, c.state, c.flapping from host_change c
    where c.host_id in (${sql.join(ids)})
    and c.at = (select max(n.at) from host_change n where n.host_id = c.host_id)`.execute(db)
  return new Map(rows.map(row => [row.host_id, row]))
}

/** Times in which the server ran, oldest first, of which some lies beyond this moment. */
export const serverRuns = async (db: Db, fromMs: number): Promise<(ServerRun & { readonly id: number })[]> => {
  const rows = await db.selectFrom('server_run').selectAll().where('seen_at', '>=', fromMs).orderBy('id').execute()
  return rows.map(row => ({ id: row.id, startedMs: row.started_at, seenMs: row.seen_at }))
}

export const beginServerRun = async (db: Db, { startedMs, seenMs }: ServerRun): Promise<number> => {
  const row = await db
    .insertInto('server_run')
    .values({ started_at: startedMs, seen_at: seenMs })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export const saveServerSeen = (db: Db, id: number, seenMs: number) =>
  db.updateTable('server_run').set({ seen_at: seenMs }).where('id', '=', id).execute()

/** Writes what an hour adds up to; sites that are gone, or of which there is nothing to say, are left out. */
export const saveStatusHour = async (db: Db, at: number, sites: ReadonlyMap<number, ByRank>): Promise<void> => {
  const known = new Set((await db.selectFrom('site').select('id').execute()).map(site => site.id))
  const rows = [...sites]
    .filter(([id, sums]) => known.has(id) && sums.some(sum => sum > 0))
    .map(([site_id, [error, warning, unknown, ok]]) => ({
      ...{ site_id, at, error_ms: Math.round(error), warning_ms: Math.round(warning) },
      ...{ unknown_ms: Math.round(unknown), ok_ms: Math.round(ok) },
    }))
  for (const some of batches(rows))
    await db
      .insertInto('status_hour')
      .values(some)
      .onConflict(conflict =>
        conflict.columns(['site_id', 'at']).doUpdateSet(eb => ({
          ...{ error_ms: eb.ref('excluded.error_ms'), warning_ms: eb.ref('excluded.warning_ms') },
          ...{ unknown_ms: eb.ref('excluded.unknown_ms'), ok_ms: eb.ref('excluded.ok_ms') },
        })),
      )
      .execute()
}

/** Rows that a step of the retention looks at. */
const PRUNED = 1_000

/**
 * Deletes what is older than this moment, by steps of which each is short. The last change before it stays: it says what
 * was there when the kept time begins.
 */
export const pruneStateHistory = async (db: Db, beforeMs: number): Promise<void> => {
  await pruneChanges(db, 'metric_change', 'metric_id', beforeMs)
  await pruneChanges(db, 'host_change', 'host_id', beforeMs)
  await pruneOld(db, 'host_late', 'until_at', beforeMs)
  await pruneOld(db, 'status_hour', 'at', beforeMs - HOUR_MS)
  await pruneOld(db, 'server_run', 'seen_at', beforeMs)
}

const pruneChanges = async (
  db: Db,
  table: 'metric_change' | 'host_change',
  id: 'metric_id' | 'host_id',
  beforeMs: number,
): Promise<void> => {
  const [name, key] = [sql.table(table), sql.ref(`o.${id}`)]
  for (let [at, last] = [Number.MIN_SAFE_INTEGER, 0]; ; ) {
    const step = sql`(o.at, ${key}) > (${at}, ${last}) and o.at < ${beforeMs}`
    const { rows } = await sql<{ at: number; key: number }>`select o.at, ${key} as "key" from ${name} o where ${step}
      order by o.at, ${key} limit 1 offset ${PRUNED - 1}`.execute(db)
    const end = rows[0]
    const until = end === undefined ? sql`1 = 1` : sql`(o.at, ${key}) <= (${end.at}, ${end.key})`
    await sql`delete from ${name} as o where ${step} and ${until}
      and exists (select 1 from ${name} n where n.${sql.ref(id)} = ${key} and n.at > o.at and n.at <= ${beforeMs})`.execute(
      db,
    )
    if (end === undefined) return
    ;[at, last] = [end.at, end.key]
    await setImmediate()
  }
}

/** Without looking for a row's successor: by time, what is oldest first. */
const pruneOld = async (
  db: Db,
  table: 'host_late' | 'status_hour' | 'server_run',
  column: 'until_at' | 'at' | 'seen_at',
  beforeMs: number,
): Promise<void> => {
  const [name, at] = [sql.table(table), sql.ref(column)]
  for (;;) {
    const { rows } = await sql<{ until: number | null }>`select max(o.at) as "until" from (select ${at} as at
      from ${name} where ${at} < ${beforeMs} order by ${at} limit ${PRUNED}) o`.execute(db)
    const until = rows[0]?.until
    if (until == null) return
    await sql`delete from ${name} where ${at} <= ${until}`.execute(db)
    await setImmediate()
  }
}
