import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, type KyselyPlugin, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { allRows, fillRows, type Row } from '../testing/fill-rows.ts'
import { DIALECTS, POSTGRES_URL } from '../testing/test-database.ts'
import type { Dialect } from './dialect.ts'
import { migrate, migrationStatements, missingMigrations, NewerSchema } from './migrator.ts'
import type { Schema } from './schema.ts'

const NAMES = missingMigrations([])
const sqliteAt = (path: string): Kysely<Schema> => {
  const connection = new SqliteDatabase(path)
  connection.pragma('journal_mode = WAL')
  connection.pragma('foreign_keys = ON')
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) })
}

/** An empty database of its own, given back at the end of the test. */
const openEmpty = async (dialect: Dialect): Promise<Kysely<Schema>> => {
  if (dialect === 'sqlite' || POSTGRES_URL === null) {
    const db = sqliteAt(':memory:')
    onTestFinished(() => db.destroy())
    return db
  }
  const schema = `test_${process.env.NARVAL_TEST_RUN ?? 0}_${randomBytes(6).toString('hex')}`
  const types = new pg.TypeOverrides()
  types.setTypeParser(20, Number)
  const pool = new pg.Pool({ connectionString: POSTGRES_URL, types, options: `-c search_path=${schema}`, max: 2 })
  await pool.query(`create schema ${schema}`)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  onTestFinished(async () => {
    await sql.raw(`drop schema ${schema} cascade`).execute(db)
    await db.destroy()
  })
  return db
}

/** Everything that makes a schema, said by the database itself. */
const shapeOf = async (db: Kysely<Schema>, dialect: Dialect): Promise<string[]> => {
  const query =
    dialect === 'sqlite'
      ? sql<{ line: string }>`select type || ' ' || name || ' ' || coalesce(sql, '') as line from sqlite_schema`
      : sql<{ line: string }>`
          select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' ||
            coalesce(column_default, '') as line from information_schema.columns where table_schema = current_schema()
          union all select 'index ' || indexname || ' ' || replace(indexdef, current_schema() || '.', '') from pg_indexes
            where schemaname = current_schema()
          union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
            from pg_constraint where connamespace = current_schema()::regnamespace`
  return (await query.execute(db)).rows.map(row => row.line).sort()
}

/** Fails at the statement of this number: with its transaction it leaves nothing. */
const failingAt = (count: number): KyselyPlugin => {
  let left = count
  return {
    transformQuery({ node }) {
      if (left-- === 0) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/** What later steps change on purpose in rows that were there: everything else stays as it was written. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  comment: ['text_folded'],
}

describe.each(DIALECTS)('R29: from every schema that was on main, on %s', dialect => {
  it('rows written at each of them are there at the last, column by column', async () => {
    const db = await openEmpty(dialect)
    const written: { readonly at: string; readonly rows: ReadonlyMap<string, Row> }[] = []
    for (const [index, next] of [...NAMES.slice(1), undefined].entries()) {
      await migrate(db, dialect, next)
      if (next !== undefined) written.push({ at: NAMES[index] ?? '', rows: await fillRows(db, dialect, index + 1) })
    }
    const now = await allRows(db, dialect)
    for (const { at, rows } of written)
      for (const [table, row] of rows) {
        const kept = Object.keys(row).filter(name => CHANGED[table]?.includes(name) !== true)
        const only = (one: Row): string => JSON.stringify(kept.map(name => one[name]))
        const found = (now.get(table) ?? []).filter(one => only(one) === only(row))
        expect([at, table, found.length]).toEqual([at, table, 1])
      }
    if (dialect === 'sqlite') expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])
  })

  it('stopped at each statement of each step and started again, it comes to the same schema', async () => {
    const fresh = await openEmpty(dialect)
    await migrate(fresh, dialect)
    const wanted = await shapeOf(fresh, dialect)
    const db = await openEmpty(dialect)
    let stops = 0
    for (let at = 0; ; at++) {
      // Each start applies what it can, one statement further into the step where the one before ended.
      const known = await stepsDone(db)
      try {
        await migrate(db.withPlugin(failingAt(at)), dialect)
        break
      } catch (error) {
        expect(String(error)).toContain('killed')
        stops++
      }
      if ((await stepsDone(db)) > known) at = 1
    }
    expect(stops).toBeGreaterThan(migrationStatements(dialect, null).length)
    expect(await shapeOf(db, dialect)).toEqual(wanted)
  })

  it('an older Narval refuses a newer schema, in French, and changes nothing', async () => {
    const db = await openEmpty(dialect)
    await migrate(db, dialect)
    await sql`insert into migration values ('9999-demain', 'x')`.execute(db)
    const before = await shapeOf(db, dialect)
    await expect(migrate(db, dialect)).rejects.toThrow(NewerSchema)
    await expect(migrate(db, dialect)).rejects.toThrow(
      "La base de données vient d'une version plus récente de Narval (migration 9999-demain).",
    )
    expect(await shapeOf(db, dialect)).toEqual(before)
  })
})

it('R29: a database of the first two hours, when the first step still changed, is refused in French and left as it is', async () => {
  const db = await openEmpty('sqlite')
  await migrate(db, 'sqlite', NAMES[1])
  await sql`drop table api_token`.execute(db)
  await expect(migrate(db, 'sqlite')).rejects.toThrow('date des deux premières heures du projet')
  expect(await stepsDone(db)).toBe(1)
})

const stepsDone = async (db: Kysely<Schema>): Promise<number> => {
  try {
    return (await sql`select name from migration`.execute(db)).rows.length
  } catch {
    return 0
  }
}

it('R29: killed within a step, what lies on the disk is the schema of before it, and the next start goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'narval.db')
  const db = sqliteAt(path)
  onTestFinished(() => db.destroy())
  let copies = 0
  /** The files as they are while a transaction is open are what a kill or a power cut leaves. */
  const copying: KyselyPlugin = {
    transformQuery({ node }) {
      copies++
      const copy = join(folder, `${copies}.db`)
      copyFileSync(path, copy)
      for (const suffix of ['-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await migrate(db, 'sqlite', '0027-display-tokens')
  await fillRows(db, 'sqlite', 1)
  await migrate(db.withPlugin(copying), 'sqlite')
  const wanted = await shapeOf(db, 'sqlite')
  expect(copies).toBeGreaterThan(40)
  for (const name of readdirSync(folder).filter(file => /^\d+\.db$/.test(file))) {
    const copy = sqliteAt(join(folder, name))
    await migrate(copy, 'sqlite')
    expect([name, await shapeOf(copy, 'sqlite')]).toEqual([name, wanted])
    expect([name, (await sql`select id from incident`.execute(copy)).rows]).toEqual([name, [{ id: 1 }]])
    await copy.destroy()
  }
})

/** What each migration does, once it is on main: a database out there has done just that. */
it('R29: a migration that is on main does not change; a new one is written down', () => {
  const file = new URL('migrations/on-main.json', import.meta.url)
  const known: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const now = Object.fromEntries(
    NAMES.map(name => {
      const statements = (['sqlite', 'postgres'] as const).map(dialect => statementsOf(dialect, name))
      return [name, createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16)]
    }),
  )
  expect(
    now,
    'a changed line: undo it and write a new migration; a line more: add it to migrations/on-main.json',
  ).toEqual(known)
})

/** Without the mark, whose time differs. */
const statementsOf = (dialect: Dialect, name: string): string[] => migrationStatements(dialect, [name]).slice(0, -1)
