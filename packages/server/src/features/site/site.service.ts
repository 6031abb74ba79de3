import { type DatatableRequest, fold, grants, type Site, type SiteInput } from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, invalidField, notFound, stale } from '../../http/refusal.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import type { Database } from '../../store/database.ts'
import { runDatatable, runSelect2 } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { fromIso, toIsoOrNull } from '../../store/time.ts'
import { visibleTo } from '../../store/visible.ts'
import { ancestorsOf, deleteSites, type SiteRow, siteColumns, siteList, toSite, whatDependsOn } from './site.store.ts'

export interface SiteDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  /** Awaited before an answer says that a change is done: monitoring then knows of it. */
  readonly reload: () => Promise<void>
  readonly samples: SampleStore
}

export const createSiteService = ({ database, now, changes, reload, samples }: SiteDeps) => {
  const { db } = database
  const get = async (viewer: Viewer | 'system', id: number): Promise<Site> => {
    const row = await fetchOne<SiteRow>(db, siteList(viewer), id)
    if (row === null) throw notFound("Ce site n'existe pas.")
    return toSite(row)
  }

  const check = async (input: SiteInput, id: number): Promise<void> => {
    const taken = await db
      .selectFrom('site')
      .select('id')
      .where('code_folded', '=', fold(input.code))
      .where('id', '!=', id)
      .executeTakeFirst()
    if (taken !== undefined)
      throw conflict(`Le code « ${input.code} » est déjà celui d'un autre site.`, {
        fields: { code: 'Ce code est déjà pris.' },
      })
    const types =
      input.typeId === null
        ? []
        : await db.selectFrom('site_type').select('id').where('id', '=', input.typeId).execute()
    if (input.typeId !== null && types.length === 0) throw invalidField('typeId', "Ce type de site n'existe pas.")
    if (
      input.probeId !== null &&
      (await db.selectFrom('probe').select('id').where('id', '=', input.probeId).executeTakeFirst()) === undefined
    )
      throw invalidField('probeId', "Cette sonde n'existe pas.")
    if (input.parentId === null) return
    const parent = await db.selectFrom('site').select('id').where('id', '=', input.parentId).executeTakeFirst()
    if (parent === undefined) throw invalidField('parentId', "Le site parent n'existe pas.")
    if ((await ancestorsOf(db, input.parentId)).includes(id))
      throw invalidField('parentId', 'Un site ne peut être son propre parent, même de loin.')
  }

  const saved = async (id: number, action: 'created' | 'updated'): Promise<Site> => {
    await reload()
    changes.emit({ entity: 'site', ids: [id], action })
    return get('system', id)
  }

  return {
    get,
    list: async (viewer: Viewer) => (await fetchAll<SiteRow>(db, siteList(viewer))).map(toSite),
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const page = await runDatatable<SiteRow>(database, siteList(viewer), request)
      return { ...page, data: page.data.map(toSite) }
    },
    lastUpdate: async () => {
      const row = await db
        .selectFrom('site')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    types: () => db.selectFrom('site_type').select(['id', 'name', 'icon']).orderBy('name_folded').execute(),
    select2: (viewer: Viewer, query: { term?: string | undefined; page?: number | undefined }) =>
      runSelect2(db, sql`site`, visibleTo(viewer), query),
    select2Type: (query: { term?: string | undefined; page?: number | undefined }) =>
      runSelect2(db, sql`site_type`, sql<boolean>`1 = 1`, query),
    async create(viewer: Viewer, input: SiteInput): Promise<Site> {
      await check(input, 0)
      const row = await db
        .insertInto('site')
        .values({ ...siteColumns(input), created_at: now(), updated_at: now(), updated_by: viewer.login })
        .returning('id')
        .executeTakeFirstOrThrow()
      return saved(row.id, 'created')
    },
    async update(viewer: Viewer, id: number, input: SiteInput & { updatedAt: string }): Promise<Site> {
      const before = await get(viewer, id)
      if (before.updatedAt !== new Date(fromIso(input.updatedAt)).toISOString()) throw stale(before, before.updatedBy)
      await check(input, id)
      const changed = await db
        .updateTable('site')
        .set({
          ...siteColumns(input),
          updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
          updated_by: viewer.login,
        })
        .where('id', '=', id)
        .where('updated_at', '=', fromIso(before.updatedAt))
        .executeTakeFirst()
      if (Number(changed.numUpdatedRows) === 0) throw stale(await get(viewer, id), null)
      return saved(id, 'updated')
    },
    async delete(viewer: Viewer, id: number, query: { plan?: string | undefined; cascade?: string | undefined }) {
      const target = await get(viewer, id)
      const { siteIds, metricIds, plan, children } = await whatDependsOn(db, id)
      if (query.plan === 'true') return { deleted: false, plan }
      if (query.cascade !== 'true') {
        if (target.hosts > 0)
          throw conflict(
            `Ce site a encore ${target.hosts} équipement${target.hosts > 1 ? 's' : ''} : déplacez-les, ou demandez à les supprimer avec lui.`,
          )
        if (children.length > 0) throw conflict(`Ce site est le parent de : ${children.join(', ')}.`)
      }
      if (plan.hosts > 0 && !grants(viewer.claims, 'host_write'))
        throw forbidden('Supprimer aussi des équipements demande le droit « host_write ».')
      await db.transaction().execute(trx => deleteSites(trx, siteIds))
      await samples.forget(metricIds)
      await reload()
      changes.emit({ entity: 'site', ids: siteIds, action: 'deleted' })
      return { deleted: true, plan }
    },
  }
}
export type SiteService = ReturnType<typeof createSiteService>
