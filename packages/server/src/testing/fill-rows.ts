import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../store/dialect.ts'
import type { Schema } from '../store/schema.ts'

interface Column {
  readonly owner: string
  readonly name: string
  readonly type: string
}
interface Link {
  readonly owner: string
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

interface Shape {
  readonly columns: readonly Column[]
  readonly links: readonly Link[]
}

/** Columns and references of all tables, asked at once. */
const shapesOf = async (db: Kysely<Schema>, dialect: Dialect): Promise<(table: string) => Shape> => {
  const columns =
    dialect === 'sqlite'
      ? sql<Column>`select t.name as owner, c.name, c.type from pragma_table_list t, pragma_table_info(t.name) c where t.schema = 'main'`
      : sql<Column>`select table_name as owner, column_name as name, data_type as type from information_schema.columns
          where table_schema = current_schema() order by table_name, ordinal_position`
  const links =
    dialect === 'sqlite'
      ? sql<Link>`select t.name as owner, k."from" as "column", k."table" as "table", coalesce(k."to", 'id') as "to"
          from pragma_table_list t, pragma_foreign_key_list(t.name) k where t.schema = 'main'`
      : sql<Link>`select o.relname as owner, a.attname as "column", t.relname as "table", b.attname as "to" from pg_constraint c
          join pg_class o on o.oid = c.conrelid join pg_class t on t.oid = c.confrelid
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
          join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
          where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`
  const byOwner = Map.groupBy((await columns.execute(db)).rows, row => row.owner)
  const linksByOwner = Map.groupBy((await links.execute(db)).rows, row => row.owner)
  return table => ({ columns: byOwner.get(table) ?? [], links: linksByOwner.get(table) ?? [] })
}

/** The value that row `n` has in a column: its own, and the same wherever another table points to it. */
const cellOf = (table: string, { name, type }: Column, links: readonly Link[], n: number): unknown => {
  const link = links.find(one => one.column === name)
  if (link !== undefined) return cellOf(link.table, { owner: link.table, name: link.to, type }, [], n)
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
    const shapeOf = await shapesOf(trx, dialect)
    for (const table of await tablesOf(trx, dialect)) {
      const { columns, links } = shapeOf(table)
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
