import { Worker } from 'node:worker_threads'
import { packBatch, unpackBatch } from './batch-pack.ts'
import { messageOf, SampleStoreFailed } from './faults.ts'
import type {
  AppendItem,
  FromWorker,
  FrozenJournal,
  ReplayedItem,
  Reply,
  Request,
  SampleStoreLog,
  ToWorker,
  WorkerSettings,
} from './protocol.ts'
import {
  type Appended,
  type Batch,
  type LastSample,
  type Retention,
  type SampleColumns,
  type SampleStore,
  SampleStoreBusy,
  type StoredBatch,
} from './sample-store.ts'
import { errorOfFault } from './told-faults.ts'

export interface EmbeddedOptions {
  readonly folder: string
  /** `Date.now` when absent. */
  readonly now?: () => number
  /** Age of the oldest unsealed batch at which heads become chunks: 2 h. */
  readonly sealAfterMs?: number
  /** Bytes of unsealed journal at which they do so earlier: 256 MB. */
  readonly sealAfterBytes?: number
  /** Journal beyond which batches are refused, sealing or evaluation being behind: 2 GB. */
  readonly journalMaxBytes?: number
  /** Days kept: 90 raw, 365 of 5 minutes, 1,825 of hours. */
  readonly retention?: Retention
  /** Bytes on their way to the disk beyond which `append` is refused: 64 MB. */
  readonly queueMaxBytes?: number
  /** How often due maintenance is looked for: 30 s; 0 leaves it to {@link EmbeddedSampleStore.maintain}. */
  readonly maintainEveryMs?: number
  /** After so long without an answer a call is rejected: 30 s. */
  readonly callTimeoutMs?: number
  readonly log?: (entry: SampleStoreLog) => void
  /** For tests alone: threads that serve one store after another, since to start one takes longer than most tests. */
  readonly threads?: SampleThreads
  /** For tests alone: see `failpoints.ts`. */
  readonly failpoints?: string
}

/** Threads of closed stores. */
export interface SampleThreads {
  /** One that waits; null: a new one is started. */
  take(): Worker | null
  giveBack(thread: Worker): void
}

export interface EmbeddedSampleStore extends SampleStore {
  /** Seals, compacts, deletes and trims whatever is due by `now()`; done by itself every 30 s. */
  maintain(): Promise<void>
  /**
   * For a backup: no file but the journal changes from here on, and the journal loses nothing; settles when a pass of maintenance
   * has ended. @throws {SampleStoreBusy} while another backup is made.
   */
  hold(): Promise<void>
  /** Within a hold: `journal.db` holds all that was acknowledged so far, and changes no more. */
  freeze(): Promise<FrozenJournal>
  /** The backup is over, or given up: all goes on. */
  letGo(): Promise<void>
}

const DEFAULTS = {
  now: Date.now,
  sealAfterMs: 2 * 3_600_000,
  sealAfterBytes: 256 * 2 ** 20,
  journalMaxBytes: 2 * 2 ** 30,
  retention: { rawDays: 90, fiveMinutesDays: 365, hourDays: 1825 },
  queueMaxBytes: 64 * 2 ** 20,
  maintainEveryMs: 30_000,
  callTimeoutMs: 30_000,
}
const QUEUE_RETRY_MS = 1000
const MAX_REPLAY = 10_000
/** Opening rebuilds the heads from up to 2 GB of journal; sealing may write millions of chunks. */
const OPEN_TIMEOUT_MS = 300_000
const MAINTAIN_TIMEOUT_MS = 1_800_000

/**
 * Opens the embedded store in a folder and the one worker thread that owns its files. Rejects with SampleStoreLocked when
 * another process has it, with SampleStoreCorrupt when its journal is damaged. `append` packs the samples at once: the
 * caller's arrays stay its own. A batch rejected for a time-out may have been stored: sent again it is a duplicate.
 */
