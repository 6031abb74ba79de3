import { Worker } from 'node:worker_threads'
import type { CheckResult } from '@narval/contracts'
import type { BatchKey, FormedBatch, Lane, SpooledResult, SpoolOperation, SpoolOptions, SpoolStats } from './spool.ts'
import type { Repair } from './spool-repair.ts'

export interface SpoolRequest {
  readonly id: number
  readonly operations: readonly SpoolOperation[]
}
export interface SpoolError {
  readonly code: string
  readonly message: string
}
export type SpoolAnswer =
  | { readonly kind: 'opened'; readonly stats: SpoolStats; readonly repair: Repair | null }
  | {
      readonly kind: 'done'
      readonly id: number
      readonly taken: readonly (FormedBatch | null)[]
      readonly stats: SpoolStats
    }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SpoolError }
  | { readonly kind: 'closed'; readonly error: SpoolError | null }

/** The spool as the probe's main thread sees it: appending never waits, and is on disk within about 50 ms. */
export interface SpoolQueue {
  readonly append: (result: CheckResult) => void
  /** Everything appended so far is on disk once this settles. */
  readonly flush: () => Promise<void>
  readonly take: (lane: Lane, empty?: boolean) => Promise<FormedBatch | null>
  readonly acknowledge: (batch: BatchKey) => Promise<void>
  readonly quarantine: (batch: BatchKey, status: number, reason: string) => Promise<void>
  /** As of the last commit, results in memory and lost from memory included. */
  readonly stats: () => SpoolStats
  /** Called when results were handed to the disk. */
  readonly onAppended: (listener: () => void) => void
  /** Flushes, then closes the file; at most `timeLimitMs`. */
  readonly close: (timeLimitMs: number) => Promise<void>
}

export interface SpoolQueueEvents {
  /** The disk is full: results wait in memory, and the oldest are dropped beyond a bound. */
  readonly onFull: () => void
  /** The file can't be written any more: nothing is safe, the probe must stop (R04). */
  readonly onBroken: (error: SpoolError) => void
  /** The spool lost its oldest results: it is full, or they are too old. */
  readonly onDropped?: (dropped: number) => void
  /** The file was damaged when it was opened. */
  readonly onRepaired?: (repair: Repair) => void
}

/** A group commit is not begun sooner than this after the one before; the first after a pause waits a little. */
const GROUP_MS = 40
const FIRST_MS = 8
/** Results in memory while the disk is full. */
const MEMORY_MAX = 20_000
const FULL_RETRY_MS = 1_000

/** Opens the spool in its own thread; refused when the file is in use or unreadable. */
export const openSpoolQueue = async (options: SpoolOptions, events: SpoolQueueEvents): Promise<SpoolQueue> => {
  const worker = new Worker(new URL('./spool-worker.ts', import.meta.url), { workerData: options })
  const channel = createChannel(worker, events)
  const { stats, repair } = await channel.opened
  if (repair !== null) events.onRepaired?.(repair)
  return createQueue(channel, stats, events)
}

class SpoolFailure extends Error {
  readonly code: string
  constructor(error: SpoolError) {
    super(error.message)
    this.name = 'SpoolFailure'
    this.code = error.code
  }
}

interface Channel {
  readonly opened: Promise<Opened>
  readonly ask: (operations: readonly SpoolOperation[]) => Promise<Done>
  readonly close: () => Promise<void>
  readonly terminate: () => Promise<unknown>
}
type Opened = Extract<SpoolAnswer, { kind: 'opened' }>
type Done = Extract<SpoolAnswer, { kind: 'done' }>

