import type { DatatableInput } from '@narval/contracts'
import { rangeOf } from './filter-range.ts'

/** Midnight of a day at the reader's clock, `add` days later; a day may have 23 or 25 hours. */
const midnight = (day: string, add: number): string => {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + add).toISOString()
}

/** The request with days of the reader's calendar as the instants that the server knows. */
export const withInstants = (body: DatatableInput): DatatableInput => {
  const { days, ...filters } = body.filters ?? {}
  if (typeof days !== 'string') return body
  const { from, to } = rangeOf(days)
  return {
    ...body,
    filters: { ...filters, ...(from !== '' && { from: midnight(from, 0) }), ...(to !== '' && { to: midnight(to, 1) }) },
  }
}
