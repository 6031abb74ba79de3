import type { CheckKind, CheckResult, ProbeCheck } from '@narval/contracts'
import {
  type ScheduleEvent,
  type ScheduleState,
  scheduleChanged,
  scheduleFinished,
  scheduleNew,
  scheduleRecheck,
  scheduleStarted,
  scheduleTick,
} from '@narval/engine/schedule'
import type { CheckContext } from './checks/check.ts'
import type { RegisteredChecks } from './checks/registry.ts'
import type { Clock } from './clock.ts'
import { createDueHeap } from './due-heap.ts'
import { type CheckOutcome, errorCode, failed } from './failure.ts'
import { fr } from './fr.ts'

/** Runs every check when the schedule says so, bounded by kind; one timer whatever their number. */
export interface Scheduler {
  /** The checks to run from now on; those that did not change are not disturbed. */
  readonly configure: (checks: readonly ProbeCheck[]) => void
  /** Runs these scanners now; unknown ones are ignored. */
  readonly recheck: (scanners: readonly number[]) => void
  readonly stats: () => SchedulerStats
  /** Starts nothing any more; what runs is left to the context's stopper, its results are not kept. */
  readonly stop: () => void
}

export interface SchedulerStats {
  readonly checks: number
  readonly running: number
  /** Runs that ended, and due times that were not met, since the start. */
  readonly runs: number
  readonly late: number
}

export interface SchedulerOptions {
  readonly clock: Clock
  readonly registry: RegisteredChecks
  readonly context: CheckContext
  readonly onResult: (result: CheckResult) => void
}

/** New checks start at most this many a second, or over their interval when that is slower. */
const NEW_CHECK_SPACING_MS = 20
/** A runner that does not end is given up this long after the check's time limit. */
const GRACE_MS = 5_000
/** Runs begun in one turn of the event loop. */
const STARTS_A_TURN = 100

interface Entry {
  readonly check: ProbeCheck
  readonly text: string
  state: ScheduleState
  /** Waits in a queue for room among the runs of its kind. */
  queued: boolean
  /** Removed, or replaced by an entry with other parameters. */
  gone: boolean
}
interface Due {
  readonly entry: Entry
  readonly dueMs: number
}
interface KindQueue {
  running: number
  waiting: Entry[]
  head: number
}

