import type {
  Batch,
  BatchKey,
  RangeAnswer,
  RangeQuery,
  Retention,
  SampleColumns,
  SampleStoreStats,
} from './sample-store.ts'

/** What the worker is started with: all of it can be copied between threads. */
export interface WorkerSettings {
  readonly folder: string
  readonly sealAfterMs: number
  readonly sealAfterBytes: number
  readonly journalMaxBytes: number
  readonly retention: Retention
  readonly failpoints: string | undefined
}

export interface SampleStoreLog {
  readonly level: 'info' | 'warn' | 'error' | 'fatal'
  readonly message: string
}

/** What `journal.db` holds, alone and whole, until it is let go; what comes meanwhile is in its log. */
export interface FrozenJournal {
  readonly lastPosition: number
  readonly sealedThrough: number
}

/** A batch on its way: packed by `batch-pack`, its bytes handed over, not copied. */
export interface AppendItem extends Omit<Batch, 'samples' | 'attachment'> {
  readonly id: number
  readonly body: Uint8Array<ArrayBuffer>
}

/** A batch on its way back from the journal. */
export interface ReplayedItem extends Omit<AppendItem, 'id'> {
  readonly position: number
}

export type Request =
  | { readonly op: 'range'; readonly query: RangeQuery }
  | { readonly op: 'last'; readonly series: readonly number[] }
  | { readonly op: 'lastSequence'; readonly key: Omit<BatchKey, 'sequence'> }
  | { readonly op: 'replay'; readonly after: number; readonly limit: number }
  | { readonly op: 'applied'; readonly position: number }
  | { readonly op: 'forget'; readonly series: readonly number[] }
  | { readonly op: 'retain'; readonly retention: Retention }
  | { readonly op: 'stats' }
  | { readonly op: 'maintain' }
  | { readonly op: 'hold' }
  | { readonly op: 'freeze' }
  | { readonly op: 'letGo' }
  | { readonly op: 'close' }

export type Reply =
  | { readonly op: 'range'; readonly answer: RangeAnswer }
  | { readonly op: 'last'; readonly samples: SampleColumns }
  | { readonly op: 'lastSequence'; readonly sequence: number }
  | { readonly op: 'replay'; readonly batches: readonly ReplayedItem[] }
  | { readonly op: 'stats'; readonly stats: SampleStoreStats }
  | { readonly op: 'freeze'; readonly journal: FrozenJournal }
  | { readonly op: 'applied' | 'forget' | 'retain' | 'maintain' | 'hold' | 'letGo' | 'close' }

/** An error, told across threads. */
export interface ToldFault {
  readonly kind: 'busy' | 'corrupt' | 'failed' | 'locked' | 'range' | 'error'
  readonly message: string
  readonly file?: string
  readonly retryAfterMs?: number
}

/** `nowMs` is the caller's clock: the worker has none of its own. */
export type ToWorker =
  /** A thread that stays waits for the next store once this one is closed; others end. */
  | { readonly kind: 'open'; readonly settings: WorkerSettings; readonly stays: boolean }
  | { readonly kind: 'append'; readonly nowMs: number; readonly items: readonly AppendItem[] }
  | { readonly kind: 'call'; readonly id: number; readonly nowMs: number; readonly request: Request }

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly fault: ToldFault }
  | { readonly kind: 'acks'; readonly ids: readonly number[]; readonly positions: readonly number[] }
  | { readonly kind: 'nacks'; readonly ids: readonly number[]; readonly fault: ToldFault }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply }
  | { readonly kind: 'error'; readonly id: number; readonly fault: ToldFault }
  | { readonly kind: 'log'; readonly entry: SampleStoreLog }
