import { AVAILABILITY_DEFAULT_DAYS, AVAILABILITY_MAX_DAYS, type DatatableRequest, fieldErrors } from '@narval/contracts'
import type { MaintenanceSpan } from '@narval/engine'
import { invalid, invalidField } from '../../http/refusal.ts'
import { toIso } from '../../store/time.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A period, and how its time counts. */
export interface Asked<Rules> {
  readonly period: MaintenanceSpan
  readonly rules: Rules
  /** Time beyond the opening hours of the sites is set apart. */
  readonly serviceHours: boolean
}

/** What is asked, up to now at most. @throws Refusal for a period that cannot be. */
export const askedPeriod = (
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): MaintenanceSpan => {
  const endMs = query.to === undefined ? Math.floor(nowMs / MINUTE_MS) * MINUTE_MS : Date.parse(query.to)
  const fromMs = query.from === undefined ? endMs - AVAILABILITY_DEFAULT_DAYS * DAY_MS : Date.parse(query.from)
  if (!(endMs > fromMs)) throw invalidField('to', 'La fin de la période doit suivre son début.')
  if (endMs - fromMs > AVAILABILITY_MAX_DAYS * DAY_MS)
    throw invalidField('to', `Une période dure au plus ${AVAILABILITY_MAX_DAYS} jours.`)
  if (fromMs >= nowMs) throw invalidField('from', 'Cette période n’a pas encore commencé.')
  return { fromMs, toMs: Math.min(endMs, nowMs) }
}

/** What a report says of itself. */
export const aboutOf = ({ period }: Asked<unknown>, computedMs: number) => ({
  ...{ from: toIso(period.fromMs), to: toIso(period.toMs), computedAt: toIso(computedMs) },
})

interface QuerySchema<T> {
  readonly shape: object
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: T } | { readonly success: false; readonly error: Faults }
}
type Faults = Parameters<typeof fieldErrors>[0]

/** Filters of a list are what the query of a report says. @throws Refusal for others. */
export const filtersBy = <T>(query: QuerySchema<T>, filters: DatatableRequest['filters']): T => {
  const unknown = Object.keys(filters).filter(name => !Object.hasOwn(query.shape, name))
  if (unknown.length > 0) throw invalid(unknown.map(name => `Le filtre « ${name} » n'existe pas.`))
  const parsed = query.safeParse(filters)
  if (parsed.success) return parsed.data
  const errors = fieldErrors(parsed.error)
  throw invalid(
    errors.map(({ field, message }) => `${field} : ${message}.`),
    Object.fromEntries(errors.map(({ field, message }) => [field, message])),
  )
}

/** A request of a list without anything: all of it, in its own order. */
export const WHOLE = {
  ...{ draw: 0, start: 0, length: -1, search: { value: '', regex: false }, order: [], columns: [], filters: {} },
} satisfies DatatableRequest

/** A report is read page by page, with its sum: computed once for all of them. */
const KEPT_MS = 10_000
const MAX_KEPT = 4

export interface Computed<T> {
  readonly atMs: number
  readonly report: T
}

/** Keeps the last few reports for ten seconds; one that fails is not kept. */
export const createKeptReports = <T>(now: () => number) => {
  const kept = new Map<string, { readonly atMs: number; readonly computed: Promise<Computed<T>> }>()
  return (key: string, compute: () => Promise<T>): Promise<Computed<T>> => {
    const held = kept.get(key)
    if (held !== undefined && now() - held.atMs < KEPT_MS && now() >= held.atMs) return held.computed
    const atMs = now()
    const computed = compute().then(report => ({ atMs, report }))
    kept.delete(key)
    kept.set(key, { atMs, computed })
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? key)
    computed.catch(() => kept.delete(key))
    return computed
  }
}
