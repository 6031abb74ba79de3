import { type CompiledQuery, createQueryId, type DialectAdapter } from 'kysely'
import type { Turn } from '../turns.ts'
import type { Db } from './database.ts'

/** Rows of one statement at most, a power of two: some 2 ms of SQLite. */
export const ROWS_AT_ONCE = 128

/** Writes rows in their order by statements of at most 128, others having their turn of the event loop in between. */
export type RowWriter<R> = (trx: Db, rows: readonly R[], turn: Turn) => Promise<void>

/**
 * A statement for many rows that is made once for each number of rows, and these are few: what Kysely makes of 1,000 rows
 * takes longer than writing them. `make` must give the values of `rows` as parameters, row by row in the order of their
 * fields, and none else. @throws when it does not.
 */
export const createRowWriter = <R extends object>(
  make: (trx: Db, rows: readonly R[]) => { compile(): CompiledQuery },
): RowWriter<R> => {
  const known = new WeakMap<DialectAdapter, Map<number, CompiledQuery>>()
  const statementOf = (trx: Db, rows: readonly R[], parameters: readonly unknown[]): CompiledQuery => {
    const { adapter } = trx.getExecutor()
    const ofDialect = known.get(adapter) ?? new Map<number, CompiledQuery>()
    known.set(adapter, ofDialect)
    const held = ofDialect.get(rows.length)
    if (held !== undefined) return held
    const made = make(trx, rows).compile()
    if (made.parameters.length !== parameters.length || made.parameters.some((one, at) => one !== parameters[at]))
      throw new Error(`not the values of the rows: ${made.sql.slice(0, 200)}`)
    ofDialect.set(rows.length, made)
    return made
  }
  return async (trx, rows, turn) => {
    for (let from = 0; from < rows.length; ) {
      const some = rows.slice(from, from + sizeOf(rows.length - from))
      const parameters = some.flatMap(row => Object.values(row))
      const { sql, query } = statementOf(trx, some, parameters)
      const queryId = createQueryId()
      // Who listens to statements hears of each.
      trx.getExecutor().transformQuery(query, queryId)
      await trx.executeQuery({ sql, parameters, query, queryId })
      from += some.length
      await turn()
    }
  }
}

/** The greatest power of two that there are rows for: no more than eight different statements. */
const sizeOf = (left: number): number => Math.min(ROWS_AT_ONCE, 2 ** Math.floor(Math.log2(left)))
