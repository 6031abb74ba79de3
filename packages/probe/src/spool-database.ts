import Database from 'better-sqlite3'
import { fr } from './fr.ts'

export type Lane = 'live' | 'backlog'

const SCHEMA_VERSION = 2
/** From one version to the next; a released one never changes. */
const SCHEMAS = [
  `
CREATE TABLE result (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE batch (
  id INTEGER PRIMARY KEY, boot TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL,
  count INTEGER NOT NULL, oldest INTEGER, results TEXT NOT NULL, UNIQUE (boot, lane, sequence)
) STRICT;
CREATE TABLE quarantine (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, boot TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL,
  count INTEGER NOT NULL, status INTEGER NOT NULL, reason TEXT NOT NULL, results TEXT NOT NULL
) STRICT;
`,
  // Losses are told to the server even when the probe restarts before it can.
  `
CREATE TABLE loss (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL) STRICT;
INSERT INTO loss VALUES (1, 0);
`,
]

/** Opens the file alone, in WAL with every commit on disk; refused rather than less (rule 1). */
export const openSpoolDatabase = (file: string): Database.Database => {
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
    if (version < SCHEMA_VERSION) migrate(db, version)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const migrate = (db: Database.Database, from: number): void => {
  db.transaction(() => {
    for (const schema of SCHEMAS.slice(from)) db.exec(schema)
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  }).immediate()
}

interface Row {
  readonly id: number
  readonly at: number
  readonly body: string
}
export interface SizeRow {
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

export type SpoolStatements = ReturnType<typeof spoolStatements>
/** Every statement of the spool, prepared. */
export const spoolStatements = (db: Database.Database) => ({
  append: db.prepare<[number, number, string]>('INSERT INTO result (id, at, body) VALUES (?, ?, ?)'),
  from: db.prepare<[number, number], Row>('SELECT id, at, body FROM result WHERE id >= ? ORDER BY id LIMIT ?'),
  before: db.prepare<[number, number], Row>('SELECT id, at, body FROM result WHERE id < ? ORDER BY id LIMIT ?'),
  oldest: db.prepare<[number], SizeRow>('SELECT id, at, octet_length(body) AS bytes FROM result ORDER BY id LIMIT ?'),
  newestFirst: db.prepare<[], SizeRow>('SELECT id, at, 0 AS bytes FROM result ORDER BY id DESC'),
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
  lose: db.prepare<[number]>('UPDATE loss SET count = count + ?'),
  lost: db.prepare<[], { readonly count: number }>('SELECT count FROM loss'),
  quarantined: db.prepare<[], { readonly last: number | null }>('SELECT max(id) AS last FROM quarantine'),
})
