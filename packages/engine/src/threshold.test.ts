import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { severityRank } from './severity.ts'
import { effectiveClear, judge, NO_THRESHOLDS, RAISED, type Thresholds, thresholdFaults } from './threshold.ts'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const anyRaised = fc.integer({ min: 0, max: 15 })
/** Coherent thresholds: errorLow ≤ warningLow < warningHigh ≤ errorHigh, each perhaps absent, clear values by default. */
const coherent = fc
  .record({
    levels: fc.uniqueArray(number, { minLength: 4, maxLength: 4 }),
    present: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
  })
  .map(({ levels, present }): Thresholds => {
    const sorted = [...levels].sort((a, b) => a - b)
    const level = (index: number) => (present[index] ? (sorted[index] ?? null) : null)
    return { ...NO_THRESHOLDS, errorLow: level(0), warningLow: level(1), warningHigh: level(2), errorHigh: level(3) }
  })
const thresholdsWith = (changes: Partial<Thresholds>): Thresholds => ({ ...NO_THRESHOLDS, ...changes })
const run = (values: readonly number[], thresholds: Thresholds) => {
  let raised = 0
  return values.map(value => {
    const judgement = judge(value, thresholds, raised)
    raised = judgement.raised
    return judgement.severity
  })
}

describe('judge', () => {
  it('a value at the threshold is good, one beyond it is bad', () => {
    const thresholds = thresholdsWith({ warningHigh: 90, errorHigh: 95, warningLow: 10, errorLow: 5 })
    const severityAt = (value: number) => judge(value, thresholds, 0).severity
    expect([90, 90.1, 95, 95.1].map(severityAt)).toEqual(['ok', 'warning', 'warning', 'error'])
    expect([10, 9.9, 5, 4.9].map(severityAt)).toEqual(['ok', 'warning', 'warning', 'error'])
    expect(judge(96, thresholds, 0).crossed).toBe('errorHigh')
    expect(judge(9, thresholds, 0).crossed).toBe('warningLow')
    expect(judge(50, thresholds, 0).crossed).toBe(null)
  })

  it('once raised, it stays bad until its clear value, 5 % inside by default', () => {
    expect(run([91, 89, 86, 85.5, 89], thresholdsWith({ warningHigh: 90 }))).toEqual([
      'warning',
      'warning',
      'warning',
      'ok',
      'ok',
    ])
    expect(run([9, 10.4, 10.5, 10.2], thresholdsWith({ warningLow: 10 }))).toEqual(['warning', 'warning', 'ok', 'ok'])
    expect(run([-9, -10, -10.4, -10.5], thresholdsWith({ warningHigh: -10 }))).toEqual([
      'warning',
      'warning',
      'warning',
      'ok',
    ])
    expect(run([-11, -10, -9.6, -9.5], thresholdsWith({ warningLow: -10 }))).toEqual([
      'warning',
      'warning',
      'warning',
      'ok',
    ])
    expect(run([91, 71, 70], thresholdsWith({ warningHigh: 90, warningHighClear: 70 }))).toEqual([
      'warning',
      'warning',
      'ok',
    ])
  })

  it('in a band narrower than its default clear values, the middle is good again', () => {
    const narrow = thresholdsWith({ warningLow: 100, warningHigh: 104 })
    expect(effectiveClear(narrow)).toMatchObject({ warningLow: 102, warningHigh: 102 })
    expect(run([105, 103, 102, 99, 101, 102], narrow)).toEqual(['warning', 'warning', 'ok', 'warning', 'warning', 'ok'])
  })

  it('a clear value on the wrong side is shown and used as the threshold itself', () => {
    expect(
      effectiveClear(thresholdsWith({ errorHigh: 90, errorHighClear: 95, errorLow: 10, errorLowClear: 5 })),
    ).toEqual({
      warningHigh: null,
      warningLow: null,
      errorHigh: 90,
      errorLow: 10,
    })
  })

  it('a threshold of 0 is crossed by anything above and cleared at 0', () => {
    expect(run([0, 1, 0.001, 0], thresholdsWith({ errorHigh: 0 }))).toEqual(['ok', 'error', 'error', 'ok'])
  })

  it('an error that clears leaves the warning that is still raised', () => {
    const thresholds = thresholdsWith({ warningHigh: 80, errorHigh: 95 })
    expect(run([96, 91, 90, 77, 76], thresholds)).toEqual(['error', 'error', 'warning', 'warning', 'ok'])
  })

  it('an error raised wins over a warning, whatever else is raised', () => {
    fc.assert(
      fc.property(coherent, number, anyRaised, (thresholds, value, raised) => {
        const judgement = judge(value, thresholds, raised)
        const hasError = (judgement.raised & (RAISED.errorHigh | RAISED.errorLow)) !== 0
        expect(judgement.severity === 'error').toBe(hasError)
        expect(judgement.crossed === null).toBe(judgement.severity === 'ok')
      }),
    )
  })

  it('the further beyond a high threshold, the worse: severity is monotone in the value', () => {
    fc.assert(
      fc.property(coherent, number, number, anyRaised, (thresholds, a, b, raised) => {
        const high = thresholdsWith({ warningHigh: thresholds.warningHigh, errorHigh: thresholds.errorHigh })
        const low = thresholdsWith({ warningLow: thresholds.warningLow, errorLow: thresholds.errorLow })
        const [less, more] = a <= b ? [a, b] : [b, a]
        const rank = (t: Thresholds, value: number) => severityRank(judge(value, t, raised).severity)
        expect(rank(high, more)).toBeLessThanOrEqual(rank(high, less))
        expect(rank(low, less)).toBeLessThanOrEqual(rank(low, more))
      }),
    )
  })

  it('judging the same value again changes nothing', () => {
    fc.assert(
      fc.property(coherent, number, anyRaised, (thresholds, value, raised) => {
        const once = judge(value, thresholds, raised)
        expect(judge(value, thresholds, once.raised)).toEqual(once)
      }),
    )
  })

  it('memory only ever makes it worse: a fresh judgement is never worse than a remembering one', () => {
    fc.assert(
      fc.property(coherent, number, anyRaised, (thresholds, value, raised) => {
        expect(severityRank(judge(value, thresholds, raised).severity)).toBeLessThanOrEqual(
          severityRank(judge(value, thresholds, 0).severity),
        )
      }),
    )
  })

  it('hysteresis: values that stay between the clear value and the threshold never change the severity', () => {
    const inside = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        fc.constantFrom('warningHigh' as const, 'warningLow' as const, 'errorHigh' as const, 'errorLow' as const),
        fc.array(inside, { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        (level, side, places, isRaised) => {
          const thresholds = thresholdsWith({ [side]: level })
          const clear = effectiveClear(thresholds)[side] ?? level
          // Clear itself is outside the band: it is where the value is good again.
          const values = places.map(place => level + (clear - level) * place * 0.999)
          const start = side.endsWith('High') ? level * 2 : level / 2
          const severities = run(isRaised ? [start, ...values] : values, thresholds)
          expect(new Set(severities).size).toBe(1)
        },
      ),
    )
  })

  it('a warning below and an error above, close together, let a value come back: mains at 50 Hz', () => {
    const mains = thresholdsWith({ warningLow: 49.8, errorHigh: 50.2 })
    expect(run([49.7, 50, 50.3, 50], mains)).toEqual(['warning', 'ok', 'error', 'ok'])
  })

  it('there is always a way back: at some value every coherent set of thresholds is good again', () => {
    fc.assert(
      fc.property(coherent, anyRaised, (thresholds, raised) => {
        const low = Math.max(thresholds.warningLow ?? -1e7, thresholds.errorLow ?? -1e7)
        const high = Math.min(thresholds.warningHigh ?? 1e7, thresholds.errorHigh ?? 1e7)
        const clear = effectiveClear(thresholds)
        const candidates = [low + (high - low) / 2, ...Object.values(clear).filter(value => value !== null)]
        // Each raised threshold clears at some candidate reached in turn, however narrow the band is.
        let memory = raised
        for (let round = 0; round < 4; round += 1) {
          for (const value of candidates) memory = judge(value, thresholds, memory).raised
          if (candidates.some(value => judge(value, thresholds, memory).severity === 'ok')) return
        }
        expect.unreachable(`never good again: ${JSON.stringify(thresholds)}`)
      }),
    )
  })
})

