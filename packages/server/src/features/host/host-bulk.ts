import type { BulkReply, DatatableRequest, Host, HostChange, HostInput } from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import { type AuditedChange, auditChanges } from '../../store/audit-change.ts'
import { turns } from '../../store/batches.ts'
import { bulkReplyOf, updateAlike } from '../../store/bulk.ts'
import { countComments } from '../../store/comments.ts'
import type { Database, Db } from '../../store/database.ts'
import { recomputeThresholds } from '../../store/field-formulas.ts'
import { withFields } from '../../store/field-lists.ts'
import { checkReferences, unseenFault } from '../../store/host-references.ts'
import { lock } from '../../store/lock.ts'
import { type BulkTarget, matchingRows, targetIds } from '../../store/matching.ts'
import { heldIds } from '../../store/memory-list.ts'
import { applyModels } from '../../store/model-inheritance.ts'
import { hostColumns } from '../../store/object-columns.ts'
import { deleteHosts } from '../../store/owned-deletion.ts'
import { transaction } from '../../store/transaction.ts'
import { fieldsOf, type HostRow, hostList, toHost } from './host.store.ts'
import { changedHost } from './host-change.ts'
import { hostsAbove, linksOf } from './host-links.ts'
import { createHostsInMemory } from './host-memory.ts'

export interface HostBulkDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
}
interface HostBulkBody {
  readonly ids?: readonly number[] | undefined
  readonly filter?: DatatableRequest | undefined
  readonly plan: boolean
  readonly change: HostChange
}
interface Step {
  readonly host: Host
  readonly next: HostInput
}

/** One change of many hosts: those ticked, or all that a filter matches. All that is not refused is done, in one transaction. */
export const createHostBulk = (deps: HostBulkDeps) => {
  const { database, now, changes, monitoring, samples } = deps

  const inMemory = createHostsInMemory(monitoring.model)
  const targets = async (viewer: Viewer, target: BulkTarget): Promise<number[]> =>
    targetIds(database, await withFields(database, viewer, 'host', hostList(viewer)), target, heldIds(inMemory(viewer)))
  const read = async (trx: Db, viewer: Viewer, ids: readonly number[]): Promise<Host[]> => {
    const hosts: Host[] = []
    for await (const rows of matchingRows<HostRow>(trx, hostList(viewer), ids)) {
      const links = await linksOf(
        trx,
        rows.map(row => row.id),
      )
      const around = { links, siteProbes: new Map(), customFields: () => ({}) }
      hosts.push(...rows.map(row => toHost(row, around, monitoring)))
    }
    return hosts
  }

  const alter = async (viewer: Viewer, { change, plan, ...target }: HostBulkBody): Promise<BulkReply> => {
    const { addParentIds: parentIds, addMonitoringModelIds: monitoringModelIds, ...rest } = change
    const wanted = await targets(viewer, target)
    const done = await transaction(database.db, async trx => {
      await lock(database, trx, 'host-parents')
      await lock(database, trx, 'monitoring-models')
      const named = { ...rest, parentIds: parentIds ?? [], monitoringModelIds: monitoringModelIds ?? [] }
      await checkReferences(trx, named, viewer)
      const above = new Set([...(await hostsAbove(trx, parentIds ?? [])), ...(parentIds ?? [])])
      const hosts = await read(trx, viewer, wanted)
      const steps: Step[] = []
      const refusals: BulkReply['refusals'] = []
      for await (const some of turns(hosts))
        for (const host of some) {
          const { next, errors } = changedHost(fieldsOf(host), change)
          if (above.has(host.id)) errors.push('Un équipement ne peut dépendre de lui-même, même de loin.')
          const unseen = unseenFault(viewer, next)
          if (unseen !== null) errors.push(unseen)
          if (errors.length > 0) refusals.push({ id: host.id, name: host.name, errors })
          else if (JSON.stringify(next) !== JSON.stringify(fieldsOf(host))) steps.push({ host, next })
        }
      const lost = plan ? [] : await save(trx, viewer, steps, now())
      return { matched: hosts.length, steps, refusals, lost }
    })
    const ids = done.steps.map(step => step.host.id)
    if (!plan && ids.length > 0) await settle(ids, done.lost)
    return bulkReplyOf({ matched: done.matched, changed: ids.length, refusals: done.refusals })
  }
  const settle = async (ids: readonly number[], lostMetrics: readonly number[]): Promise<void> => {
    await samples.forget(lostMetrics)
    await monitoring.reloadHosts(ids)
    await monitoring.evaluation.between(effects => {
      for (const id of ids) {
        const entry = monitoring.model.hosts.get(id)
        if (entry !== undefined) effects.hosts.add(entry)
      }
    })
    changes.emit({ entity: 'host', ids, action: 'updated' })
  }

  const remove = async (viewer: Viewer, { change, plan, ...target }: HostBulkBody): Promise<BulkReply> => {
    if (Object.keys(change).length > 1) throw invalid(['Une suppression va sans autre changement.'])
    const ids = await targets(viewer, target)
    const hosts = await read(database.db, viewer, ids)
    const entries = ids.flatMap(id => monitoring.model.hosts.get(id) ?? [])
    const scanners = entries.flatMap(entry => [...entry.scanners.values()])
    const metricIds = scanners.flatMap(scanner => [...scanner.metrics.values()].map(metric => metric.id))
    const comments = await countComments(database.db, 'host', ids)
    if (!plan) {
      await transaction(database.db, async trx => {
        await deleteHosts(trx, ids)
        await auditChanges(
          trx,
          hosts.map(host => lineOf(viewer, host, null)),
          now(),
        )
      })
      await samples.forget(metricIds)
      await monitoring.reloadHosts(ids)
      changes.emit({ entity: 'host', ids, action: 'deleted' })
    }
    const deletion = { sites: 0, hosts: hosts.length, scanners: scanners.length, metrics: metricIds.length, comments }
    return bulkReplyOf({ matched: hosts.length, changed: hosts.length, refusals: [], deletion })
  }

  return (viewer: Viewer, body: HostBulkBody): Promise<BulkReply> =>
    body.change.delete === true ? remove(viewer, body) : alter(viewer, body)
}
export type HostBulk = ReturnType<typeof createHostBulk>

