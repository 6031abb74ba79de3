import type { CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * Answers of counting queries: a list that is paged, or shown by many, counts its rows once until something is written. Where
 * there are many rows counting lasts, and others wait for it: such an answer may be `LAG_MS` old.
 */
export interface RowCounts {
  /** The one number of a `select count(*) as n …`, and among how many rows it counted, where that is known. */
  of(query: RawBuilder<{ n: number }>, among?: number): Promise<number>
}

/** As many are counted in some 15 ms. */
export const MANY = 100_000
const LAG_MS = 5_000

/** More different questions than this are not remembered: the oldest goes. */
const MAX = 500

/** The key is the compiled query itself with its values, so that what one may see is part of it. */
export const createRowCounts = (
  db: Kysely<Schema>,
  writes: () => number,
  clock: () => number = () => performance.now(),
): RowCounts => {
  const known = new Map<string, { readonly at: number; readonly askedMs: number; readonly n: number }>()
  const ask = async (query: CompiledQuery<{ n: number }>): Promise<number> =>
    Number((await db.executeQuery(query)).rows[0]?.n ?? 0)
  return {
    async of(query, among = 0) {
      const compiled = query.compile(db)
      const key = `${compiled.sql}\u0000${JSON.stringify(compiled.parameters)}`
      // Read before asking: what is written meanwhile makes the answer old at once.
      const at = writes()
      const held = known.get(key)
      const askedMs = clock()
      const mayLag = held !== undefined && Math.max(held.n, among) > MANY && askedMs - held.askedMs < LAG_MS
      if (held !== undefined && (held.at === at || mayLag)) return held.n
      const n = await ask(compiled)
      known.delete(key)
      known.set(key, { at, askedMs, n })
      if (known.size > MAX) known.delete(known.keys().next().value ?? key)
      return n
    },
  }
}
