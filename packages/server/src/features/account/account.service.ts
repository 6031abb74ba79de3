import {
  type Account,
  type accountCreateBody,
  type accountRow,
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
import { type AuditAction, audit } from '../../store/audit.ts'
import type { Database, Db } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { fromIso, toIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import {
  type AccountRecord,
  accountList,
  countAdministrators,
  findAccount,
  groupsById,
  insertAccount,
  replaceClaims,
  replaceGroups,
  toAccount,
  toOwnAccount,
} from './account.store.ts'
import { mayChange, mayEdit, needAccount } from './account-rules.ts'
import type { NewPassword, PasswordService } from './password.service.ts'
import { hashPassword } from './password-hash.ts'
import type { SessionService } from './session.service.ts'

export interface AccountDeps {
  readonly database: Database
  readonly now: () => number
  readonly sessions: SessionService
  readonly passwords: PasswordService
  readonly changes: Changes
}

interface AccountListRow {
  id: number
  login: string
  first_name: string
  last_name: string
  email: string
  enabled: number
  first_connection: number
  last_login_at: number | null
}

export const createAccountService = (deps: AccountDeps) => {
  const { now, sessions, changes } = deps
  const { db } = deps.database

  const need = (id: number): Promise<AccountRecord> => needAccount(db, id)

  /** Runs a change and undoes it when it would leave nobody with `admin`. */
  const keepingAnAdministrator = (work: (trx: Db) => Promise<void>): Promise<void> =>
    transaction(db, async trx => {
      if (deps.database.dialect === 'postgres') await trx.selectFrom('account').select('id').forUpdate().execute()
      await work(trx)
      if ((await countAdministrators(trx)) === 0)
        throw conflict("C'est le dernier administrateur : donnez d'abord ce droit à un autre compte.")
    })

  const groupClaims = async (ids: readonly number[]): Promise<string[]> => {
    const found = await groupsById(db, ids)
    if (found.size !== new Set(ids).size) throw invalidField('groups', "Un de ces groupes n'existe pas.")
    return [...found.values()].flat()
  }
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
    id: number,
    detail?: Readonly<Record<string, unknown>>,
  ) =>
    audit(
      trx,
      { action, outcome: 'success', actor: viewer.login, address, object: `account ${id}`, ...(detail && { detail }) },
      now(),
    )

  const newPassword = async (chosen: string | undefined, login: string): Promise<NewPassword> => {
    if (chosen === undefined) return deps.passwords.temporary()
    await deps.passwords.check(chosen, login)
    return { hash: await hashPassword(chosen), expiresAt: null }
  }

  return {
    own: async (viewer: Viewer): Promise<OwnAccount> => toOwnAccount(await need(viewer.userId)),
    get: async (id: number): Promise<Account> => toAccount(await need(id)),
    claims: async (id: number) => [...(await need(id)).claims].map(claim => ({ claim })),
    lastUpdate: async () => {
      const row = await db
        .selectFrom('account')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    async datatable(request: DatatableRequest): Promise<DatatableReply<z.output<typeof accountRow>>> {
      const page = await runDatatable<AccountListRow>(deps.database, accountList, request)
      const records = await Promise.all(page.data.map(row => need(row.id)))
      return {
        ...page,
        data: records.map(record => ({
          idUser: record.id,
          login: record.login,
          firstName: record.firstName,
          lastName: record.lastName,
          email: record.email,
          enabled: record.enabled,
          firstConnection: record.firstConnection,
          groups: record.groups.map(group => group.name).join(', '),
          lastLoginAt: toIsoOrNull(record.lastLoginAt),
        })),
      }
    },
    async create(viewer: Viewer, body: z.output<typeof accountCreateBody>, address: string) {
      const claims = (body.claims ?? []).map(({ claim }) => claim)
      mayChange(viewer, [], [...claims, ...(await groupClaims(body.groups ?? []))])
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
        await audited(trx, viewer, address, 'account-create', made, { login: body.login, groups: body.groups, claims })
        return made
      })
      return {
        ...toAccount(await saved(id, 'created')),
        ...(password.shown === undefined ? {} : { temporaryPassword: password.shown }),
      }
    },
    async ownUpdate(viewer: Viewer, body: z.output<typeof ownUpdateBody>): Promise<OwnAccount> {
      const before = await need(viewer.userId)
      await db
        .updateTable('account')
        .set(profileColumns(before, body, viewer.login, now()))
        .where('id', '=', viewer.userId)
        .execute()
      return toOwnAccount(await saved(viewer.userId, 'updated'))
    },
    async update(
      viewer: Viewer,
      id: number,
      body: z.output<typeof accountUpdateBody>,
      address: string,
    ): Promise<Account> {
      const before = await need(id)
      mayEdit(viewer, before)
      if (body.updatedAt !== undefined && fromIso(body.updatedAt) !== before.updatedAt)
        throw stale(toAccount(before), before.updatedBy)
      if (body.groups !== undefined)
        mayChange(
          viewer,
          before.groups.flatMap(group => group.claims),
          await groupClaims(body.groups),
        )
      if (body.login !== undefined) await loginFree(body.login, id)
      await keepingAnAdministrator(async trx => {
        await trx
          .updateTable('account')
          .set({
            ...profileColumns(before, body, viewer.login, now()),
            ...(body.login === undefined ? {} : { login: body.login, login_folded: fold(body.login) }),
            ...(body.enabled === undefined ? {} : { enabled: body.enabled ? 1 : 0 }),
          })
          .where('id', '=', id)
          .execute()
        if (body.groups !== undefined) await replaceGroups(trx, id, body.groups)
        await audited(trx, viewer, address, 'account-update', id, body)
      })
      if (body.enabled === false) await sessions.endAll(id, 'disabled')
      return toAccount(await saved(id, 'updated'))
    },
    async setClaims(viewer: Viewer, id: number, claims: readonly Claim[], address: string): Promise<Account> {
      const before = await need(id)
      mayEdit(viewer, before)
      mayChange(viewer, before.ownClaims, claims)
      await keepingAnAdministrator(async trx => {
        await replaceClaims(trx, id, claims)
        await trx
          .updateTable('account')
          .set({ updated_at: now(), updated_by: viewer.login })
          .where('id', '=', id)
          .execute()
        await audited(trx, viewer, address, 'claims-update', id, { before: before.ownClaims, after: claims })
      })
      return toAccount(await saved(id, 'updated'))
    },
    async delete(viewer: Viewer, id: number, address: string): Promise<void> {
      const before = await need(id)
      mayEdit(viewer, before)
      const open = await sessions.openOf(id)
      await keepingAnAdministrator(async trx => {
        await trx.deleteFrom('account').where('id', '=', id).execute()
        await audited(trx, viewer, address, 'account-delete', id, { login: before.login })
      })
      sessions.forget(open)
      changes.emit({ entity: 'account', ids: [id], action: 'deleted' })
    },
    async userGroups() {
      const groups = await db.selectFrom('user_group').selectAll().orderBy('name_folded').execute()
      const claims = await groupsById(
        db,
        groups.map(group => group.id),
      )
      const members = await db
        .selectFrom('user_group_member')
        .select(eb => ['group_id', eb.fn.countAll<number>().as('n')])
        .groupBy('group_id')
        .execute()
      return groups.map(group => ({
        id: group.id,
        name: group.name,
        description: group.description,
        claims: (claims.get(group.id) ?? []).map(claim => ({ claim })),
        members: Number(members.find(row => row.group_id === group.id)?.n ?? 0),
        createdAt: toIso(group.created_at),
        updatedAt: toIso(group.updated_at),
        updatedBy: group.updated_by,
      }))
    },
  }
}
export type AccountService = ReturnType<typeof createAccountService>

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
    home_page: body.homePage ?? before.homePage,
    updated_at: nowMs,
    updated_by: by,
  }
}
