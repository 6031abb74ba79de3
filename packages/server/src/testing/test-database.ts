import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { attachAuditKey } from '../store/audit-seal.ts'
import { type Database, openPostgres, openSqlite } from '../store/database.ts'
import type { Dialect } from '../store/dialect.ts'

/** URL of the PostgreSQL that tests may use; without it they run on SQLite alone. */
export const POSTGRES_URL = process.env.NARVAL_TEST_POSTGRES ?? null
export const DIALECTS: readonly Dialect[] = POSTGRES_URL === null ? ['sqlite'] : ['sqlite', 'postgres']

interface TestDatabase {
  readonly database: Database
  drop(): Promise<void>
}

/** A database of its own: in memory, or a schema of the PostgreSQL given; empty as a new one is, given back at the end. */
export const openTestDatabase = async (dialect: Dialect): Promise<TestDatabase> => {
  const opened = dialect === 'postgres' ? await openSchema() : await openInMemory()
  attachAuditKey(opened.database.db, new Uint8Array(32))
  return opened
}

/** An empty database as a file holds it: to copy it takes a twentieth of what all its migrations do. */
let image: Buffer | null = null

const openInMemory = async (): Promise<TestDatabase> => {
  const database = await openSqlite(image ?? ':memory:')
  image ??= await imageOf(database)
  return { database, drop: () => database.close() }
}

const imageOf = async ({ db }: Database): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-image-'))
  const file = join(folder, 'empty.db')
  await sql`vacuum into ${file}`.execute(db)
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return bytes
}

interface TestSchema {
  readonly name: string
  /** What stands in it: one that a test has changed is used no more. */
  readonly shape: string
}
/** Those of this process that nobody uses. What makes one takes longer than most tests: it is used again. */
const free: TestSchema[] = []

const openSchema = async (): Promise<TestDatabase> => {
  if (POSTGRES_URL === null) throw new Error('NARVAL_TEST_POSTGRES is not set')
  const known = free.pop()
  const name = known?.name ?? (await createSchema(POSTGRES_URL))
  const database = await openPostgres(POSTGRES_URL, name)
  const schema = known ?? { name, shape: await shapeOf(database, name) }
  return {
    database,
    async drop() {
      await empty(database, name)
      if ((await shapeOf(database, name)) === schema.shape) free.push(schema)
      await database.close()
    },
  }
}

const shapeOf = async ({ db }: Database, schema: string): Promise<string> => {
  const { rows } = await sql<{ shape: string }>`
    select md5(string_agg(concat_ws(' ', relname, relkind, relnatts, relchecks, relhastriggers), ',' order by relname)) as shape
    from pg_class where relnamespace = ${schema}::regnamespace`.execute(db)
  return rows[0]?.shape ?? ''
}

const createSchema = async (url: string): Promise<string> => {
  const schema = `test_${process.env.NARVAL_TEST_RUN ?? 0}_${randomBytes(6).toString('hex')}`
  const { Client } = (await import('pg')).default
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create schema ${schema}`)
  await client.end()
  return schema
}

/** Deletes all rows but those that say which migrations were applied, and has all numbers begin at 1 again. */
const empty = async ({ db }: Database, schema: string): Promise<void> => {
  await sql
    .raw(`do $$
    declare one record;
    begin
      -- Nobody is left to be told of, in whichever order rows go.
      set local session_replication_role = replica;
      for one in select oid::regclass as name, relkind from pg_class
        where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'S') and relname <> 'migration'
      loop
        if one.relkind = 'S' then perform setval(one.name, 1, false);
        elsif pg_relation_size(one.name) > 100000 then execute 'truncate ' || one.name || ' cascade';
        elsif pg_relation_size(one.name) > 0 then execute 'delete from ' || one.name;
        end if;
      end loop;
    end $$`)
    .execute(db)
}
