import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addSeverity,
  compareSeverity,
  countSeverities,
  moveSeverity,
  NO_COUNTS,
  removeSeverity,
  SEVERITIES,
  severityRank,
  subtractCounts,
  sumCounts,
  totalCounts,
  worse,
  worst,
  worstOfCounts,
} from './severity.ts'

const severity = fc.constantFrom(...SEVERITIES)
const severities = fc.array(severity, { maxLength: 50 })

describe('severity', () => {
  it('orders lists worst first: error, warning, unknown, ok', () => {
    expect([...SEVERITIES].reverse().sort(compareSeverity)).toEqual(['error', 'warning', 'unknown', 'ok'])
  })

  it('the worst does not depend on the order, nor on repeats, and is never better than any of its members', () => {
    fc.assert(
      fc.property(severities, list => {
        expect(worst([...list].reverse())).toBe(worst(list))
        expect(worst([...list, ...list])).toBe(worst(list))
        for (const one of list) expect(severityRank(worst(list))).toBeLessThanOrEqual(severityRank(one))
      }),
    )
  })

  it('worse is associative and commutative, with ok as its neutral element', () => {
    fc.assert(
      fc.property(severity, severity, severity, (a, b, c) => {
        expect(worse(a, b)).toBe(worse(b, a))
        expect(worse(worse(a, b), c)).toBe(worse(a, worse(b, c)))
        expect(worse(a, 'ok')).toBe(a)
      }),
    )
  })

  it('counts kept by additions, removals and moves are those of a recount', () => {
    fc.assert(
      fc.property(severities, severities, severity, severity, (left, right, from, to) => {
        const all = countSeverities([...left, ...right])
        expect(left.reduce(addSeverity, NO_COUNTS)).toEqual(countSeverities(left))
        expect(right.reduce(removeSeverity, all)).toEqual(countSeverities(left))
        expect(sumCounts(countSeverities(left), countSeverities(right))).toEqual(all)
        expect(subtractCounts(all, countSeverities(right))).toEqual(countSeverities(left))
        expect(totalCounts(all)).toBe(left.length + right.length)
        expect(worstOfCounts(all)).toBe(left.length + right.length === 0 ? null : worst([...left, ...right]))
        expect(moveSeverity(countSeverities([...left, from]), from, to)).toEqual(countSeverities([...left, to]))
      }),
    )
  })

  it('a move to where it was gives the same object back', () => {
    const counts = countSeverities(['ok', 'error'])
    expect(moveSeverity(counts, 'ok', 'ok')).toBe(counts)
    expect(moveSeverity(counts, null, null)).toBe(counts)
  })

  it('removing what is not there is refused, never a negative count', () => {
    expect(() => removeSeverity(NO_COUNTS, 'error')).toThrow(RangeError)
    expect(() => moveSeverity(NO_COUNTS, 'ok', 'error')).toThrow(RangeError)
    expect(() => subtractCounts(NO_COUNTS, countSeverities(['ok']))).toThrow(RangeError)
  })
})