export async function openEmbeddedSampleStore(options: EmbeddedOptions): Promise<EmbeddedSampleStore> {
  const settings = { ...DEFAULTS, ...options }
  const link = await openLink(settings)
  const { call } = link
  const timer =
    settings.maintainEveryMs > 0
      ? setInterval(() => maintain().catch(() => undefined), settings.maintainEveryMs)
      : undefined
  timer?.unref()
  const maintain = async (): Promise<void> => {
    await call({ op: 'maintain' }, MAINTAIN_TIMEOUT_MS)
  }
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    clearInterval(timer)
    await call({ op: 'close' }, MAINTAIN_TIMEOUT_MS)
    await link.ended
  }
  return {
    append: link.append,
    maintain,
    hold: async () => void (await call({ op: 'hold' }, MAINTAIN_TIMEOUT_MS)),
    freeze: async () => (await call({ op: 'freeze' })).journal,
    letGo: async () => void (await call({ op: 'letGo' })),
    lastSequence: async key =>
      (await call({ op: 'lastSequence', key: { probe: key.probe, boot: key.boot, lane: key.lane } })).sequence,
    range: async query => (await call({ op: 'range', query })).answer,
    last: async series => lastSamples((await call({ op: 'last', series })).samples),
    replay: async (after, limit) =>
      (await call({ op: 'replay', after, limit: Math.min(limit, MAX_REPLAY) })).batches.map(toStored),
    applied: async position => void (await call({ op: 'applied', position })),
    forget: async series => void (await call({ op: 'forget', series })),
    retain: async retention => void (await call({ op: 'retain', retention })),
    stats: async () => (await call({ op: 'stats' })).stats,
    close() {
      closing ??= close()
      return closing
    },
  }
}

const lastSamples = ({ series, atMs, value }: SampleColumns): LastSample[] =>
  Array.from(series, (id, i) => ({ series: id, atMs: atMs[i] ?? 0, value: value[i] ?? 0 }))

function toStored({ body, ...rest }: ReplayedItem): StoredBatch {
  return { ...rest, ...unpackBatch(body) }
}

interface Waiting<T> {
  resolve(value: T): void
  reject(error: Error): void
  readonly timer: NodeJS.Timeout
}

type ReplyTo<R extends Request> = Extract<Reply, { op: R['op'] }>

interface Link {
  append(batch: Batch): Promise<Appended>
  call<R extends Request>(request: R, timeoutMs?: number): Promise<ReplyTo<R>>
  readonly ended: Promise<void>
}

type Settings = EmbeddedOptions & typeof DEFAULTS

