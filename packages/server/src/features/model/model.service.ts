import type {
  DatatableRequest,
  ModelChange,
  ModelDefinition,
  ModelPlan,
  MonitoringModel,
  MonitoringModelInput,
  Settings,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, invalid, notFound, stale } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import { auditChange, changesOf } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { runDatatable, runSelect2 } from '../../store/datatable.ts'
import { deleteModelCredentials } from '../../store/effective-credentials.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { fieldsFor } from '../../store/field-access.ts'
import { definitionsOf } from '../../store/field-definitions.ts'
import { lock } from '../../store/lock.ts'
import { type AppliedModels, applyModels } from '../../store/model-inheritance.ts'
import { requireFreeName } from '../../store/names.ts'
import { fromIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import {
  hostsOfModel,
  keepVersion,
  lastVersion,
  type ModelRow,
  modelColumns,
  modelList,
  readVersions,
  saveModel,
  takeModelOffHosts,
  toModel,
} from './model.store.ts'
import { checkDefinition } from './model-check.ts'
import {
  changesForeign,
  fieldFaults,
  formulaFaults,
  keptFields,
  readableDefinition,
  restoredDefinition,
} from './model-fields.ts'
import { planModel } from './model-plan.ts'
import { requireClaim, requireClaims } from './model-rights.ts'

export interface ModelDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
  readonly settings: () => Settings
}

/** Ids told of one change: who looks at a list asks for it again anyway. */
const MAX_TOLD = 1_000

interface PlanQuery {
  readonly plan?: string | undefined
}

const contentOf = ({ name, description, definition }: MonitoringModelInput): MonitoringModelInput => ({
  name,
  description,
  definition,
})

