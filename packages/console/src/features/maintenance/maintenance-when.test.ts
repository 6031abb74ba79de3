import { describe, expect, it } from 'vitest'
import { dayHours, hourOf, spanText, whenText } from './maintenance-when.ts'

const planned = { from: '2026-11-22T08:00:00Z', to: '2026-11-22T09:00:00Z' }
const longer = { from: '2026-11-22T08:00:00Z', to: '2026-11-22T10:00:00Z' }
const one = {
  schedule: { kind: 'one-off' as const, ...planned },
  current: null,
  state: 'planned' as const,
  lastRun: null,
}

describe('when a single maintenance takes place', () => {
  it('one that was extended or reopened tells its present range, not the one first planned', () => {
    expect(whenText(one)).toBe(spanText(planned))
    expect(whenText({ ...one, state: 'running', current: longer })).toBe(spanText(longer))
  })
  it('one that is over tells when it took place; one planned anew tells its plan, whatever took place before', () => {
    const lastRun = { startedAt: longer.from, endedAt: longer.to }
    expect(whenText({ ...one, state: 'over', lastRun })).toBe(spanText(longer))
    expect(whenText({ ...one, state: 'planned', lastRun })).toBe(spanText(planned))
    expect(whenText({ ...one, state: 'over' })).toBe(spanText(planned))
  })
})

describe('the hours of a range on a day of the week', () => {
  it('have their end too, and say what lies on another day', () => {
    const [from, to] = [hourOf(planned.from), hourOf(planned.to)]
    expect(dayHours(planned, false, false)).toBe(`${from} – ${to}`)
    expect(dayHours(planned, true, false)).toBe(`jusqu’à ${to}`)
    expect(dayHours(planned, false, true)).toBe(`dès ${from}`)
    expect(dayHours(planned, true, true)).toBe('toute la journée')
  })
})
