import type { CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { Schema } from './schema.ts'

/** Answers of counting queries: a list that is paged, or shown by many, counts its rows once until something is written. */
export interface RowCounts {
  /** The one number of a `select count(*) as n …`. */
  of(query: RawBuilder<{ n: number }>): Promise<number>
}

/** More different questions than this are not remembered: the oldest goes. */
const MAX = 500

/** The key is the compiled query itself with its values, so that what one may see is part of it. */
export const createRowCounts = (db: Kysely<Schema>, writes: () => number): RowCounts => {
  const known = new Map<string, { readonly at: number; readonly n: number }>()
  const ask = async (query: CompiledQuery<{ n: number }>): Promise<number> =>
    Number((await db.executeQuery(query)).rows[0]?.n ?? 0)
  return {
    async of(query) {
      const compiled = query.compile(db)
      const key = `${compiled.sql}\u0000${JSON.stringify(compiled.parameters)}`
      // Read before asking: what is written meanwhile makes the answer old at once.
      const at = writes()
      const held = known.get(key)
      if (held?.at === at) return held.n
      const n = await ask(compiled)
      known.delete(key)
      known.set(key, { at, n })
      if (known.size > MAX) known.delete(known.keys().next().value ?? key)
      return n
    },
  }
}
