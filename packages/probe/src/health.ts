import type { ProbeHealth } from '@narval/contracts'
import type { Clock } from './clock.ts'
import type { SchedulerStats } from './scheduler.ts'
import type { SpoolStats } from './spool.ts'

/** What the probe says of itself; rates are over the time since it was last asked, at least a second. */
export const createHealth = (
  version: string,
  clock: Clock,
  scheduler: () => SchedulerStats,
  spool: () => SpoolStats,
): (() => ProbeHealth) => {
  let before = { atMs: clock.steadyMs(), runs: 0, cpuMicros: cpuMicros() }
  let rates = { checksPerSecond: 0, cpuRatio: 0 }
  return () => {
    const nowMs = clock.steadyMs()
    const { runs, late } = scheduler()
    const elapsedMs = nowMs - before.atMs
    if (elapsedMs >= 1_000) {
      const micros = cpuMicros()
      rates = {
        checksPerSecond: ((runs - before.runs) * 1_000) / elapsedMs,
        cpuRatio: (micros - before.cpuMicros) / 1_000 / elapsedMs,
      }
      before = { atMs: nowMs, runs, cpuMicros: micros }
    }
    const { backlog, oldestMs, dropped } = spool()
    return {
      version,
      backlog,
      lagMs: oldestMs === null ? 0 : Math.max(0, clock.wallMs() - oldestMs),
      ...rates,
      late,
      dropped,
      memoryBytes: process.memoryUsage.rss(),
    }
  }
}

/** Processor time of the whole process, its threads included. */
const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}
