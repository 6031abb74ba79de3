import { type DatatableRequest, type Select2QueryFor, type Site, type SiteInput, siteFields } from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import { type Viewer, where } from '../../http/caller.ts'
import { conflict, forbidden, notFound, stale } from '../../http/refusal.ts'
import { toMaintenance } from '../../monitoring/live.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import { type AuditedChange, auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { runDatatable, runSelect2 } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { fieldColumns, fieldTexts, type ToldValues, withFields } from '../../store/field-lists.ts'
import { lastUpdateOf } from '../../store/last-update.ts'
import { lock } from '../../store/lock.ts'
import { everyMatch } from '../../store/matching.ts'
import { siteColumns } from '../../store/object-columns.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { holdsOn, including, seesSite, visibleSite, visibleTo } from '../../store/visible.ts'
import { deleteSites, hostsOf, readTree, type SiteRow, siteList, toSite, whatDependsOn } from './site.store.ts'
import { siteColumnsOf } from './site-export.ts'
import { changedColumns, checkSite } from './site-rules.ts'

export interface SiteDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  /** Awaited before an answer says that a change is done: monitoring then knows of it. */
  readonly reload: () => Promise<void>
  readonly samples: SampleStore
  readonly monitoring: Pick<Monitoring, 'model'>
}

type DeleteQuery = { plan?: string | undefined; cascade?: string | undefined }

