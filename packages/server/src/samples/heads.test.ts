import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SampleSink } from './codec/sample-chunk.ts'
import { createHeads } from './heads.ts'

const emptySink = (): SampleSink => ({ at: new Float64Array(8), value: new Float64Array(8), length: 0 })

const anyValue = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -100_000, max: 100_000 }).map(v => v / 1000),
  fc.integer({ min: -3, max: 3 }),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 0, 5e-324, 1e300, 0.1 + 0.2, 2 ** 46, -(2 ** 46), 2 ** 46 - 1, 1e-9),
)
const anyAt = fc.oneof(
  fc.integer({ min: 0, max: 200 }).map(v => 1_700_000_000_000 + v * 60_000),
  fc.integer({ min: 0, max: 4_102_444_800_000 }),
)

describe('the heads', () => {
  test('give back every sample of every series exactly, in the order they came', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(1, 2, 4096, 16_777_215), anyAt, anyValue), { maxLength: 400 }),
        rows => {
          const heads = createHeads()
          for (const [series, at, value] of rows) heads.add(series, at, value)
          for (const id of [1, 2, 4096, 16_777_215]) {
            const sink = emptySink()
            heads.read(id, sink)
            const expected = rows.filter(([series]) => series === id)
            expect(sink.length).toBe(expected.length)
            expect(expected.every(([, at, value], i) => sink.at[i] === at && Object.is(sink.value[i], value))).toBe(
              true,
            )
          }
          expect([...heads.seriesIds()]).toEqual([...new Set(rows.map(([s]) => s))].sort((a, b) => a - b))
          expect(heads.samples).toBe(rows.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('hold two hours of three-decimal gauges polled each minute in at most 4 bytes a sample, all counted', () => {
    const heads = createHeads()
    const level = new Float64Array(10_001).fill(50_000)
    let state = 1
    for (let minute = 0; minute < 120; minute++) {
      for (let series = 1; series <= 10_000; series++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0
        const next = (level[series] ?? 0) + (state % 1001) - 500
        level[series] = next
        heads.add(series, 1_700_000_000_000 + minute * 60_000 + series, next / 1000)
      }
    }
    expect(heads.bytes / heads.samples).toBeLessThan(4)
  })
})
