import { addLateRun, type LateRow, type LateRun } from '@narval/engine'
import type { Selectable } from 'kysely'
import { batches } from '../store/batches.ts'
import type { Db } from '../store/database.ts'
import type { StateHistoryTables } from '../store/tables/state-history.ts'
import type { Turn } from '../turns.ts'
import type { ScannerEntry } from './fleet/model.ts'
import type { Run } from './run/run-codec.ts'

/** A run of the life test of a host that came too late to be judged. */
export interface LateHostRun extends LateRun {
  readonly hostId: number
}

/** Keeps what a late run says of its host, for availability: of the life test alone, and nothing opens or closes by it. */
export const noteLate = (late: LateHostRun[], scanner: ScannerEntry | undefined, run: Run): void => {
  const life = scanner?.host.life
  if (scanner === undefined || life == null || life.scanner !== scanner) return
  const { host, intervalMs, staleMs } = scanner
  const { attempts } = life.rule
  late.push({ hostId: host.id, atMs: run.atMs, good: run.failure === null, intervalMs, staleMs, attempts })
}

/** Writes late runs as rows of one outcome, within the commit of what was judged beside them. */
export const saveLate = async (trx: Db, late: readonly LateHostRun[], turn: Turn): Promise<void> => {
  for (const slice of batches([...Map.groupBy(late, ({ hostId }) => hostId)], HOSTS)) {
    await saveHosts(trx, slice)
    await turn()
  }
}
const HOSTS = 250

type HostRuns = readonly [hostId: number, runs: readonly LateHostRun[]]

const saveHosts = async (trx: Db, slice: readonly HostRuns[]): Promise<void> => {
  const ids = slice.map(([id]) => id)
  const exists = new Set(
    (await trx.selectFrom('host').select('id').where('id', 'in', ids).execute()).map(row => row.id),
  )
  const known = await readAround(trx, slice)
  const gone: { hostId: number; fromMs: number }[] = []
  const changed: HostLateRow[] = []
  for (const [hostId, runs] of slice) {
    if (!exists.has(hostId)) continue
    const before = known.get(hostId) ?? []
    const after = runs.reduce<readonly LateRow[]>(addLateRun, before)
    const kept = new Set(after.map(({ fromMs }) => fromMs))
    for (const { fromMs } of before) if (!kept.has(fromMs)) gone.push({ hostId, fromMs })
    // A row that is as it was is the very same object.
    for (const row of after) if (!before.includes(row)) changed.push(toRow(hostId, row))
  }
  for (const { hostId, fromMs } of gone)
    await trx.deleteFrom('host_late').where('host_id', '=', hostId).where('from_at', '=', fromMs).execute()
  for (const rows of batches(changed))
    await trx
      .insertInto('host_late')
      .values(rows)
      .onConflict(conflict =>
        conflict.columns(['host_id', 'from_at']).doUpdateSet(eb => ({
          ...{ until_at: eb.ref('excluded.until_at'), good: eb.ref('excluded.good') },
          ...{ failures: eb.ref('excluded.failures'), confirmed_at: eb.ref('excluded.confirmed_at') },
        })),
      )
      .execute()
}

type HostLateRow = Selectable<StateHistoryTables['host_late']>

const toRow = (hostId: number, { fromMs, untilMs, good, failures = [], confirmedMs = null }: LateRow): HostLateRow => ({
  ...{ host_id: hostId, from_at: fromMs, until_at: untilMs, good: good ? 1 : 0 },
  ...{ failures: failures.join(), confirmed_at: confirmedMs },
})
const fromRow = ({ from_at, until_at, good, failures, confirmed_at }: HostLateRow): LateRow => ({
  ...{ fromMs: from_at, untilMs: until_at, good: good === 1 },
  ...(good === 0 && { failures: failures.split(',').filter(Boolean).map(Number), confirmedMs: confirmed_at }),
})

/** The rows that these runs may touch, in order, by host. */
const readAround = async (trx: Db, slice: readonly HostRuns[]): Promise<Map<number, LateRow[]>> => {
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [, runs] of slice) {
    for (const { atMs, staleMs } of runs) {
      fromMs = Math.min(fromMs, atMs - staleMs)
      toMs = Math.max(toMs, atMs + staleMs)
    }
  }
  const ids = slice.map(([id]) => id)
  const rows = await trx
    .selectFrom('host_late')
    .selectAll()
    .where('host_id', 'in', ids)
    .where('until_at', '>=', Math.floor(fromMs))
    .where('from_at', '<=', Math.ceil(toMs))
    .orderBy('host_id')
    .orderBy('from_at')
    .execute()
  const found = new Map<number, LateRow[]>()
  for (const one of rows) {
    const { host_id } = one
    const row = fromRow(one)
    const held = found.get(host_id)
    if (held === undefined) found.set(host_id, [row])
    else held.push(row)
  }
  return found
}
