import {
  type BulkReply,
  type DatatableRequest,
  type Site,
  type SiteChange,
  type SiteInput,
  siteFields,
} from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { forbidden, invalid, Refusal } from '../../http/refusal.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import { type AuditedChange, auditChanges } from '../../store/audit-change.ts'
import { bulkReplyOf } from '../../store/bulk.ts'
import type { Database, Db } from '../../store/database.ts'
import { fetchByIds } from '../../store/fetch.ts'
import { withFields } from '../../store/field-lists.ts'
import { lock } from '../../store/lock.ts'
import { targetIds } from '../../store/matching.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { holdsOn } from '../../store/visible.ts'
import { deleteSites, hostsOf, type SiteRow, siteList, toSite, whatDependsOn } from './site.store.ts'
import { changedColumns, checkSite } from './site-rules.ts'

export interface SiteBulkDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly reload: () => Promise<void>
  readonly samples: SampleStore
}
interface SiteBulkBody {
  readonly ids?: readonly number[] | undefined
  readonly filter?: DatatableRequest | undefined
  readonly plan: boolean
  readonly change: SiteChange
}
/** Thrown out of a transaction that only wanted to know what it would do. */
class Undone extends Error {}

/** One change of many sites, each checked as it would be alone, all that is not refused in one transaction. */
export const createSiteBulk = (deps: SiteBulkDeps) => {
  const { database, now, changes, reload, samples } = deps

  const inPlan = async <T>(plan: boolean, work: (trx: Db) => Promise<T>): Promise<T> => {
    let done: T | undefined
    try {
      return await transaction(database.db, async trx => {
        await lock(database, trx, 'site-tree')
        done = await work(trx)
        if (plan) throw new Undone()
        return done
      })
    } catch (error) {
      if (error instanceof Undone && done !== undefined) return done
      throw error
    }
  }
  const read = async (trx: Db, viewer: Viewer, ids: readonly number[]): Promise<Site[]> =>
    (await fetchByIds<SiteRow>(trx, siteList(viewer, 'whole'), ids)).map(toSite)

  const alter = async (viewer: Viewer, { change, plan, ...target }: SiteBulkBody): Promise<BulkReply> => {
    const ids = await targetIds(database, await withFields(database, viewer, 'site', siteList(viewer, 'whole')), target)
    const told = await inPlan(plan, async trx => {
      const sites = await read(trx, viewer, ids)
      const refusals: BulkReply['refusals'] = []
      const lines: AuditedChange[] = []
      for (const site of sites) {
        const before = siteFields.parse(site)
        const next = changedSite(before, change)
        if (JSON.stringify(next) === JSON.stringify(before)) continue
        try {
          await checkSite(trx, viewer, next, site.id, before.parentId)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          refusals.push({ id: site.id, name: site.name, errors: [...error.errors] })
          continue
        }
        const updatedAt = Math.max(now(), fromIso(site.updatedAt) + 1)
        await trx
          .updateTable('site')
          .set({ ...changedColumns(before, next), updated_at: updatedAt, updated_by: viewer.login })
          .where('id', '=', site.id)
          .execute()
        lines.push({ ...lineOf(viewer, 'site-update', site), before, after: next })
      }
      await auditChanges(trx, lines, now())
      return { sites, refusals, changed: lines.length }
    })
    if (!plan && told.changed > 0) {
      await reload()
      changes.emit({ entity: 'site', ids, action: 'updated' })
    }
    return bulkReplyOf({ matched: told.sites.length, changed: told.changed, refusals: told.refusals })
  }

  const remove = async (viewer: Viewer, { change, plan, ...target }: SiteBulkBody): Promise<BulkReply> => {
    if (Object.keys(change).length > 1) throw invalid(['Une suppression va sans autre changement.'])
    const cascade = change.delete === 'cascade'
    const ids = await targetIds(database, await withFields(database, viewer, 'site', siteList(viewer, 'whole')), target)
    const told = await inPlan(plan, async trx => {
      const sites = await read(trx, viewer, ids)
      const gone = new Set<number>()
      const metricIds = new Set<number>()
      const deletion = { sites: 0, hosts: 0, scanners: 0, metrics: 0, comments: 0 }
      const refusals: BulkReply['refusals'] = []
      // The lowest first: a site whose children all go along is no longer the parent of anything.
      const depths = await Promise.all(sites.map(async site => (await whatDependsOn(trx, site.id)).siteIds.length))
      const lowestFirst = sites.map((site, at) => ({ site, depth: depths[at] ?? 0 })).sort((a, b) => a.depth - b.depth)
      for (const { site } of lowestFirst) {
        if (gone.has(site.id)) continue
        const dependent = await whatDependsOn(trx, site.id)
        const errors = cascade ? [] : reasonsToKeep(dependent)
        if (errors.length > 0) {
          refusals.push({ id: site.id, name: site.name, errors })
          continue
        }
        if (dependent.plan.hosts > 0 && !holdsOn(viewer, 'host_write', dependent.siteIds))
          throw forbidden('Supprimer aussi des équipements demande le droit « Équipements\u202f: écriture ».')
        await auditChanges(trx, await linesOfDeletion(trx, viewer, dependent.siteIds), now())
        await deleteSites(trx, dependent.siteIds)
        for (const id of dependent.siteIds) gone.add(id)
        for (const id of dependent.metricIds) metricIds.add(id)
        for (const key of ['sites', 'hosts', 'scanners', 'metrics', 'comments'] as const)
          deletion[key] += dependent.plan[key]
      }
      return { sites, gone: [...gone], metricIds: [...metricIds], deletion, refusals }
    })
    if (!plan && told.gone.length > 0) {
      await samples.forget(told.metricIds)
      await reload()
      changes.emit({ entity: 'site', ids: told.gone, action: 'deleted' })
    }
    const { refusals, deletion } = told
    return bulkReplyOf({ matched: told.sites.length, changed: told.sites.length - refusals.length, refusals, deletion })
  }

  return (viewer: Viewer, body: SiteBulkBody): Promise<BulkReply> =>
    body.change.delete === undefined ? alter(viewer, body) : remove(viewer, body)
}
export type SiteBulk = ReturnType<typeof createSiteBulk>

