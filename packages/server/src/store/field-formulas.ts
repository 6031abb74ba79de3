import { THRESHOLD_SIDES, type ThresholdFormulas, type Thresholds } from '@narval/contracts'
import { evaluateFormula, formulaKeys, parseFormula } from '@narval/engine'
import { sql } from 'kysely'
import { batches } from './batches.ts'
import type { Db } from './database.ts'
import { type FieldDef, isNumeric, readDefinitions } from './field-definitions.ts'
import { effectiveValues, type FieldOwner, type ModelFields, readModelFields } from './field-effective.ts'
import { formulasOf } from './model-values.ts'

/** The figure of each numeric field for one host, null where it has none. */
export type HostFigures = (hostId: number) => (key: string) => number | null

/** Values in force of the numeric fields of these hosts, for formulas; `models` as they are to be, else as they are. */
export const readFigures = async (
  db: Db,
  owners: readonly FieldOwner[],
  models?: readonly ModelFields[],
): Promise<HostFigures> => {
  const definitions = (await readDefinitions(db, sql<boolean>`d.scope = 'host'`)).filter(one => isNumeric(one.type))
  const values = await effectiveValues(db, definitions, owners, models ?? (await readModelFields(db)))
  const byKey = new Map<string, FieldDef>(definitions.map(one => [one.key, one]))
  return hostId => key => {
    const definition = byKey.get(key)
    return definition === undefined ? null : (values.get(hostId)?.get(definition.id)?.stored?.number ?? null)
  }
}

/** Thresholds with the sides that have a formula computed; one that can't be evaluated leaves its side null. */
export const withFormulas = (
  thresholds: Thresholds,
  formulas: ThresholdFormulas,
  figure: (key: string) => number | null,
): Thresholds => {
  const sides = THRESHOLD_SIDES.flatMap(side => {
    const text = formulas[side]
    if (text === undefined) return []
    const parsed = parseFormula(text)
    return [[side, 'fault' in parsed ? null : evaluateFormula(parsed.formula, figure)] as const]
  })
  return { ...thresholds, ...Object.fromEntries(sides) }
}

/**
 * Computes again the sides of thresholds that formulas give, for the metrics of these hosts, in the transaction of what
 * changed; `monitoring.reload()` is to follow it.
 * @returns how many metrics got other thresholds.
 */
export const recomputeThresholds = async (trx: Db, hostIds: readonly number[]): Promise<number> => {
  let changed = 0
  for (const some of batches([...new Set(hostIds)])) {
    const rows = await trx
      .selectFrom('metric as m')
      .innerJoin('host as h', 'h.id', 'm.host_id')
      .select(['m.id', 'm.host_id', 'm.thresholds', 'm.formulas', 'h.type_id'])
      .where('m.host_id', 'in', some)
      .where('m.formulas', '!=', '{}')
      .execute()
    if (rows.length === 0) continue
    const owners = new Map(rows.map(row => [row.host_id, { id: row.host_id, typeId: row.type_id }]))
    const figures = await readFigures(trx, [...owners.values()])
    for (const row of rows) {
      const before: Thresholds = JSON.parse(row.thresholds)
      const after = JSON.stringify(withFormulas(before, formulasOf(row.formulas), figures(row.host_id)))
      if (after === row.thresholds) continue
      await trx.updateTable('metric').set({ thresholds: after }).where('id', '=', row.id).execute()
      changed += 1
    }
  }
  return changed
}

/** Metrics whose formulas use a field. */
export const metricsUsing = async (
  db: Db,
  key: string,
): Promise<readonly { readonly id: number; readonly hostId: number }[]> => {
  // The text narrows it down: `_` stands for any character there, and a key may begin another.
  const rows = await db
    .selectFrom('metric')
    .select(['id', 'host_id', 'formulas'])
    .where('formulas', 'like', `%champ.${key}%`)
    .execute()
  return rows
    .filter(row => keysOf(formulasOf(row.formulas)).includes(key))
    .map(row => ({ id: row.id, hostId: row.host_id }))
}

/** Keys of the fields that formulas use; those that can't be read use none. */
export const keysOf = (formulas: ThresholdFormulas): string[] =>
  Object.values(formulas).flatMap(text => {
    const parsed = parseFormula(text ?? '')
    return 'fault' in parsed ? [] : formulaKeys(parsed.formula)
  })
