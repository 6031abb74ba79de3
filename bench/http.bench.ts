import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProbeCheck } from '@narval/contracts'
import { type CheckContext, createRegistry, createResolver, createStopper, createVetting } from '@narval/probe'
import { say } from './kit.ts'

/**
 * HTTP checks a second and their CPU, the whole check (vetting, connection, stages, text expected in a page of 2 kB), beside
 * Prometheus's blackbox_exporter asked for the same pages in the same run. The pages come from another process, which is
 * not counted; each host is an address of its own. blackbox_exporter is also asked over HTTP, which is its way.
 */
const SIZES = [100, 1_000, 10_000]
const AT_ONCE = 64
const PAGE = `<html>${'x'.repeat(2_000)}Bienvenue</html>`
const BLACKBOX = '/usr/bin/prometheus-blackbox-exporter'

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `127.2.${Math.floor(n / 250)}.${1 + (n % 250)}`)

interface Figures {
  readonly cpuMs: number
  readonly wallMs: number
  readonly failed: number
}

const inParallel = async (count: number, work: (address: string, n: number) => Promise<boolean>) => {
  const targets = addresses(count)
  let [next, failed] = [0, 0]
  const startedMs = performance.now()
  const worker = async (): Promise<void> => {
    for (let n = next++; n < targets.length; n = next++) if (!(await work(targets[n] ?? '', n))) failed += 1
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return { wallMs: performance.now() - startedMs, failed }
}

const createOurs = (port: number) => {
  const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
  const nowMs = (): number => performance.now()
  const { onStop } = createStopper()
  const resolver = createResolver(vetting, nowMs)
  const context: CheckContext = { onStop, vetting, resolver, pinger: null, fping: null, nowMs }
  const { http } = createRegistry()
  const checkOf = (address: string, n: number): ProbeCheck => ({
    scanner: n + 1,
    kind: 'http',
    address,
    intervalMs: 60_000,
    retryIntervalMs: 20_000,
    attempts: 3,
    timeoutMs: 5_000,
    parameters: { url: `http://{address}:${port}/`, contains: 'Bienvenue' },
    loopback: true,
  })
  return async (count: number): Promise<Figures> => {
    const cpu = process.cpuUsage()
    const done = await inParallel(
      count,
      async (address, n) => (await http.run(checkOf(address, n), context)).failure === null,
    )
    const { user, system } = process.cpuUsage(cpu)
    return { ...done, cpuMs: (user + system) / 1_000 }
  }
}

/** CPU in ms of a process that runs, in ticks of 10 ms. */
const cpuOf = (pid: number | undefined): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The pages, on every loopback address, in a process of their own. */
const startPages = async (port: number): Promise<ChildProcess> => {
  const program = `require('node:http').createServer((_, answer) => answer.end(${JSON.stringify(PAGE)})).listen(${port}, '0.0.0.0', 4096, () => console.log('ready'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const startBlackbox = async (folder: string) => {
  const port = await freePort()
  const file = join(folder, 'blackbox.yml')
  const check = 'http: { preferred_ip_protocol: ip4, fail_if_body_not_matches_regexp: [Bienvenue] }'
  writeFileSync(file, `modules:\n  page: { prober: http, timeout: 5s, ${check} }\n`)
  const given = [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error']
  const child = spawn(BLACKBOX, given, { stdio: 'ignore' })
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const ask = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent }, async answer => {
        resolve(Buffer.concat(await answer.toArray()).toString())
      }).on('error', reject)
    })
  for (let tries = 0; ; tries += 1) {
    const up = await ask('/-/healthy').then(
      () => true,
      () => false,
    )
    if (up) break
    if (tries > 100) throw new Error('blackbox_exporter does not start')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return {
    child,
    async measure(count: number, pages: number): Promise<Figures> {
      const before = cpuOf(child.pid)
      const done = await inParallel(count, async address => {
        const target = encodeURIComponent(`http://${address}:${pages}/`)
        return (await ask(`/probe?module=page&target=${target}`)).includes('probe_success 1')
      })
      return { ...done, cpuMs: cpuOf(child.pid) - before }
    },
    stop: () => {
      agent.destroy()
      child.kill('SIGKILL')
    },
  }
}

const isInstalled = (file: string): boolean => {
  try {
    accessSync(file)
    return true
  } catch {
    return false
  }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const shown = ({ cpuMs, wallMs, failed }: Figures, count: number): string =>
  `${whole((count * 1_000) / wallMs)}/s, ${((cpuMs * 1_000) / count).toFixed(0)} µs of CPU each, ${failed} failed`

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-bench-'))
  const port = await freePort()
  const pages = await startPages(port)
  const peer = isInstalled(BLACKBOX) ? await startBlackbox(folder) : null
  const ours = createOurs(port)
  await ours(200)
  const costs: number[] = []
  let failed = 0
  for (const count of SIZES) {
    const own = await ours(count)
    costs.push(own.cpuMs / count)
    failed += own.failed
    say(`http, ${whole(count)} hosts`, shown(own, count))
    if (peer === null) continue
    const theirs = await peer.measure(count, port)
    say(
      `http, ${whole(count)} hosts, blackbox_exporter`,
      shown(theirs, count),
      `ratio ${(theirs.cpuMs / own.cpuMs).toFixed(2)}`,
    )
  }
  say(
    `http, growth ${SIZES.map(whole).join(' → ')}: cost of one`,
    `× ${((costs.at(-1) ?? 0) / (costs[0] ?? 1)).toFixed(2)}`,
  )
  peer?.stop()
  pages.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
  if (failed > 0) process.exitCode = 1
}

await main()