export const createSiteService = ({ database, now, changes, reload, samples, monitoring }: SiteDeps) => {
  const { db } = database

  const list = (viewer: Viewer) => withFields(database, viewer, 'site', siteList(viewer))
  const shown = async (
    viewer: Viewer | 'system',
    rows: readonly SiteRow[],
    told: ToldValues = 'in-force',
  ): Promise<Site[]> => {
    const owners = rows.map(row => ({ id: row.id, typeId: row.type_id }))
    const texts = await fieldTexts(database, viewer, 'site', owners, told)
    return rows.map(row => ({
      ...toSite(row),
      ...{ customFields: texts(row.id) },
      partial: !seesSite(viewer)(row.id),
      maintenance: toMaintenance(monitoring.model.sites.get(row.id)?.maintenance ?? null).maintenance,
    }))
  }
  const get = async (viewer: Viewer | 'system', id: number): Promise<Site> => {
    const [site] = await shown(viewer, [await findRow(db, viewer, id)])
    if (site === undefined) throw notFound("Ce site n'existe pas.")
    return site
  }

  const saved = async (viewer: Viewer, id: number, action: 'created' | 'updated'): Promise<Site> => {
    await reload()
    changes.emit({ entity: 'site', ids: [id], action })
    return get(viewer, id)
  }
  const log = (trx: Db, viewer: Viewer, entry: Omit<AuditedChange, 'actor'>): Promise<void> =>
    auditChange(trx, { ...entry, actor: viewer.login }, now())

  return {
    get,
    list: async (viewer: Viewer) => shown(viewer, await fetchAll<SiteRow>(db, siteList(viewer))),
    tree: (viewer: Viewer) => readTree(db, viewer),
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const page = await runDatatable<SiteRow>(database, await list(viewer), request)
      return { ...page, data: await shown(viewer, page.data) }
    },
    columns: async (viewer: Viewer) => [
      ...(await siteColumnsOf(db)),
      ...(await fieldColumns(database, viewer, 'site')),
    ],
    everything: async (viewer: Viewer, request: DatatableRequest, told: ToldValues) =>
      everyMatch<SiteRow, Site>(database, await list(viewer), request, rows => shown(viewer, rows, told)),
    lastUpdate: () => lastUpdateOf(database, 'site'),
    /** `claim`: those where one holds it; equipment may be put on a site of which one sees some. */
    select2: (viewer: Viewer, { claim, ...query }: Select2QueryFor) => {
      const at = claim === undefined ? viewer : where(viewer, claim)
      const isSome = claim === undefined || claim === 'host_write'
      return runSelect2(db, sql`site`, isSome ? visibleSite(at, sql`id`) : visibleTo(at, sql`id`), query)
    },

    async create(viewer: Viewer, input: SiteInput): Promise<Site> {
      const id = await transaction(db, async trx => {
        await lock(database, trx, 'site-tree')
        await checkSite(trx, viewer, input, 0)
        const row = await trx
          .insertInto('site')
          .values({ ...siteColumns(input), created_at: now(), updated_at: now(), updated_by: viewer.login })
          .returning('id')
          .executeTakeFirstOrThrow()
        await log(trx, viewer, {
          ...named('site-create', row.id, input.name),
          before: null,
          after: siteFields.parse(input),
        })
        return row.id
      })
      return saved(including(viewer, id), id, 'created')
    },

    async update(viewer: Viewer, id: number, input: SiteInput & { updatedAt: string }): Promise<Site> {
      await transaction(db, async trx => {
        await lock(database, trx, 'site-tree')
        const before = await find(trx, viewer, id)
        if (fromIso(before.updatedAt) !== fromIso(input.updatedAt)) throw stale(before, before.updatedBy)
        await checkSite(trx, viewer, input, id, before.parentId)
        const updatedAt = Math.max(now(), fromIso(before.updatedAt) + 1)
        await trx
          .updateTable('site')
          .set({ ...changedColumns(before, input), updated_at: updatedAt, updated_by: viewer.login })
          .where('id', '=', id)
          .execute()
        const versions = { before: siteFields.parse(before), after: siteFields.parse(input) }
        await log(trx, viewer, { ...named('site-update', id, input.name), ...versions })
      })
      return saved(viewer, id, 'updated')
    },

    async delete(viewer: Viewer, id: number, query: DeleteQuery) {
      const done = await transaction(db, async trx => {
        await lock(database, trx, 'site-tree')
        const target = await find(trx, viewer, id)
        const dependent = await whatDependsOn(trx, id)
        if (query.plan === 'true') return { ...dependent, deleted: false }
        if (query.cascade !== 'true') refuseWhileUsed(target, dependent.children)
        if (dependent.plan.hosts > 0 && !holdsOn(viewer, 'host_write', dependent.siteIds))
          throw forbidden('Supprimer aussi des équipements demande le droit « Équipements\u202f: écriture ».')
        for (const { id: hostId, ...host } of await hostsOf(trx, dependent.siteIds))
          await log(trx, viewer, {
            action: 'host-delete',
            object: `host ${hostId}`,
            name: host.name,
            before: host,
            after: null,
          })
        for (const siteId of dependent.siteIds) {
          const site = siteId === id ? target : await find(trx, 'system', siteId)
          await log(trx, viewer, {
            ...named('site-delete', siteId, site.name),
            before: siteFields.parse(site),
            after: null,
          })
        }
        await deleteSites(trx, dependent.siteIds)
        return { ...dependent, deleted: true }
      })
      const { siteIds, metricIds, plan, deleted } = done
      if (!deleted) return { deleted, plan }
      await samples.forget(metricIds)
      await reload()
      changes.emit({ entity: 'site', ids: siteIds, action: 'deleted' })
      return { deleted, plan }
    },
  }
}
export type SiteService = ReturnType<typeof createSiteService>

const findRow = async (
  db: Db,
  viewer: Viewer | 'system',
  id: number,
  sight: 'some' | 'whole' = 'some',
): Promise<SiteRow> => {
  const row = await fetchOne<SiteRow>(db, siteList(viewer, sight), id)
  if (row === null) throw notFound("Ce site n'existe pas.")
  return row
}
const find = async (db: Db, viewer: Viewer | 'system', id: number): Promise<Site> =>
  toSite(await findRow(db, viewer, id, 'whole'))

const named = (action: 'site-create' | 'site-update' | 'site-delete', id: number, name: string) => ({
  action,
  object: `site ${id}`,
  name,
})

const refuseWhileUsed = (target: Site, children: readonly string[]): void => {
  if (target.hosts > 0)
    throw conflict(
      `Ce site a encore ${target.hosts} équipement${target.hosts > 1 ? 's' : ''} : déplacez-les, ou demandez à les supprimer avec lui.`,
    )
  if (children.length > 0) throw conflict(`Ce site est le parent de : ${children.join(', ')}.`)
}
