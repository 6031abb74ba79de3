import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Runs inside the measured server (`NODE_OPTIONS=--import`): at each SIGUSR2 writes to `NARVAL_BENCH_OUT` what its event
 * loop and its memory were since the last one, then begins anew.
 */
const out = process.env.NARVAL_BENCH_OUT
if (isMainThread && out !== undefined && process.argv[1]?.endsWith('main.ts')) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let cpu = process.cpuUsage()
  // A turn that lasts is one tick: what it cost does not depend on who else works on the machine.
  let thread = process.threadCpuUsage()
  let turnCpuMs = 0
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(thread)
    thread = process.threadCpuUsage()
    turnCpuMs = Math.max(turnCpuMs, (user + system) / 1_000)
  }, 1).unref()
  process.on('SIGUSR2', () => {
    const used = process.cpuUsage(cpu)
    const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max].map(ns => ns / 1e6)
    const rssMb = process.memoryUsage.rss() / 2 ** 20
    writeFileSync(out, JSON.stringify({ p50, p99, max, turnCpuMs, rssMb, cpuMs: (used.user + used.system) / 1_000 }))
    delay.reset()
    turnCpuMs = 0
    cpu = process.cpuUsage()
  })
}
