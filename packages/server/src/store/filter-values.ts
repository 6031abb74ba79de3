import { invalid } from '../http/refusal.ts'
import type { FilterValue } from './datatable.ts'

/** The one text of a filter. */
export const textOf = (value: FilterValue): string => {
  if (typeof value === 'object') throw invalid(['Un seul texte est attendu.'])
  return String(value)
}

/** The instant of a filter, epoch ms. */
export const instantOf = (value: FilterValue): number => {
  const at = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) throw invalid(['Un instant est attendu, comme 2026-01-15T08:00:00Z.'])
  return at
}
