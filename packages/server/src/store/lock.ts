import { sql } from 'kysely'
import type { Database, Db } from './database.ts'

/** What only one transaction at a time may change, because what it checks spans rows: a cycle is made by two moves. */
const LOCKS = {
  'site-tree': 4_101,
  'host-parents': 4_102,
  'monitoring-models': 4_103,
  'saved-views': 4_104,
  'probe-groups': 4_105,
  'notification-rules': 4_117,
  'audit-chain': 4_131,
} as const
export type LockName = keyof typeof LOCKS

/** Holds a lock until the transaction ends. SQLite runs one transaction at a time anyway. */
export const lock = async (database: Database, trx: Db, name: LockName): Promise<void> => {
  if (database.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${LOCKS[name]})`.execute(trx)
}
