import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, PostgresDialect, type PostgresPool, SqliteDialect } from 'kysely'
import pg from 'pg'
import type { Dialect } from './dialect.ts'
import { migrate } from './migrator.ts'
import { createRowCounts, type RowCounts } from './row-counts.ts'
import type { Schema } from './schema.ts'
import { preparedOnce, twoConnections } from './sqlite-two-connections.ts'
import { createWriteCount, type WriteCount } from './write-count.ts'

export type Db = Kysely<Schema>

export interface Database {
  readonly db: Db
  readonly dialect: Dialect
  /** Grows with everything that may have changed a row; see `write-count.ts`. */
  readonly writes: () => number
  readonly counts: RowCounts
  close(): Promise<void>
}

/** pg gives bigint as text: ours are epoch ms and ids, below 2⁵³. */
const INT8 = 20
const NUMERIC = 1700

/** Milliseconds after which a statement is given up, so that no request waits for ever on a slow database (rule 7). */
const STATEMENT_TIMEOUT_MS = 15_000

/** Opens the embedded database at a path (or `:memory:`, or what such a file holds, in memory) and brings its schema up to date. */
export const openSqlite = async (path: string | Buffer): Promise<Database> => {
  const inMemory = typeof path !== 'string' || path === ':memory:'
  if (!inMemory) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const connection = new SqliteDatabase(path)
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  tune(connection)
  assertDurable(connection)
  const writes = createWriteCount()
  const prepare = preparedOnce(connection)
  const database = { prepare, close: () => connection.close() }
  const alone = new Kysely<Schema>({ dialect: new SqliteDialect({ database }), log: writes.log })
  await migrate(alone, 'sqlite')
  assertDurable(connection)
  // Nobody else can open what is in memory alone.
  if (inMemory) return databaseOf(alone, 'sqlite', writes)
  const reader = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
  tune(reader)
  const db = new Kysely<Schema>({ dialect: twoConnections(connection, reader), log: writes.log })
  return databaseOf(db, 'sqlite', writes)
}

const tune = (connection: SqliteDatabase.Database): void => {
  connection.pragma('busy_timeout = 5000')
  connection.pragma('cache_size = -32768')
  connection.pragma('temp_store = MEMORY')
}

/** A reopened WAL database falls back to NORMAL by itself: an acknowledgement would no longer mean « on disk ». */
const assertDurable = (connection: SqliteDatabase.Database): void => {
  const level = connection.pragma('synchronous', { simple: true })
  if (level !== 2) throw new Error(`synchronous=${String(level)} au lieu de 2 (FULL)`)
}

/** Opens PostgreSQL 15+ by its URL, or on connections that are there already. */
export const openPostgres = async (source: string | PostgresPool): Promise<Database> => {
  const pool = typeof source === 'string' ? postgresPool(source) : source
  const writes = createWriteCount()
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), log: writes.log })
  await migrate(db, 'postgres')
  return databaseOf(db, 'postgres', writes)
}

/** Connections to PostgreSQL, made when they are asked for; `schema` isolates tests from each other. */
export const postgresPool = (url: string, schema?: string): pg.Pool => {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  types.setTypeParser(NUMERIC, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
    ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
  })
  pool.on('error', () => undefined)
  return pool
}

/** What only reads opens beside the server: nothing is migrated, nothing can be written. */
export interface ReadDatabase {
  readonly db: Db
  close(): Promise<void>
}
export const readSqlite = (path: string): ReadDatabase => {
  const connection = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
  tune(connection)
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) })
  return { db, close: () => db.destroy() }
}
export const readPostgres = (url: string): ReadDatabase => {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: postgresPool(url) }) })
  return { db, close: () => db.destroy() }
}

const databaseOf = (db: Db, dialect: Dialect, writes: WriteCount): Database => ({
  db,
  dialect,
  writes: writes.value,
  counts: createRowCounts(db, writes.value),
  close: () => db.destroy(),
})
