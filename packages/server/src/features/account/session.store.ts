import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'

export interface SessionRecord {
  readonly id: number
  readonly accountId: number
  readonly uuid: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly endedAt: number | null
}

export const findSession = async (db: Db, id: number): Promise<SessionRecord | null> => {
  const row = await db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    accountId: row.account_id,
    uuid: row.uuid,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    endedAt: row.ended_at,
  }
}

/** Sessions of an account that were not ended, the last used first. */
export const findOpenSessions = (db: Db, accountId: number) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Whether an account has ever signed in from a device. */
export const isKnownDevice = async (db: Db, accountId: number, uuid: string): Promise<boolean> =>
  (await db
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid.toLowerCase())
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Forgets sessions that ended, or were last used, before then, with their refresh tokens. */
export const deleteOldSessions = (db: Db, beforeMs: number) =>
  db
    .deleteFrom('session')
    .where(eb => eb.or([eb('ended_at', '<', beforeMs), eb('last_used_at', '<', beforeMs)]))
    .execute()

export const insertSession = async (
  db: Db,
  session: { accountId: number; uuid: string; device: string; address: string },
  nowMs: number,
): Promise<number> => {
  const row = await db
    .insertInto('session')
    .values({
      account_id: session.accountId,
      uuid: session.uuid.toLowerCase(),
      device: session.device,
      address: session.address,
      created_at: nowMs,
      last_used_at: nowMs,
      ended_at: null,
      end_reason: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export const touchSession = (db: Db, id: number, nowMs: number) =>
  db.updateTable('session').set({ last_used_at: nowMs }).where('id', '=', id).execute()

/** Ends one session, those of an account (all, or all but one), or those last used or opened too long ago; gives them back. */
export const endSessions = async (
  db: Db,
  which:
    | { sessionId: number }
    | { accountId: number; except?: number }
    | { usedUntilMs: number; createdUntilMs: number },
  reason: string,
  nowMs: number,
): Promise<number[]> => {
  const open = db.selectFrom('session').select('id').where('ended_at', 'is', null)
  const rows = await ('sessionId' in which
    ? open.where('id', '=', which.sessionId)
    : 'accountId' in which
      ? open.where('account_id', '=', which.accountId).where('id', '!=', which.except ?? 0)
      : open.where(eb =>
          eb.or([eb('last_used_at', '<=', which.usedUntilMs), eb('created_at', '<=', which.createdUntilMs)]),
        )
  ).execute()
  const ids = rows.map(row => row.id)
  for (const some of batches(ids))
    await db.updateTable('session').set({ ended_at: nowMs, end_reason: reason }).where('id', 'in', some).execute()
  return ids
}

export const insertRefreshToken = (db: Db, hash: string, sessionId: number, nowMs: number) =>
  db
    .insertInto('refresh_token')
    .values({ hash, session_id: sessionId, created_at: nowMs, used_at: null })
    .onConflict(conflict => conflict.column('hash').doNothing())
    .execute()

export const findRefreshToken = (db: Db, hash: string) =>
  db.selectFrom('refresh_token').selectAll().where('hash', '=', hash).executeTakeFirst()

export const markRefreshTokenUsed = (db: Db, hash: string, nowMs: number) =>
  db
    .updateTable('refresh_token')
    .set({ used_at: nowMs })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .execute()

export const findLoginFailures = (db: Db, keys: readonly string[]) =>
  db
    .selectFrom('login_failure')
    .selectAll()
    .where('key', 'in', [...keys])
    .execute()

export const saveLoginFailure = (
  db: Db,
  row: { key: string; failures: number; last_at: number; blocked_until: number },
) =>
  db
    .insertInto('login_failure')
    .values(row)
    .onConflict(conflict =>
      conflict
        .column('key')
        .doUpdateSet({ failures: row.failures, last_at: row.last_at, blocked_until: row.blocked_until }),
    )
    .execute()

export const clearLoginFailures = (db: Db, keys: readonly string[]) =>
  db
    .deleteFrom('login_failure')
    .where('key', 'in', [...keys])
    .execute()
