import { describe, expect, it } from 'vitest'
import { forecastOf, type NotedSize } from './forecast.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW_MS = Date.parse('2026-05-20T12:00:00Z')
const GB = 1_000_000_000

/** Sizes of the last hours, the oldest first, by how many hours ago. */
const hourly = (hours: number, bytesAt: (agoHours: number) => number): NotedSize[] =>
  Array.from({ length: hours + 1 }, (_, index) => ({
    atMs: NOW_MS - (hours - index) * HOUR_MS,
    bytes: bytesAt(hours - index),
    freeBytes: 100 * GB,
  }))

describe('when the disk is full', () => {
  it('is not said before a day of sizes, nor with holes in it', () => {
    const early = { outlook: 'early', bytesPerDay: null, fullMs: null }
    expect(forecastOf([], 100 * GB, NOW_MS)).toMatchObject({ ...early, fromMs: null, sizes: 0 })
    expect(
      forecastOf(
        hourly(23, ago => GB - ago * 1e8),
        100 * GB,
        NOW_MS,
      ),
    ).toMatchObject({ ...early, sizes: 24 })
    const holes = hourly(30, ago => GB - ago * 1e8).filter((_, index) => index % 3 === 0)
    expect(forecastOf(holes, 100 * GB, NOW_MS)).toMatchObject(early)
  })

  it('is what is free at the growth of the last seven days', () => {
    const sizes = hourly(48, ago => 50 * GB - (ago / 24) * GB)
    const { outlook, bytesPerDay, fullMs } = forecastOf(sizes, 100 * GB, NOW_MS)
    expect(outlook).toBe('filling')
    expect(bytesPerDay).toBeCloseTo(GB, -2)
    expect((fullMs ?? 0) - NOW_MS).toBeCloseTo(100 * DAY_MS, -3)
  })

  it('is not moved by one deletion, one import, or what was before the last seven days', () => {
    const sawed = hourly(96, ago => 50 * GB - (ago / 24) * GB + (ago % 24) * 2e7 + (ago === 30 ? 40 * GB : 0))
    const { bytesPerDay } = forecastOf(sawed, 100 * GB, NOW_MS)
    expect(Math.abs((bytesPerDay ?? 0) - GB) / GB).toBeLessThan(0.3)
    const older = hourly(14 * 24, ago => (ago > 7 * 24 ? ago * GB : 10 * GB))
    expect(forecastOf(older, 100 * GB, NOW_MS).outlook).toBe('steady')
  })

  it('is never for what shrinks or stands, and has no date beyond five years', () => {
    expect(
      forecastOf(
        hourly(48, ago => GB + ago * 1e6),
        GB,
        NOW_MS,
      ),
    ).toMatchObject({ outlook: 'steady', fullMs: null })
    expect(
      forecastOf(
        hourly(48, () => GB),
        GB,
        NOW_MS,
      ),
    ).toMatchObject({ outlook: 'steady', bytesPerDay: 0 })
    const slow = hourly(48, ago => GB - (ago / 24) * 2e6)
    expect(forecastOf(slow, 1_000 * GB, NOW_MS)).toMatchObject({ outlook: 'filling', fullMs: null })
    expect(forecastOf(slow, null, NOW_MS)).toMatchObject({ outlook: 'filling', fullMs: null })
  })
})
