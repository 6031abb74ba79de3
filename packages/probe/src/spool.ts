import type Database from 'better-sqlite3'
import type { Lane, SizeRow } from './spool-database.ts'
import { openSpoolDatabase, type SpoolStatements, spoolStatements } from './spool-database.ts'

/**
 * Results on disk until the server has them (rules 3 and 4, R07, R09–R11, R13). A batch is formed once, in one
 * transaction, with its boot, lane and sequence, and is sent as it is until the server has acknowledged it.
 * Synchronous: it belongs to a worker thread, since a commit waits for the disk.
 */
export interface Spool {
  /** Does everything in one durable transaction; gives what each `take` found. */
  readonly apply: (operations: readonly SpoolOperation[], nowMs: number) => (FormedBatch | null)[]
  readonly stats: () => SpoolStats
  readonly close: () => void
}

export type { Lane }
export interface BatchKey {
  readonly boot: string
  readonly lane: Lane
  readonly sequence: number
}
export interface FormedBatch extends BatchKey {
  readonly count: number
  /** The results as a JSON array: the same bytes at each sending. */
  readonly results: string
}
/** A result as it is kept: when it was measured (epoch ms), and its JSON. */
export interface SpooledResult {
  readonly at: number
  readonly body: string
}
export type SpoolOperation =
  | { readonly kind: 'append'; readonly results: readonly SpooledResult[] }
  /** The lane's batch that is not acknowledged yet, or a new one; `empty` forms one without results when there are none. */
  | { readonly kind: 'take'; readonly lane: Lane; readonly empty: boolean }
  | { readonly kind: 'acknowledge'; readonly batch: BatchKey }
  /** The server will never accept this batch: it is set aside, and the queue goes on. */
  | { readonly kind: 'quarantine'; readonly batch: BatchKey; readonly status: number; readonly reason: string }

export interface SpoolStats {
  /** Results that the server has not acknowledged. */
  readonly backlog: number
  /** When the oldest of them was measured; null when there is none. */
  readonly oldestMs: number | null
  /** Results lost because the spool was full or they were too old, since it was made. */
  readonly dropped: number
  /** Batches set aside, all in all. */
  readonly quarantined: number
  readonly bytes: number
}

export interface SpoolOptions {
  readonly file: string
  /** Names this run of the probe: sequences start anew with it. */
  readonly bootId: string
  readonly maxBytes: number
  readonly maxAgeMs: number
  /** Results younger than this go to the live lane; a little less than the wire's limit, for the time of sending. */
  readonly liveAgeMs: number
  /** Most results, and bytes of JSON, in a batch. */
  readonly batchMaxResults: number
  readonly batchMaxBytes: number
}

/** Opens the spool, alone: a second opening of the same file is refused with SQLITE_BUSY. */
export const openSpool = (options: SpoolOptions): Spool => {
  const db = openSpoolDatabase(options.file)
  try {
    return createSpool(db, options, spoolStatements(db))
  } catch (error) {
    db.close()
    throw error
  }
}

/** Batches set aside that are kept for a person to look at; more are still counted. */
export const QUARANTINE_KEPT = 20
/** What a row costs beside its text. */
const ROW_BYTES = 24
/** Oldest results that are dropped at once when the spool is full. */
const DROP_CHUNK = 1_000
/** How often what is too old is looked for. */
const EXPIRY_MS = 60_000

