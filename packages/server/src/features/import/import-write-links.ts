import { Refusal } from '../../http/refusal.ts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { ownerOf } from '../../store/field-effective.ts'
import { recomputeThresholds } from '../../store/field-formulas.ts'
import { writeFieldValues } from '../../store/field-values.ts'
import { type AppliedModels, applyModels } from '../../store/model-inheritance.ts'
import { createTurns } from '../../turns.ts'
import { fieldChanges, scopeOf } from './import-custom-fields.ts'
import type { Body } from './import-object.ts'
import type { Draft } from './import-plan.ts'
import { changedMeanwhile, HOSTS_AT_ONCE, type Writing } from './writing.ts'

/** Parents and monitoring models of hosts, then what the models bring. */
export const writeLinks = async (
  trx: Db,
  drafts: readonly Draft[],
  known: (body: Body) => Body,
  ids: ReadonlyMap<number, number>,
  writing: Writing,
): Promise<AppliedModels | null> => {
  const of = (key: string) =>
    drafts
      .filter(draft => draft.changed.includes(key))
      .map(draft => ({
        hostId: ids.get(draft.id) ?? draft.id,
        ids: numbers(known(draft.body)[key]),
        isNew: draft.existing === null,
      }))
  const [parents, models] = [of('parentIds'), of('monitoringModelIds')]
  const turn = createTurns()
  for (const slice of batches(
    parents.filter(link => !link.isNew),
    HOSTS_AT_ONCE,
  ))
    await trx
      .deleteFrom('host_parent')
      .where(
        'host_id',
        'in',
        slice.map(link => link.hostId),
      )
      .execute()
  const above = parents.flatMap(({ hostId, ids: all }) => all.map(parent_id => ({ host_id: hostId, parent_id })))
  for (const slice of batches(above)) {
    await trx.insertInto('host_parent').values(slice).execute()
    await turn()
  }
  const touched = models.filter(link => !link.isNew || link.ids.length > 0)
  for (const slice of batches(touched, HOSTS_AT_ONCE)) {
    await trx
      .deleteFrom('host_monitoring_model')
      .where(
        'host_id',
        'in',
        slice.map(link => link.hostId),
      )
      .execute()
    const rows = slice.flatMap(({ hostId, ids: all }) =>
      all.map((model_id, position) => ({ host_id: hostId, model_id, position })),
    )
    for (const some of batches(rows)) await trx.insertInto('host_monitoring_model').values(some).execute()
    await turn()
  }
  return touched.length === 0
    ? null
    : applyModels(
        trx,
        touched.map(link => link.hostId),
        writing.by,
        writing.nowMs,
      )
}

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.filter(id => typeof id === 'number') : [])

/** Custom fields, by the way of single changes: history, audit, and what is required; then the thresholds that follow them. */
export const writeFields = async (
  trx: Db,
  drafts: readonly Draft[],
  ids: ReadonlyMap<number, number>,
  { entity, database, access, by, nowMs }: Writing,
): Promise<void> => {
  const scope = scopeOf(entity)
  const touched: number[] = []
  const turn = createTurns()
  for (const { id, line, body, changed } of drafts) {
    const values = fieldChanges(body, changed, access)
    if (scope === null || Object.keys(values).length === 0) continue
    const owner = await ownerOf(trx, scope, ids.get(id) ?? id)
    if (owner === null) throw changedMeanwhile()
    const change = { dialect: database.dialect, scope, owner, access, values, by, nowMs, seal: noSecret }
    try {
      await writeFieldValues(trx, change)
    } catch (error) {
      throw error instanceof Refusal
        ? new Refusal(
            error.kind,
            error.errors.map(one => `Ligne ${line} : ${one}`),
          )
        : error
    }
    touched.push(owner.id)
    await turn()
  }
  if (scope === 'host') await recomputeThresholds(trx, touched)
}

const noSecret = (): never => {
  throw new Error('a secret is never imported')
}
