import { sql } from 'kysely'
import type { Database } from './database.ts'
import { toIsoOrNull } from './time.ts'

/**
 * When the newest change of any site, host or maintenance was made: of the record itself, its links, its custom fields or its
 * credentials, and when one was deleted. Each leaves a line in the audit; what was made without one has its own stamp.
 */
export const lastUpdateOf = async ({ db, dialect }: Database, entity: 'site' | 'host' | 'maintenance') => {
  // SQLite reads a range of the index; the order of PostgreSQL's depends on its collation.
  const isOne =
    dialect === 'sqlite'
      ? sql<boolean>`object >= ${`${entity} `} and object < ${`${entity}!`}`
      : sql<boolean>`object like ${`${entity} %`}`
  const audited = await sql<{
    at: number
  }>`select at from audit where id = (select max(id) from audit where ${isOne})`.execute(db)
  const stamped = await db
    .selectFrom(entity)
    .select(eb => eb.fn.max('updated_at').as('at'))
    .executeTakeFirst()
  const known = [audited.rows[0]?.at, stamped?.at].filter(at => typeof at === 'number')
  return { lastUpdate: toIsoOrNull(known.length === 0 ? null : Math.max(...known)) }
}
