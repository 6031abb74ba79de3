import { describe, expect, it } from 'vitest'
import { decided, type Finger, landed, type Touch, touchedView } from './touch.ts'

const HOUR = 3_600_000
const NOW = 100 * HOUR
const WIDTH = 300
const view = { fromMs: 80 * HOUR, toMs: 86 * HOUR }
const at = (x: number, y = 50): Finger => ({ x, y })
const touch = (...fingers: Finger[]): Touch => {
  const made = landed(null, fingers, view)
  if (made === null) throw new Error('no finger')
  return made
}
const seen = (one: Touch, ...fingers: Finger[]) => touchedView(one, fingers, WIDTH, NOW)

describe('two fingers on a chart', () => {
  it('twice as far apart show half of the time, with the same instant between them', () => {
    expect(seen(touch(at(100), at(200)), at(50), at(250))).toEqual({ fromMs: 81.5 * HOUR, toMs: 84.5 * HOUR })
    expect(seen(touch(at(50), at(250)), at(100), at(200))).toEqual({ fromMs: 77 * HOUR, toMs: 89 * HOUR })
  })
  it('one above the other zoom as well, and both moved along take the period with them', () => {
    expect(seen(touch(at(150, 40), at(150, 100)), at(150, 10), at(150, 130))).toEqual({
      fromMs: 81.5 * HOUR,
      toMs: 84.5 * HOUR,
    })
    expect(seen(touch(at(100), at(200)), at(150), at(250))).toEqual({ fromMs: 79 * HOUR, toMs: 85 * HOUR })
  })
  it('that touch each other, or tear for ever, stay within ten seconds and now', () => {
    const torn = seen(touch(at(150), at(150)), at(0), at(24_000_000))
    expect(torn.toMs - torn.fromMs).toBeCloseTo(10_000, 3)
    expect(seen(touch(at(150), at(151)), at(150), at(151))).toEqual(view)
    expect(seen(touch(at(0), at(300)), at(138), at(162)).toMs).toBe(NOW)
  })
  it('of which one leaves: the other goes on from where it lies', () => {
    const one = landed(touch(at(100), at(200)), [at(200)], view)
    expect(one?.mode).toBe('zooms')
    expect(seen(one ?? touch(), at(250))).toEqual({ fromMs: 79 * HOUR, toMs: 85 * HOUR })
    expect(landed(one, [], view)).toBeNull()
  })
})

describe('one finger on a chart', () => {
  it('across moves the period, along is left to the page for as long as it lies there', () => {
    const one = touch(at(100))
    expect([one.mode, decided(one, [at(107, 50)]).mode, decided(one, [at(109, 51)]).mode]).toEqual([
      'waits',
      'waits',
      'moves',
    ])
    const scrolling = decided(one, [at(103, 70)])
    expect([scrolling.mode, decided(scrolling, [at(200, 70)]).mode]).toEqual(['scrolls', 'scrolls'])
    expect(landed(scrolling, [at(100), at(200)], view)?.mode).toBe('scrolls')
    expect(seen(one, at(50))).toEqual({ fromMs: 81 * HOUR, toMs: 87 * HOUR })
  })
})
