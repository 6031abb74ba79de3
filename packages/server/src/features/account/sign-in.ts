import { randomBytes } from 'node:crypto'
import type { LoginBody, SecondFactorAnswer } from '@narval/contracts'
import { Refusal } from '../../http/refusal.ts'
import { type AuditEntry, audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import { type AccountRecord, findAccount } from './account.store.ts'
import type { Admitted, LoginChallenges } from './login-challenge.ts'
import type { Attempt, LoginThrottle } from './login-throttle.ts'
import { hashPassword, type verifyPassword } from './password-hash.ts'
import { isKnownDevice } from './session.store.ts'

/** Who may open a session: what is asked for before `session.service.ts` opens one. */
export interface SignIn {
  /** By a password. Throws 401, with a challenge where a second factor is asked for, or 429. */
  admit(body: LoginBody, address: string): Promise<Admitted>
  /** By the code that a password has asked for. Throws as `LoginChallenges.answer`. */
  admitByCode(body: SecondFactorAnswer, address: string): Promise<Admitted>
}

export interface SignInDeps {
  readonly database: Database
  readonly now: () => number
  readonly throttle: LoginThrottle
  readonly challenges: LoginChallenges
  /** Whether a password is an account's. */
  readonly verify: typeof verifyPassword
}

/** The same answer for an unknown login, a wrong password and a disabled account (S04). */
const refused = () => new Refusal('unauthenticated', ['Nom de compte ou mot de passe incorrect.'])
const passwordOver = () =>
  new Refusal('unauthenticated', ['Ce mot de passe provisoire a expiré : demandez-en un autre à un administrateur.'])
const CODE_ASKED = 'Un code de vérification est demandé.'

/** What an unknown login is checked against: the same work as a real one. */
let decoy: Promise<string> | null = null

/** An account whose password was right; `outdated`: hashed as it no longer is. */
interface Verified {
  readonly account: AccountRecord
  readonly outdated: boolean
  readonly attempt: Attempt
}

export const createSignIn = ({ database, now, throttle, challenges, verify }: SignInDeps): SignIn => {
  const { db } = database

  const refusal = (actor: string | null, told: Pick<AuditEntry, 'address' | 'object' | 'detail'>) =>
    audit(db, { action: 'login', outcome: 'refused', actor, ...told }, now())

  /** @returns the account that these credentials open; throws the same refusal whatever is wrong (S04). */
  const verified = async (body: LoginBody, address: string): Promise<Verified> => {
    const account = await findAccount(db, { login: body.login })
    const knownDevice = account !== null && (await isKnownDevice(db, account.id, body.uuid))
    const attempt = { login: body.login, address, uuid: body.uuid, knownDevice }
    await throttle.admit(attempt)
    decoy ??= hashPassword(randomBytes(16).toString('hex'))
    const { ok, outdated } = await verify(body.password, account?.passwordHash ?? (await decoy))
    if (!ok || account === null || !account.enabled) {
      await throttle.failed(attempt)
      const object = account === null ? '' : `account ${account.id}`
      const detail = { login: body.login.slice(0, 64) }
      await refusal(account?.login ?? null, { address, object, detail })
      throw refused()
    }
    if (account.passwordExpiresAt !== null && account.passwordExpiresAt <= now()) {
      const [object, detail] = [`account ${account.id}`, { reason: 'mot de passe provisoire expiré' }]
      await refusal(account.login, { address, object, detail })
      throw passwordOver()
    }
    return { account, outdated, attempt }
  }

  const rehashed = async (account: AccountRecord, password: string): Promise<AccountRecord> => {
    const passwordHash = await hashPassword(password)
    await db.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', account.id).execute()
    return { ...account, passwordHash }
  }

  return {
    async admit(body, address) {
      const { account: found, outdated, attempt } = await verified(body, address)
      const { login: _login, password, uuid, ...fields } = body
      const account = outdated ? await rehashed(found, password) : found
      const device = JSON.stringify(fields)
      const challenge = await challenges.open(account, uuid, device)
      // Wrong passwords and wrong codes are counted together: the count begins anew once both were right.
      if (challenge !== null) throw new Refusal('unauthenticated', [CODE_ASKED], { challenge })
      await throttle.succeeded(attempt)
      return { account, uuid, device, by: null }
    },
    admitByCode: (body, address) => challenges.answer(body, address),
  }
}
