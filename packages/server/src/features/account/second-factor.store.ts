import { createHash, randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '@narval/contracts'
import type { SecretBox } from '../../secret-box.ts'
import type { Db } from '../../store/database.ts'
import { secondFactorPlace } from '../../store/second-factor-place.ts'
import { base32, fromBase32, stepOf } from './totp.ts'

const CODE = /^\d{6}$/
/** Without what people put between the characters. */
const bare = (code: string): string => code.replace(/[\s-]/g, '')

/** 80 random bits each: their hash alone is kept, and is not worth trying on. */
const RECOVERY_BYTES = 10
const hashOf = (accountId: number, code: string): string =>
  createHash('sha256')
    .update(`${accountId} ${bare(code).toUpperCase()}`)
    .digest('hex')

/** Row of an account's second factor; undefined without one. One that is not confirmed asks for nothing yet. */
export const findSecondFactor = (db: Db, accountId: number) =>
  db.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).executeTakeFirst()

/** Whether signing in asks for a code. */
export const hasSecondFactor = async (db: Db, accountId: number): Promise<boolean> =>
  (await findSecondFactor(db, accountId))?.confirmed_at != null

/** Recovery codes that were not used. */
export const countRecoveryCodes = async (db: Db, accountId: number): Promise<number> => {
  const row = await db
    .selectFrom('recovery_code')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return Number(row?.n ?? 0)
}

/** Gives an account new recovery codes: those before are worth nothing any more. Shown once: hashes are kept. */
export const replaceRecoveryCodes = async (db: Db, accountId: number): Promise<string[]> => {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = base32(randomBytes(RECOVERY_BYTES)).toLowerCase()
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
  const rows = codes.map(code => ({ hash: hashOf(accountId, code), account_id: accountId, used_at: null }))
  await db.insertInto('recovery_code').values(rows).execute()
  return codes
}

/** Takes a second factor away, with its recovery codes; true when one was in force. */
export const deleteSecondFactor = async (db: Db, accountId: number): Promise<boolean> => {
  const wasOn = await hasSecondFactor(db, accountId)
  await db.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await db.deleteFrom('login_challenge').where('account_id', '=', accountId).execute()
  return wasOn
}

/** What a code was found to be: good (and now used up), used before, or wrong; `unreadable`: its key is missing. */
export type CodeOutcome = 'code' | 'recovery' | 'used' | 'wrong' | 'unreadable'

/** Uses a code up, if it is right: no code opens twice, and of two at once one wins. */
export const useCode = async (
  db: Db,
  box: Pick<SecretBox, 'open'>,
  accountId: number,
  code: string,
  nowMs: number,
): Promise<CodeOutcome> => {
  const given = bare(code)
  if (!CODE.test(given)) {
    const used = await db
      .updateTable('recovery_code')
      .set({ used_at: nowMs })
      .where('hash', '=', hashOf(accountId, given))
      .where('account_id', '=', accountId)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    return used.numUpdatedRows === 1n ? 'recovery' : 'wrong'
  }
  const row = await findSecondFactor(db, accountId)
  if (row === undefined) return 'wrong'
  const secret = fromBase32(box.open(row.secret, secondFactorPlace(accountId)) ?? '')
  if (secret === null || secret.length === 0) return 'unreadable'
  const step = stepOf(secret, given, nowMs)
  if (step === null) return 'wrong'
  const taken = await db
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n ? 'code' : 'used'
}

/** Why a code was not taken, in words. */
export const CODE_REFUSALS = {
  wrong: 'Ce code est incorrect.',
  used: 'Ce code a déjà servi : attendez le suivant.',
  unreadable: 'Ce code ne peut pas être vérifié (clé des secrets illisible) : donnez un code de secours.',
} as const satisfies Record<Exclude<CodeOutcome, 'code' | 'recovery'>, string>
