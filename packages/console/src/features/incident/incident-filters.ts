import type { DatatableInput } from '@narval/contracts'
import { rangeOf } from '../../lib/filter-range.ts'

/** Days as the list's address has them, as the instants at which the reader's own days begin and end. */
const instantsOf = (days: string): [string, string] => {
  const { from, to } = rangeOf(days)
  return [
    from === '' ? '' : new Date(`${from}T00:00:00`).toISOString(),
    to === '' ? '' : new Date(`${to}T23:59:59.999`).toISOString(),
  ]
}

/** Of the filter of owners: open to whoever takes it on. No login has a space. */
export const NOBODY = 'sans responsable'

/** The filters of the list as the server takes them: what another incident explains is left out unless it is asked for. */
export const incidentFilters = (filters: DatatableInput['filters'] = {}): NonNullable<DatatableInput['filters']> => {
  const { merged, period, owner, ...others } = filters
  return {
    ...others,
    roots: merged !== 'true',
    ...([owner].flat().includes(NOBODY) ? { owned: false } : owner === undefined ? {} : { owner }),
    ...(typeof period === 'string' ? { period: instantsOf(period) } : {}),
  }
}