export const createModelService = (deps: ModelDeps) => {
  const { now, changes, monitoring } = deps
  const { db } = deps.database

  const get = async (id: number, from: Db = db, viewer: Viewer | 'system' = 'system'): Promise<MonitoringModel> => {
    const row = await fetchOne<ModelRow>(from, modelList(viewer), id)
    if (row === null) throw notFound('Ce modèle de supervision n’existe pas.')
    return toModel(row)
  }

  const accessOf = (viewer: Viewer) => fieldsFor(deps.database, viewer, 'host')
  /** As a viewer may see it: without the values and names of custom fields that he may not read. */
  const shownTo = async (viewer: Viewer) => {
    const access = await accessOf(viewer)
    return <T extends { readonly definition: ModelDefinition }>(model: T): T => ({
      ...model,
      definition: readableDefinition(model.definition, access),
    })
  }

  /** What is to be saved, with parameters in shape, or a refusal that names every field that is wrong. */
  const checked = async (viewer: Viewer, before: MonitoringModel | null, body: MonitoringModelInput) => {
    const access = await accessOf(viewer)
    const was = before?.definition ?? NOTHING
    const { definition: kept, written } = restoredDefinition(was, body.definition, access)
    const { definition, faults } = checkDefinition(kept, deps.settings())
    const all = [
      ...faults,
      ...formulaFaults(written, access),
      ...(await fieldFaults(db, was.fields, definition.fields, access)),
    ]
    if (all.length > 0)
      throw invalid(
        all.map(([field, message]) => `${field} : ${message}.`),
        Object.fromEntries(all),
      )
    await refuseTaken(db, body.name, before?.id ?? 0)
    return {
      ...contentOf(body),
      definition: { ...definition, fields: keptFields(was.fields, definition.fields, access) },
    }
  }

  const settle = async (id: number, action: 'created' | 'updated' | 'deleted', applied: AppliedModels | null) => {
    if (applied !== null && applied.changedHostIds.length > 0) {
      await deps.samples.forget(applied.deletedMetricIds)
      await monitoring.reloadHosts(applied.changedHostIds)
      await monitoring.evaluation.between(effects => {
        for (const hostId of applied.changedHostIds) {
          const host = monitoring.model.hosts.get(hostId)
          if (host !== undefined) effects.hosts.add(host)
        }
      })
      const told = applied.changedHostIds.slice(0, MAX_TOLD)
      changes.emit({ entity: 'host', ids: told, action: 'updated' })
      const scanners = told.flatMap(hostId => [...(monitoring.model.hosts.get(hostId)?.scanners.keys() ?? [])])
      changes.emit({ entity: 'scanner', ids: scanners.slice(0, MAX_TOLD), action: 'updated' })
    }
    changes.emit({ entity: 'model', ids: [id], action })
  }

  /** One change of a model and of all that inherits it, with its audit line: all or nothing. */
  const change = async (
    viewer: Viewer,
    before: MonitoringModel,
    input: MonitoringModelInput,
  ): Promise<{ model: MonitoringModel; applied: AppliedModels }> => {
    const done = await transaction(db, async trx => {
      await lock(deps.database, trx, 'monitoring-models')
      if (!(await saveModel(trx, before, input, viewer.login, now()))) return null
      await keepVersion(trx, before, viewer.login, now())
      const applied = await applyModels(trx, await hostsOfModel(trx, before.id), viewer.login, now())
      const audited = {
        action: 'monitoring-model-update',
        actor: viewer.login,
        object: `monitoring-model ${before.id}`,
      } as const
      await auditChange(
        trx,
        { ...audited, name: input.name, before: contentOf(before), after: contentOf(input) },
        now(),
      )
      return { model: await get(before.id, trx), applied }
    })
    if (done === null) throw stale((await shownTo(viewer))(await get(before.id)), null)
    await settle(before.id, 'updated', done.applied)
    return done
  }

  const planOf = async (id: number, definition: ModelDefinition | null): Promise<ModelPlan> =>
    planModel(db, monitoring.model, await hostsOfModel(db, id), { modelId: id, definition })

  /** The plan alone, or the change after its plan: the plan is what the answer says was done. */
  const planned = async (
    viewer: Viewer,
    before: MonitoringModel,
    input: MonitoringModelInput,
    query: PlanQuery,
  ): Promise<ModelChange> => {
    requireClaims(viewer, before.definition, input.definition)
    const plan = await planOf(before.id, input.definition)
    if (query.plan === 'true') return { model: null, plan }
    const isSame = Object.keys(changesOf(contentOf(before), contentOf(input))).length === 0
    const shown = await shownTo(viewer)
    if (isSame) return { model: shown(before), plan }
    const { model, applied } = await change(viewer, before, input)
    return { model: shown(model), plan: withApplied(plan, applied) }
  }

  const current = async (viewer: Viewer, id: number, updatedAt: string): Promise<MonitoringModel> => {
    const before = await get(id)
    if (fromIso(before.updatedAt) !== fromIso(updatedAt)) throw stale((await shownTo(viewer))(before), before.updatedBy)
    return before
  }

  return {
    get: async (viewer: Viewer, id: number) => (await shownTo(viewer))(await get(id, db, viewer)),
    list: async (viewer: Viewer) => {
      const shown = await shownTo(viewer)
      return (await fetchAll<ModelRow>(db, modelList(viewer))).map(row => shown(toModel(row)))
    },
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const page = await runDatatable<ModelRow>(deps.database, modelList(viewer), request)
      const shown = await shownTo(viewer)
      return { ...page, data: page.data.map(row => shown(toModel(row))) }
    },
    lastUpdate: async () => {
      const row = await db
        .selectFrom('monitoring_model')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    select2: (query: { term?: string | undefined; page?: number | undefined }) =>
      runSelect2(db, sql`monitoring_model`, sql<boolean>`1 = 1`, query),
    async versions(viewer: Viewer, id: number, before: number | undefined) {
      await get(id)
      return (await readVersions(db, id, before ?? null)).map(await shownTo(viewer))
    },
    async create(viewer: Viewer, body: MonitoringModelInput): Promise<MonitoringModel> {
      const input = await checked(viewer, null, body)
      requireClaims(viewer, NOTHING, input.definition)
      const id = await transaction(db, async trx => {
        const stamps = { created_at: now(), updated_at: now(), updated_by: viewer.login }
        const row = await trx
          .insertInto('monitoring_model')
          .values({ ...modelColumns(input), ...stamps })
          .returning('id')
          .executeTakeFirstOrThrow()
        const audited = {
          action: 'monitoring-model-create',
          actor: viewer.login,
          object: `monitoring-model ${row.id}`,
        } as const
        await auditChange(trx, { ...audited, name: input.name, before: null, after: input }, now())
        return row.id
      })
      await settle(id, 'created', null)
      return (await shownTo(viewer))(await get(id))
    },
    async update(viewer: Viewer, id: number, body: MonitoringModelInput & { updatedAt: string }, query: PlanQuery) {
      const before = await current(viewer, id, body.updatedAt)
      return planned(viewer, before, await checked(viewer, before, body), query)
    },
    /** Goes back to what the model was before its last change: a change like any other, which can be undone too. */
    async undo(viewer: Viewer, id: number, body: { updatedAt: string }, query: PlanQuery): Promise<ModelChange> {
      const before = await current(viewer, id, body.updatedAt)
      const version = await lastVersion(db, id)
      if (version === null) throw conflict('Ce modèle n’a pas de version précédente.')
      await refuseTaken(db, version.name, id)
      const [was, will] = [before.definition.fields, version.definition.fields]
      if (changesForeign(was, will, await definitionsOf(deps.database), await accessOf(viewer)))
        throw forbidden('La version précédente a d’autres valeurs de champs que vous ne pouvez pas modifier.')
      return planned(viewer, before, contentOf(version), query)
    },
    async delete(
      viewer: Viewer,
      id: number,
      query: PlanQuery & { cascade?: string | undefined },
    ): Promise<ModelChange> {
      const before = await get(id)
      if (before.hosts > 0 && before.definition.scanners.length > 0) requireClaim(viewer, 'scanner_write', 'scanners')
      const plan = await planOf(id, null)
      if (query.plan === 'true') return { model: null, plan }
      const applied = await transaction(db, async trx => {
        await lock(deps.database, trx, 'monitoring-models')
        const hostIds = await hostsOfModel(trx, id)
        if (hostIds.length > 0 && query.cascade !== 'true') throw hadBy(hostIds.length)
        await takeModelOffHosts(trx, id)
        const done = await applyModels(trx, hostIds, viewer.login, now())
        await deleteModelCredentials(trx, id)
        await trx.deleteFrom('monitoring_model').where('id', '=', id).execute()
        const audited = {
          action: 'monitoring-model-delete',
          actor: viewer.login,
          object: `monitoring-model ${id}`,
        } as const
        await auditChange(trx, { ...audited, name: before.name, before: contentOf(before), after: null }, now())
        return done
      })
      await settle(id, 'deleted', applied)
      return { model: null, plan: withApplied(plan, applied) }
    },
  }
}
export type ModelService = ReturnType<typeof createModelService>

const NOTHING: ModelDefinition = { scanners: [], fields: {} }

const hadBy = (hosts: number) =>
  conflict(
    `Ce modèle est celui de ${hosts} équipement${hosts > 1 ? 's' : ''} : retirez-le d’eux, ou demandez à le supprimer avec les scanners qui en viennent.`,
  )

const refuseTaken = (db: Db, name: string, id: number): Promise<void> =>
  requireFreeName(db, 'monitoring_model', name, id, () => `Un autre modèle s’appelle déjà « ${name} ».`)

/** The counts of what was done; what was foreseen stays. */
const withApplied = (plan: ModelPlan, applied: AppliedModels): ModelPlan => ({
  ...plan,
  scannersCreated: applied.scannersCreated,
  scannersUpdated: applied.scannersUpdated,
  scannersDeleted: applied.scannersDeleted,
  metricsUpdated: applied.metricsUpdated,
  metricsDeleted: applied.metricsDeleted,
})
