import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../store/dialect.ts'
import type { Schema } from '../store/schema.ts'

interface Column {
  readonly name: string
  readonly type: string
}
interface Link {
  readonly column: string
  readonly table: string
  readonly to: string
}
export type Row = Record<string, unknown>

/** Tables of a database, whatever its schema; `migration` excepted, and what SQLite keeps for itself. */
export const tablesOf = async (db: Kysely<Schema>, dialect: Dialect): Promise<string[]> => {
  const query =
    dialect === 'sqlite'
      ? sql<{
          name: string
        }>`select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select relname as name from pg_class
          where relnamespace = current_schema()::regnamespace and relkind = 'r'`
  const { rows } = await query.execute(db)
  return rows
    .map(row => row.name)
    .filter(name => name !== 'migration')
    .sort()
}

const columnsOf = async (db: Kysely<Schema>, dialect: Dialect, table: string): Promise<Column[]> => {
  const query =
    dialect === 'sqlite'
      ? sql<Column>`select name, type from pragma_table_info(${table})`
      : sql<Column>`select column_name as name, data_type as type from information_schema.columns
          where table_name = ${table} and table_schema = current_schema() order by ordinal_position`
  return (await query.execute(db)).rows
}

const linksOf = async (db: Kysely<Schema>, dialect: Dialect, table: string): Promise<Link[]> => {
  const query =
    dialect === 'sqlite'
      ? sql<Link>`select "from" as "column", "table" as "table", coalesce("to", 'id') as "to" from pragma_foreign_key_list(${table})`
      : sql<Link>`select a.attname as "column", t.relname as "table", b.attname as "to" from pg_constraint c
          join pg_class t on t.oid = c.confrelid
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
          join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
          where c.contype = 'f' and c.conrelid = ${table}::regclass`
  return (await query.execute(db)).rows
}

/** The value that row `n` has in a column: its own, and the same wherever another table points to it. */
const cellOf = (table: string, { name, type }: Column, links: readonly Link[], n: number): unknown => {
  const link = links.find(one => one.column === name)
  if (link !== undefined) return cellOf(link.table, { name: link.to, type }, [], n)
  const kind = type.toLowerCase()
  if (kind === 'text') return `${table} ${name} ${n} « é\u2028"\\ » 🜁`
  if (kind === 'blob' || kind === 'bytea') return Buffer.from([0, 255, n, 10])
  return kind.startsWith('real') || kind.startsWith('double') ? n + 1 / 3 : n
}

/**
 * Puts row `n` into every table that there is, each column filled and every reference right. On PostgreSQL as a superuser:
 * tables point to each other in circles.
 */
export const fillRows = async (db: Kysely<Schema>, dialect: Dialect, n: number): Promise<Map<string, Row>> => {
  const filled = new Map<string, Row>()
  if (dialect === 'sqlite') await sql`pragma foreign_keys = off`.execute(db)
  await db.transaction().execute(async trx => {
    if (dialect === 'postgres') await sql`set local session_replication_role = replica`.execute(trx)
    for (const table of await tablesOf(trx, dialect)) {
      const links = await linksOf(trx, dialect, table)
      const columns = await columnsOf(trx, dialect, table)
      const row = Object.fromEntries(columns.map(column => [column.name, cellOf(table, column, links, n)]))
      const names = sql.join(Object.keys(row).map(name => sql.ref(name)))
      await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(trx)
      filled.set(table, row)
    }
  })
  if (dialect === 'sqlite') await sql`pragma foreign_keys = on`.execute(db)
  return filled
}

/** All rows of all tables, by table, in an order that does not depend on how they lie. */
export const allRows = async (db: Kysely<Schema>, dialect: Dialect): Promise<Map<string, Row[]>> => {
  const all = new Map<string, Row[]>()
  for (const table of await tablesOf(db, dialect)) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db)
    all.set(
      table,
      rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    )
  }
  return all
}
