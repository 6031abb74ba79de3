import { BULK_MAX, type DatatableRequest } from '@narval/contracts'
import { sql } from 'kysely'
import { invalid } from '../http/refusal.ts'
import { batches, turns } from './batches.ts'
import type { Database, Db } from './database.ts'
import { type ListSpec, matchOf } from './datatable.ts'
import { fetchByIds } from './fetch.ts'
import type { HeldIds } from './memory-list.ts'

/** Rows that an export reads at once; between two slices others get their turn. */
const EXPORT_SLICE = 500

/**
 * The ids that a list's request matches, in its order, whatever its page: from memory where it knows all that is asked, as
 * the database held the event loop for 2 s with 110,000 metrics.
 */
const matchingIds = async (
  database: Database,
  spec: ListSpec,
  request: DatatableRequest,
  held?: HeldIds,
): Promise<readonly number[]> => {
  const known = held?.(spec, request) ?? null
  if (known !== null) return known
  const { where, order } = matchOf(spec, request)
  const answer = await sql<{ id: number }>`select ${spec.tie} as id from ${spec.from} where ${where}
    order by ${order}, ${spec.tie}`.execute(database.db)
  return answer.rows.map(row => row.id)
}

/** Everything that a request matches, as it is found now, by slices. */
export async function* matchingRows<Row extends { id: number }>(
  db: Db,
  spec: ListSpec,
  ids: readonly number[],
): AsyncGenerator<readonly Row[]> {
  for await (const slice of turns(ids, EXPORT_SLICE)) yield await fetchByIds<Row>(db, spec, slice)
}

/**
 * What a list's request matches as entities, for a file: found before the first byte is sent, so that a wrong request is
 * refused as one, and read slice by slice after.
 */
export const everyMatch = async <Row extends { id: number }, T>(
  database: Database,
  spec: ListSpec,
  request: DatatableRequest,
  toEntities: (rows: readonly Row[]) => readonly T[] | Promise<readonly T[]>,
  held?: HeldIds,
): Promise<AsyncGenerator<readonly T[]>> => {
  const ids = await matchingIds(database, spec, request, held)
  return (async function* () {
    for await (const rows of matchingRows<Row>(database.db, spec, ids)) yield await toEntities(rows)
  })()
}

export interface BulkTarget {
  readonly ids?: readonly number[] | undefined
  readonly filter?: DatatableRequest | undefined
}

/** The records that a bulk change is about: of the ids given those that exist and may be seen, or all that the filter matches. */
export const targetIds = async (
  database: Database,
  spec: ListSpec,
  target: BulkTarget,
  held?: HeldIds,
): Promise<number[]> => {
  const found = target.filter === undefined ? [] : [...(await matchingIds(database, spec, target.filter, held))]
  for (const ids of batches([...new Set(target.ids ?? [])])) {
    const answer = await sql<{
      id: number
    }>`select ${spec.tie} as id from ${spec.from} where ${spec.visible} and ${spec.tie} in (${sql.join(ids)})`.execute(
      database.db,
    )
    found.push(...answer.rows.map(row => row.id))
  }
  if (found.length > BULK_MAX)
    throw invalid([`Au plus ${BULK_MAX} lignes à la fois : ${found.length} correspondent, précisez le filtre.`])
  return found
}
