import { fold, type SiteTypeInput } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { conflict, notFound } from '../../http/refusal.ts'
import { type AuditedChange, auditChange } from '../../store/audit-change.ts'
import type { Db } from '../../store/database.ts'
import { runSelect2 } from '../../store/datatable.ts'
import { requireFreeName } from '../../store/names.ts'
import { transaction } from '../../store/transaction.ts'
import type { SiteDeps } from './site.service.ts'

/** Types of sites: a name, unique without case or accents, and an icon. */
export const createSiteTypeService = ({ database, now, changes }: Pick<SiteDeps, 'database' | 'now' | 'changes'>) => {
  const { db } = database
  /** One change of types at a time, so that a name is not taken twice; on SQLite transactions stand in line anyway. */
  const inTurn = <T>(work: (trx: Db) => Promise<T>): Promise<T> =>
    transaction(db, async trx => {
      if (database.dialect === 'postgres') await sql`lock table site_type in share row exclusive mode`.execute(trx)
      return work(trx)
    })
  const log = (trx: Db, viewer: Viewer, id: number, entry: Omit<AuditedChange, 'actor' | 'object'>): Promise<void> =>
    auditChange(trx, { ...entry, object: `site-type ${id}`, actor: viewer.login }, now())

  return {
    list: () => db.selectFrom('site_type').select(['id', 'name', 'icon']).orderBy('name_folded').execute(),
    select2: (query: { term?: string | undefined; page?: number | undefined }) =>
      runSelect2(db, sql`site_type`, sql<boolean>`1 = 1`, query),

    create: (viewer: Viewer, input: SiteTypeInput) =>
      inTurn(async trx => {
        await refuseTaken(trx, input.name, 0)
        const type = await trx
          .insertInto('site_type')
          .values({ ...input, name_folded: fold(input.name) })
          .returning(['id', 'name', 'icon'])
          .executeTakeFirstOrThrow()
        await log(trx, viewer, type.id, { action: 'site-type-create', name: input.name, before: null, after: input })
        return type
      }),

    async update(viewer: Viewer, id: number, input: SiteTypeInput) {
      const users = await inTurn(async trx => {
        const before = await find(trx, id)
        await refuseTaken(trx, input.name, id)
        await trx
          .updateTable('site_type')
          .set({ ...input, name_folded: fold(input.name) })
          .where('id', '=', id)
          .execute()
        await log(trx, viewer, id, { action: 'site-type-update', name: input.name, before, after: input })
        return usersOf(trx, id)
      })
      if (users.length > 0) changes.emit({ entity: 'site', ids: users, action: 'updated' })
      return { id, ...input }
    },

    delete: (viewer: Viewer, id: number) =>
      inTurn(async trx => {
        const before = await find(trx, id)
        const { length } = await usersOf(trx, id)
        if (length > 0)
          throw conflict(
            `Le type « ${before.name} » est celui de ${length} site${length > 1 ? 's' : ''} : donnez-leur un autre type d'abord.`,
          )
        await trx.deleteFrom('site_type').where('id', '=', id).execute()
        await log(trx, viewer, id, { action: 'site-type-delete', name: before.name, before, after: null })
        return undefined
      }),
  }
}
export type SiteTypeService = ReturnType<typeof createSiteTypeService>

const find = async (trx: Db, id: number) => {
  const type = await trx.selectFrom('site_type').select(['name', 'icon']).where('id', '=', id).executeTakeFirst()
  if (type === undefined) throw notFound("Ce type de site n'existe pas.")
  return type
}

const usersOf = async (trx: Db, id: number): Promise<number[]> =>
  (await trx.selectFrom('site').select('id').where('type_id', '=', id).execute()).map(site => site.id)

const refuseTaken = (trx: Db, name: string, id: number): Promise<void> =>
  requireFreeName(trx, 'site_type', name, id, held => `Le type « ${held} » existe déjà.`)
