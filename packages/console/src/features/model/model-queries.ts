import { type ModelPlan, type MonitoringModel, monitoringModelRoutes } from '@narval/contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import type { ModelFormOutput } from './model-schema.ts'

export const MODEL_LIST = 'monitoring-model'

/** A change that was done: the model as it is now, and what it did to its hosts. */
export interface DoneChange {
  readonly model: MonitoringModel
  readonly plan: ModelPlan
}

/** A change that can be asked for its plan before it is done. */
export interface PlannedChange {
  readonly plan: () => Promise<ModelPlan>
  /** Null: the model is gone. */
  readonly run: () => Promise<{ readonly model: MonitoringModel | null; readonly plan: ModelPlan }>
}

const change = (
  ask: (query: { plan?: 'true' }) => Promise<{ model: MonitoringModel | null; plan: ModelPlan }>,
): PlannedChange => ({ plan: async () => (await ask({ plan: 'true' })).plan, run: () => ask({}) })

export const updateOf = (id: number, input: ModelFormOutput, updatedAt: string): PlannedChange =>
  change(query => call(monitoringModelRoutes.update, { params: { id }, query, body: { ...input, updatedAt } }))

/** Back to the version before the one of `updatedAt`. */
export const undoOf = ({ id, updatedAt }: Pick<MonitoringModel, 'id' | 'updatedAt'>): PlannedChange =>
  change(query => call(monitoringModelRoutes.undo, { params: { id }, query, body: { updatedAt } }))

/** Deletes it also from the equipment that has it, which the plan has told. */
export const deletionOf = (id: number): PlannedChange =>
  change(query =>
    call(monitoringModelRoutes.delete, { params: { id }, query: query.plan ? query : { cascade: 'true' as const } }),
  )

/** True when the plan says that nothing would change anywhere. */
export const isIdle = (plan: ModelPlan): boolean =>
  plan.hosts === 0 ||
  plan.hostsChangingState +
    plan.scannersCreated +
    plan.scannersUpdated +
    plan.scannersDeleted +
    plan.metricsUpdated +
    plan.metricsDeleted ===
    0

/** Former versions of a model that are kept, the newest first; asked for anew with each change of the model. */
export const versionsQuery = ({ id, updatedAt }: Pick<MonitoringModel, 'id' | 'updatedAt'>) =>
  queryOptions({
    queryKey: ['model-versions', id, updatedAt],
    queryFn: ({ signal }) => call(monitoringModelRoutes.versions, { params: { id }, signal }),
  })
