/**
 * What the rest of the server knows of the place where measures live. The embedded engine (`embedded.ts`) and, later, a
 * Prometheus-compatible one keep the same contract, held by one set of tests (`sample-store.contract.ts`).
 * Times are epoch milliseconds (probe's clock for `at`, server's for `arrivedMs`); series are metric ids (1 … 2²⁴ − 1).
 */

export type Lane = 'live' | 'backlog'

/**
 * What makes a batch unique: the same key posted again is the same batch and changes nothing. A sequence at or below the
 * last one stored is a duplicate, so a sender posts the next only once the one before is acknowledged or dropped.
 */
export interface BatchKey {
  readonly probe: number
  /** Drawn by the probe at each start; a new boot starts its sequences again at 1. */
  readonly boot: string
  readonly lane: Lane
  readonly sequence: number
}

/** Parallel columns, one entry a sample. Values are finite; `atMs` are whole milliseconds. */
export interface SampleColumns {
  readonly series: Int32Array
  readonly atMs: Float64Array
  readonly value: Float64Array
}

export interface Batch extends BatchKey {
  readonly arrivedMs: number
  readonly samples: SampleColumns
  /** Opaque to the store: what evaluation needs beside the samples (runs, errors, texts), given back by `replay`. */
  readonly attachment: Uint8Array
}

export interface StoredBatch extends Batch {
  /** Place in the journal, strictly rising, never used again. */
  readonly position: number
}

export interface Appended {
  readonly position: number
  /** True when this key was stored before: nothing was written, `position` is 0. */
  readonly duplicate: boolean
}

export type Aggregate = 'avg' | 'min' | 'max' | 'last'

export interface RangeQuery {
  readonly series: readonly number[]
  /** Inclusive. From 5 min up the range reaches out to whole periods at both ends. */
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** At most this many points a series (1 … 20,000): the store picks raw, 5 min or 1 h and regroups into equal steps. */
  readonly points: number
  readonly aggregate: Aggregate
  /**
   * `raw` gives the stored samples as they are, however many, without regrouping (counters whose rate is computed by the
   * caller); an answer past 2,000,000 points in all is refused with a RangeError.
   */
  readonly resolution?: 'auto' | 'raw'
}

export interface SeriesRange {
  readonly series: number
  readonly atMs: Float64Array
  readonly value: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  /** How many samples each point stands for. */
  readonly count: Float64Array
}

export interface RangeAnswer {
  /** Width of a point in ms; 0 when the points are the samples themselves. */
  readonly stepMs: number
  readonly series: readonly SeriesRange[]
}

export interface LastSample {
  readonly series: number
  readonly atMs: number
  readonly value: number
}

/** Days kept, per resolution. */
export interface Retention {
  readonly rawDays: number
  readonly fiveMinutesDays: number
  readonly hourDays: number
}

export interface SampleStoreStats {
  readonly journalBytes: number
  readonly journalBatches: number
  readonly sealedThrough: number
  readonly appliedThrough: number
  readonly headSamples: number
  readonly rawFiles: number
  readonly rawBytes: number
  readonly rollupBytes: number
  /** Samples refused because older than the raw retention. */
  readonly tooOld: number
  readonly lastError: string | null
}

export interface SampleStore {
  /**
   * Resolves once the batch is on disk (fsynced) and answered by reads. Rejects with {@link SampleStoreBusy} when its queue or the
   * disk is full (send it again), with RangeError when a sample can't be (never send it again), with another error when nothing
   * will be acknowledged before a restart. The arrays stay the caller's.
   */
  append(batch: Batch): Promise<Appended>
  /** The last sequence stored for a probe's boot and lane, 0 when none. */
  lastSequence(key: Omit<BatchKey, 'sequence'>): Promise<number>
  range(query: RangeQuery): Promise<RangeAnswer>
  /** Newest sample of each series asked; series without any are absent. */
  last(series: readonly number[]): Promise<readonly LastSample[]>
  /** Batches after a position, in journal order, at most `limit` of them. */
  replay(afterPosition: number, limit: number): Promise<readonly StoredBatch[]>
  /** Evaluation has committed everything up to here: the journal may let go of what is also sealed. */
  applied(position: number): Promise<void>
  /** Forgets the series: later reads find nothing (their room comes back with retention). */
  forget(series: readonly number[]): Promise<void>
  /** From now on measures are kept so long; what is over goes with the next nightly pass, and nothing comes back. */
  retain(retention: Retention): Promise<void>
  stats(): Promise<SampleStoreStats>
  /** Seals nothing by force: flushes, closes the files, ends the worker. */
  close(): Promise<void>
}

/** The queue of writes is full or the disk refuses: answer 503 with Retry-After, acknowledge nothing. */
export class SampleStoreBusy extends Error {
  override readonly name = 'SampleStoreBusy'
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}
