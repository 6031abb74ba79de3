import type { HostStateName } from '@narval/contracts'
import { severityRank } from '@narval/engine'
import { sql } from 'kysely'
import { batches } from '../store/batches.ts'
import type { Db } from '../store/database.ts'
import { createRowWriter } from '../store/row-writer.ts'
import type { Turn } from '../turns.ts'
import type { HostEntry, MetricEntry } from './fleet/model.ts'

const STATE_COLUMNS = [
  'severity_rank',
  'hard_rank',
  'kind',
  'attempt',
  'cause',
  'hard_cause',
  'incident_rank',
  'held',
  'raised',
  'since',
  'hard_since',
  'problem_since',
  'information',
  'incident_id',
  'flapping',
  'updated_at',
] as const
const putStates = createRowWriter<Row>((trx, rows) =>
  trx
    .insertInto('metric_state')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .column('metric_id')
        .doUpdateSet(eb => Object.fromEntries(STATE_COLUMNS.map(column => [column, eb.ref(`excluded.${column}`)]))),
    ),
)
type Row = ReturnType<typeof rowOfState>

const rowOfState = ({ id, state, information, incidentId }: MetricEntry, nowMs: number) => ({
  metric_id: id,
  severity_rank: severityRank(state.severity),
  hard_rank: severityRank(state.hardSeverity),
  kind: state.kind,
  attempt: state.attempt,
  cause: state.cause,
  hard_cause: state.hardCause,
  incident_rank: state.incident === null ? null : severityRank(state.incident),
  held: state.held,
  raised: state.raised,
  since: state.sinceMs,
  hard_since: state.hardSinceMs,
  problem_since: state.problemSinceMs,
  information,
  incident_id: state.incident === null ? null : incidentId,
  flapping: state.flapping,
  updated_at: nowMs,
})

/** Writes the present state of metrics, a row each. */
export const saveStates = async (db: Db, metrics: readonly MetricEntry[], nowMs: number, turn: Turn): Promise<void> => {
  for (const some of batches(metrics))
    await putStates(
      db,
      some.map(metric => rowOfState(metric, nowMs)),
      turn,
    )
}

interface HostStateRow {
  readonly id: number
  readonly state: HostStateName
  readonly severity_rank: number
  readonly state_since: number
  readonly vouched_at: number | null
}

/** The first row says of what type each column is. */
const hostValues = (rows: readonly HostStateRow[]) =>
  sql<HostStateRow>`(values ${sql.join(
    rows.map(({ id, state, severity_rank, state_since, vouched_at }, index) =>
      index === 0
        ? sql`(cast(${id} as bigint), cast(${state} as text), cast(${severity_rank} as bigint), cast(${state_since} as bigint),
            cast(${vouched_at} as bigint))`
        : sql`(${id}, ${state}, ${severity_rank}, ${state_since}, ${vouched_at})`,
    ),
  )})`

const putHostStates = createRowWriter<HostStateRow>((trx, rows) =>
  trx
    .with('next(id, state, severity_rank, state_since, vouched_at)', () => hostValues(rows))
    .updateTable('host')
    .from('next')
    .set(({ ref }) => ({
      ...{ state: ref('next.state'), severity_rank: ref('next.severity_rank') },
      ...{ state_since: ref('next.state_since'), vouched_at: ref('next.vouched_at') },
    }))
    .whereRef('host.id', '=', 'next.id'),
)

type HostStanding = Pick<HostEntry, 'id' | 'state' | 'severity' | 'sinceMs' | 'vouchedMs'>

/** Writes where hosts stand, each once; of those deleted meanwhile nothing is. */
export const saveHostStates = (db: Db, hosts: readonly HostStanding[], turn: Turn): Promise<void> =>
  putHostStates(
    db,
    hosts.map(({ id, state, severity, sinceMs, vouchedMs }) => ({
      ...{ id, state, severity_rank: severityRank(severity), state_since: sinceMs },
      vouched_at: Number.isFinite(vouchedMs) ? vouchedMs : null,
    })),
    turn,
  )

/** Which of these metrics still exist: a deletion may have crossed an evaluation. */
export const existingMetrics = async (db: Db, ids: readonly number[], turn: Turn): Promise<Set<number>> => {
  const found = new Set<number>()
  for (const some of batches(ids)) {
    const rows = await db.selectFrom('metric').select('id').where('id', 'in', some).execute()
    for (const row of rows) found.add(row.id)
    await turn()
  }
  return found
}
