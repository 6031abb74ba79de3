import {
  type DatatableReply,
  type DatatableRequest,
  fold,
  type UserGroup,
  type UserGroupDetail,
  type UserGroupInput,
  type UserGroupPlan,
  type UserGroupUpdate,
} from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { invalidField, notFound, stale } from '../../http/refusal.ts'
import { auditChange } from '../../store/audit-change.ts'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { everyMatch } from '../../store/matching.ts'
import { requireFreeName } from '../../store/names.ts'
import { fromIso } from '../../store/time.ts'
import { findAccount } from './account.store.ts'
import { rulesNaming } from './account-plan.ts'
import { keepingAnAdministrator, mayChange, mayEdit } from './account-rules.ts'
import { type GroupRow, groupList, membersOf, toGroups } from './group.store.ts'

export interface GroupDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
}

/** Groups of accounts: what they give, to whom, and where. Nobody changes by one what he could not change himself (S34). */
export const createGroupService = ({ database, now, changes }: GroupDeps) => {
  const { db } = database

  const get = async (id: number, within: Db = db): Promise<UserGroupDetail> => {
    const row = await fetchOne<GroupRow>(within, groupList, id)
    const [group] = row === null ? [] : await toGroups(within, [row])
    if (group === undefined) throw notFound("Ce groupe d'utilisateurs n'existe pas.")
    return { ...group, memberList: await membersOf(within, id) }
  }
  const log = (
    trx: Db,
    viewer: Viewer,
    { id, name }: { readonly id: number; readonly name: string },
    before: UserGroupDetail | null,
    after: UserGroupDetail | null,
  ) => {
    const action = before === null ? 'user-group-create' : after === null ? 'user-group-delete' : 'user-group-update'
    return auditChange(
      trx,
      {
        ...{ action, actor: viewer.login, object: `user-group ${id}`, name },
        ...{ before: before && auditedOf(before), after: after && auditedOf(after) },
      },
      now(),
    )
  }
  /** Who is in it, or was, may do other things now: each request finds it so, and what is pushed follows. */
  const told = (members: readonly number[]): void => {
    if (members.length > 0) changes.emit({ entity: 'account', ids: members, action: 'updated' })
    changes.emit({ entity: 'custom-field', ids: [], action: 'updated' })
  }

  return {
    get: (id: number) => get(id),
    list: async (): Promise<UserGroup[]> => toGroups(db, await fetchAll<GroupRow>(db, groupList)),
    async datatable(request: DatatableRequest): Promise<DatatableReply<UserGroup>> {
      const page = await runDatatable<GroupRow>(database, groupList, request)
      return { ...page, data: await toGroups(db, page.data) }
    },
    everything: (request: DatatableRequest) =>
      everyMatch<GroupRow, UserGroup>(database, groupList, request, rows => toGroups(db, rows)),
    async plan(id: number): Promise<UserGroupPlan> {
      const { memberList, limited } = await get(id)
      let freed = 0
      if (limited)
        for (const { idUser } of memberList) {
          const account = await findAccount(db, { id: idUser })
          if (account !== null && account.place !== null && account.groups.length === 1) freed += 1
        }
      const own = await db.selectFrom('field_privilege').select('level').where('user_group_id', '=', id).execute()
      const fields = await db
        .selectFrom('field_privilege_override')
        .select('level')
        .where('user_group_id', '=', id)
        .execute()
      const fieldPrivileges = [...own, ...fields].filter(({ level }) => level !== 'none').length
      const notificationRules = await rulesNaming(db, 'groupIds', id)
      return { members: memberList.length, freed, fieldPrivileges, notificationRules }
    },
    async create(viewer: Viewer, input: UserGroupInput): Promise<UserGroupDetail> {
      const made = await keepingAnAdministrator(database, async trx => {
        await requireFree(trx, input.name, 0)
        await requireMayGive(trx, viewer, null, input)
        const row = await trx
          .insertInto('user_group')
          .values({ ...columnsOf(input), created_at: now(), updated_at: now(), updated_by: viewer.login })
          .returning('id')
          .executeTakeFirstOrThrow()
        await saveLinks(trx, row.id, input)
        const after = await get(row.id, trx)
        await log(trx, viewer, after, null, after)
        return after
      })
      told(made.memberList.map(one => one.idUser))
      return made
    },
    async update(viewer: Viewer, id: number, { updatedAt, ...input }: UserGroupUpdate): Promise<UserGroupDetail> {
      const [before, after] = await keepingAnAdministrator(database, async trx => {
        const before = await get(id, trx)
        if (fromIso(before.updatedAt) !== fromIso(updatedAt)) throw stale(before, before.updatedBy)
        await requireFree(trx, input.name, id)
        await requireMayGive(trx, viewer, before, input)
        const stamps = { updated_at: Math.max(now(), fromIso(before.updatedAt) + 1), updated_by: viewer.login }
        await trx
          .updateTable('user_group')
          .set({ ...columnsOf(input), ...stamps })
          .where('id', '=', id)
          .execute()
        await saveLinks(trx, id, input)
        const after = await get(id, trx)
        await log(trx, viewer, after, before, after)
        return [before, after] as const
      })
      told([...new Set([...before.memberList, ...after.memberList].map(one => one.idUser))])
      return after
    },
    async delete(viewer: Viewer, id: number): Promise<void> {
      const gone = await keepingAnAdministrator(database, async trx => {
        const before = await get(id, trx)
        await requireMayGive(trx, viewer, before, { claims: [], members: [], limited: false, siteIds: [], tags: [] })
        await trx.deleteFrom('user_group').where('id', '=', id).execute()
        await log(trx, viewer, before, before, null)
        return before
      })
      told(gone.memberList.map(one => one.idUser))
    },
  }
}
export type GroupService = ReturnType<typeof createGroupService>

