import type { Metric } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Db } from '../../store/database.ts'
import { metricOverrides } from '../../store/model-values.ts'
import { heldValues, type metricColumns } from './metric-own.ts'

/** What people set of a metric, as it is audited. */
const AUDITED = ['name', 'thresholds', 'formulas', 'attempts', 'noData', 'enabled', 'overrides'] as const
type Audited = Pick<Metric, (typeof AUDITED)[number]>
export const auditedOf = (metric: Partial<Audited>) => {
  const { thresholds, formulas = {} } = metric
  // What a formula computes is no change of anybody's: the formula itself is told.
  const fixed = { ...thresholds, ...Object.fromEntries(Object.keys(formulas).map(side => [side, null])) }
  return Object.fromEntries(
    AUDITED.map(field => [
      field,
      field === 'thresholds' ? fixed : field === 'formulas' ? formulas : (metric[field] ?? null),
    ]),
  )
}

export const auditMetric = (
  trx: Db,
  viewer: Viewer,
  action: 'create' | 'update' | 'delete',
  id: number,
  before: Audited | null,
  after: Partial<Audited> | null,
  nowMs: number,
) =>
  auditChange(
    trx,
    {
      action: `metric-${action}`,
      actor: viewer.login,
      object: `metric ${id}`,
      name: after?.name ?? before?.name ?? '',
      before: before === null ? null : auditedOf(before),
      after: after === null ? null : auditedOf(after),
    },
    nowMs,
  )

/** A row about to be written, as it will be read. */
export const editedOf = (columns: ReturnType<typeof metricColumns>): Audited => ({
  ...heldValues(columns),
  overrides: metricOverrides(columns.overrides),
})
