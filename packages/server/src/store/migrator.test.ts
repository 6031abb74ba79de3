import { randomBytes } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { DIALECTS, POSTGRES_URL } from '../testing/test-app.ts'
import type { Dialect } from './dialect.ts'
import { migrate } from './migrator.ts'
import type { Schema } from './schema.ts'

/** An empty database of its own, and how to be rid of it. */
const openEmpty = async (dialect: Dialect): Promise<{ db: Kysely<Schema>; drop: () => Promise<void> }> => {
  if (dialect === 'sqlite' || POSTGRES_URL === null) {
    const connection = new SqliteDatabase(':memory:')
    connection.pragma('foreign_keys = ON')
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) })
    return { db, drop: () => db.destroy() }
  }
  const schema = `test_${randomBytes(6).toString('hex')}`
  const types = new pg.TypeOverrides()
  types.setTypeParser(20, Number)
  const pool = new pg.Pool({ connectionString: POSTGRES_URL, types, options: `-c search_path=${schema}` })
  await pool.query(`create schema ${schema}`)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    async drop() {
      await sql.raw(`drop schema ${schema} cascade`).execute(db)
      await db.destroy()
    },
  }
}

interface Column {
  name: string
  type: string
  optional: number
}
const columnsOf = async (db: Kysely<Schema>, dialect: Dialect, table: string): Promise<Column[]> =>
  dialect === 'sqlite'
    ? (
        await sql<Column>`select name, type, ("notnull" = 0 or dflt_value is not null or pk > 0) as optional
          from pragma_table_info(${table})`.execute(db)
      ).rows
    : (
        await sql<Column>`select column_name as name, data_type as type,
          case when is_nullable = 'YES' or column_default is not null then 1 else 0 end as optional
          from information_schema.columns where table_name = ${table} and table_schema = current_schema()`.execute(db)
      ).rows

/** A row of which only some columns matter: the others that must be there are 0 or ''. */
const insert = async (db: Kysely<Schema>, dialect: Dialect, table: string, given: Record<string, unknown>) => {
  const columns = await columnsOf(db, dialect, table)
  const needed = columns.filter(({ optional, name }) => Number(optional) === 0 && !(name in given))
  const filled = needed.map(({ name, type }) => [name, type.toLowerCase() === 'text' ? `${table}-${name}` : 0] as const)
  const row = { ...Object.fromEntries(filled), ...given }
  const names = sql.join(Object.keys(row).map(name => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(db)
}

/** A metric of a host, two incidents of it, and what another probe said of the second. */
const insertOld = async (db: Kysely<Schema>, dialect: Dialect): Promise<void> => {
  const rows: readonly (readonly [string, Record<string, unknown>])[] = [
    ['site', { id: 1 }],
    ['probe', { id: 10, public_key: 'a' }],
    ['probe', { id: 11, public_key: 'b' }],
    ['host', { id: 1, site_id: 1 }],
    ['scanner', { id: 1, host_id: 1 }],
    ['metric', { id: 1, host_id: 1, scanner_id: 1 }],
    ['incident', { id: 1, event_key: 'a', metric_id: 1, host_id: 1, site_id: 1, severity_rank: 0, closed_at: 5 }],
    ['incident', { id: 2, event_key: 'b', metric_id: 1, host_id: 1, site_id: 1, severity_rank: 1 }],
    ['second_opinion', { id: 1, host_id: 1, metric_id: 1, runner_id: 10, probe_id: 11 }],
    ['second_opinion', { id: 2, host_id: 1, metric_id: 1, runner_id: 10, probe_id: 11, incident_id: 2 }],
  ]
  for (const [table, given] of rows) await insert(db, dialect, table, given)
}

describe.each(DIALECTS)('an older database, on %s', dialect => {
  it('keeps its incidents, and what other probes said of them, when incidents learn of probes and of what explains them', async () => {
    const { db, drop } = await openEmpty(dialect)
    await migrate(db, dialect, '0012-incidents')
    await insertOld(db, dialect)
    const before = await sql<Record<string, unknown>>`select * from incident order by id`.execute(db)
    const opinions = await sql<Record<string, unknown>>`select * from second_opinion order by id`.execute(db)
    expect([before.rows.length, opinions.rows.length]).toEqual([2, 2])
    expect((await migrate(db, dialect)).at(0)).toBe('0012-incidents')
    const after = await sql<Record<string, unknown>>`select * from incident order by id`.execute(db)
    expect(after.rows).toMatchObject(before.rows)
    expect(after.rows).toMatchObject([
      { kind: 'metric', worst_rank: 0, parent_id: null, reopened: 0, flapping: 0 },
      { kind: 'metric', worst_rank: 1, parent_id: null, reopened: 0, flapping: 0 },
    ])
    expect((await sql`select * from second_opinion order by id`.execute(db)).rows).toMatchObject(opinions.rows)
    await sql`delete from incident where id = 2`.execute(db)
    const left = await sql<{ incident_id: number | null }>`select incident_id from second_opinion order by id`.execute(
      db,
    )
    expect(left.rows.map(row => row.incident_id)).toEqual([null, null])
    await drop()
  })

  it('knows since when an incident that had come back fails, by its timeline; what it took along could not be reached', async () => {
    const { db, drop } = await openEmpty(dialect)
    await migrate(db, dialect, '0028-incident-spells')
    await insertOld(db, dialect)
    await sql`update incident set reopened = 2, opened_at = 10 where id = 2`.execute(db)
    for (const [key, at, kind] of [
      ['a', 10, 'opened'],
      ['b', 30, 'reopened'],
      ['c', 50, 'reopened'],
      ['d', 60, 'worsened'],
    ])
      await sql`insert into incident_event (event_key, incident_id, at, kind, text, detail)
        values (${key}, 2, ${at}, ${kind}, '', '{}')`.execute(db)
    await sql`insert into incident_effect (incident_id, host_id, since) values (2, 1, 20)`.execute(db)
    expect((await migrate(db, dialect)).at(0)).toBe('0028-incident-spells')
    const rows = await sql`select id, reopened_at from incident order by id`.execute(db)
    expect(rows.rows).toEqual([
      { id: 1, reopened_at: null },
      { id: 2, reopened_at: 50 },
    ])
    expect((await sql`select kind from incident_effect`.execute(db)).rows).toEqual([{ kind: 'cut' }])
    await drop()
  })
})