const lineOf = (viewer: Viewer, action: 'site-update' | 'site-delete', site: Site) => ({
  action,
  actor: viewer.login,
  object: `site ${site.id}`,
  name: site.name,
})

/** The lines that tell of sites and of the equipment that goes with them. */
const linesOfDeletion = async (trx: Db, viewer: Viewer, siteIds: readonly number[]): Promise<AuditedChange[]> => {
  const hosts = (await hostsOf(trx, siteIds)).map(({ id, ...host }) => ({
    ...{ action: 'host-delete' as const, actor: viewer.login, object: `host ${id}`, name: host.name },
    ...{ before: host, after: null },
  }))
  const sites = (await fetchByIds<SiteRow>(trx, siteList('system'), siteIds)).map(toSite)
  return [
    ...hosts,
    ...sites.map(site => ({ ...lineOf(viewer, 'site-delete', site), before: siteFields.parse(site), after: null })),
  ]
}

const changedSite = (site: SiteInput, change: SiteChange): SiteInput => ({
  ...site,
  typeId: change.typeId === undefined ? site.typeId : change.typeId,
  parentId: change.parentId === undefined ? site.parentId : change.parentId,
  probeId: change.probeId === undefined ? site.probeId : change.probeId,
  country: change.country ?? site.country,
  timeZone: change.timeZone ?? site.timeZone,
  holidays: change.holidays === undefined ? site.holidays : change.holidays,
})

const reasonsToKeep = ({ plan, children }: { plan: { hosts: number }; children: readonly string[] }): string[] => [
  ...(plan.hosts > 0 ? [`Ce site a encore ${plan.hosts} équipement${plan.hosts > 1 ? 's' : ''}.`] : []),
  ...(children.length > 0 ? [`Ce site est le parent de : ${children.join(', ')}.`] : []),
]
