import {
  type Metric,
  metricDefinition,
  NO_THRESHOLDS,
  type ScannerLearnt,
  type Thresholds,
  valueText,
} from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import { kindOf, type ScannerRow, scannerList } from '../../monitoring/run/scanner-list.ts'
import { auditChanges } from '../../store/audit-change.ts'
import { fetchOne } from '../../store/fetch.ts'
import { formulasOf, metricOverrides, sameThresholds } from '../../store/model-values.ts'
import { transaction } from '../../store/transaction.ts'
import type { ScannerDeps } from './scanner.service.ts'

interface Step {
  readonly metric: MetricEntry
  /** The value that it learns from, as people read it. */
  readonly text: string
  readonly before: Pick<Metric, 'thresholds' | 'formulas' | 'overrides'>
  readonly after: Thresholds
}

/** « Réapprendre »: what was learnt from the first values of a scanner's metrics is learnt from the last ones instead. */
export const createScannerLearn = ({ database, monitoring, changes, now }: ScannerDeps) => {
  const { db } = database
  /** Metrics that learn, and those of them that would learn something else now. */
  const stepsOf = async (row: ScannerRow) => {
    const parameters = JSON.parse(row.parameters)
    const learning = [...(monitoring.model.scanners.get(row.id)?.metrics.values() ?? [])].flatMap(metric => {
      const definition = metricDefinition(kindOf(row.kind), metric.key, parameters)
      return definition?.learn === undefined ? [] : [{ metric, definition, learn: definition.learn }]
    })
    if (learning.length === 0) return { matched: 0, steps: [] }
    const held = await db
      .selectFrom('metric')
      .select(['id', 'thresholds', 'formulas', 'overrides'])
      .where('scanner_id', '=', row.id)
      .execute()
    const kept = new Map(held.map(one => [one.id, one]))
    const steps = learning.flatMap(({ metric, definition, learn }): Step[] => {
      const stored = kept.get(metric.id)
      const value = metric.type === 'counter' ? metric.raw : metric.value
      if (stored === undefined || value === null) return []
      const before = {
        thresholds: JSON.parse(stored.thresholds),
        formulas: formulasOf(stored.formulas),
        overrides: metricOverrides(stored.overrides),
      }
      const after: Thresholds = { ...NO_THRESHOLDS, ...definition.thresholds, ...learn(value) }
      if (sameThresholds(before.thresholds, after) && before.overrides.includes('thresholds')) return []
      return [{ metric, text: definition.states?.[value] ?? valueText(value, definition.unit), before, after }]
    })
    return { matched: learning.length, steps }
  }

  const write = async (viewer: Viewer, hostId: number, steps: readonly Step[]): Promise<void> => {
    await transaction(db, async trx => {
      for (const { metric, before, after } of steps)
        await trx
          .updateTable('metric')
          .set({
            thresholds: JSON.stringify(after),
            formulas: '{}',
            overrides: JSON.stringify(withThresholds(before.overrides)),
            updated_at: now(),
            updated_by: viewer.login,
          })
          .where('id', '=', metric.id)
          .execute()
      await auditChanges(
        trx,
        steps.map(({ metric, before, after }) => ({
          action: 'metric-update',
          actor: viewer.login,
          object: `metric ${metric.id}`,
          name: metric.name,
          before,
          after: { thresholds: after, formulas: {}, overrides: withThresholds(before.overrides) },
        })),
        now(),
      )
    })
    await monitoring.reloadHosts([hostId])
    await monitoring.evaluation.between(effects => {
      const host = monitoring.model.hosts.get(hostId)
      if (host !== undefined) effects.hosts.add(host)
    })
    changes.emit({ entity: 'metric', ids: steps.map(step => step.metric.id), action: 'updated', hostIds: [hostId] })
  }

  return async (viewer: Viewer, id: number, plan: boolean): Promise<ScannerLearnt> => {
    const row = await fetchOne<ScannerRow>(db, scannerList(viewer), id)
    if (row === null) throw notFound("Ce scanner n'existe pas.")
    const { matched, steps } = await stepsOf(row)
    if (!plan && steps.length > 0) await write(viewer, row.host_id, steps)
    return {
      matched,
      changes: steps.map(({ metric, text, before, after }) => ({
        metricId: metric.id,
        name: metric.name,
        text,
        unit: metric.unit,
        before: before.thresholds,
        after,
      })),
    }
  }
}
export type ScannerLearn = ReturnType<typeof createScannerLearn>

const withThresholds = (overrides: Metric['overrides']): Metric['overrides'] =>
  overrides.includes('thresholds') ? overrides : [...overrides, 'thresholds']
