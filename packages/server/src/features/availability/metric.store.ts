import type { LateSpan, MaintenanceSpan, MetricStateChange } from '@narval/engine'
import { SEVERITIES, UNKNOWN_CAUSES } from '@narval/engine'
import { sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { gathered, readLate } from './availability.store.ts'

/** What was written of some metrics, by id; who has none is left out. */
export interface WrittenOfMetrics {
  readonly createdMs: ReadonlyMap<number, number>
  /** The severity that held at the beginning of the period, then those of the period, in order. */
  readonly changes: ReadonlyMap<number, readonly MetricStateChange[]>
  /** What came late, by host: of its life test alone. */
  readonly late: ReadonlyMap<number, readonly LateSpan[]>
}

/** `lifeHosts`: hosts whose life tests are among the metrics. */
export const readWrittenOfMetrics = async (
  db: Db,
  ids: readonly number[],
  lifeHosts: readonly number[],
  period: MaintenanceSpan,
): Promise<WrittenOfMetrics> => {
  const created = await db.selectFrom('metric').select(['id', 'created_at']).where('id', 'in', ids).execute()
  const before = await sql<ChangeRow>`select change.metric_id, change.at, change.severity_rank, change.cause from metric
    join metric_change change on change.metric_id = metric.id and change.at =
      (select max(held.at) from metric_change held where held.metric_id = metric.id and held.at <= ${period.fromMs})
    where metric.id in (${sql.join(ids)})`.execute(db)
  const within = await db
    .selectFrom('metric_change')
    .select(['metric_id', 'at', 'severity_rank', 'cause'])
    .where('metric_id', 'in', ids)
    .where('at', '>', period.fromMs)
    .where('at', '<', period.toMs)
    .orderBy('metric_id')
    .orderBy('at')
    .execute()
  return {
    changes: gathered([...before.rows, ...within], row => row.metric_id, toChange),
    createdMs: new Map(created.map(row => [row.id, Number(row.created_at)])),
    late: lifeHosts.length === 0 ? new Map() : await readLate(db, lifeHosts, period),
  }
}

interface ChangeRow {
  metric_id: number
  at: number
  severity_rank: number | null
  cause: string | null
}

const toChange = ({ at, severity_rank: rank, cause }: ChangeRow): MetricStateChange => ({
  atMs: Number(at),
  severity: rank === null ? 'disabled' : (SEVERITIES[rank] ?? 'unknown'),
  cause: UNKNOWN_CAUSES.find(one => one === cause) ?? null,
})
