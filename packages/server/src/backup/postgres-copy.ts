import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { migrationStatements } from '../store/migrator.ts'
import { writeSynced } from './files.ts'
import { BackupRefused } from './refused.ts'
import type { DatabaseFacts } from './sqlite-copy.ts'
import type { Swapped } from './swap.ts'

/** Rows asked for at once, and bytes given back at once. */
const ROWS = 2_000
const BYTES = 4 << 20
const SEQUENCES = 'sequences.json'
const NAME = /^[a-z_][a-z0-9_]*$/

/** A connection without the server's time limits. */
const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: 'narval-sauvegarde' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Copies all tables of the URL's schema as one transaction sees them: a file of JSON lines each, compressed. Needs nothing
 * but the driver, and any PostgreSQL reads it back.
 */
export const copyPostgres = async (url: string, folder: string): Promise<DatabaseFacts> => {
  const client = await connect(url)
  try {
    await client.query('begin isolation level repeatable read, read only')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const table of await tablesOf(client)) await copyTable(client, table, join(folder, `${table}.ndjson.gz`))
    await writeSynced(join(folder, SEQUENCES), JSON.stringify(await sequencesOf(client)))
    return await factsOf(client)
  } finally {
    await client.end()
  }
}

/** What a database says of itself; no migrations when it is empty. */
export const postgresFacts = async (url: string): Promise<DatabaseFacts> => {
  const client = await connect(url)
  try {
    return (await tablesOf(client)).includes('migration') ? await factsOf(client) : { migrations: [], applied: 0 }
  } finally {
    await client.end()
  }
}

const tablesOf = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`,
  )
  return rows.map(row => row.name).filter(name => NAME.test(name))
}

const factsOf = async (client: pg.Client): Promise<DatabaseFacts> => {
  const migrations = await client.query<{ name: string }>('select name from migration order by name')
  const applied = await client.query<{ position: string }>(`select position from position where name = 'applied'`)
  return { migrations: migrations.rows.map(row => row.name), applied: Number(applied.rows[0]?.position ?? 0) }
}

const copyTable = async (client: pg.Client, table: string, path: string): Promise<void> => {
  const zip = createGzip({ level: 1 })
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  zip.pipe(file)
  zip.on('error', error => file.destroy(error))
  const written = finished(file)
  written.catch(() => undefined)
  await client.query(`declare slice no scroll cursor for select row_to_json(t)::text as line from "${table}" t`)
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS} from slice`)
    if (rows.length === 0) break
    const taken = zip.write(rows.map(row => `${row.line}\n`).join(''))
    if (!taken) await Promise.race([once(zip, 'drain'), written])
  }
  await client.query('close slice')
  zip.end()
  await written
}

interface Sequence {
  readonly table: string
  readonly column: string
  readonly last: string
}

/** Numbers never come back: what was deleted last has had the next one. */
const sequencesOf = async (client: pg.Client): Promise<Sequence[]> => {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''`,
  )
  const found: Sequence[] = []
  for (const { table, column, sequence } of rows) {
    const last = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${sequence}`,
    )
    if (last.rows[0]?.called === true) found.push({ table, column, last: last.rows[0].last })
  }
  return found
}

export interface Loading {
  /** Folder of the copied tables. */
  readonly folder: string
  readonly migrations: readonly string[]
  /** What is there goes first. */
  readonly replace: boolean
  /** Run once all is loaded and before any of it counts: a throw leaves the database as it was; undone when that fails. */
  readonly last: () => Swapped
}

/**
 * Loads what `copyPostgres` has copied into the URL's schema, in one transaction: whole or not at all.
 * @throws {BackupRefused} when tables of Narval are there and may not be replaced.
 */
export const loadPostgres = async (url: string, { folder, migrations, replace, last }: Loading): Promise<Swapped> => {
  const client = await connect(url)
  let swapped: Swapped | null = null
  try {
    await client.query('begin')
    await clear(client, replace)
    await client.query('create table migration (name text primary key, applied_at text not null)')
    for (const statement of migrationStatements('postgres', migrations)) await client.query(statement)
    const tables = await tablesOf(client)
    // Some migrations bring rows; those of the copy are all there were.
    for (const table of tables) await client.query(`delete from "${table}"`)
    const links = await takeLinks(client)
    for (const table of tables) await loadTable(client, table, join(folder, `${table}.ndjson.gz`))
    for (const link of links) await client.query(link)
    await setSequences(client, join(folder, SEQUENCES))
    swapped = last()
    await client.query('commit')
    return swapped
  } catch (error) {
    swapped?.undo()
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await client.end()
  }
}

/** Whether the URL's schema has tables that Narval makes. */
export const hasTables = async (url: string): Promise<boolean> => {
  const client = await connect(url)
  try {
    return (await ownTables(client)).length > 0
  } finally {
    await client.end()
  }
}

/** Others' tables in the same schema are none of ours. */
const ownTables = async (client: pg.Client): Promise<string[]> => {
  const made = migrationStatements('postgres', null).flatMap(
    statement => /^create table (\w+)/.exec(statement)?.[1] ?? [],
  )
  const own = new Set(['migration', ...made])
  return (await tablesOf(client)).filter(table => own.has(table))
}

const clear = async (client: pg.Client, replace: boolean): Promise<void> => {
  const own = await ownTables(client)
  if (own.length === 0) return
  if (!replace) throw new BackupRefused('La base de DATABASE_URL contient déjà des données de Narval.')
  await client.query(`drop table ${own.map(table => `"${table}"`).join(', ')} cascade`)
}

/** Takes the foreign keys away, so that rows may come in any order; gives what puts them back, and checks them. */
const takeLinks = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c where c.connamespace = current_schema()::regnamespace and c.contype = 'f'`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`)
}

const loadTable = async (client: pg.Client, table: string, path: string): Promise<void> => {
  let lines: string[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return
    const rows = `[${lines.join(',')}]`
    lines = []
    bytes = 0
    await client.query(`insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`, [rows])
  }
  await pipeline(createReadStream(path), createGunzip(), async parts => {
    for await (const line of linesOf(parts)) {
      lines.push(line)
      bytes += line.length
      if (lines.length >= ROWS || bytes >= BYTES) await flush()
    }
  })
  await flush()
}

/** By line feeds alone: `readline` also cuts at U+2028, which texts may have. */
async function* linesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const part of parts) {
    const lines = (rest + decoder.write(part)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

const setSequences = async (client: pg.Client, path: string): Promise<void> => {
  const sequences: readonly Sequence[] = JSON.parse(await readFile(path, 'utf8'))
  for (const { table, column, last } of sequences)
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint)', [table, column, last])
}
