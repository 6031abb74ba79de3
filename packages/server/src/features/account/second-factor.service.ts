import { randomBytes } from 'node:crypto'
import type { SecondFactor } from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import { sessionOf, type Viewer } from '../../http/caller.ts'
import { conflict, invalidField } from '../../http/refusal.ts'
import type { SecretBox } from '../../secret-box.ts'
import { type AuditAction, audit } from '../../store/audit.ts'
import type { Database, Db } from '../../store/database.ts'
import { secondFactorPlace } from '../../store/second-factor-place.ts'
import { toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { mayTakeOver, needAccount } from './account-rules.ts'
import { createOneByOne } from './login-challenge.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { verifyPassword } from './password-hash.ts'
import type { SafetyNotice } from './safety-notice.ts'
import {
  CODE_REFUSALS,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  hasSecondFactor,
  replaceRecoveryCodes,
  useCode,
} from './second-factor.store.ts'
import type { SessionService } from './session.service.ts'
import { findSession } from './session.store.ts'
import { base32, keyUri } from './totp.ts'

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** A secret that no code has confirmed by then is forgotten. */
const PENDING_MS = 15 * 60_000

export interface SecondFactorDeps {
  readonly database: Database
  readonly now: () => number
  readonly secrets: SecretBox
  readonly throttle: LoginThrottle
  readonly sessions: Pick<SessionService, 'endAll'>
  readonly changes: Changes
  readonly productName: () => string
  readonly warn: (accountId: number, notice: SafetyNotice) => Promise<void>
}

/** Enrols and removes second factors; what they are asked for is in `login-challenge.ts`. */
export interface SecondFactorService {
  own(viewer: Viewer): Promise<SecondFactor>
  /** Makes a secret, which asks for nothing until a code confirms it. */
  begin(viewer: Viewer, currentPassword: string, address: string): Promise<{ secret: string; uri: string }>
  /** From now on signing in asks for a code; one's other sessions, opened without, end. Gives recovery codes, this once. */
  confirm(viewer: Viewer, code: string, address: string): Promise<{ recoveryCodes: string[] }>
  renewCodes(viewer: Viewer, proof: Proof, address: string): Promise<{ recoveryCodes: string[] }>
  remove(viewer: Viewer, proof: Proof, address: string): Promise<void>
  /** Of somebody who has lost telephone and codes; he is told. */
  removeOf(viewer: Viewer, accountId: number, address: string): Promise<void>
}

interface Proof {
  readonly currentPassword: string
  readonly code?: string
}

const GONE = 'Ce compte n’a pas de second facteur.'

export const createSecondFactorService = (deps: SecondFactorDeps): SecondFactorService => {
  const { now, sessions, changes, throttle } = deps
  const { db } = deps.database
  const oneByOne = createOneByOne()

  const log = (trx: Db, viewer: Viewer, accountId: number, action: AuditAction, address: string) =>
    audit(trx, { action, outcome: 'success', actor: viewer.login, address, object: `account ${accountId}` }, now())

  /** One's own password, and a code where one is given: wrong ones delay as those of a sign-in do, and are audited. */
  const prove = (viewer: Viewer, { currentPassword, code }: Proof, address: string): Promise<void> =>
    oneByOne(viewer.userId, async () => {
      const account = await needAccount(db, viewer.userId)
      const uuid = (await findSession(db, sessionOf(viewer)))?.uuid ?? ''
      const attempt = { login: account.login, address, uuid, knownDevice: true }
      await throttle.admit(attempt)
      const isRight = (await verifyPassword(currentPassword, account.passwordHash)).ok
      const outcome = !isRight || code === undefined ? 'code' : await useCode(db, deps.secrets, account.id, code, now())
      if (isRight && (outcome === 'code' || outcome === 'recovery')) return throttle.succeeded(attempt)
      await throttle.failed(attempt)
      const entry = { action: 'second-factor-refused', outcome: 'refused', actor: viewer.login, address } as const
      await audit(db, { ...entry, object: `account ${account.id}` }, now())
      if (!isRight) throw invalidField('currentPassword', 'Le mot de passe actuel est incorrect.')
      if (outcome !== 'code' && outcome !== 'recovery') throw invalidField('code', CODE_REFUSALS[outcome])
    })

  const confirmed = async (viewer: Viewer, code: string, address: string): Promise<string[]> => {
    const row = await findSecondFactor(db, viewer.userId)
    if (row === undefined || row.created_at + PENDING_MS < now())
      throw conflict('Ce secret a expiré : recommencez l’activation.')
    if (row.confirmed_at !== null) throw conflict('Le second facteur est déjà actif.')
    const outcome = await useCode(db, deps.secrets, viewer.userId, code, now())
    // No recovery code exists yet: whatever is not a code of the application is wrong.
    if (outcome !== 'code') throw invalidField('code', CODE_REFUSALS[outcome === 'recovery' ? 'wrong' : outcome])
    return transaction(db, async trx => {
      await trx
        .updateTable('second_factor')
        .set({ confirmed_at: now() })
        .where('account_id', '=', viewer.userId)
        .execute()
      await log(trx, viewer, viewer.userId, 'second-factor-enable', address)
      return replaceRecoveryCodes(trx, viewer.userId)
    })
  }

  /** The sessions that were opened by what no longer suffices, or suffices again, end; all but one's own present one. */
  const settle = async (viewer: Viewer, reason: string): Promise<void> => {
    await sessions.endAll(viewer.userId, reason, sessionOf(viewer))
    changes.emit({ entity: 'account', ids: [viewer.userId], action: 'updated' })
  }

  return {
    async own(viewer) {
      const row = await findSecondFactor(db, viewer.userId)
      const enabledAt = row?.confirmed_at ?? null
      const codesLeft = enabledAt === null ? 0 : await countRecoveryCodes(db, viewer.userId)
      return { enabledAt: toIsoOrNull(enabledAt), codesLeft }
    },
    async begin(viewer, currentPassword, address) {
      if (await hasSecondFactor(db, viewer.userId)) throw conflict('Le second facteur est déjà actif.')
      await prove(viewer, { currentPassword }, address)
      const secret = base32(randomBytes(SECRET_BYTES))
      await deps.secrets.writing(seal => {
        const row = {
          ...{ secret: seal(secret, secondFactorPlace(viewer.userId)), created_at: now() },
          ...{ last_step: 0, confirmed_at: null },
        }
        return db
          .insertInto('second_factor')
          .values({ account_id: viewer.userId, ...row })
          .onConflict(on => on.column('account_id').doUpdateSet(row).where('second_factor.confirmed_at', 'is', null))
          .execute()
      })
      return { secret, uri: keyUri(deps.productName(), viewer.login, secret) }
    },
    async confirm(viewer, code, address) {
      const recoveryCodes = await oneByOne(viewer.userId, () => confirmed(viewer, code, address))
      await settle(viewer, 'second-factor-enable')
      return { recoveryCodes }
    },
    async renewCodes(viewer, proof, address) {
      if (!(await hasSecondFactor(db, viewer.userId))) throw conflict(GONE)
      await prove(viewer, proof, address)
      const recoveryCodes = await transaction(db, async trx => {
        await log(trx, viewer, viewer.userId, 'recovery-codes-renew', address)
        return replaceRecoveryCodes(trx, viewer.userId)
      })
      return { recoveryCodes }
    },
    async remove(viewer, proof, address) {
      if (!(await hasSecondFactor(db, viewer.userId))) throw conflict(GONE)
      await prove(viewer, proof, address)
      await transaction(db, async trx => {
        await deleteSecondFactor(trx, viewer.userId)
        await log(trx, viewer, viewer.userId, 'second-factor-disable', address)
      })
      await settle(viewer, 'second-factor-disable')
    },
    async removeOf(viewer, accountId, address) {
      const target = await needAccount(db, accountId)
      mayTakeOver(viewer, target)
      if (accountId === viewer.userId)
        throw conflict('Retirez votre propre second facteur dans « Mon compte », par un code.')
      await transaction(db, async trx => {
        if (!(await deleteSecondFactor(trx, accountId))) throw conflict(GONE)
        await log(trx, viewer, accountId, 'second-factor-remove', address)
      })
      changes.emit({ entity: 'account', ids: [accountId], action: 'updated' })
      await deps.warn(accountId, {
        key: `account ${accountId} second-factor-remove ${now()}`,
        title: 'Second facteur retiré',
        message: `${viewer.login} a retiré le second facteur de votre compte : votre mot de passe suffit à vous connecter. Vous pouvez le réactiver dans « Mon compte ».`,
      })
    },
  }
}