/** The worker thread, its calls in flight and its queue of batches. */
function openLink(settings: Settings): Promise<Link> {
  const worker = settings.threads?.take() ?? startWorker()
  const appends = new Map<number, Waiting<Appended> & { readonly bytes: number }>()
  const calls = new Map<number, Waiting<Reply>>()
  const outgoing: AppendItem[] = []
  let nextId = 1
  let queuedBytes = 0
  let dead: Error | undefined

  const send = (message: ToWorker, handedOver: ArrayBuffer[] = []): void => worker.postMessage(message, handedOver)

  function flush(): void {
    const items = outgoing.splice(0)
    send(
      { kind: 'append', nowMs: settings.now(), items },
      items.map(item => item.body.buffer),
    )
  }

  function waitFor<T>(pending: Map<number, Waiting<T>>, id: number, timeoutMs: number): Pick<Waiting<T>, 'timer'> {
    const timer = setTimeout(() => {
      const late = pending.get(id)
      // A batch keeps its bytes counted: the worker still has it.
      late?.reject(new SampleStoreBusy(`Pas de réponse du magasin de mesures en ${timeoutMs} ms.`, QUEUE_RETRY_MS))
    }, timeoutMs)
    return { timer }
  }

  function append(batch: Batch): Promise<Appended> {
    if (dead !== undefined) return Promise.reject(dead)
    if (queuedBytes >= settings.queueMaxBytes) {
      return Promise.reject(new SampleStoreBusy('La file des mesures est pleine.', QUEUE_RETRY_MS))
    }
    return new Promise((resolve, reject) => {
      const { probe, boot, lane, sequence, arrivedMs } = batch
      assertKey(batch)
      const body = packBatch(batch.samples, batch.attachment)
      const id = nextId++
      queuedBytes += body.length
      appends.set(id, { resolve, reject, bytes: body.length, ...waitFor(appends, id, settings.callTimeoutMs) })
      if (outgoing.push({ id, probe, boot, lane, sequence, arrivedMs, body }) === 1) queueMicrotask(flush)
    })
  }

  function call<R extends Request>(request: R, timeoutMs = settings.callTimeoutMs): Promise<ReplyTo<R>> {
    if (dead !== undefined) return Promise.reject(dead)
    const id = nextId++
    const reply = new Promise<Reply>((resolve, reject) => {
      calls.set(id, { resolve, reject, ...waitFor(calls, id, timeoutMs) })
      // Batches given before must reach the worker before.
      if (outgoing.length > 0) flush()
      send({ kind: 'call', id, nowMs: settings.now(), request })
    })
    return reply.then(answer => replyTo(request, answer))
  }

  function settleAppends(ids: readonly number[], settle: (waiting: Waiting<Appended>, index: number) => void): void {
    ids.forEach((id, index) => {
      const waiting = appends.get(id)
      if (waiting === undefined) return
      appends.delete(id)
      queuedBytes -= waiting.bytes
      clearTimeout(waiting.timer)
      settle(waiting, index)
    })
  }

  function settleCall(id: number, settle: (waiting: Waiting<Reply>) => void): void {
    const waiting = calls.get(id)
    calls.delete(id)
    clearTimeout(waiting?.timer)
    if (waiting !== undefined) settle(waiting)
  }

  function end(error: Error): void {
    dead ??= error
    settleAppends([...appends.keys()], waiting => waiting.reject(error))
    for (const id of [...calls.keys()]) settleCall(id, waiting => waiting.reject(error))
  }

  return new Promise((opened, refused) => {
    const { promise: ended, resolve: hasEnded } = Promise.withResolvers<void>()
    const finish = (): void => {
      clearTimeout(openTimer)
      const closed = new SampleStoreFailed('Le magasin de mesures est fermé.')
      end(closed)
      refused(closed)
      hasEnded()
    }
    /** The thread of a store that was closed, or never opened, serves the next one. */
    const giveBack = (): void => {
      if (settings.threads === undefined) return
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
      settings.threads.giveBack(worker)
      finish()
    }
    const openTimer = setTimeout(() => {
      worker.terminate()
      refused(new SampleStoreFailed('Le magasin de mesures ne s’ouvre pas.'))
    }, OPEN_TIMEOUT_MS)
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'ready':
          clearTimeout(openTimer)
          opened({ append, call, ended })
          break
        case 'refused':
          clearTimeout(openTimer)
          refused(errorOfFault(message.fault))
          giveBack()
          break
        case 'acks':
          settleAppends(message.ids, (waiting, i) => {
            const position = message.positions[i] ?? 0
            waiting.resolve({ position, duplicate: position === 0 })
          })
          break
        case 'nacks':
          settleAppends(message.ids, waiting => waiting.reject(errorOfFault(message.fault)))
          break
        case 'reply':
          settleCall(message.id, waiting => waiting.resolve(message.reply))
          if (message.reply.op === 'close') giveBack()
          break
        case 'error':
          settleCall(message.id, waiting => waiting.reject(errorOfFault(message.fault)))
          break
        case 'log':
          settings.log?.(message.entry)
      }
    })
    worker.on('error', error => {
      clearTimeout(openTimer)
      const failure = new SampleStoreFailed(`Le magasin de mesures s’est arrêté : ${messageOf(error)}`)
      settings.log?.({ level: 'fatal', message: failure.message })
      end(failure)
      refused(failure)
    })
    worker.on('exit', finish)
    send({ kind: 'open', settings: workerSettings(settings), stays: settings.threads !== undefined })
  })
}

const startWorker = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'narval-samples',
    // Sealing makes short-lived garbage by the million: a larger nursery only holds 100 MB more of it.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })

const workerSettings = (settings: Settings): WorkerSettings => ({
  folder: settings.folder,
  sealAfterMs: settings.sealAfterMs,
  sealAfterBytes: settings.sealAfterBytes,
  journalMaxBytes: settings.journalMaxBytes,
  retention: settings.retention,
  failpoints: settings.failpoints,
})

function assertKey({ probe, boot, sequence, arrivedMs }: Batch): void {
  if (!Number.isSafeInteger(probe) || boot.length === 0 || boot.length > 200)
    throw new RangeError('probe and boot must identify a run')
  if (!Number.isSafeInteger(sequence) || sequence < 1) throw new RangeError('sequence starts at 1')
  if (!Number.isSafeInteger(arrivedMs)) throw new RangeError('arrivedMs must be whole milliseconds')
}

/** The worker answers each operation with its own kind of reply: checked here, once, where types can't follow. */
function replyTo<R extends Request>(request: R, reply: Reply): ReplyTo<R> {
  if (reply.op !== request.op) throw new TypeError(`reply ${reply.op} to ${request.op}`)
  return reply as ReplyTo<R>
}
