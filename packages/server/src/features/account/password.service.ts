import { PASSWORD_MESSAGES, type PasswordPolicy, passwordFaults, type Settings } from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import { sessionOf, type Viewer } from '../../http/caller.ts'
import { invalid, invalidField } from '../../http/refusal.ts'
import { audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import { mayTakeOver, needAccount } from './account-rules.ts'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword, randomPassword, verifyPassword } from './password-hash.ts'
import type { SessionService } from './session.service.ts'

/** A sign-in this recent stands for the current password (S10). */
const FRESH_SIGN_IN_MS = 5 * 60_000

export interface PasswordRules extends PasswordPolicy {
  readonly forbidCommon: boolean
  readonly productName: string
  /** How long a generated password may be used, in ms. */
  readonly temporaryMs: number
}

/** What the settings ask of passwords. */
export const passwordRules = (settings: Settings): PasswordRules => ({
  minLength: settings.passwordMinLength,
  maxLength: settings.passwordMaxLength,
  forbidCommon: settings.forbidCommonPasswords,
  productName: settings.productName,
  temporaryMs: settings.temporaryPasswordHours * 3_600_000,
})

export interface PasswordDeps {
  readonly database: Database
  readonly now: () => number
  readonly sessions: SessionService
  readonly changes: Changes
  readonly rules: () => PasswordRules
}

export interface NewPassword {
  readonly hash: string
  /** Null for one that was chosen by a person. */
  readonly expiresAt: number | null
  /** To be shown once; undefined when it was chosen. */
  readonly shown?: string
}

export interface PasswordService {
  /** Throws what is wrong with it, in French (spec §5). */
  check(password: string, login: string): Promise<void>
  /** A random one, shown once, that ends by itself. */
  temporary(): Promise<NewPassword & { readonly shown: string }>
  /** Sets one's own; every other session, and its hub connections, end. */
  update(
    viewer: Viewer,
    body: { password: string; passwordConfirmation: string; currentPassword?: string | undefined },
    address: string,
  ): Promise<void>
  /** Gives another account a temporary one: first connection again, its sessions and API tokens end. */
  reset(viewer: Viewer, id: number, address: string): Promise<{ temporaryPassword: string }>
}

export const createPasswordService = (deps: PasswordDeps): PasswordService => {
  const { now, sessions, changes } = deps
  const { db } = deps.database

  const check: PasswordService['check'] = async (password, login) => {
    const rules = deps.rules()
    const faults = passwordFaults(password, rules)
    if (faults.length === 0 && rules.forbidCommon && (await isCommonPassword(password, [rules.productName, login])))
      faults.push('Ce mot de passe est trop courant : choisissez-en un autre.')
    if (faults.length > 0) throw invalid(faults, { password: faults.join(' ') })
  }
  const temporary: PasswordService['temporary'] = async () => {
    const shown = randomPassword()
    return { shown, hash: await hashPassword(shown), expiresAt: now() + deps.rules().temporaryMs }
  }

  return {
    check,
    temporary,
    async update(viewer, body, address) {
      const sessionId = sessionOf(viewer)
      const before = await needAccount(db, viewer.userId)
      const proven = before.firstConnection || now() - viewer.signedInMs <= FRESH_SIGN_IN_MS
      if (!proven && !(await verifyPassword(body.currentPassword ?? '', before.passwordHash)).ok)
        throw invalidField('currentPassword', 'Le mot de passe actuel est incorrect.')
      await check(body.password, before.login)
      if (body.password !== body.passwordConfirmation)
        throw invalidField('passwordConfirmation', PASSWORD_MESSAGES.different)
      if ((await verifyPassword(body.password, before.passwordHash)).ok)
        throw invalidField('password', 'Le nouveau mot de passe doit être différent de l’actuel.')
      const hash = await hashPassword(body.password)
      await transaction(db, async trx => {
        await trx
          .updateTable('account')
          .set({
            password_hash: hash,
            password_expires_at: null,
            first_connection: 0,
            password_changed_at: now(),
            updated_at: now(),
            updated_by: viewer.login,
          })
          .where('id', '=', viewer.userId)
          .execute()
        const object = `account ${viewer.userId}`
        await audit(trx, { action: 'password-update', outcome: 'success', actor: viewer.login, address, object }, now())
      })
      await sessions.endAll(viewer.userId, 'password-change', sessionId)
      changes.emit({ entity: 'account', ids: [viewer.userId], action: 'updated' })
    },
    async reset(viewer, id, address) {
      mayTakeOver(viewer, await needAccount(db, id))
      const { shown, hash, expiresAt } = await temporary()
      await transaction(db, async trx => {
        await trx
          .updateTable('account')
          .set({
            password_hash: hash,
            password_expires_at: expiresAt,
            first_connection: 1,
            updated_at: now(),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .execute()
        await trx.deleteFrom('api_token').where('account_id', '=', id).execute()
        const object = `account ${id}`
        await audit(trx, { action: 'password-reset', outcome: 'success', actor: viewer.login, address, object }, now())
      })
      await sessions.endAll(id, 'password-reset')
      changes.emit({ entity: 'account', ids: [id], action: 'updated' })
      return { temporaryPassword: shown }
    },
  }
}
