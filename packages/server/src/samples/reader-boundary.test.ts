import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './periods.ts'
import { DAY_0 } from './sample-store.contract.ts'
import { openTest } from './testing-core.ts'

const EVERY_MS = 10 * MINUTE_MS
const DAYS = 20
const NOW_MS = DAY_0 + DAYS * DAY_MS
const AGES = { rawDays: 2, fiveMinutesDays: 8, hourDays: 400 }

interface Group {
  count: number
  min: number
  max: number
  sum: number
}

/** What a range must give: all samples that are in it, by the steps of the answer. */
const expected = (rows: readonly (readonly [number, number])[], fromMs: number, toMs: number, stepMs: number) => {
  const groups = new Map<number, Group>()
  for (const [atMs, value] of rows) {
    if (atMs < fromMs || atMs >= toMs) continue
    const at = Math.floor(atMs / stepMs) * stepMs
    const group = groups.get(at) ?? { count: 0, min: value, max: value, sum: 0 }
    groups.set(at, {
      count: group.count + 1,
      min: Math.min(group.min, value),
      max: Math.max(group.max, value),
      sum: group.sum + value,
    })
  }
  return [...groups].toSorted(([a], [b]) => a - b)
}

test('R08 a range over raw samples that are left, 5 min and 1 h gives each sample once, the unsealed ones included', async () => {
  const { core, add } = openTest({ retention: AGES })
  const rows: [number, number][] = []
  for (let day = 0; day < DAYS; day++) {
    const today: [number, number, number][] = []
    for (let atMs = DAY_0 + day * DAY_MS; atMs < DAY_0 + (day + 1) * DAY_MS; atMs += EVERY_MS) {
      const value = Math.round(1_000 * Math.sin(atMs / HOUR_MS)) / 10
      today.push([1, atMs, value])
      rows.push([atMs, value])
    }
    add(today, DAY_0 + (day + 1) * DAY_MS)
    // The last day is still in the journal.
    if (day < DAYS - 1) await core.maintain(DAY_0 + (day + 1) * DAY_MS)
  }
  for (const [days, points] of [
    [20, 60],
    [20, 500],
    [9, 100],
    [7, 2_000],
    [3, 100],
    [1, 200],
    [1, 24],
  ] as const) {
    const query = { series: [1], fromMs: NOW_MS - days * DAY_MS, toMs: NOW_MS, points, aggregate: 'avg' as const }
    const { stepMs, series } = await core.reader.range(query, NOW_MS)
    const [one] = series
    const groups = expected(rows, query.fromMs, query.toMs, Math.max(stepMs, 1))
    expect([days, points, one?.atMs.length]).toEqual([days, points, groups.length])
    expect([...(one?.atMs ?? [])]).toEqual(groups.map(([at]) => at))
    expect([...(one?.count ?? [])]).toEqual(groups.map(([, group]) => group.count))
    expect([...(one?.min ?? [])]).toEqual(groups.map(([, group]) => group.min))
    expect([...(one?.max ?? [])]).toEqual(groups.map(([, group]) => group.max))
    for (const [index, [, { sum, count }]] of groups.entries()) expect(one?.value[index]).toBeCloseTo(sum / count, 9)
  }
})
