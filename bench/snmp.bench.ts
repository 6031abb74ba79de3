import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { CHECKS, type ProbeCheck } from '@narval/contracts'
import { type CheckContext, createRegistry, createResolver, createStopper, createVetting } from '@narval/probe'

/**
 * The interfaces of switches of PORTS ports once, the whole check (credential, vetting, table, values), beside snmpbulkwalk of
 * ifTable and ifXTable of the same simulated agents in the same run. Theirs is told to load no MIB, which is its fastest way.
 * The agents are another process, whose CPU is not counted. Every figure is of one round: what a minute costs.
 */
const SIZES = [20, 100, 200]
const PORTS = 48
const UDP_PORT = 16_199
const AT_ONCE = 32
const ROUNDS = 3
/** Part of a core that 200 devices a minute may take. */
const TARGET_CORE_RATIO = 0.05
const BULKWALK = '/usr/bin/snmpbulkwalk'
const AGENTS = fileURLToPath(new URL('../packages/probe/src/testing/snmp-agents-main.ts', import.meta.url))
const TABLES = ['1.3.6.1.2.1.2.2', '1.3.6.1.2.1.31.1.1']

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`)

interface Figures {
  readonly cpuMs: number
  readonly wallMs: number
  readonly values: number
  readonly failed: number
}

const inParallel = async (count: number, work: (address: string, n: number) => Promise<void>): Promise<void> => {
  const targets = addresses(count)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let n = next++; n < targets.length; n = next++) await work(targets[n] ?? '', n)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const contextOf = (): CheckContext => {
  const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
  const nowMs = (): number => performance.now()
  const { onStop } = createStopper()
  return { onStop, vetting, resolver: createResolver(vetting, nowMs), pinger: null, fping: null, nowMs }
}

const checkOf = (address: string, n: number): ProbeCheck => ({
  scanner: n + 1,
  kind: 'snmp_interfaces',
  address,
  intervalMs: 60_000,
  retryIntervalMs: 20_000,
  attempts: 3,
  timeoutMs: 5_000,
  parameters: {},
  loopback: true,
  credential: {
    kind: 'snmp',
    version: 'v2c',
    port: UDP_PORT,
    community: 'public',
    user: '',
    authProtocol: 'none',
    authPassword: '',
    privProtocol: 'none',
    privPassword: '',
    contextName: '',
  },
})

const createOurs = () => {
  const [context, registry] = [contextOf(), createRegistry()]
  return async (count: number): Promise<Figures> => {
    let [values, failed] = [0, 0]
    const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
    await inParallel(count, async (address, n) => {
      const outcome = await registry.snmp_interfaces.run(checkOf(address, n), context)
      values += Object.keys(outcome.values).length
      if (outcome.failure !== null || outcome.values.interfaces !== PORTS) failed += 1
    })
    const { user, system } = process.cpuUsage(cpu)
    return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - startedMs, values, failed }
  }
}

/** CPU in ms of the children that ended, in ticks of 10 ms. */
const childrenMs = (): number => {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

const theirs = async (count: number): Promise<Figures> => {
  let [values, failed] = [0, 0]
  const [before, startedMs] = [childrenMs(), performance.now()]
  await inParallel(count, async address => {
    for (const table of TABLES) {
      const given = ['-m', '', '-v2c', '-c', 'public', '-On', '-Cr48', `${address}:${UDP_PORT}`, table]
      const child = spawn(BULKWALK, given, { stdio: ['ignore', 'pipe', 'ignore'] })
      let lines = 0
      child.stdout.on('data', (chunk: Buffer) => {
        for (const byte of chunk) if (byte === 10) lines += 1
      })
      const [code] = await once(child, 'close')
      values += lines
      if (code !== 0 || lines < PORTS) failed += 1
    }
  })
  return { cpuMs: childrenMs() - before, wallMs: performance.now() - startedMs, values, failed }
}

const isInstalled = (file: string): boolean => {
  try {
    accessSync(file)
    return true
  } catch {
    return false
  }
}

const startAgents = async (): Promise<ChildProcess> => {
  const given = [AGENTS, String(Math.max(...SIZES)), String(PORTS), String(UDP_PORT)]
  const child = spawn(process.execPath, given, { stdio: ['pipe', 'pipe', 'inherit'] })
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('no agents'))),
  ])
  return child
}

/** The cheapest of a few rounds: what the machine's other work added is left out. */
const best = async (round: () => Promise<Figures>): Promise<Figures> => {
  let found = await round()
  for (let n = 1; n < ROUNDS; n += 1) {
    const again = await round()
    if (again.cpuMs < found.cpuMs) found = again
  }
  return found
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const shown = ({ cpuMs, wallMs, values, failed }: Figures, count: number): string =>
  `${(cpuMs / 1_000).toFixed(2)} CPU s (${(cpuMs / count).toFixed(2)} ms a device, ${whole(values)} values, ${whole(wallMs)} ms, ${failed} failed)`

const main = async (): Promise<void> => {
  const agents = await startAgents()
  const hasPeer = isInstalled(BULKWALK)
  const { maxMetrics = 0 } = CHECKS.snmp_interfaces
  console.log(`snmp: ${PORTS} ports a device, ${AT_ONCE} at once, at most ${whole(maxMetrics)} metrics a scanner`)
  const ours = createOurs()
  await ours(SIZES[0] ?? 20)
  const costs: number[] = []
  let missed = false
  for (const count of SIZES) {
    const own = await best(() => ours(count))
    costs.push(own.cpuMs / count)
    missed ||= own.failed > 0 || (count === 200 && own.cpuMs > 60_000 * TARGET_CORE_RATIO)
    const peer = hasPeer ? await theirs(count) : null
    const beside =
      peer === null
        ? '; snmpbulkwalk is not installed'
        : `; snmpbulkwalk ${shown(peer, count)}; ratio ${(peer.cpuMs / own.cpuMs).toFixed(1)}`
    console.log(`snmp, ${count} devices once a minute: ${shown(own, count)}${beside}`)
  }
  console.log(
    `snmp, growth ${SIZES.join(' → ')} devices: cost of one × ${((costs.at(-1) ?? 0) / (costs[0] ?? 1)).toFixed(2)}; ` +
      `target ${TARGET_CORE_RATIO * 100} % of a core for 200 devices a minute: ${missed ? 'MISSED' : 'met'}`,
  )
  agents.stdin?.end()
  await once(agents, 'exit')
  if (missed) process.exitCode = 1
}

await main()
