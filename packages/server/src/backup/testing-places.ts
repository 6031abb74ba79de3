import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { Config } from '../config.ts'
import { openDataFolder } from '../data-folder.ts'
import { openEmbeddedSampleStore } from '../samples/embedded.ts'
import { batchNumber } from '../samples/kill-fleet.ts'
import { type Database, openPostgres, openSqlite } from '../store/database.ts'
import { migrate } from '../store/migrator.ts'
import type { Schema } from '../store/schema.ts'
import { allRows, fillRows } from '../testing/fill-rows.ts'
import { POSTGRES_URL } from '../testing/test-database.ts'
import { type BackupOptions, createBackup } from './create.ts'
import { filesWithin } from './files.ts'
import { restoreBackup } from './restore.ts'

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
export type Place = Pick<Config, 'dataFolder' | 'databaseUrl' | 'secretKeys'>
export const placeOf = (dataFolder: string, databaseUrl: string | null = null): Place => ({
  ...{ dataFolder, databaseUrl, secretKeys: { kind: 'folder' } },
})
let clock = Date.UTC(2026, 10, 22, 12)
/** Names of backups are of the second. */
export const now = (): number => {
  clock += 1_000
  return clock
}
export const backUp = (config: Place, destination: string, more: Partial<BackupOptions> = {}) =>
  createBackup({ ...{ config, destination, keys: true, now }, ...more })
export const restore = (
  config: Place,
  backup: string,
  more: { replace?: boolean; keys?: string; withoutKeys?: boolean } = {},
) => restoreBackup({ ...{ config, backup, replace: false, keys: null, withoutKeys: false, now }, ...more })

/** A schema of its own, by a URL that names it. */
export const newSchema = async (): Promise<string> => {
  const schema = `test_${process.env.NARVAL_TEST_RUN ?? 0}_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: POSTGRES_URL ?? '' })
  await client.connect()
  await client.query(`create schema ${schema}`)
  onTestFinished(async () => {
    await client.query(`drop schema ${schema} cascade`)
    await client.end()
  })
  return `${POSTGRES_URL}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
}
export const open = (config: Place): Promise<Database> =>
  config.databaseUrl === null ? openSqlite(join(config.dataFolder, 'narval.db')) : openPostgres(config.databaseUrl)

/** A data folder with its keys, a database in which every table has rows, and a few measures. */
export const newPlace = async (dialect: 'sqlite' | 'postgres', batches = 3): Promise<Place> => {
  const config = placeOf(join(newFolder(), 'data'), dialect === 'postgres' ? await newSchema() : null)
  const folder = openDataFolder(config.dataFolder)
  writeFileSync(join(folder.path, 'secrets/secret-keys.txt'), `${randomBytes(32).toString('base64')}\n`)
  writeFileSync(join(folder.path, 'journal-fin.json'), '{"position":1,"seal":"x"}')
  mkdirSync(join(folder.path, 'probe'))
  for (const name of ['identity.json', 'spool.db', 'enrolment-code'])
    writeFileSync(join(folder.path, 'probe', name), name)
  const database = await open(config)
  await fillRows(database.db, dialect, 1)
  await sql`insert into position (name, position) values ('applied', ${batches})`.execute(database.db)
  await database.close()
  const samples = await openEmbeddedSampleStore({ folder: join(folder.path, 'samples') })
  for (let n = 1; n <= batches; n++) await samples.append(batchNumber(n))
  await samples.close()
  folder.release()
  return config
}

/** Everything in a folder, by name. */
export const contentOf = async (folder: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await filesWithin(folder))
      .filter(path => !/^narval\.(lock|pid)/.test(path))
      .map(path => [
        path,
        createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex'),
      ]),
  )

/** A place whose database stands before a step, a row in each of its tables. */
export const placeAt = async (dialect: 'sqlite' | 'postgres', step: string): Promise<Place> => {
  const config = placeOf(join(newFolder(), 'data'), dialect === 'postgres' ? await newSchema() : null)
  openDataFolder(config.dataFolder).release()
  const { db, end } = await bare(config)
  await migrate(db, dialect, step)
  await fillRows(db, dialect, 1)
  await end()
  return config
}
export const rowsAt = async (config: Place, dialect: 'sqlite' | 'postgres') => {
  const { db, end } = await bare(config)
  const rows = await allRows(db, dialect)
  await end()
  return rows
}
/** The database as it stands: nothing is brought up to date. */
export const bare = async (config: Place) => {
  if (config.databaseUrl === null) {
    const connection = new SqliteDatabase(join(config.dataFolder, 'narval.db'))
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) })
    return { db, end: () => db.destroy() }
  }
  const pool = new pg.Pool({ connectionString: config.databaseUrl, max: 1 })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return { db, end: () => db.destroy() }
}
