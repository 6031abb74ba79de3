import { createHash, randomBytes } from 'node:crypto'
import { CHALLENGE_MS, CHALLENGE_TRIES, type SecondFactorAnswer, type SecondFactorChallenge } from '@narval/contracts'
import { Refusal } from '../../http/refusal.ts'
import type { SecretBox } from '../../secret-box.ts'
import { audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import { type AccountRecord, findAccount } from './account.store.ts'
import type { LoginThrottle } from './login-throttle.ts'
import type { SafetyNotice } from './safety-notice.ts'
import { CODE_REFUSALS, countRecoveryCodes, hasSecondFactor, useCode } from './second-factor.store.ts'
import { isKnownDevice } from './session.store.ts'

/** Who is let in, and what the password came with. */
export interface Admitted {
  readonly account: AccountRecord
  readonly uuid: string
  /** The device fields of the login request (spec §3) as JSON. */
  readonly device: string
  /** Null: the password was enough. */
  readonly by: 'code' | 'recovery' | null
}

/** The second step of signing in: a code, within five minutes, from the device that gave the password. */
export interface LoginChallenges {
  /** What the code has to come with; null when the account has no second factor. It opens nothing by itself. */
  open(account: AccountRecord, uuid: string, device: string): Promise<SecondFactorChallenge | null>
  /** Throws 401, with the challenge again while it may be tried again, or 429. */
  answer(body: SecondFactorAnswer, address: string): Promise<Admitted>
}

export interface ChallengeDeps {
  readonly database: Database
  readonly now: () => number
  readonly secrets: Pick<SecretBox, 'open'>
  readonly throttle: LoginThrottle
  readonly warn: (accountId: number, notice: SafetyNotice) => Promise<void>
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const over = () => new Refusal('unauthenticated', ['Cette connexion a expiré : recommencez.'])

export const createLoginChallenges = (deps: ChallengeDeps): LoginChallenges => {
  const { now, throttle } = deps
  const { db } = deps.database
  const oneByOne = createOneByOne()

  const find = async ({ challenge, uuid }: SecondFactorAnswer) => {
    const row = await db
      .selectFrom('login_challenge')
      .selectAll()
      .where('hash', '=', sha256(challenge))
      .where('uuid', '=', uuid.toLowerCase())
      .where('expires_at', '>', now())
      .executeTakeFirst()
    const account = row === undefined ? null : await findAccount(db, { id: row.account_id })
    // A password that was changed meanwhile, or an account that was disabled, ends what the old one began.
    if (row === undefined || account === null || !account.enabled) throw over()
    if (row.password !== sha256(account.passwordHash)) throw over()
    return { row, account }
  }
  type Found = Awaited<ReturnType<typeof find>>

  /** Counted before it is looked at: whatever comes at once, no more than five are. */
  const countTry = async ({ row }: Found): Promise<number> => {
    const counted = await db
      .updateTable('login_challenge')
      .set(eb => ({ tries: eb('tries', '+', 1) }))
      .where('hash', '=', row.hash)
      .where('tries', '<', CHALLENGE_TRIES)
      .returning('tries')
      .executeTakeFirst()
    if (counted === undefined) throw over()
    return counted.tries
  }

  const refuse = async (
    { row, account }: Found,
    tries: number,
    reason: string,
    body: SecondFactorAnswer,
    address: string,
  ): Promise<never> => {
    const object = `account ${account.id}`
    const entry = { action: 'login', outcome: 'refused', actor: account.login, address, object } as const
    await audit(db, { ...entry, detail: { reason: `second facteur : ${reason}` } }, now())
    if (tries < CHALLENGE_TRIES) {
      const challenge = { token: body.challenge, expiresAt: toIso(row.expires_at) }
      throw new Refusal('unauthenticated', [reason], { challenge })
    }
    await deps.warn(account.id, {
      key: `${object} codes ${row.hash.slice(0, 16)}`,
      title: 'Codes incorrects après votre mot de passe',
      message: `Depuis ${address}, quelqu’un a donné votre mot de passe, puis ${CHALLENGE_TRIES} codes incorrects. Si ce n’est pas vous, changez de mot de passe.`,
    })
    throw new Refusal('unauthenticated', [`${reason} Recommencez la connexion.`])
  }

  const tellRecovery = async ({ account, row }: Found): Promise<void> => {
    const left = await countRecoveryCodes(db, account.id)
    await deps.warn(account.id, {
      key: `account ${account.id} recovery ${row.hash.slice(0, 16)}`,
      title: 'Connexion par un code de secours',
      message:
        left === 0
          ? 'C’était le dernier : créez-en d’autres dans « Mon compte ».'
          : `Il en reste ${left}. Si ce n’est pas vous, changez de mot de passe.`,
    })
  }

  return {
    async open(account, uuid, device) {
      if (!(await hasSecondFactor(db, account.id))) return null
      const token = randomBytes(32).toString('base64url')
      const expiresAt = now() + CHALLENGE_MS
      await db.deleteFrom('login_challenge').where('expires_at', '<=', now()).execute()
      await db
        .insertInto('login_challenge')
        .values({
          ...{ hash: sha256(token), account_id: account.id, uuid: uuid.toLowerCase(), device },
          ...{ password: sha256(account.passwordHash), tries: 0, expires_at: expiresAt },
        })
        .execute()
      return { token, expiresAt: toIso(expiresAt) }
    },
    async answer(body, address) {
      const { account: asked } = await find(body)
      // One at a time for an account: a burst would be looked at before the delay of its first wrong code is written.
      return oneByOne(asked.id, async () => {
        const found = await find(body)
        const { account, row } = found
        const knownDevice = await isKnownDevice(db, account.id, body.uuid)
        const attempt = { login: account.login, address, uuid: body.uuid, knownDevice }
        await throttle.admit(attempt)
        const tries = await countTry(found)
        const outcome = await useCode(db, deps.secrets, account.id, body.code, now())
        if (outcome !== 'code' && outcome !== 'recovery') {
          if (outcome !== 'unreadable') await throttle.failed(attempt)
          return refuse(found, tries, CODE_REFUSALS[outcome], body, address)
        }
        await db.deleteFrom('login_challenge').where('hash', '=', row.hash).execute()
        await throttle.succeeded(attempt)
        if (outcome === 'recovery') await tellRecovery(found)
        return { account, uuid: row.uuid, device: row.device, by: outcome }
      })
    },
  }
}

/** Runs what concerns one account after what concerns it already. */
export const createOneByOne = () => {
  const last = new Map<number, Promise<unknown>>()
  return async <T>(accountId: number, work: () => Promise<T>): Promise<T> => {
    const before = last.get(accountId) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(accountId, mine)
    try {
      return await mine
    } finally {
      if (last.get(accountId) === mine) last.delete(accountId)
    }
  }
}
