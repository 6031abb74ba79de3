import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'

afterEach(() => vi.restoreAllMocks())

it('R25: setting the wall clock 10 min to either side, or a DST hour, moves what is sent, never what durations are made of', () => {
  const clock = systemClock()
  const before = clock.steadyMs()
  const real = Date.now()
  for (const jumpMs of [600_000, -600_000, 3_600_000, -3_600_000]) {
    vi.spyOn(Date, 'now').mockReturnValue(real + jumpMs)
    expect(clock.wallMs()).toBe(real + jumpMs)
    const elapsedMs = clock.steadyMs() - before
    expect(elapsedMs).toBeGreaterThanOrEqual(0)
    expect(elapsedMs).toBeLessThan(1_000)
  }
})
