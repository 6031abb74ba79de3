import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { attachAuditKey } from '../store/audit-seal.ts'
import { type Database, openPostgres, openSqlite, postgresPool } from '../store/database.ts'
import type { Dialect } from '../store/dialect.ts'
import { backwards } from './backwards.ts'

/** URL of the PostgreSQL that tests may use; without it they run on SQLite alone. */
export const POSTGRES_URL = process.env.NARVAL_TEST_POSTGRES ?? null
export const DIALECTS: readonly Dialect[] = POSTGRES_URL === null ? ['sqlite'] : ['sqlite', 'postgres']

interface TestDatabase {
  readonly database: Database
  drop(): Promise<void>
}

/**
 * A database of its own: in memory, where rows without an order come backwards, or a schema of the PostgreSQL given; empty
 * as a new one is, given back at the end.
 */
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
  return { database: { ...database, db: database.db.withPlugin(backwards()) }, drop: () => database.close() }
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
  /** Its connections: a new one takes PostgreSQL longer than most of what is asked of it. */
  readonly pool: ReturnType<typeof postgresPool>
  /** What stands in it: one that a test has changed is used no more. */
  readonly shape: string
}
/** Those of this process that nobody uses. What makes one takes longer than most tests: it is used again. */
const free: TestSchema[] = []

const openSchema = async (): Promise<TestDatabase> => {
  if (POSTGRES_URL === null) throw new Error('NARVAL_TEST_POSTGRES is not set')
  const known = free.pop()
  const name = known?.name ?? (await createSchema(POSTGRES_URL))
  const pool = known?.pool ?? postgresPool(POSTGRES_URL, name)
  const database = await openPostgres(lent(pool))
  const schema = known ?? { name, pool, shape: await shapeOf(database, name) }
  return {
    database,
    async drop() {
      await empty(database, name)
      const isWhole = (await shapeOf(database, name)) === schema.shape
      await database.close()
      if (isWhole) free.push(schema)
      else await pool.end()
    },
  }
}

/** The connections without their end: closed, nothing more is asked of them, and what was asked is over. */
const lent = (pool: TestSchema['pool']) => ({
  connect: () => pool.connect(),
  options: pool.options,
  async end() {
    while (pool.idleCount < pool.totalCount) await setTimeout(1)
  },
})

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
