import type { DiscoveryRunState } from '@narval/contracts'
import type { Database } from '../../store/database.ts'
import { type RunRow, toRun } from './range.store.ts'

/** Runs of a range that are remembered. */
const KEPT_RUNS = 50
/** What vanished so long ago, and was never made a host, is forgotten. */
const VANISHED_KEPT_MS = 90 * 86_400_000

export interface NewRun {
  readonly rangeId: number
  readonly probeId: number | null
  readonly probeName: string
  readonly total: number
  readonly startedBy: string | null
}

/** The rows of runs: what is written of each, and when. */
export const createRunBook = ({ db }: Database, now: () => number) => ({
  async open(run: NewRun): Promise<RunRow> {
    return db
      .insertInto('discovery_run')
      .values({
        ...{
          range_id: run.rangeId,
          probe_id: run.probeId,
          probe_name: run.probeName,
          state: 'waiting',
          total: run.total,
        },
        ...{ done: 0, found: 0, added: 0, changed: 0, vanished: 0, error: '', notes: '[]' },
        ...{ started_by: run.startedBy, created_at: now(), started_at: null, ended_at: null },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  },
  async begun(id: number): Promise<void> {
    await db.updateTable('discovery_run').set({ state: 'running', started_at: now() }).where('id', '=', id).execute()
  },
  async ended(id: number, state: DiscoveryRunState, error: string, notes: readonly string[] = []): Promise<void> {
    const row = await db
      .updateTable('discovery_run')
      .set({ state, error, ended_at: now(), notes: JSON.stringify(notes) })
      .where('id', '=', id)
      .returning('range_id')
      .executeTakeFirst()
    if (row === undefined) return
    const old = await db
      .selectFrom('discovery_run')
      .select('id')
      .where('range_id', '=', row.range_id)
      .orderBy('id', 'desc')
      .offset(KEPT_RUNS)
      .limit(1)
      .executeTakeFirst()
    if (old !== undefined)
      await db.deleteFrom('discovery_run').where('range_id', '=', row.range_id).where('id', '<=', old.id).execute()
    await db
      .deleteFrom('discovery_finding')
      .where('range_id', '=', row.range_id)
      .where('vanished_at', '<', now() - VANISHED_KEPT_MS)
      .where('host_id', 'is', null)
      .where('ignored', '=', 0)
      .execute()
  },
  /** Runs that were under way when the server stopped, or was killed. */
  async interruptAll(error: string): Promise<void> {
    await db
      .updateTable('discovery_run')
      .set({ state: 'interrupted', error, ended_at: now() })
      .where('state', 'in', ['waiting', 'running'])
      .execute()
  },
  async get(id: number) {
    const row = await db.selectFrom('discovery_run').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : toRun(row)
  },
  async last(rangeId: number) {
    const rows = await db
      .selectFrom('discovery_run')
      .selectAll()
      .where('range_id', '=', rangeId)
      .orderBy('id', 'desc')
      .limit(KEPT_RUNS)
      .execute()
    return rows.map(toRun)
  },
})
export type RunBook = ReturnType<typeof createRunBook>
