/** A clock that a test moves by hand, in epoch ms. */
export interface TestClock {
  readonly now: () => number
  forward(ms: number): void
}

export const createTestClock = (startMs = Date.parse('2026-03-28T22:00:00Z')): TestClock => {
  let nowMs = startMs
  return {
    now: () => nowMs,
    forward(ms) {
      nowMs += ms
    },
  }
}
