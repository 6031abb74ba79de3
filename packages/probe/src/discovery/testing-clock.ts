import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'

/** A clock that goes as fast as what waits for it lets it: time jumps to the next timer. */
export const createFastClock = () => {
  let nowMs = 1_000_000
  let timers: { atMs: number; callback: () => void }[] = []
  const clock: Clock = {
    steadyMs: () => nowMs,
    wallMs: () => nowMs,
    after: (delayMs, callback) => {
      const timer = { atMs: nowMs + Math.max(0, delayMs), callback }
      timers.push(timer)
      return () => {
        timers = timers.filter(one => one !== timer)
      }
    },
  }
  return {
    clock,
    /** Time that passes without a timer running: the process was frozen. */
    freeze: (ms: number) => {
      nowMs += ms
    },
    /** Runs timers in their order until the promise settles; fails when nothing is left to wait for. */
    until: async <T>(promise: Promise<T>): Promise<T> => {
      let settled = false
      const end = promise.finally(() => {
        settled = true
      })
      end.catch(() => undefined)
      for (let idle = 0; !settled && idle < 100; ) {
        await setImmediate()
        if (settled) break
        const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0]
        if (next === undefined) {
          idle += 1
          continue
        }
        idle = 0
        timers = timers.filter(one => one !== next)
        nowMs = Math.max(nowMs, next.atMs)
        next.callback()
      }
      if (!settled) throw new Error('nothing is left to wait for, and it is not over')
      return end
    },
  }
}
