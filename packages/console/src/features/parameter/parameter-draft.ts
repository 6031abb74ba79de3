import type { SettingValue } from '@narval/contracts'
import { formatNumber, NNBSP } from '../../lib/format.ts'
import { fr } from './fr.ts'

export type Value = SettingValue['value']
/** What was typed and not saved, by key: null goes back to the default; '' stands for a number that was emptied. */
export type Draft = ReadonlyMap<string, Value | null>

/** The draft after one field was typed in: what is as it was saved is no change. */
export const typed = (draft: Draft, setting: SettingValue, value: Value | null): Draft => {
  const next = new Map(draft)
  const isSaved = value === setting.value || (value === null && setting.origin === 'default')
  if (isSaved) next.delete(setting.key)
  else next.set(setting.key, value)
  return next
}

/** What a field shows, and whether that is another value than the default by somebody's choice. */
export const shownOf = (setting: SettingValue, draft: Draft): { readonly value: Value; readonly isOwn: boolean } => {
  const mine = draft.get(setting.key)
  if (mine === undefined) return { value: setting.value, isOwn: setting.origin === 'setting' }
  return mine === null ? { value: setting.default, isOwn: false } : { value: mine, isOwn: true }
}

/** Why what was typed can't be sent; null where the server may take it. */
export const faultOf = ({ type, min, max }: SettingValue, value: Value | null): string | null => {
  if (value === null) return null
  if (type === 'integer') {
    if (typeof value !== 'number' || !Number.isInteger(value)) return fr.required
    return min !== null && max !== null && (value < min || value > max) ? fr.outOf(min, max) : null
  }
  return typeof value === 'string' && max !== null && value.length > max ? fr.tooLong(max) : null
}

/** « 24 h », « Oui », « aucune ». */
export const valueText = ({ unit }: Pick<SettingValue, 'unit'>, value: Value): string => {
  if (typeof value === 'boolean') return value ? fr.yes : fr.no
  if (typeof value === 'string') return value === '' ? fr.none : `«\u202f${value}\u202f»`
  return unit === '' ? formatNumber(value, 0) : `${formatNumber(value, 0)}${NNBSP}${unit}`
}

const EPOCH = new Date(0).toISOString()
/** The newest change that these tell of, as the server compares it. */
export const seenOf = (settings: readonly SettingValue[]): string =>
  settings.reduce((newest, { updatedAt }) => (updatedAt !== null && updatedAt > newest ? updatedAt : newest), EPOCH)

/** Those of the draft that somebody else changed since the form was loaded. */
export const overtaken = (
  base: readonly SettingValue[],
  fresh: readonly SettingValue[],
  draft: Draft,
): readonly SettingValue[] => {
  const seen = seenOf(base)
  return fresh.filter(({ key, updatedAt }) => draft.has(key) && updatedAt !== null && updatedAt > seen)
}

/** Settings by the section of the form in which they stand, in the order in which they come. */
export const sectionsOf = (settings: readonly SettingValue[], order: readonly SettingValue['section'][]) =>
  order.flatMap(section => {
    const own = settings.filter(setting => setting.section === section)
    return own.length === 0 ? [] : [{ section, settings: own }]
  })
