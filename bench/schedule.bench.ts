import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ProbeCheck } from '@narval/contracts'
import { nextOnGrid } from '@narval/engine/schedule'
import {
  type CheckContext,
  createRegistry,
  createResolver,
  createScheduler,
  createStopper,
  createVetting,
  findFping,
  openPinger,
  type Pinger,
  type RegisteredChecks,
  systemClock,
} from '@narval/probe'
import { quantile, say } from './kit.ts'

/**
 * A probe's own schedule at work: pings of loopback addresses once a minute, with the probe's defaults (5 echoes, 200 ms
 * apart), watched over a whole minute after the first. How late each starts, how even the starts are, and what the minute
 * costs, beside fping sending the same echoes in the same run.
 */
const SIZES = [100, 1_000, 10_000]
const INTERVAL_MS = 60_000
const ECHOES = 5
const TARGET_LATE_MS = 1_000
const TARGET_CORE_RATIO = 0.05

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`)

const checkOf = (address: string, n: number): ProbeCheck => ({
  scanner: n + 1,
  kind: 'ping',
  address,
  intervalMs: INTERVAL_MS,
  retryIntervalMs: 20_000,
  attempts: 3,
  timeoutMs: 2_000,
  parameters: {},
  loopback: true,
})

interface Minute {
  readonly lateMs: readonly number[]
  /** Starts in each second. */
  readonly perSecond: readonly number[]
  readonly failed: number
  readonly coreRatio: number
}

const watch = async (pinger: Pinger, count: number): Promise<Minute> => {
  const clock = systemClock()
  const stopper = createStopper()
  const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
  const nowMs = (): number => performance.now()
  const resolver = createResolver(vetting, nowMs)
  const context: CheckContext = { onStop: stopper.onStop, vetting, resolver, pinger, fping: null, nowMs }
  const own = createRegistry()
  const [lateMs, perSecond]: [number[], number[]] = [[], Array.from({ length: INTERVAL_MS / 1_000 }, () => 0)]
  let [watchedFromMs, failed] = [Number.POSITIVE_INFINITY, 0]
  const registry: RegisteredChecks = {
    ...own,
    ping: {
      ...own.ping,
      run: (check, given) => {
        const startedMs = clock.steadyMs()
        const second = Math.floor((startedMs - watchedFromMs) / 1_000)
        if (second >= 0 && second < perSecond.length) {
          lateMs.push(startedMs - (nextOnGrid(check.scanner, INTERVAL_MS, startedMs) - INTERVAL_MS))
          perSecond[second] = (perSecond[second] ?? 0) + 1
        }
        return own.ping.run(check, given)
      },
    },
  }
  const onResult = (result: { readonly failure: unknown }): void => {
    if (result.failure !== null) failed += 1
  }
  const scheduler = createScheduler({ clock, registry, context, onResult })
  scheduler.configure(addresses(count).map(checkOf))
  // The first minute may begin earlier than the grid.
  await new Promise(resolve => setTimeout(resolve, INTERVAL_MS))
  const cpu = process.cpuUsage()
  watchedFromMs = clock.steadyMs()
  await new Promise(resolve => setTimeout(resolve, INTERVAL_MS))
  const { user, system } = process.cpuUsage(cpu)
  scheduler.stop()
  stopper.stop()
  return { lateMs, perSecond, failed, coreRatio: (user + system) / 1_000 / INTERVAL_MS }
}

/** CPU in ms of the children that ended, in ticks of 10 ms. */
const childrenMs = (): number => {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** Part of a core over a minute that fping takes for the same echoes in one go. */
const fpingRatio = async (file: string, count: number): Promise<number> => {
  const before = childrenMs()
  const pause = process.getuid?.() === 0 ? '0' : '1'
  const child = spawn(
    file,
    ['-q', '-C', String(ECHOES), '-p', '200', '-i', pause, '-r', '0', '-t', '2000', '-f', '-'],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: 120_000,
    },
  )
  child.stdin.end(addresses(count).join('\n'))
  await once(child, 'close')
  return (childrenMs() - before) / INTERVAL_MS
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(2)} %`

const main = async (): Promise<void> => {
  const pinger = await openPinger()
  if (pinger === null) {
    console.log('schedule: the system denies ICMP sockets, nothing to measure')
    return
  }
  const fping = findFping()
  let missed = false
  for (const count of SIZES) {
    const minute = await watch(pinger, count)
    const inTime = minute.lateMs.filter(ms => ms <= TARGET_LATE_MS).length / minute.lateMs.length
    const peak = Math.max(...minute.perSecond)
    const peer = fping === null ? null : await fpingRatio(fping, count)
    const name = `schedule, ${count.toLocaleString('en-US')} pings a minute`
    const quantiles = [0.5, 0.99, 1].map(share => quantile(minute.lateMs, share).toFixed(1)).join(' / ')
    say(`${name}: starts`, String(minute.lateMs.length), `${minute.failed} failed`)
    say(`${name}: late p50 / p99 / max`, quantiles, `ms; ${percent(inTime)} within ${TARGET_LATE_MS} ms`)
    say(`${name}: busiest second`, String(peak), `mean ${(count / 60).toFixed(1)}`)
    say(
      `${name}: part of a core`,
      percent(minute.coreRatio),
      peer === null
        ? 'fping is not installed'
        : `fping ${percent(peer)}; ratio ${(peer / minute.coreRatio).toFixed(2)}`,
    )
    missed ||= inTime < 0.99 || minute.coreRatio > TARGET_CORE_RATIO || minute.failed > 0
  }
  console.log(`schedule: targets 99 % within 1 s, ${TARGET_CORE_RATIO * 100} % of a core: ${missed ? 'MISSED' : 'met'}`)
  pinger.close()
  if (missed) process.exitCode = 1
}

await main()