export const createScheduler = ({ clock, registry, context, onResult }: SchedulerOptions): Scheduler => {
  const entries = new Map<number, Entry>()
  const heap = createDueHeap<Due>()
  const queues = new Map<CheckKind, KindQueue>()
  let [runs, late, running, stopped] = [0, 0, 0, false]
  let cancelTimer: (() => void) | null = null
  let timerMs = Number.POSITIVE_INFINITY

  const count = (events: readonly ScheduleEvent[]): void => {
    for (const event of events) if (event.kind === 'late') late += event.count
  }
  const enter = (entry: Entry): void => heap.push(entry.state.dueMs, { entry, dueMs: entry.state.dueMs })
  const arm = (): void => {
    const nextMs = heap.nextMs()
    if (stopped || nextMs >= timerMs) return
    cancelTimer?.()
    cancelTimer = null
    timerMs = nextMs
    if (nextMs === Number.POSITIVE_INFINITY) return
    // Whole milliseconds, upwards: a timer that fires early would only be set again.
    cancelTimer = clock.after(Math.max(0, Math.ceil(nextMs - clock.steadyMs())), () => {
      timerMs = Number.POSITIVE_INFINITY
      cancelTimer = null
      tick()
    })
  }
  const tick = (): void => {
    const nowMs = clock.steadyMs()
    for (let due = heap.popDue(nowMs); due !== null; due = heap.popDue(nowMs)) {
      const { entry } = due
      if (entry.gone || entry.queued || due.dueMs !== entry.state.dueMs) continue
      const { state, events } = scheduleTick(entry.state, entry.check, nowMs)
      count(events)
      if (events.some(event => event.kind === 'start')) enqueue(entry)
      else if (state !== entry.state) {
        entry.state = state
        enter(entry)
      }
    }
    pumpAll()
    arm()
  }
  const enqueue = (entry: Entry): void => {
    const queue = queues.get(entry.check.kind) ?? { running: 0, waiting: [], head: 0 }
    queues.set(entry.check.kind, queue)
    queue.waiting.push(entry)
    entry.queued = true
  }
  const pumpAll = (): void => {
    let budget = STARTS_A_TURN
    for (const [kind, queue] of queues) {
      const room = registry[kind].concurrency
      while (budget > 0 && queue.running < room) {
        const entry = queue.waiting[queue.head]
        if (entry === undefined) break
        queue.head += 1
        entry.queued = false
        if (entry.gone || stopped) continue
        budget -= 1
        start(entry, queue)
      }
      if (queue.head === queue.waiting.length || queue.head > 10_000) {
        queue.waiting = queue.waiting.slice(queue.head)
        queue.head = 0
      }
    }
    if (budget === 0) clock.after(0, pumpAll)
  }
  const start = (entry: Entry, queue: KindQueue): void => {
    const startedMs = clock.steadyMs()
    const { state, events } = scheduleStarted(entry.state, startedMs)
    entry.state = state
    count(events)
    queue.running += 1
    running += 1
    runLimited(entry.check, registry, context, clock).then(outcome => {
      queue.running -= 1
      running -= 1
      if (!stopped) finish(entry, outcome, startedMs)
    })
  }
  const finish = (entry: Entry, outcome: CheckOutcome, startedMs: number): void => {
    const nowMs = clock.steadyMs()
    runs += 1
    const current = entry.gone ? entries.get(entry.check.scanner) : entry
    // A scanner that was removed and came back has a state of its own, which this run is no part of.
    if (current?.state.runningSinceMs === startedMs) {
      const { state, events } = scheduleFinished(current.state, current.check, outcome.failure !== null, nowMs)
      current.state = state
      count(events)
      enter(current)
    }
    if (!entry.gone) onResult(resultOf(entry.check, outcome, nowMs - startedMs, clock.wallMs()))
    pumpAll()
    arm()
  }

  return {
    configure: checks => {
      const nowMs = clock.steadyMs()
      const wanted = new Map(checks.map(check => [check.scanner, check]))
      for (const [scanner, entry] of entries) {
        if (wanted.has(scanner)) continue
        entry.gone = true
        entries.delete(scanner)
      }
      const changed = [...wanted.values()].filter(check => entries.get(check.scanner)?.text !== JSON.stringify(check))
      for (const check of changed) {
        const before = entries.get(check.scanner)
        const windowMs = changed.length * NEW_CHECK_SPACING_MS
        const state =
          before === undefined
            ? scheduleNew(check, nowMs, windowMs)
            : scheduleChanged(before.state, check, nowMs, windowMs)
        if (before !== undefined) before.gone = true
        const entry: Entry = { check, text: JSON.stringify(check), state, queued: false, gone: false }
        entries.set(check.scanner, entry)
        if (state.runningSinceMs === null) enter(entry)
      }
      arm()
    },
    recheck: scanners => {
      for (const scanner of scanners) {
        const entry = entries.get(scanner)
        if (entry === undefined || entry.queued) continue
        entry.state = scheduleRecheck(entry.state, clock.steadyMs())
        if (entry.state.runningSinceMs === null) enter(entry)
      }
      arm()
    },
    stats: () => ({ checks: entries.size, running, runs, late }),
    stop: () => {
      stopped = true
      cancelTimer?.()
      for (const entry of entries.values()) entry.gone = true
    },
  }
}

/** A runner's fault is a failed check, never an unhandled error; one that does not end is given up. */
export const runLimited = (
  check: ProbeCheck,
  registry: SchedulerOptions['registry'],
  context: CheckContext,
  clock: Clock,
): Promise<CheckOutcome> =>
  new Promise(resolve => {
    const limitMs = check.timeoutMs + GRACE_MS
    const cancel = clock.after(limitMs, () => resolve(failed('internal', fr.neverEnded(limitMs))))
    const end = (outcome: CheckOutcome): void => {
      cancel()
      resolve(outcome)
    }
    registry[check.kind]
      .run(check, context)
      .then(end, error => end(failed('internal', fr.internal(errorCode(error) || 'exception'))))
  })

/** Values that are no finite number are left out: the store refuses them. */
const resultOf = (check: ProbeCheck, outcome: CheckOutcome, durationMs: number, wallMs: number): CheckResult => ({
  scanner: check.scanner,
  at: Math.round(wallMs),
  durationMs: Math.round(durationMs * 1_000) / 1_000,
  failure: outcome.failure,
  values: finiteValues(outcome),
  ...(outcome.labels === undefined ? {} : { labels: { ...outcome.labels } }),
  ...(outcome.events === undefined || outcome.events.length === 0 ? {} : { events: [...outcome.events] }),
})

/** Values that are finite numbers. */
export const finiteValues = ({ values }: CheckOutcome): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)))
