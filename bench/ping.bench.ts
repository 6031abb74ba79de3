import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { ProbeCheck } from '@narval/contracts'
import {
  type CheckContext,
  createRegistry,
  createResolver,
  createStopper,
  createVetting,
  findFping,
  openPinger,
  type Pinger,
} from '@narval/probe'

/**
 * Pings per second of CPU, the whole check (parameters, vetting, values), beside fping in the same run, on loopback only.
 * Both send ECHOES echoes to each of N addresses. Loopback answers in the sender's system call: what is measured is the
 * cost of both ends.
 */
const SIZES = [1_000, 10_000]
const ECHOES = 5
const AT_ONCE = 2_000
const TARGET_PER_SECOND = 20_000
const TARGET_CPU_MICROS = 30

const addresses = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, n) => `127.${1 + Math.floor(n / 50_000)}.${Math.floor(n / 250) % 200}.${1 + (n % 250)}`,
  )

interface Figures {
  readonly cpuMicros: number
  readonly perSecond: number
  readonly lost: number
}

const ours = async (pinger: Pinger, count: number): Promise<Figures> => {
  const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
  const nowMs = (): number => performance.now()
  const context: CheckContext = {
    onStop: createStopper().onStop,
    vetting,
    resolver: createResolver(vetting, nowMs),
    pinger,
    fping: null,
    nowMs,
  }
  const { ping } = createRegistry()
  const targets = addresses(count)
  let [next, lost] = [0, 0]
  const worker = async (): Promise<void> => {
    for (let n = next++; n < targets.length; n = next++) {
      const check: ProbeCheck = {
        scanner: n + 1,
        kind: 'ping',
        address: targets[n] ?? '127.0.0.1',
        intervalMs: 60_000,
        retryIntervalMs: 20_000,
        attempts: 3,
        // Echoes are spaced by a tenth of this, so that the CPU is the limit and not the pauses.
        timeoutMs: 200,
        parameters: { count: ECHOES },
        loopback: true,
      }
      const { values } = await ping.run(check, context)
      lost += (values.loss_ratio ?? 1) * ECHOES
    }
  }
  const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const { user, system } = process.cpuUsage(cpu)
  const echoes = count * ECHOES
  return {
    cpuMicros: (user + system) / echoes,
    perSecond: (echoes * 1_000) / (performance.now() - startedMs),
    lost,
  }
}

/** CPU in µs of the children that ended, in ticks of 10 ms. */
const childrenMicros = (): number => {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10_000
}

const theirs = async (file: string, count: number): Promise<Figures> => {
  // Intervals below 1 ms between packets are root's.
  const pause = process.getuid?.() === 0 ? '0' : '1'
  const [before, startedMs] = [childrenMicros(), performance.now()]
  const child = spawn(file, ['-q', '-C', String(ECHOES), '-p', '20', '-i', pause, '-r', '0', '-t', '200', '-f', '-'], {
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: 120_000,
  })
  let text = ''
  child.stderr.on('data', chunk => {
    text += String(chunk)
  })
  child.stdin.end(addresses(count).join('\n'))
  await once(child, 'close')
  const echoes = count * ECHOES
  return {
    cpuMicros: (childrenMicros() - before) / echoes,
    perSecond: (echoes * 1_000) / (performance.now() - startedMs),
    lost: text.split(' - ').length - 1,
  }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

const main = async (): Promise<void> => {
  const pinger = await openPinger()
  if (pinger === null) {
    console.log('ping: the system denies ICMP sockets, nothing to measure')
    return
  }
  const fping = findFping()
  console.log(`ping: ICMP sockets ${JSON.stringify(pinger.means)}, fping ${fping ?? 'not installed'}`)
  await ours(pinger, 500)
  const costs: number[] = []
  let missed = false
  for (const count of SIZES) {
    const own = await ours(pinger, count)
    costs.push(own.cpuMicros)
    missed ||= own.cpuMicros > TARGET_CPU_MICROS || own.perSecond < TARGET_PER_SECOND || own.lost > 0
    const peer = fping === null ? null : await theirs(fping, count)
    console.log(
      `ping, ${whole(count)} hosts × ${ECHOES}: ${whole(1e6 / own.cpuMicros)} echoes per CPU second ` +
        `(${own.cpuMicros.toFixed(1)} µs each, ${whole(own.perSecond)}/s, ${whole(own.lost)} lost)` +
        (peer === null
          ? ''
          : `; fping ${whole(1e6 / peer.cpuMicros)} (${peer.cpuMicros.toFixed(1)} µs each, ${whole(peer.perSecond)}/s, ` +
            `${whole(peer.lost)} lost); ratio ${(peer.cpuMicros / own.cpuMicros).toFixed(2)}`),
    )
  }
  console.log(
    `ping, growth ${SIZES.map(whole).join(' → ')} hosts: cost × ${((costs.at(-1) ?? 0) / (costs[0] ?? 1)).toFixed(2)}; ` +
      `targets ${whole(TARGET_PER_SECOND)}/s, ${TARGET_CPU_MICROS} µs: ${missed ? 'MISSED' : 'met'}`,
  )
  pinger.close()
  if (missed) process.exitCode = 1
}

await main()
