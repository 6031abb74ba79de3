import {
  type Account,
  type AccountPlan,
  type AccountRow,
  type accountCreateBody,
  type accountUpdateBody,
  type Claim,
  type DatatableReply,
  type DatatableRequest,
  fold,
  type OwnAccount,
  type ownUpdateBody,
} from '@narval/contracts'
import type * as z from 'zod/mini'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalidField, stale } from '../../http/refusal.ts'
import type { AuditAction } from '../../store/audit.ts'
import type { Database, Db } from '../../store/database.ts'
import { FIRST_PAGE, runDatatable } from '../../store/datatable.ts'
import { everyMatch } from '../../store/matching.ts'
import { fromIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import {
  type AccountRecord,
  countSessions,
  findAccount,
  groupsById,
  insertAccount,
  replaceClaims,
  replaceGroups,
  toAccount,
  toOwnAccount,
} from './account.store.ts'
import { auditAccount, auditedOf } from './account-audit.ts'
import { type AccountListRow, accountList, toAccountRows } from './account-list.ts'
import { lockedLogins, unlockLogin } from './account-lock.ts'
import { accountPlanOf } from './account-plan.ts'
import { keepingAnAdministrator, mayChange, mayEdit, needAccount } from './account-rules.ts'
import { limitsOfGroups } from './group-places.ts'
import type { NewPassword, PasswordService } from './password.service.ts'
import { hashPassword } from './password-hash.ts'
import { deletePicture } from './picture.service.ts'
import { hasSecondFactor } from './second-factor.store.ts'
import type { SessionService } from './session.service.ts'

export interface AccountDeps {
  readonly database: Database
  readonly now: () => number
  readonly sessions: SessionService
  readonly passwords: PasswordService
  readonly changes: Changes
}

export type AccountUpdate = z.output<typeof accountUpdateBody>

export const createAccountService = (deps: AccountDeps) => {
  const { database, now, sessions, changes } = deps
  const { db } = database

  const need = (id: number): Promise<AccountRecord> => needAccount(db, id)
  const shown = async (record: AccountRecord): Promise<Account> =>
    toAccount(record, {
      sessions: await countSessions(db, record.id),
      secondFactor: await hasSecondFactor(db, record.id),
      lockedUntil: (await lockedLogins(db, now())).get(fold(record.login)) ?? null,
      limitsOf: await limitsOfGroups(
        db,
        record.groups.map(({ id }) => id),
      ),
    })

  const loginFree = async (login: string, except: number): Promise<void> => {
    const other = await findAccount(db, { login })
    if (other !== null && other.id !== except)
      throw conflict(`Le nom de compte « ${login} » est déjà pris.`, {
        fields: { login: 'Ce nom de compte est déjà pris.' },
      })
  }
  const saved = async (id: number, action: 'created' | 'updated'): Promise<AccountRecord> => {
    changes.emit({ entity: 'account', ids: [id], action })
    return need(id)
  }
  const audited = (
    trx: Db,
    viewer: Viewer,
    address: string,
    action: AuditAction,
    account: Parameters<typeof auditAccount>[3],
  ) => auditAccount(trx, { viewer, address, nowMs: now() }, action, account)

  const newPassword = async (chosen: string | undefined, login: string): Promise<NewPassword> => {
    if (chosen === undefined) return deps.passwords.temporary()
    await deps.passwords.check(chosen, login)
    return { hash: await hashPassword(chosen), expiresAt: null }
  }

  /** The change of one account within a transaction: what it was and what it is. */
  const change = async (trx: Db, viewer: Viewer, id: number, body: AccountUpdate, address: string) => {
    const before = await needAccount(trx, id)
    mayEdit(viewer, before)
    if (body.updatedAt !== undefined && fromIso(body.updatedAt) !== before.updatedAt)
      throw stale(await shown(before), before.updatedBy)
    if (body.groups !== undefined) {
      const held = new Set(before.groups.map(group => group.id))
      // By group, not by claim: another group may give the same claim on other sites.
      const moved = [...held.symmetricDifference(new Set(body.groups))]
      mayChange(viewer, [], await groupClaims(trx, moved))
    }
    await trx
      .updateTable('account')
      .set({
        ...profileColumns(before, body, viewer.login, Math.max(now(), before.updatedAt + 1)),
        ...(body.login === undefined ? {} : { login: body.login, login_folded: fold(body.login) }),
        ...(body.enabled === undefined ? {} : { enabled: body.enabled ? 1 : 0 }),
      })
      .where('id', '=', id)
      .execute()
    if (body.groups !== undefined) await replaceGroups(trx, id, body.groups)
    if (body.avatar !== undefined) await deletePicture(trx, id)
    const after = await needAccount(trx, id)
    const line = { id, login: after.login, before: auditedOf(before), after: auditedOf(after) }
    await audited(trx, viewer, address, 'account-update', line)
    return { before, after }
  }

  return {
    own: async (viewer: Viewer): Promise<OwnAccount> => toOwnAccount(db, await need(viewer.userId)),
    get: async (id: number): Promise<Account> => shown(await need(id)),
    claims: async (id: number) => [...(await need(id)).claims].map(claim => ({ claim })),
    lastUpdate: async () => {
      const row = await db
        .selectFrom('account')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    async datatable(request: DatatableRequest = FIRST_PAGE): Promise<DatatableReply<AccountRow>> {
      const locked = await lockedLogins(db, now())
      const page = await runDatatable<AccountListRow>(database, accountList([...locked.keys()]), request)
      return { ...page, data: await toAccountRows(db, page.data, locked) }
    },
    async everything(request: DatatableRequest) {
      const locked = await lockedLogins(db, now())
      const list = accountList([...locked.keys()])
      return everyMatch<AccountListRow, AccountRow>(database, list, request, rows => toAccountRows(db, rows, locked))
    },
    async create(viewer: Viewer, body: z.output<typeof accountCreateBody>, address: string) {
      const claims = (body.claims ?? []).map(({ claim }) => claim)
      mayChange(viewer, [], [...claims, ...(await groupClaims(db, body.groups ?? []))])
      await loginFree(body.login, 0)
      const password = await newPassword(body.password, body.login)
      const id = await transaction(db, async trx => {
        const made = await insertAccount(
          trx,
          {
            login: body.login,
            firstName: body.firstName ?? '',
            lastName: body.lastName ?? '',
            email: body.email ?? '',
            phone: body.phone ?? '',
            avatar: body.avatar ?? 'narval',
            passwordHash: password.hash,
            passwordExpiresAt: password.expiresAt,
            firstConnection: true,
            groups: body.groups ?? [],
            claims,
          },
          viewer.login,
          now(),
        )
        const after = { ...auditedOf(await needAccount(trx, made)), claims }
        await audited(trx, viewer, address, 'account-create', { id: made, login: body.login, before: null, after })
        return made
      })
      return {
        ...(await shown(await saved(id, 'created'))),
        ...(password.shown === undefined ? {} : { temporaryPassword: password.shown }),
      }
    },
    async ownUpdate(viewer: Viewer, body: z.output<typeof ownUpdateBody>, address: string): Promise<OwnAccount> {
      await transaction(db, async trx => {
        const before = await needAccount(trx, viewer.userId)
        if (body.avatar !== undefined) await deletePicture(trx, viewer.userId)
        await trx
          .updateTable('account')
          .set(profileColumns(before, body, viewer.login, now()))
          .where('id', '=', viewer.userId)
          .execute()
        const after = await needAccount(trx, viewer.userId)
        const line = { id: after.id, login: after.login, before: auditedOf(before), after: auditedOf(after) }
        await audited(trx, viewer, address, 'account-update', line)
      })
      return toOwnAccount(db, await saved(viewer.userId, 'updated'))
    },
    change,
    async update(viewer: Viewer, id: number, body: AccountUpdate, address: string): Promise<Account> {
      if (body.login !== undefined) await loginFree(body.login, id)
      await keepingAnAdministrator(database, trx => change(trx, viewer, id, body, address))
      if (body.enabled === false) await sessions.endAll(id, 'disabled')
      return shown(await saved(id, 'updated'))
    },
    async unlock(viewer: Viewer, id: number, address: string): Promise<Account> {
      const record = await need(id)
      mayEdit(viewer, record)
      const isLocked = (await lockedLogins(db, now())).has(fold(record.login))
      await transaction(db, async trx => {
        await unlockLogin(trx, record.login)
        const line = { id, login: record.login, before: { locked: isLocked }, after: { locked: false } }
        await audited(trx, viewer, address, 'account-update', line)
      })
      return shown(await saved(id, 'updated'))
    },
    async setClaims(viewer: Viewer, id: number, claims: readonly Claim[], address: string): Promise<Account> {
      await keepingAnAdministrator(database, async trx => {
        const before = await needAccount(trx, id)
        mayEdit(viewer, before)
        mayChange(viewer, before.ownClaims, claims)
        await replaceClaims(trx, id, claims)
        await trx
          .updateTable('account')
          .set({ updated_at: Math.max(now(), before.updatedAt + 1), updated_by: viewer.login })
          .where('id', '=', id)
          .execute()
        const line = { before: { claims: before.ownClaims.toSorted() }, after: { claims: claims.toSorted() } }
        await audited(trx, viewer, address, 'claims-update', { id, login: before.login, ...line })
      })
      return shown(await saved(id, 'updated'))
    },
    async plan(viewer: Viewer, id: number): Promise<AccountPlan> {
      const record = await need(id)
      mayEdit(viewer, record)
      return accountPlanOf(db, id, record.login)
    },
    async delete(viewer: Viewer, id: number, address: string): Promise<void> {
      const open = await sessions.openOf(id)
      await keepingAnAdministrator(database, async trx => {
        const before = await needAccount(trx, id)
        mayEdit(viewer, before)
        await trx.deleteFrom('account').where('id', '=', id).execute()
        const line = { id, login: before.login, before: auditedOf(before), after: null }
        await audited(trx, viewer, address, 'account-delete', line)
      })
      sessions.forget(open)
      changes.emit({ entity: 'account', ids: [id], action: 'deleted' })
    },
  }
}
export type AccountService = ReturnType<typeof createAccountService>

/** All that groups give. @throws Refusal when one of them does not exist. */
const groupClaims = async (db: Db, ids: readonly number[]): Promise<string[]> => {
  const found = await groupsById(db, ids)
  if (found.size !== new Set(ids).size) throw invalidField('groups', "Un de ces groupes n'existe pas.")
  return [...found.values()].flat()
}

const profileColumns = (before: AccountRecord, body: z.output<typeof ownUpdateBody>, by: string, nowMs: number) => {
  const firstName = body.firstName ?? before.firstName
  const lastName = body.lastName ?? before.lastName
  return {
    first_name: firstName,
    last_name: lastName,
    name_folded: fold(`${firstName} ${lastName}`),
    email: body.email ?? before.email,
    phone: body.phone ?? before.phone,
    avatar: body.avatar ?? before.avatar,
    theme: body.theme ?? before.theme,
    density: body.density ?? before.density,
    home_page: body.homePage ?? before.homePage,
    updated_at: nowMs,
    updated_by: by,
  }
}