const lineOf = (viewer: Viewer, host: Host, next: HostInput | null): AuditedChange => ({
  action: next === null ? 'host-delete' : 'host-update',
  actor: viewer.login,
  object: `host ${host.id}`,
  name: host.name,
  before: fieldsOf(host),
  after: next,
})

/** @returns the metrics that models took away. */
const save = async (trx: Db, viewer: Viewer, steps: readonly Step[], nowMs: number): Promise<readonly number[]> => {
  const updates = steps.map(({ host, next }) => {
    const { site_id, type_id, model_id, probe_id, enabled, tags, tags_folded } = hostColumns(next)
    return { id: host.id, columns: { site_id, type_id, model_id, probe_id, enabled, tags, tags_folded } }
  })
  await updateAlike(trx, 'host', updates, viewer.login, nowMs)
  const modelled = await saveLinksOf(trx, steps)
  const { deletedMetricIds } = await applyModels(trx, modelled, viewer.login, nowMs)
  await recomputeThresholds(
    trx,
    steps.map(step => step.host.id),
  )
  await auditChanges(
    trx,
    steps.map(({ host, next }) => lineOf(viewer, host, next)),
    nowMs,
  )
  return deletedMetricIds
}

const differs = (a: readonly number[], b: readonly number[]): boolean => a.join() !== b.join()

/** @returns the hosts whose models changed. */
const saveLinksOf = async (trx: Db, steps: readonly Step[]): Promise<number[]> => {
  const moved = steps.filter(({ host, next }) => differs(host.parentIds, next.parentIds))
  for await (const slice of turns(moved)) {
    const hostIds = slice.map(({ host }) => host.id)
    await trx.deleteFrom('host_parent').where('host_id', 'in', hostIds).execute()
  }
  for await (const rows of turns(
    moved.flatMap(({ host, next }) => next.parentIds.map(parent_id => ({ host_id: host.id, parent_id }))),
  ))
    await trx.insertInto('host_parent').values(rows).execute()
  const modelled = steps.filter(({ host, next }) => differs(host.monitoringModelIds, next.monitoringModelIds))
  for await (const slice of turns(modelled)) {
    const hostIds = slice.map(({ host }) => host.id)
    await trx.deleteFrom('host_monitoring_model').where('host_id', 'in', hostIds).execute()
  }
  for await (const rows of turns(
    modelled.flatMap(({ host, next }) =>
      next.monitoringModelIds.map((model_id, position) => ({ host_id: host.id, model_id, position })),
    ),
  ))
    await trx.insertInto('host_monitoring_model').values(rows).execute()
  return modelled.map(({ host }) => host.id)
}