type Given = Pick<UserGroupInput, 'claims' | 'members' | 'limited' | 'siteIds' | 'tags'>

const columnsOf = ({ name, description, limited }: UserGroupInput) => ({
  ...{ name, name_folded: fold(name), description },
  limited: limited ? (1 as const) : (0 as const),
})

const auditedOf = ({ name, description, claims, memberList, limited, sites, tags }: UserGroupDetail) => ({
  ...{ name, description, limited, tags },
  claims: claims.map(({ claim }) => claim),
  members: memberList.map(({ login }) => login),
  sites: sites.map(site => site.name),
})

const requireFree = (trx: Db, name: string, except: number): Promise<void> =>
  requireFreeName(trx, 'user_group', name, except, () => `Le groupe « ${name} » existe déjà.`)

const same = <T>(a: readonly T[], b: readonly T[]): boolean => new Set(a).symmetricDifference(new Set(b)).size === 0

/** Who joins or leaves, and where it counts, give and take all its claims; what a group gives is given to each member. */
const requireMayGive = async (trx: Db, viewer: Viewer, before: UserGroupDetail | null, after: Given): Promise<void> => {
  const held = (before?.claims ?? []).map(({ claim }) => claim)
  const wanted: readonly string[] = after.claims.map(({ claim }) => claim)
  const members = (before?.memberList ?? []).map(one => one.idUser)
  const isSamePlace =
    before === null ||
    (before.limited === after.limited &&
      same(
        before.sites.map(({ id }) => id),
        after.siteIds,
      ) &&
      same(before.tags.map(fold), after.tags.map(fold)))
  const moved = [...new Set(members).symmetricDifference(new Set(after.members))]
  if (moved.length === 0 && isSamePlace) mayChange(viewer, held, wanted)
  else mayChange(viewer, [], [...held, ...wanted])
  if (viewer.claims.has('admin')) return
  const touched = isSamePlace && same(held, wanted) ? moved : [...members, ...after.members]
  for (const id of new Set(touched)) {
    const account = await findAccount(trx, { id })
    if (account !== null) mayEdit(viewer, account)
  }
}

const saveLinks = async (trx: Db, id: number, { claims, members, limited, ...where }: Given): Promise<void> => {
  const sites = limited ? [...new Set(where.siteIds)] : []
  const tags = limited ? [...new Map(where.tags.map(tag => [fold(tag), tag])).values()] : []
  await requireAll(trx, 'account', 'members', members, "Un de ces comptes n'existe pas.")
  await requireAll(trx, 'site', 'siteIds', sites, "Un de ces sites n'existe pas.")
  for (const table of ['user_group_claim', 'user_group_member', 'user_group_site', 'user_group_tag'] as const)
    await trx.deleteFrom(table).where('group_id', '=', id).execute()
  const held = [...new Set(claims.map(({ claim }) => claim))].map(claim => ({ group_id: id, claim }))
  if (held.length > 0) await trx.insertInto('user_group_claim').values(held).execute()
  for (const some of batches([...new Set(members)]))
    await trx
      .insertInto('user_group_member')
      .values(some.map(account_id => ({ group_id: id, account_id })))
      .execute()
  if (sites.length > 0)
    await trx
      .insertInto('user_group_site')
      .values(sites.map(site_id => ({ group_id: id, site_id })))
      .execute()
  if (tags.length > 0)
    await trx
      .insertInto('user_group_tag')
      .values(tags.map(tag => ({ group_id: id, tag })))
      .execute()
}

const requireAll = async (
  trx: Db,
  table: 'account' | 'site',
  field: string,
  ids: readonly number[],
  sentence: string,
): Promise<void> => {
  let found = 0
  for (const some of batches([...new Set(ids)]))
    found += (await trx.selectFrom(table).select('id').where('id', 'in', some).execute()).length
  if (found !== new Set(ids).size) throw invalidField(field, sentence)
}
