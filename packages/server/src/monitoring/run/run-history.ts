import { AVAILABILITY_KEY, RUNS_SHOWN, type ScannerRun, type ScannerRuns } from '@narval/contracts'
import type { SampleStore } from '../../samples/sample-store.ts'
import { turns } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import type { ScannerEntry } from '../fleet/model.ts'
import type { Presence } from '../probe/presence.ts'
import { type Logged, mergeRuns, packRuns, RUNS_KEPT, type RunLog, unpackRuns } from './run-log.ts'

export interface RunHistory {
  /** The last runs of a scanner, the newest first. */
  of(scanner: ScannerEntry, nowMs: number): Promise<ScannerRuns>
  /** Writes down what memory has learnt since the last time: at a stop, and from time to time. */
  save(): Promise<void>
}

interface RunHistoryDeps {
  readonly database: Database
  readonly samples: SampleStore
  readonly log: RunLog
  readonly presence: Presence
  readonly isKnown: (scannerId: number) => boolean
}

/** Runs are looked for no further back: longer than the longest interval, and what the sample store holds raw. */
const MAX_BACK_MS = 35 * 86_400_000

/**
 * When a scanner ran and whether it succeeded is told by its availability in the sample store, whatever happened since;
 * how long it took, where and why it failed by the log in memory, and by what of it was written down.
 */
export const createRunHistory = (deps: RunHistoryDeps): RunHistory => {
  const { database, samples, log, presence } = deps
  /** What was written down of those whose log in memory is not full. */
  const savedOf = async (ids: readonly number[]): Promise<ReadonlyMap<number, Logged>> => {
    const short = ids.filter(id => log.of(id).runs.length < RUNS_KEPT)
    if (short.length === 0) return new Map()
    const rows = await database.db.selectFrom('scanner_runs').selectAll().where('scanner_id', 'in', short).execute()
    return new Map(rows.map(row => [row.scanner_id, unpackRuns(row)]))
  }
  const logged = (id: number, saved: ReadonlyMap<number, Logged>): Logged => {
    const older = saved.get(id)
    return older === undefined ? log.of(id) : mergeRuns(older, log.of(id))
  }
  return {
    async of(scanner, nowMs) {
      const [outcomes, saved] = await Promise.all([outcomesOf(samples, scanner, nowMs), savedOf([scanner.id])])
      const told = logged(scanner.id, saved)
      const byTime = new Map(told.runs.map(run => [run.atMs, run]))
      const last = outcomes.slice(-RUNS_SHOWN)
      const runs = last.map(({ atMs, succeeded }): ScannerRun => {
        const run = byTime.get(atMs)
        const failure = succeeded ? undefined : told.failures.find(one => one.fromMs <= atMs && atMs <= one.toMs)
        return {
          at: toIso(atMs),
          succeeded,
          durationMs: run?.durationMs ?? null,
          failure: failure === undefined ? null : { code: failure.code, message: failure.message },
          // The server is no probe.
          probeId: run?.probeId || null,
          probeName: presence.probes.get(run?.probeId ?? 0)?.name ?? null,
        }
      })
      return { runs: runs.toReversed(), missed: countMissed(last, scanner.intervalMs) }
    },
    async save() {
      for await (const some of turns(log.unsaved())) {
        for (const id of some) if (!deps.isKnown(id)) log.forget(id)
        const ids = some.filter(deps.isKnown)
        const saved = await savedOf(ids)
        const rows = ids.map(id => ({ scanner_id: id, ...packRuns(logged(id, saved)) }))
        for (const id of some) log.saved(id)
        if (rows.length > 0) await writeRows(database, rows)
      }
    },
  }
}

const writeRows = (database: Database, rows: readonly { scanner_id: number; runs: string; failures: string }[]) =>
  database.db
    .insertInto('scanner_runs')
    .values([...rows])
    .onConflict(conflict =>
      conflict
        .column('scanner_id')
        .doUpdateSet(eb => ({ runs: eb.ref('excluded.runs'), failures: eb.ref('excluded.failures') })),
    )
    .execute()

interface Outcome {
  readonly atMs: number
  readonly succeeded: boolean
}

/** The newest runs, the oldest first; looked for further and further back where runs are rare. */
const outcomesOf = async (samples: SampleStore, scanner: ScannerEntry, nowMs: number): Promise<Outcome[]> => {
  const series = scanner.metrics.get(AVAILABILITY_KEY)?.id
  if (series === undefined) return []
  const toMs = Math.max(nowMs, scanner.lastRunMs ?? 0) + 1
  let backMs = Math.min(RUNS_SHOWN * scanner.intervalMs + 60_000, MAX_BACK_MS)
  for (;;) {
    const answer = await samples.range({
      ...{ series: [series], fromMs: toMs - backMs, toMs, points: 1 },
      ...{ aggregate: 'last', resolution: 'raw' },
    })
    const found = answer.series[0]
    const outcomes = [...(found?.atMs ?? [])].map((atMs, index) => ({ atMs, succeeded: found?.value[index] === 1 }))
    if (outcomes.length >= RUNS_SHOWN || backMs >= MAX_BACK_MS) return outcomes
    backMs = Math.min(backMs * 8, MAX_BACK_MS)
  }
}

/** Runs that were due between these: a gap of two intervals lacks one. */
const countMissed = (outcomes: readonly Outcome[], intervalMs: number): number =>
  outcomes.reduce((sum, { atMs }, index) => {
    const before = outcomes[index - 1]
    return before === undefined ? sum : sum + Math.max(0, Math.round((atMs - before.atMs) / intervalMs) - 1)
  }, 0)
