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

/** The first of the month of DAY_0, and of the two after. */
const [MARCH, APRIL, MAY] = [Date.UTC(2026, 2), Date.UTC(2026, 3), Date.UTC(2026, 4)]
const KEPT = { ...ALWAYS_DUE, retention: { rawDays: 900, fiveMinutesDays: 900, hourDays: 900 } }

const hoursOf = async (core: EmbeddedCore) => {
  const query = { series: [1], fromMs: MARCH, toMs: MAY, points: 61 * 24, aggregate: 'avg' as const }
  const { stepMs, series } = await core.reader.range(query, MAY)
  expect(stepMs).toBe(HOUR_MS)
  return series
}

test('R08 R26 before and after days of hours are merged, with late samples in whatever order, hours are the same to the bit', async () => {
  const value = fc.oneof(
    fc.integer({ min: -9999, max: 9999 }).map(v => v / 100),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const day = fc.constantFrom(MARCH, MARCH + 9 * DAY_MS, APRIL - DAY_MS, APRIL)
  const at = fc.tuple(day, fc.integer({ min: 0, max: 143 })).map(([dayMs, step]) => dayMs + step * 600_000)
  const samples = fc.uniqueArray(fc.tuple(at, value), { selector: ([atMs]) => atMs, minLength: 1, maxLength: 80 })
  const cuts = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('', 'seal', 'merge')), {
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(samples, cuts, async (rows, plan) => {
      const mixed = openTest(KEPT)
      const whole = openTest(KEPT)
      const all = rows.map(([atMs, sample]) => [1, atMs, sample] as const)
      let done = 0
      for (const [step, [size, action]] of plan.entries()) {
        mixed.add(all.slice(done, done + size), MAY)
        done += size
        if (action === 'seal') await mixed.core.maintain(MARCH)
        if (action === 'merge') await mixed.core.maintain(MAY + (step + 1) * DAY_MS)
      }
      mixed.add(all.slice(done), MAY)
      whole.add(
        all.toSorted((a, b) => a[1] - b[1]),
        MAY,
      )
      await whole.core.maintain(MARCH)
      const expected = await hoursOf(whole.core)
      expect(expected[0]?.count.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
      expect(await hoursOf(mixed.core)).toEqual(expected)
      await mixed.core.maintain(MAY + 400 * DAY_MS)
      expect(await hoursOf(mixed.core)).toEqual(expected)
    }),
    { numRuns: 8 },
  )
})