const createSpool = (db: Database.Database, options: SpoolOptions, sql: SpoolStatements): Spool => {
  const sequences: Record<Lane, number> = { live: 0, backlog: 0 }
  let dropped = 0
  let expiredAtMs = Number.NEGATIVE_INFINITY
  let queued = { count: 0, bytes: 0 }
  let lastId = 0
  /** Results from this id on are for the live lane, those before for the backlog. Null: to be found. */
  let liveFrom: number | null = null

  const lose = (count: number): void => {
    sql.lose.run(count)
    dropped += count
  }
  const reload = (): void => {
    dropped = sql.lost.get()?.count ?? 0
    const totals = sql.totals.get() ?? { count: 0, bytes: 0, last: 0 }
    lastId = totals.last
    queued = { count: totals.count, bytes: totals.bytes + totals.count * ROW_BYTES }
    liveFrom = null
  }
  const take = (count: number, bytes: number): void => {
    queued = { count: queued.count - count, bytes: queued.bytes - bytes - count * ROW_BYTES }
  }

  /** Drops results from the oldest on while `isExcess`; gives how many. */
  const dropOldest = (isExcess: (row: SizeRow, droppedBytes: number) => boolean): void => {
    for (;;) {
      let [count, bytes, last] = [0, 0, 0]
      const rows = sql.oldest.all(DROP_CHUNK)
      for (const row of rows) {
        if (!isExcess(row, bytes + count * ROW_BYTES)) break
        count += 1
        bytes += row.bytes
        last = row.id
      }
      if (count === 0) return
      sql.removeThrough.run(last)
      take(count, bytes)
      lose(count)
      if (count < rows.length || rows.length < DROP_CHUNK) return
    }
  }

  const expire = (nowMs: number): void => {
    if (nowMs - expiredAtMs < EXPIRY_MS) return
    expiredAtMs = nowMs
    const limit = nowMs - options.maxAgeMs
    dropOldest(row => row.at < limit)
    for (const batch of sql.batches.all()) {
      if (batch.oldest === null || batch.oldest >= limit) continue
      sql.removeBatchId.run(batch.id)
      lose(batch.count)
    }
  }

  const append = (results: readonly SpooledResult[]): void => {
    let bytes = 0
    for (const result of results) {
      // Ids only grow while the spool is open: an emptied table would begin again below the live border.
      lastId += 1
      sql.append.run(lastId, result.at, result.body)
      bytes += Buffer.byteLength(result.body) + ROW_BYTES
    }
    queued = { count: queued.count + results.length, bytes: queued.bytes + bytes }
    const excess = queued.bytes - options.maxBytes
    if (excess > 0) dropOldest((_row, droppedBytes) => droppedBytes < excess)
  }

  /** Moves the border between the lanes over what has grown old. */
  const ageLive = (nowMs: number): number => {
    const limit = nowMs - options.liveAgeMs
    if (liveFrom === null) {
      let border = 0
      for (const row of sql.newestFirst.iterate()) {
        if (row.at >= limit) continue
        border = row.id + 1
        break
      }
      liveFrom = border
    }
    for (;;) {
      const rows = sql.from.all(liveFrom, 200)
      const fresh = rows.findIndex(row => row.at >= limit)
      const old = fresh < 0 ? rows.length : fresh
      if (old > 0) liveFrom = (rows[old - 1]?.id ?? 0) + 1
      if (fresh >= 0 || rows.length < 200) return liveFrom
    }
  }

  const form = (lane: Lane, empty: boolean, nowMs: number): FormedBatch | null => {
    const border = ageLive(nowMs)
    const rows =
      lane === 'live' ? sql.from.all(border, options.batchMaxResults) : sql.before.all(border, options.batchMaxResults)
    const bodies: string[] = []
    let bytes = 0
    let oldest: number | null = null
    for (const row of rows) {
      const size = Buffer.byteLength(row.body) + 1
      if (bodies.length > 0 && bytes + size > options.batchMaxBytes) break
      bodies.push(row.body)
      bytes += size
      oldest = Math.min(oldest ?? row.at, row.at)
    }
    const [first, last] = [rows[0], rows[bodies.length - 1]]
    if (first === undefined || last === undefined) {
      if (!empty) return null
    } else {
      sql.removeBetween.run(first.id, last.id)
      take(bodies.length, bytes - bodies.length)
      if (lane === 'live') liveFrom = last.id + 1
    }
    sequences[lane] += 1
    const results = `[${bodies.join(',')}]`
    sql.form.run(options.bootId, lane, sequences[lane], bodies.length, oldest, results)
    return { boot: options.bootId, lane, sequence: sequences[lane], count: bodies.length, results }
  }

  const perform = (operation: SpoolOperation, nowMs: number): FormedBatch | null => {
    switch (operation.kind) {
      case 'append':
        append(operation.results)
        return null
      case 'take':
        return sql.formed.get(operation.lane) ?? form(operation.lane, operation.empty, nowMs)
      case 'quarantine': {
        const { boot, lane, sequence } = operation.batch
        sql.setAside.run(nowMs, operation.status, operation.reason.slice(0, 1_000), boot, lane, sequence)
        sql.trimQuarantine.run(QUARANTINE_KEPT)
        sql.removeBatch.run(boot, lane, sequence)
        return null
      }
      case 'acknowledge':
        sql.removeBatch.run(operation.batch.boot, operation.batch.lane, operation.batch.sequence)
        return null
    }
  }

  const applyAll = db.transaction((operations: readonly SpoolOperation[], nowMs: number): (FormedBatch | null)[] => {
    expire(nowMs)
    const taken: (FormedBatch | null)[] = []
    for (const operation of operations) {
      const found = perform(operation, nowMs)
      if (operation.kind === 'take') taken.push(found)
    }
    return taken
  })

  reload()
  return {
    apply: (operations, nowMs) => {
      try {
        return applyAll(operations, nowMs)
      } catch (error) {
        reload()
        throw error
      }
    },
    stats: () => {
      const formed = sql.batches.all()
      const first = sql.oldest.get(1)
      const ages = [...formed.map(batch => batch.oldest), first?.at ?? null].filter(at => at !== null)
      return {
        backlog: queued.count + formed.reduce((sum, batch) => sum + batch.count, 0),
        oldestMs: ages.length === 0 ? null : Math.min(...ages),
        dropped,
        quarantined: sql.quarantined.get()?.last ?? 0,
        bytes: queued.bytes + formed.reduce((sum, batch) => sum + batch.bytes, 0),
      }
    },
    close: () => db.close(),
  }
}
