import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EmbeddedCore } from './embedded-core.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './periods.ts'
import { DAY_0 } from './sample-store.contract.ts'
import { openTest } from './testing-core.ts'

const ALWAYS_DUE = { sealAfterMs: Number.NEGATIVE_INFINITY }

async function readAll(core: EmbeddedCore, series: number, fromMs: number, toMs: number, nowMs: number) {
  const read = async (points: number, resolution: 'auto' | 'raw') => {
    const answer = await core.reader.range(
      { series: [series], fromMs, toMs, points, aggregate: 'avg', resolution },
      nowMs,
    )
    return { stepMs: answer.stepMs, ...answer.series[0] }
  }
  const hours = (toMs - fromMs) / HOUR_MS
  return { raw: await read(1, 'raw'), five: await read(hours * 12, 'auto'), hour: await read(hours, 'auto') }
}

test('R08 R26 whatever the order, the batches and the moments of sealing and compaction, all resolutions are the same to the bit', async () => {
  const sample = fc.tuple(
    fc.integer({ min: 0, max: 52 * 30 }).map(step => DAY_0 + step * 2 * MINUTE_MS),
    fc.oneof(
      fc.integer({ min: -9999, max: 9999 }).map(v => v / 100),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
  )
  const samples = fc.uniqueArray(sample, { selector: ([atMs]) => atMs, minLength: 1, maxLength: 120 })
  const cuts = fc.array(fc.tuple(fc.integer({ min: 1, max: 25 }), fc.constantFrom('', 'seal', 'night')), {
    minLength: 1,
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(samples, cuts, fc.infiniteStream(fc.nat()), async (rows, plan, shuffle) => {
      const order = rows.map(row => ({ row, key: shuffle.next().value })).sort((a, b) => a.key - b.key)
      const nowMs = DAY_0 + 4 * DAY_MS
      const mixed = openTest(ALWAYS_DUE)
      const whole = openTest(ALWAYS_DUE)
      let at = 0
      for (const [step, [size, action]] of plan.entries()) {
        mixed.add(
          order.slice(at, at + size).map(({ row }) => [1, ...row] as const),
          nowMs,
        )
        at += size
        if (action === 'seal') await mixed.core.maintain(DAY_0 + HOUR_MS)
        if (action === 'night') await mixed.core.maintain(nowMs + step * DAY_MS)
      }
      mixed.add(
        order.slice(at).map(({ row }) => [1, ...row] as const),
        nowMs,
      )
      whole.add(
        [...rows].sort((a, b) => a[0] - b[0]).map(row => [1, ...row] as const),
        nowMs,
      )
      await whole.core.maintain(nowMs)
      const range = [1, DAY_0, DAY_0 + 3 * DAY_MS, nowMs] as const
      const expected = await readAll(whole.core, ...range)
      expect(expected.hour.stepMs).toBe(HOUR_MS)
      expect(expected.raw.atMs?.length).toBe(rows.length)
      expect(await readAll(mixed.core, ...range)).toEqual(expected)
      await mixed.core.maintain(nowMs + 21 * DAY_MS)
      expect(await readAll(mixed.core, ...range)).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})