/** Requests and answers over the thread's port. */
const createChannel = (worker: Worker, events: SpoolQueueEvents): Channel => {
  const pending = new Map<number, { resolve: (answer: Done) => void; reject: (error: Error) => void }>()
  const opening = Promise.withResolvers<Opened>()
  const closing = Promise.withResolvers<void>()
  let nextId = 1
  let dead: SpoolFailure | null = null
  const die = (error: SpoolError): void => {
    dead ??= new SpoolFailure(error)
    opening.reject(dead)
    for (const waiter of pending.values()) waiter.reject(dead)
    pending.clear()
    closing.resolve()
  }
  worker.on('message', (answer: SpoolAnswer) => {
    if (answer.kind === 'opened') opening.resolve(answer)
    else if (answer.kind === 'closed') die(answer.error ?? { code: 'CLOSED', message: 'closed' })
    else {
      const waiter = pending.get(answer.id)
      pending.delete(answer.id)
      if (answer.kind === 'done') waiter?.resolve(answer)
      else waiter?.reject(new SpoolFailure(answer.error))
    }
  })
  worker.on('error', error => {
    die({ code: 'WORKER', message: error.message })
    events.onBroken({ code: 'WORKER', message: error.message })
  })
  worker.on('exit', () => die({ code: 'CLOSED', message: 'closed' }))
  return {
    opened: opening.promise,
    ask: operations => {
      if (dead !== null) return Promise.reject(dead)
      const answer = Promise.withResolvers<Done>()
      pending.set(nextId, answer)
      worker.postMessage({ id: nextId, operations } satisfies SpoolRequest)
      nextId += 1
      return answer.promise
    },
    close: () => {
      worker.postMessage('close')
      return closing.promise
    },
    terminate: () => worker.terminate(),
  }
}

const isFull = (error: unknown): boolean => error instanceof SpoolFailure && error.code === 'SQLITE_FULL'

const createQueue = (channel: Channel, opened: SpoolStats, events: SpoolQueueEvents): SpoolQueue => {
  let stats = opened
  let waiting: SpooledResult[] = []
  let lost = 0
  let flushing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let lastFlushMs = 0
  let closed = false
  const listeners: (() => void)[] = []

  const ask = async (operations: readonly SpoolOperation[]): Promise<Done> => {
    try {
      const done = await channel.ask(operations)
      if (done.stats.dropped > stats.dropped) events.onDropped?.(done.stats.dropped)
      stats = done.stats
      return done
    } catch (error) {
      if (!closed && error instanceof SpoolFailure && !isFull(error) && error.code !== 'CLOSED') events.onBroken(error)
      throw error
    }
  }
  const shed = (): void => {
    const excess = waiting.length - MEMORY_MAX
    if (excess <= 0) return
    waiting = waiting.slice(excess)
    lost += excess
  }
  const flushOnce = async (): Promise<void> => {
    const results = waiting
    waiting = []
    lastFlushMs = performance.now()
    const written = ask([{ kind: 'append', results }])
    for (const listener of listeners) listener()
    try {
      await written
    } catch (error) {
      waiting = [...results, ...waiting]
      shed()
      if (!isFull(error)) throw error
      events.onFull()
      schedule(FULL_RETRY_MS)
    }
  }
  const schedule = (delayMs: number): void => {
    if (timer !== null || closed) return
    timer = setTimeout(() => {
      timer = null
      begin().catch(() => undefined)
    }, delayMs)
  }
  /** One flush at a time: what comes meanwhile goes along with the next. */
  const begin = (): Promise<void> => {
    if (flushing !== null) return flushing
    if (waiting.length === 0) return Promise.resolve()
    flushing = flushOnce().finally(() => {
      flushing = null
      if (waiting.length > 0) schedule(Math.max(0, lastFlushMs + GROUP_MS - performance.now()))
    })
    return flushing
  }
  const flush = async (): Promise<void> => {
    await flushing
    await begin()
  }
  return {
    append: result => {
      waiting.push({ at: result.at, body: JSON.stringify(result) })
      shed()
      if (flushing === null) schedule(Math.max(FIRST_MS, lastFlushMs + GROUP_MS - performance.now()))
    },
    flush,
    take: async (lane, empty = false) => (await ask([{ kind: 'take', lane, empty }])).taken[0] ?? null,
    acknowledge: async batch => {
      await ask([{ kind: 'acknowledge', batch }])
    },
    quarantine: async (batch, status, reason) => {
      await ask([{ kind: 'quarantine', batch, status, reason }])
    },
    stats: () => ({
      ...stats,
      backlog: stats.backlog + waiting.length,
      oldestMs: stats.oldestMs ?? waiting[0]?.at ?? null,
      dropped: stats.dropped + lost,
    }),
    onAppended: listener => {
      listeners.push(listener)
    },
    close: async timeLimitMs => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      const limit = new Promise<void>(resolve => setTimeout(resolve, timeLimitMs).unref())
      await Promise.race([flush().catch(() => undefined), limit])
      closed = true
      await Promise.race([channel.close(), limit])
      await channel.terminate()
    },
  }
}
