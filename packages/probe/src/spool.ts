import { BATCH_MAX_BYTES, BATCH_MAX_RESULTS, LIVE_MAX_AGE_MS } from '@narval/contracts'
import Database from 'better-sqlite3'
import { fr } from './fr.ts'

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

export type Lane = 'live' | 'backlog'
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
  /** Results lost because the spool was full or they were too old, since it was opened. */
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
}

export const SPOOL_DEFAULTS = {
  maxBytes: 2 * 1024 ** 3,
  maxAgeMs: 72 * 3_600_000,
  liveAgeMs: LIVE_MAX_AGE_MS - 15_000,
} as const

const SCHEMA_VERSION = 1
const SCHEMA = `
CREATE TABLE result (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE batch (
  id INTEGER PRIMARY KEY, boot TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL,
  count INTEGER NOT NULL, oldest INTEGER, results TEXT NOT NULL, UNIQUE (boot, lane, sequence)
) STRICT;
CREATE TABLE quarantine (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, boot TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL,
  count INTEGER NOT NULL, status INTEGER NOT NULL, reason TEXT NOT NULL, results TEXT NOT NULL
) STRICT;
`

/** Opens the spool, alone: a second opening of the same file is refused with SQLITE_BUSY. */
export const openSpool = (options: SpoolOptions): Spool => {
  const db = openDatabase(options.file)
  return createSpool(db, options, statements(db))
}

const openDatabase = (file: string): Database.Database => {
  const db = new Database(file, { timeout: 0 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    if (db.pragma('journal_mode', { simple: true }) !== 'wal' || db.pragma('synchronous', { simple: true }) !== 2) {
      throw new Error(fr.spool.notDurable)
    }
    db.pragma('journal_size_limit = 67108864')
    const version = Number(db.pragma('user_version', { simple: true }))
    if (version > SCHEMA_VERSION) throw new Error(fr.spool.newer)
    if (version < SCHEMA_VERSION) migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const migrate = (db: Database.Database): void => {
  db.transaction(() => {
    db.exec(SCHEMA)
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  }).immediate()
}

interface Row {
  readonly id: number
  readonly at: number
  readonly body: string
}
interface Sizes {
  readonly id: number
  readonly at: number
  readonly bytes: number
}
interface BatchRow {
  readonly id: number
  readonly boot: string
  readonly lane: Lane
  readonly sequence: number
  readonly count: number
  readonly results: string
  readonly oldest: number | null
}
interface Totals {
  readonly count: number
  readonly bytes: number
  readonly last: number
}

type Statements = ReturnType<typeof statements>
const statements = (db: Database.Database) => ({
  append: db.prepare<[number, number, string]>('INSERT INTO result (id, at, body) VALUES (?, ?, ?)'),
  from: db.prepare<[number, number], Row>('SELECT id, at, body FROM result WHERE id >= ? ORDER BY id LIMIT ?'),
  before: db.prepare<[number, number], Row>('SELECT id, at, body FROM result WHERE id < ? ORDER BY id LIMIT ?'),
  oldest: db.prepare<[number], Sizes>('SELECT id, at, octet_length(body) AS bytes FROM result ORDER BY id LIMIT ?'),
  newestFirst: db.prepare<[], Sizes>('SELECT id, at, 0 AS bytes FROM result ORDER BY id DESC'),
  removeThrough: db.prepare<[number]>('DELETE FROM result WHERE id <= ?'),
  removeBetween: db.prepare<[number, number]>('DELETE FROM result WHERE id BETWEEN ? AND ?'),
  totals: db.prepare<[], Totals>(
    'SELECT count(*) AS count, coalesce(sum(octet_length(body)), 0) AS bytes, coalesce(max(id), 0) AS last FROM result',
  ),
  form: db.prepare<[string, Lane, number, number, number | null, string]>(
    'INSERT INTO batch (boot, lane, sequence, count, oldest, results) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  formed: db.prepare<[Lane], BatchRow>('SELECT * FROM batch WHERE lane = ? ORDER BY id LIMIT 1'),
  batches: db.prepare<
    [],
    { readonly id: number; readonly count: number; readonly oldest: number | null; readonly bytes: number }
  >('SELECT id, count, oldest, octet_length(results) AS bytes FROM batch ORDER BY id'),
  removeBatchId: db.prepare<[number]>('DELETE FROM batch WHERE id = ?'),
  removeBatch: db.prepare<[string, Lane, number]>('DELETE FROM batch WHERE boot = ? AND lane = ? AND sequence = ?'),
  setAside: db.prepare<[number, number, string, string, Lane, number]>(
    `INSERT INTO quarantine (at, boot, lane, sequence, count, status, reason, results)
     SELECT ?, boot, lane, sequence, count, ?, ?, results FROM batch WHERE boot = ? AND lane = ? AND sequence = ?`,
  ),
  trimQuarantine: db.prepare<[number]>(
    'DELETE FROM quarantine WHERE id <= (SELECT id FROM quarantine ORDER BY id DESC LIMIT 1 OFFSET ?)',
  ),
  quarantined: db.prepare<[], { readonly last: number | null }>('SELECT max(id) AS last FROM quarantine'),
})

/** Batches set aside that are kept for a person to look at; more are still counted. */
export const QUARANTINE_KEPT = 20
/** What a row costs beside its text. */
const ROW_BYTES = 24
/** Room left in a batch for what surrounds its results. */
const ENVELOPE_BYTES = 16 * 1024
/** Oldest results that are dropped at once when the spool is full. */
const DROP_CHUNK = 1_000
/** How often what is too old is looked for. */
const EXPIRY_MS = 60_000

const createSpool = (db: Database.Database, options: SpoolOptions, sql: Statements): Spool => {
  const sequences: Record<Lane, number> = { live: 0, backlog: 0 }
  let dropped = 0
  let expiredAtMs = Number.NEGATIVE_INFINITY
  let queued = { count: 0, bytes: 0 }
  let lastId = 0
  /** Results from this id on are for the live lane, those before for the backlog. Null: to be found. */
  let liveFrom: number | null = null

  const reload = (): void => {
    const totals = sql.totals.get() ?? { count: 0, bytes: 0, last: 0 }
    lastId = totals.last
    queued = { count: totals.count, bytes: totals.bytes + totals.count * ROW_BYTES }
    liveFrom = null
  }
  const take = (count: number, bytes: number): void => {
    queued = { count: queued.count - count, bytes: queued.bytes - bytes - count * ROW_BYTES }
  }

  /** Drops results from the oldest on while `isExcess`; gives how many. */
  const dropOldest = (isExcess: (row: Sizes, droppedBytes: number) => boolean): void => {
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
      dropped += count
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
      dropped += batch.count
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
    const rows = lane === 'live' ? sql.from.all(border, BATCH_MAX_RESULTS) : sql.before.all(border, BATCH_MAX_RESULTS)
    const bodies: string[] = []
    let bytes = 0
    let oldest: number | null = null
    for (const row of rows) {
      const size = Buffer.byteLength(row.body) + 1
      if (bodies.length > 0 && bytes + size > BATCH_MAX_BYTES - ENVELOPE_BYTES) break
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
