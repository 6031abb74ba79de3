import { type Metric, THRESHOLD_SIDES, type ThresholdFormulas, UNREADABLE_FIELD } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import type { Database } from '../../store/database.ts'
import { fieldsFor } from '../../store/field-access.ts'

/** Keys of the fields of hosts that a viewer may read. */
export const readableKeys = async (database: Database, viewer: Viewer | 'system'): Promise<ReadonlySet<string>> =>
  new Set((await fieldsFor(database, viewer, 'host')).map(one => one.definition.key))

/** A text without the names of fields that are not among the readable ones. */
export const masked = (text: string, readable: ReadonlySet<string>): string =>
  text.replace(/champ\.([a-z][a-z0-9_]*)/g, (whole, key: string) => (readable.has(key) ? whole : UNREADABLE_FIELD))
export const allMasked = (formulas: ThresholdFormulas, readable: ReadonlySet<string>): ThresholdFormulas =>
  Object.fromEntries(Object.entries(formulas).map(([side, text]) => [side, masked(text ?? '', readable)]))

/** Metrics as a viewer may see their formulas: without the names of fields that he may not read. */
export const withReadableFormulas = async (
  database: Database,
  viewer: Viewer | 'system',
  metrics: readonly Metric[],
): Promise<Metric[]> => {
  const hasSome = ({ formulas, inherited }: Metric) =>
    Object.keys(formulas).length > 0 || Object.keys(inherited.formulas).length > 0
  if (!metrics.some(hasSome)) return [...metrics]
  const readable = await readableKeys(database, viewer)
  return metrics.map(metric =>
    hasSome(metric)
      ? {
          ...metric,
          formulas: allMasked(metric.formulas, readable),
          inherited: { ...metric.inherited, formulas: allMasked(metric.inherited.formulas, readable) },
        }
      : metric,
  )
}

/** Sides sent as they were shown get back the text that is kept (`known`); the others are as they were sent. */
export const restoredFormulas = (
  given: ThresholdFormulas,
  known: readonly ThresholdFormulas[],
  readable: ReadonlySet<string>,
): { readonly formulas: ThresholdFormulas; readonly written: ThresholdFormulas } => {
  const kept = THRESHOLD_SIDES.flatMap(side => {
    const text = known.map(one => one[side]).find(one => one !== undefined && masked(one, readable) === given[side])
    return text === undefined ? [] : [[side, text] as const]
  })
  const sides = new Set<string>(kept.map(([side]) => side))
  return {
    formulas: { ...given, ...Object.fromEntries(kept) },
    written: Object.fromEntries(Object.entries(given).filter(([side]) => !sides.has(side))),
  }
}
