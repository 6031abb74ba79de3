import type { BulkReply, DatatableRequest, MetricChange, MetricInherited } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import { createMetricsInMemory } from '../../monitoring/fleet/metric-memory.ts'
import { type MetricListRow, metricInherits, metricList, toMetric } from '../../monitoring/metric-list.ts'
import { type AuditedChange, auditChanges } from '../../store/audit-change.ts'
import { batches } from '../../store/batches.ts'
import { bulkReplyOf, updateAlike } from '../../store/bulk.ts'
import { countComments } from '../../store/comments.ts'
import type { Db } from '../../store/database.ts'
import { recomputeThresholds } from '../../store/field-formulas.ts'
import { matchingRows, targetIds } from '../../store/matching.ts'
import { heldIds } from '../../store/memory-list.ts'
import { modelsOf } from '../../store/model-changes.ts'
import { transaction } from '../../store/transaction.ts'
import type { MetricDeps } from './metric.service.ts'
import { auditedOf, editedOf } from './metric-audit.ts'
import { metricColumns } from './metric-own.ts'

interface MetricBulkBody {
  readonly ids?: readonly number[] | undefined
  readonly filter?: DatatableRequest | undefined
  readonly plan: boolean
  readonly change: MetricChange
}
interface Step {
  readonly id: number
  readonly hostId: number
  readonly columns: ReturnType<typeof metricColumns>
  readonly line: AuditedChange
}

/** One change of many metrics, in one transaction. */
export const createMetricBulk = (deps: MetricDeps) => {
  const { database, now, changes, monitoring, samples } = deps
  const inMemory = createMetricsInMemory(monitoring.model)

  const stepOf = (
    row: MetricListRow,
    change: MetricChange,
    viewer: Viewer,
    models: Awaited<ReturnType<typeof modelsOf>>,
  ): Step | null => {
    const before = toMetric(row, monitoring.model, models)
    const said = (['attempts', 'noData', 'enabled'] as const).filter(field => change[field] !== undefined)
    const overrides: MetricInherited[] =
      change.inherit === true ? [...said] : [...new Set<MetricInherited>([...before.overrides, ...said])]
    const input = {
      name: before.name,
      thresholds: before.thresholds,
      attempts: change.attempts === undefined ? before.attempts : change.attempts,
      noData: change.noData ?? before.noData,
      enabled: change.enabled ?? before.enabled,
      overrides,
    }
    const columns = metricColumns(input, metricInherits(row, models), row)
    const [was, becomes] = [auditedOf(before), auditedOf(editedOf(columns))]
    if (JSON.stringify(was) === JSON.stringify(becomes)) return null
    const line: AuditedChange = {
      ...{ action: 'metric-update', actor: viewer.login, object: `metric ${row.id}`, name: before.name },
      ...{ before: was, after: becomes },
    }
    return { id: row.id, hostId: row.host_id, columns, line }
  }
  const settle = async (ids: readonly number[], hostIds: readonly number[], action: 'updated' | 'deleted') => {
    await monitoring.reloadHosts(hostIds)
    await monitoring.evaluation.between(effects => {
      for (const host of hostIds.flatMap(id => monitoring.model.hosts.get(id) ?? [])) effects.hosts.add(host)
    })
    changes.emit({ entity: 'metric', ids, action, hostIds })
  }

  const alter = async (viewer: Viewer, { change, plan, ...target }: MetricBulkBody): Promise<BulkReply> => {
    const ids = await targetIds(database, metricList(viewer), target, heldIds(inMemory(viewer)))
    const steps = await transaction(database.db, async trx => {
      const found: Step[] = []
      for await (const rows of matchingRows<MetricListRow>(trx, metricList(viewer), ids)) {
        const models = await modelsOf(trx, rows)
        found.push(...rows.flatMap(row => stepOf(row, change, viewer, models) ?? []))
      }
      if (plan) return found
      await updateAlike(trx, 'metric', found, viewer.login, now())
      const computed = found.filter(step => step.columns.formulas !== '{}')
      await recomputeThresholds(
        trx,
        computed.map(step => step.hostId),
      )
      await auditChanges(
        trx,
        found.map(step => step.line),
        now(),
      )
      return found
    })
    if (!plan && steps.length > 0)
      await settle(
        steps.map(step => step.id),
        [...new Set(steps.map(step => step.hostId))],
        'updated',
      )
    return bulkReplyOf({ matched: ids.length, changed: steps.length, refusals: [] })
  }

  const remove = async (viewer: Viewer, { change, plan, ...target }: MetricBulkBody): Promise<BulkReply> => {
    if (Object.keys(change).length > 1) throw invalid(['Une suppression va sans autre changement.'])
    const ids = await targetIds(database, metricList(viewer), target, heldIds(inMemory(viewer)))
    const hostIds = new Set<number>()
    const comments = await countComments(database.db, 'metric', ids)
    if (!plan) {
      await transaction(database.db, async trx => {
        for await (const rows of matchingRows<MetricListRow>(trx, metricList(viewer), ids)) {
          const models = await modelsOf(trx, rows)
          for (const row of rows) hostIds.add(row.host_id)
          await auditChanges(
            trx,
            rows.map(row => ({
              ...{ action: 'metric-delete' as const, actor: viewer.login, object: `metric ${row.id}`, name: row.name },
              ...{ before: auditedOf(toMetric(row, monitoring.model, models)), after: null },
            })),
            now(),
          )
        }
        await deleteMetrics(trx, ids)
      })
      await samples.forget(ids)
      await settle(ids, [...hostIds], 'deleted')
    }
    const deletion = { sites: 0, hosts: 0, scanners: 0, metrics: ids.length, comments }
    return bulkReplyOf({ matched: ids.length, changed: ids.length, refusals: [], deletion })
  }

  return (viewer: Viewer, body: MetricBulkBody): Promise<BulkReply> =>
    body.change.delete === true ? remove(viewer, body) : alter(viewer, body)
}
export type MetricBulk = ReturnType<typeof createMetricBulk>

const deleteMetrics = async (trx: Db, ids: readonly number[]): Promise<void> => {
  for (const slice of batches(ids)) await trx.deleteFrom('metric').where('id', 'in', slice).execute()
}
