import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { ListSpec } from './datatable.ts'

/** Nothing answers more than this at once without asking for a page. */
const MAX_ROWS = 50_000

/** The row of a list that has this id, null when there is none or it may not be seen. */
export const fetchOne = async <Row>(db: Db, spec: ListSpec, id: number): Promise<Row | null> => {
  const answer =
    await sql<Row>`select ${spec.select} from ${spec.from} where ${spec.visible} and ${spec.tie} = ${id}`.execute(db)
  return answer.rows[0] ?? null
}

/** All rows that may be seen, in the list's own order; `where` narrows them by one of its filters. */
export const fetchAll = async <Row>(
  db: Db,
  spec: ListSpec,
  filter?: { readonly name: string; readonly value: number },
): Promise<Row[]> => {
  const narrowed = filter === undefined ? undefined : spec.filters[filter.name]
  const where =
    narrowed === undefined || filter === undefined
      ? spec.visible
      : sql<boolean>`${spec.visible} and ${narrowed(filter.value)}`
  const answer =
    await sql<Row>`select ${spec.select} from ${spec.from} where ${where} order by ${spec.order}, ${spec.tie} limit ${MAX_ROWS}`.execute(
      db,
    )
  return answer.rows
}

/** The rows of these ids that may be seen, in the order of the ids; at most a page of them. */
export const fetchByIds = async <Row extends { id: number }>(
  db: Db,
  spec: ListSpec,
  ids: readonly number[],
): Promise<Row[]> => {
  if (ids.length === 0) return []
  const answer =
    await sql<Row>`select ${spec.select} from ${spec.from} where ${spec.visible} and ${spec.tie} in (${sql.join(ids)})`.execute(
      db,
    )
  const found = new Map(answer.rows.map(row => [row.id, row]))
  return ids.flatMap(id => found.get(id) ?? [])
}