describe('thresholdFaults', () => {
  it('finds nothing wrong with coherent thresholds, and with none at all', () => {
    expect(thresholdFaults(NO_THRESHOLDS)).toEqual([])
    expect(thresholdFaults(thresholdsWith({ warningHigh: 90, errorHigh: 90 }))).toEqual([])
    expect(
      thresholdFaults(thresholdsWith({ warningHigh: 90, warningHighClear: 90, warningLow: 5, warningLowClear: 7 })),
    ).toEqual([])
    fc.assert(
      fc.property(coherent, thresholds => {
        expect(thresholdFaults(thresholds)).toEqual([])
      }),
    )
  })

  it.each([
    [{ warningLow: 90, warningHigh: 90 }, 'low-not-below-high', 'warningLow'],
    [{ errorLow: 91, errorHigh: 90 }, 'low-not-below-high', 'errorLow'],
    [{ warningLow: 91, errorHigh: 90 }, 'low-not-below-high', 'warningLow'],
    [{ warningHigh: 90, errorHigh: 80 }, 'error-inside-warning', 'errorHigh'],
    [{ warningLow: 10, errorLow: 20 }, 'error-inside-warning', 'errorLow'],
    [{ warningHighClear: 10 }, 'clear-without-threshold', 'warningHighClear'],
    [{ errorHigh: 90, errorHighClear: 91 }, 'clear-on-wrong-side', 'errorHighClear'],
    [{ errorLow: 10, errorLowClear: 9 }, 'clear-on-wrong-side', 'errorLowClear'],
    [{ warningHigh: 90, warningLow: 10, warningHighClear: 9 }, 'clear-past-opposite', 'warningHighClear'],
    [{ warningHigh: 90, warningLow: 10, warningLowClear: 91 }, 'clear-past-opposite', 'warningLowClear'],
    [{ errorHigh: 95, warningLow: 10, errorHighClear: 9 }, 'clear-past-opposite', 'errorHighClear'],
    [{ warningHigh: 90, errorLow: 5, errorLowClear: 91 }, 'clear-past-opposite', 'errorLowClear'],
    [{ warningHigh: Number.NaN }, 'not-finite', 'warningHigh'],
    [{ errorLowClear: Number.NEGATIVE_INFINITY }, 'not-finite', 'errorLowClear'],
  ] as const)('%o is refused: %s at %s', (changes, code, field) => {
    expect(thresholdFaults(thresholdsWith(changes))).toEqual([{ code, field }])
  })

  it('names every fault at once, each field and code once', () => {
    const faults = thresholdFaults(thresholdsWith({ warningLow: 95, warningHigh: 90, errorHigh: 80, errorLowClear: 1 }))
    expect(faults).toEqual([
      { code: 'low-not-below-high', field: 'warningLow' },
      { code: 'error-inside-warning', field: 'errorHigh' },
      { code: 'clear-without-threshold', field: 'errorLowClear' },
    ])
  })
})
