import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addLateRun, type LateRow, type LateRun } from './late-runs.ts'

const run = (atMs: number, good: boolean): LateRun => ({ atMs, good, intervalMs: 60, staleMs: 180 })
const rowsOf = (runs: readonly LateRun[], from: readonly LateRow[] = []) => runs.reduce(addLateRun, from)

describe('runs that came late', () => {
  it('follow each other as rows of one outcome, a silence leaving a hole', () => {
    const runs = [run(0, true), run(60, true), run(120, false), run(140, false), run(200, true), run(900, true)]
    expect(rowsOf(runs)).toEqual([
      { fromMs: 0, untilMs: 120, good: true },
      { fromMs: 120, untilMs: 200, good: false },
      { fromMs: 200, untilMs: 260, good: true },
      { fromMs: 900, untilMs: 960, good: true },
    ])
  })

  it('two runs that are no silence apart are one row, 180 ms are a silence', () => {
    expect(rowsOf([run(0, true), run(179, true)])).toEqual([{ fromMs: 0, untilMs: 239, good: true }])
    expect(rowsOf([run(0, true), run(180, true)])).toHaveLength(2)
  })

  it('the older one may come second: they are one row all the same', () => {
    expect(rowsOf([run(120, true), run(0, true)])).toEqual([{ fromMs: 0, untilMs: 180, good: true }])
    expect(rowsOf([run(120, false), run(0, true)])).toEqual([
      { fromMs: 0, untilMs: 120, good: true },
      { fromMs: 120, untilMs: 180, good: false },
    ])
  })

  it('one that fails within what was good is told, and the rest stays good', () => {
    expect(rowsOf([run(0, true), run(100, true), run(200, true), run(90, false)])).toEqual([
      { fromMs: 0, untilMs: 90, good: true },
      { fromMs: 90, untilMs: 150, good: false },
      { fromMs: 150, untilMs: 260, good: true },
    ])
  })

  const made = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean()), { maxLength: 40 }).map(steps => {
    let at = 0
    return steps.map(([wait, good]) => {
      at += wait
      return run(at, good)
    })
  })

  it('given in order, each moment is that of the last run before it, or a hole after a silence', () => {
    fc.assert(
      fc.property(made, runs => {
        const rows = rowsOf(runs)
        for (const [index, { atMs, good }] of runs.entries()) {
          const next = runs[index + 1]
          const isHole = next === undefined || next.atMs - atMs >= 180
          const end = isHole ? Math.min(atMs + 60, next?.atMs ?? Number.POSITIVE_INFINITY) : next.atMs
          for (const at of [atMs, end - 1]) {
            const row = rows.find(({ fromMs, untilMs }) => fromMs <= at && at < untilMs)
            expect(row?.good).toBe(good)
          }
          if (isHole)
            expect(rows.some(({ fromMs, untilMs }) => fromMs <= end && end < untilMs)).toBe(next?.atMs === end)
        }
      }),
    )
  })

  it('in any order and given twice, rows never overlap, and what is known already changes nothing', () => {
    fc.assert(
      fc.property(made, fc.infiniteStream(fc.nat(1_000)), (runs, picks) => {
        const shuffled = runs
          .map(one => ({ one, at: picks.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one)
        for (const given of [runs, shuffled]) {
          const rows = rowsOf(given)
          for (const [index, row] of rows.entries()) {
            expect(row.untilMs).toBeGreaterThan(row.fromMs)
            expect(row.untilMs).toBeLessThanOrEqual(rows[index + 1]?.fromMs ?? row.untilMs)
          }
        }
        const inOrder = rowsOf(runs)
        expect(rowsOf(runs, inOrder)).toEqual(inOrder)
      }),
    )
  })
})
