import type { Logger } from 'pino'
import type { SampleStore, StoredBatch } from '../samples/sample-store.ts'
import type { Database } from '../store/database.ts'
import { type Turn, takeInTurns } from '../turns.ts'
import { type Committed, commitEffects } from './commit.ts'
import { gravest } from './event-log.ts'
import type { StateHistory } from './history/state-history.ts'
import type { Blinding } from './incident/blinding.ts'
import type { IncidentSurroundings } from './incident/incident-commit.ts'
import { createEffects, type Effects } from './judge-metric.ts'
import { type Judge, judgeRun } from './judge-run.ts'
import { noteLate } from './late-runs.ts'
import { readPosition } from './monitoring.store.ts'
import { decodeRuns } from './run/run-codec.ts'
import type { RunLog } from './run/run-log.ts'

/** Batches evaluated and committed together: bounds a transaction. */
const BATCHES_PER_COMMIT = 64
/** More batches waiting than this and ingest answers 503: what is acknowledged must be judged soon. */
const MAX_WAITING = 2_000
const RETRY_MS = 1_000
/** Runs judged, or hosts cut off, before it is asked whether it is the turn of others: each some 10 µs. */
const STEPS = 20
/** How often the position reached is written when nothing else had to be. */
const POSITION_EVERY_MS = 10_000

export interface Evaluation {
  /** Evaluates, before anything new, what the journal holds beyond the last commit. */
  replay(): Promise<number>
  /** A batch that the journal has acknowledged. */
  push(batch: StoredBatch): void
  /** Runs something that must not cross an evaluation: reading the fleet again. */
  alone(work: () => Promise<void>): Promise<void>
  /**
   * Runs a change that is not a result (silence, a probe gone) between two batches, and commits it; what gives steps is
   * taken step by step, others having their turn in between.
   */
  between(work: (effects: Effects) => Iterable<void> | void): Promise<void>
  isBehind(): boolean
  waiting(): number
  health(): EvaluationHealth
  /** Waits until all that was pushed is committed. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** How judging goes on; times by the monotonic clock. */
export interface EvaluationHealth {
  /** Runs judged since the start. */
  readonly judged: number
  /** Since when what is judged can't be committed, by the clock of the server; null: it can. */
  readonly failingSinceMs: number | null
  /** Since when one and the same step lasts; null: nothing is judged or written now. */
  readonly busySince: number | null
}

export interface EvaluationDeps extends Judge, IncidentSurroundings {
  readonly database: Database
  readonly samples: SampleStore
  readonly runs: RunLog
  readonly history: Pick<StateHistory, 'write' | 'committed'>
  readonly blinding: Pick<Blinding, 'save' | 'remember'>
  readonly now: () => number
  readonly log: Logger
  readonly onCommit: (committed: Committed, turn: Turn) => Promise<void>
  /** A new one for each evaluation; a test counts by its own what happens between two. */
  readonly turns: () => Turn
}

/** Judges batches in journal order with their recorded arrival, one commit for several; the only writer of states. */
export const createEvaluation = (deps: EvaluationDeps): Evaluation => {
  const { database, samples, now, log } = deps
  const queue: StoredBatch[] = []
  let chain: Promise<void> = Promise.resolve()
  let running = false
  let stopped = false
  let reached = 0
  let written = 0
  let writtenAtMs = 0
  let judged = 0
  let failingSinceMs: number | null = null
  let busySince: number | null = null

  function* judge(effects: Effects, batch: StoredBatch): Generator<void> {
    reached = Math.max(reached, batch.position)
    const { runs, events } = decodeRuns(batch.attachment)
    events.forEach((event, index) => {
      effects.received.push({ ...event, key: `${batch.position}:${index}` })
    })
    // A backlog fills charts, availability and the log; it never changes states in retrospect.
    if (batch.lane === 'backlog') {
      for (const run of runs) noteLate(effects.late, deps.model.scanners.get(run.scannerId), run)
      return
    }
    for (const run of runs) {
      judged += 1
      deps.runs.add(batch.probe, run)
      const origin = `${batch.position}-${run.atMs}`
      const behind = judgeRun(effects, deps, run, batch, origin, gravest(events, run.scannerId))
      if (behind !== null) yield* behind
      yield
    }
  }
  function* judgeAll(effects: Effects, all: readonly StoredBatch[]): Generator<void> {
    for (const batch of all) yield* judge(effects, batch)
  }

  const commit = async (effects: Effects, turn: Turn): Promise<void> => {
    const isDue =
      reached > written &&
      (effects.states.size + effects.received.length + effects.late.length > 0 ||
        now() - writtenAtMs >= POSITION_EVERY_MS)
    for (;;) {
      try {
        const committed = await commitEffects(deps, effects, isDue ? reached : null, now(), turn)
        failingSinceMs = null
        await deps.onCommit(committed, turn)
        break
      } catch (error) {
        failingSinceMs ??= now()
        log.error({ err: error }, 'states could not be committed; trying again')
        if (stopped) throw error
        await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      }
    }
    if (!isDue) return
    written = reached
    writtenAtMs = now()
    await samples.applied(written)
  }

  const serial = (work: () => Promise<void>): Promise<void> => {
    const done = chain.then(async () => {
      busySince = performance.now()
      try {
        await work()
      } finally {
        busySince = null
      }
    })
    chain = done.catch(error => log.error({ err: error }, 'evaluation step failed'))
    return done
  }

  const step = async (): Promise<void> => {
    const effects = createEffects()
    const turn = deps.turns()
    await takeInTurns(judgeAll(effects, queue.splice(0, BATCHES_PER_COMMIT)), turn, STEPS)
    await commit(effects, turn)
  }

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      await serial(step)
      // Lets requests and timers in between two commits.
      await new Promise(resolve => setImmediate(resolve))
    }
  }

  const start = (): void => {
    if (running || stopped) return
    running = true
    void drain().finally(() => {
      running = false
      if (queue.length > 0) start()
    })
  }

  return {
    async replay() {
      reached = written = await readPosition(database.db, 'applied')
      // The store keeps it in memory only: said again, so that the journal is trimmed from the first sealing on.
      await samples.applied(written)
      let count = 0
      for (;;) {
        const batches = await samples.replay(reached, 500)
        if (batches.length === 0) return count
        await serial(async () => {
          const effects = createEffects()
          const turn = deps.turns()
          await takeInTurns(judgeAll(effects, batches), turn, STEPS)
          await commit(effects, turn)
        })
        count += batches.length
      }
    },
    push(batch) {
      queue.push(batch)
      start()
    },
    alone: serial,
    between: work =>
      serial(async () => {
        const effects = createEffects()
        const turn = deps.turns()
        await takeInTurns(work(effects) ?? [], turn, STEPS)
        await commit(effects, turn)
      }),
    isBehind: () => queue.length > MAX_WAITING,
    waiting: () => queue.length,
    health: () => ({ judged, failingSinceMs, busySince }),
    async idle() {
      while (queue.length > 0 || running) await chain.then(() => new Promise(resolve => setImmediate(resolve)))
    },
    async stop() {
      await this.idle()
      if (reached > written) {
        written = reached
        writtenAtMs = 0
        await commitEffects(deps, createEffects(), reached, now(), deps.turns())
        await samples.applied(reached)
      }
      stopped = true
    },
  }
}
