import { CLAIMS, type Claim, fold, grants, type PrivilegeGroup } from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, invalidField, notFound, stale } from '../../http/refusal.ts'
import { auditChange } from '../../store/audit-change.ts'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { fetchAll } from '../../store/fetch.ts'
import { levelOf } from '../../store/field-access.ts'
import { requireFreeName } from '../../store/names.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { type DefinitionRow, definitionList, toDefinition } from './definition.store.ts'
import { claimsOfGroup, hasAdministrator, membersOf, readPrivilegeGroups } from './privilege-group.store.ts'

export interface PrivilegeGroupDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
}
interface GroupInput {
  readonly name: string
  readonly description: string
}

/** User groups as those who define fields see them: a group that gives claims asks for more (nobody gives or takes what he lacks). */
export const createPrivilegeGroupService = ({ database, now, changes }: PrivilegeGroupDeps) => {
  const { db } = database
  const get = async (id: number, within: Db = db): Promise<PrivilegeGroup> => {
    const [group] = await readPrivilegeGroups(within, id)
    if (group === undefined) throw notFound("Ce groupe d'utilisateurs n'existe pas.")
    return group
  }
  const recorded = (trx: Db, viewer: Viewer, id: number, name: string, before: object | null, after: object | null) =>
    auditChange(
      trx,
      {
        action: 'field-privilege-update',
        actor: viewer.login,
        object: `user-group ${id}`,
        name,
        before,
        after,
      },
      now(),
    )
  /** One transaction; on PostgreSQL two of them never take away the last two administrators at once. */
  const changing = <T>(work: (trx: Db) => Promise<T>): Promise<T> =>
    transaction(db, async trx => {
      if (database.dialect === 'postgres') await trx.selectFrom('account').select('id').forUpdate().execute()
      const done = await work(trx)
      if (!(await hasAdministrator(trx)))
        throw conflict("C'est le dernier administrateur : donnez d'abord ce droit à un autre compte.")
      return done
    })
  const told = (members: readonly number[]): void => {
    if (members.length > 0) changes.emit({ entity: 'account', ids: members, action: 'updated' })
    changes.emit({ entity: 'custom-field', ids: [], action: 'updated' })
  }

  return {
    list: () => readPrivilegeGroups(db),
    async create(viewer: Viewer, input: GroupInput): Promise<PrivilegeGroup> {
      const made = await transaction(db, async trx => {
        await checkFree(trx, input.name, 0)
        const row = await trx
          .insertInto('user_group')
          .values({ ...columnsOf(input), created_at: now(), updated_at: now(), updated_by: viewer.login })
          .returning('id')
          .executeTakeFirstOrThrow()
        await recorded(trx, viewer, row.id, input.name, null, input)
        return get(row.id, trx)
      })
      told([])
      return made
    },
    async update(viewer: Viewer, id: number, { updatedAt, ...input }: GroupInput & { updatedAt: string }) {
      const after = await transaction(db, async trx => {
        const before = await get(id, trx)
        await mayChange(trx, viewer, id)
        if (fromIso(before.updatedAt) !== fromIso(updatedAt)) throw stale(before, before.updatedBy)
        await checkFree(trx, input.name, id)
        await trx
          .updateTable('user_group')
          .set({
            ...columnsOf(input),
            updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .execute()
        await recorded(trx, viewer, id, input.name, { name: before.name, description: before.description }, input)
        return get(id, trx)
      })
      told([])
      return after
    },
    async delete(viewer: Viewer, id: number) {
      const members = await changing(async trx => {
        const before = await get(id, trx)
        await mayChange(trx, viewer, id)
        const held = await membersOf(trx, id)
        await trx.deleteFrom('user_group').where('id', '=', id).execute()
        const lost = { name: before.name, description: before.description, members: held.map(one => one.login) }
        await recorded(trx, viewer, id, before.name, lost, null)
        return held.map(one => one.idUser)
      })
      told(members)
      return { deleted: true }
    },
    async users(id: number) {
      await get(id)
      return membersOf(db, id)
    },
    async setUsers(viewer: Viewer, id: number, users: readonly number[]) {
      const ids = [...new Set(users)]
      const done = await changing(async trx => {
        const { name } = await get(id, trx)
        await mayChange(trx, viewer, id)
        await checkAccounts(trx, ids)
        const before = await membersOf(trx, id)
        const moved = new Set(before.map(one => one.idUser)).symmetricDifference(new Set(ids))
        await mayMove(trx, viewer, [...moved])
        await trx.deleteFrom('user_group_member').where('group_id', '=', id).execute()
        for (const some of batches(ids))
          await trx
            .insertInto('user_group_member')
            .values(some.map(account_id => ({ group_id: id, account_id })))
            .execute()
        const after = await membersOf(trx, id)
        const logins = (members: typeof before) => ({ members: members.map(one => one.login) })
        await recorded(trx, viewer, id, name, logins(before), logins(after))
        const changed = new Set(before.map(one => one.idUser)).symmetricDifference(new Set(ids))
        return { after, changed: [...changed] }
      })
      told(done.changed)
      return done.after
    },
    /** Every field with what the group's cells say of it; `admin` writes them all. */
    async fields(id: number) {
      const { admin } = await get(id)
      const own = await db.selectFrom('field_privilege_override').selectAll().where('user_group_id', '=', id).execute()
      const cells = await db.selectFrom('field_privilege').selectAll().where('user_group_id', '=', id).execute()
      const byField = new Map(own.map(row => [row.definition_id, row.level]))
      const byGroup = new Map(cells.map(row => [row.field_group_id, row.level]))
      const definitions = (await fetchAll<DefinitionRow>(db, definitionList())).map(toDefinition)
      return definitions.map(definition => ({
        definition,
        level: admin
          ? ('write' as const)
          : levelOf(byField.get(definition.id) ?? byGroup.get(definition.groupId) ?? null),
      }))
    },
  }
}
export type PrivilegeGroupService = ReturnType<typeof createPrivilegeGroupService>

const columnsOf = ({ name, description }: GroupInput) => ({ name, name_folded: fold(name), description })

/** A group that gives claims is changed only by who could give each of them. */
const mayChange = async (trx: Db, viewer: Viewer, id: number): Promise<void> => {
  const claims = await claimsOfGroup(trx, id)
  const row = await trx.selectFrom('user_group').select('limited').where('id', '=', id).executeTakeFirst()
  if (claims.length === 0 && row?.limited !== 1) return
  const isClaim = (text: string): text is Claim => CLAIMS.some(claim => claim === text)
  const holdsAll = claims.every(claim => isClaim(claim) && grants(viewer.claims, claim) && !viewer.limits.has(claim))
  if (!holdsAll || !grants(viewer.claims, 'user_group_write'))
    throw forbidden('Ce groupe donne des droits : le modifier demande « user_group_write » et chacun de ces droits.')
}

/** Who joins or leaves a group may come to read other sites than before: that is for who manages groups. */
const mayMove = async (trx: Db, viewer: Viewer, accountIds: readonly number[]): Promise<void> => {
  if (accountIds.length === 0 || grants(viewer.claims, 'user_group_write')) return
  const limited = await trx
    .selectFrom('user_group_member as member')
    .innerJoin('user_group as g', 'g.id', 'member.group_id')
    .select('g.id')
    .where('g.limited', '=', 1)
    .where('member.account_id', 'in', accountIds)
    .executeTakeFirst()
  if (limited !== undefined)
    throw forbidden('Un de ces comptes est limité à des sites\u202f: changer ses groupes demande « user_group_write ».')
}

const checkFree = (trx: Db, name: string, except: number): Promise<void> =>
  requireFreeName(trx, 'user_group', name, except, () => `Le groupe « ${name} » existe déjà.`)

const checkAccounts = async (trx: Db, ids: readonly number[]): Promise<void> => {
  let found = 0
  for (const some of batches(ids))
    found += (await trx.selectFrom('account').select('id').where('id', 'in', some).execute()).length
  if (found !== ids.length) throw invalidField('users', "Un de ces comptes n'existe pas.")
}
