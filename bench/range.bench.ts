import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { hostRoutes, metricRoutes } from '@narval/contracts'
import { signIn } from '../e2e/kit/client.ts'
import {
  freePort,
  type RunningServer,
  removeFolder,
  startServer,
  stopServer,
  temporaryFolder,
} from '../e2e/kit/server.ts'
import { lightClient, quantile, say, timed } from './kit.ts'
import { addHosts, fillStore, sampleTime, sampleValue, spansOfYear } from './kit-stored.ts'

/**
 * One metric as a chart asks for it, through the API: 24 h, 30 days, a year, among 1,000, 10,000 and 110,000 metrics that have a
 * year of hours and a day of samples; and how long a server with all of them takes to start. Beside VictoriaMetrics, where it is
 * installed (`VICTORIA_METRICS`, or Debian's), holding the same samples of those that are read, and of no others.
 * Usage: npm run -s node -- bench/range.bench.ts [metrics,…]
 */
const SIZES = (process.argv[2] ?? '1000,10000,110000').split(',').map(Number)
const METRICS_PER_HOST = 12
const READ = 24
const POINTS = 480
const CALLS = 200
const DAY = 86_400_000
const RANGES = [
  { name: '24 h', ms: DAY, floorMs: 10, targetMs: 3 },
  { name: '30 days', ms: 30 * DAY, floorMs: 20, targetMs: 5 },
  { name: 'a year', ms: 365 * DAY, floorMs: 50, targetMs: 50 },
] as const
const START_TARGET_MS = 1_500
const VICTORIA = process.env.VICTORIA_METRICS ?? '/usr/bin/victoria-metrics'

const ENV = { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error', NARVAL_LOGIN_RATE: 'off' }

interface Peer {
  readonly query: (id: number, fromMs: number, toMs: number) => Promise<void>
  readonly stop: () => void
}

/** Loads the same samples of the metrics that are read, and asks as Grafana does: a step for each point. */
const startPeer = async (folder: string, read: readonly number[], endMs: number): Promise<Peer> => {
  const port = await freePort()
  const listen = [`-httpListenAddr=127.0.0.1:${port}`, '-search.latencyOffset=0s', '-search.disableCache']
  const store = [`-storageDataPath=${join(folder, 'victoria')}`, '-retentionPeriod=2y', '-loggerLevel=ERROR']
  const child: ChildProcess = spawn(VICTORIA, [...listen, ...store], { stdio: 'ignore' })
  const agent = new Agent({ keepAlive: true })
  const ask = (method: string, path: string, body = ''): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, agent }, answer => {
        answer.resume()
        answer.on('end', () => ((answer.statusCode ?? 500) < 300 ? resolve() : reject(new Error(path))))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  for (let tries = 0; ; tries += 1) {
    const isUp = await ask('GET', '/health').then(
      () => true,
      () => false,
    )
    if (isUp) break
    if (tries > 100) throw new Error('VictoriaMetrics does not start')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  for (const { fromMs, toMs, stepMs } of spansOfYear(endMs))
    for (let day = fromMs; day < toMs; day += DAY) {
      const lines: string[] = []
      for (let at = day; at < day + DAY; at += stepMs)
        for (const id of read) lines.push(`m{id="${id}"} ${sampleValue(id, at)} ${sampleTime(id, at)}`)
      await ask('POST', '/api/v1/import/prometheus', lines.join('\n'))
    }
  await ask('GET', '/internal/force_flush')
  return {
    query: (id, fromMs, toMs) => {
      const step = Math.ceil((toMs - fromMs) / POINTS / 1_000)
      const expression = encodeURIComponent(`avg_over_time(m{id="${id}"}[${step}s])`)
      return ask('GET', `/api/v1/query_range?query=${expression}&start=${fromMs / 1e3}&end=${toMs / 1e3}&step=${step}s`)
    },
    stop: () => {
      agent.destroy()
      child.kill('SIGKILL')
    },
  }
}

const measured = async (read: readonly number[], work: (id: number) => Promise<unknown>): Promise<number[]> => {
  for (const id of read.slice(0, 5)) await work(id)
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) times.push(await timed(() => work(read[(call * 7) % read.length] ?? 1)))
  return times
}
const shown = (times: readonly number[]): string =>
  `${quantile(times, 0.5).toFixed(2)} / ${quantile(times, 0.95).toFixed(2)} ms`

const bytesOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

interface Made {
  readonly folder: string
  readonly ids: readonly number[]
  /** Those that the peer holds too. */
  readonly read: readonly number[]
  readonly rows: number
  readonly endMs: number
}

/** The folder of a server that has been started once, with so many metrics and their year. */
const prepared = async (folder: string, metrics: number, endMs: number): Promise<Made> => {
  const first = await startServer(folder, await freePort(), ENV)
  const making = await signIn(first.url)
  while ((await making.call(hostRoutes.datatable.get)).recordsTotal === 0)
    await new Promise(resolve => setTimeout(resolve, 50))
  await stopServer(first)
  const ids = await addHosts(folder, Math.ceil(metrics / METRICS_PER_HOST))
  const read = Array.from({ length: READ }, (_, index) => ids[Math.floor((index * ids.length) / READ)] ?? 0)
  removeFolder(join(folder, 'samples'))
  mkdirSync(join(folder, 'samples'))
  const rows = fillStore(folder, ids, read, endMs)
  return { folder, ids, read, rows, endMs }
}

const measureSize = async (metrics: number, endMs: number): Promise<void> => {
  const startedMs = performance.now()
  const made = await prepared(temporaryFolder(), metrics, endMs)
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
  const gib = (bytesOf(join(made.folder, 'samples')) / 2 ** 30).toFixed(2)
  say(`${made.ids.length} metrics made, ${made.rows} rows, ${gib} GiB of samples`, `${seconds} s`)
  await stopServer(await started('first start', made))
  await measureRanges(await started('start', made), made)
  removeFolder(made.folder)
}

const started = async (what: string, { folder, ids }: Made): Promise<RunningServer> => {
  const port = await freePort()
  const startedMs = performance.now()
  const server = await startServer(folder, port, ENV)
  const ms = performance.now() - startedMs
  say(`${what} with ${ids.length} metrics, to /health/ready`, `${ms.toFixed(0)} ms`, `target ${START_TARGET_MS} ms`)
  return server
}

const measureRanges = async (server: RunningServer, { ids, read, folder, endMs }: Made): Promise<void> => {
  const any = Array.from({ length: CALLS }, (_, index) => ids[Math.floor((index * ids.length) / CALLS)] ?? 0)
  const api = await signIn(server.url)
  await api.call(hostRoutes.datatable.get)
  const client = await lightClient(server, api, 1)
  const peer = existsSync(VICTORIA) ? await startPeer(folder, read, endMs) : null
  for (const { name, ms, floorMs, targetMs } of RANGES) {
    const [from, to] = [endMs - ms, endMs]
    const path = (id: number): string =>
      `${metricRoutes.data.path}?${new URLSearchParams({
        ...{ ids: String(id), points: String(POINTS) },
        ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
      })}`
    const own = await measured(any, id => client.call('GET', path(id)))
    const theirs = peer === null ? null : await measured(read, id => peer.query(id, from, to))
    const [p50, p95] = [quantile(own, 0.5), quantile(own, 0.95)]
    const verdict = p95 > floorMs ? 'MISSED' : p50 <= targetMs ? 'met' : 'within the floor'
    const ratio =
      theirs === null ? '' : `VictoriaMetrics ${shown(theirs)}, ratio ${(quantile(theirs, 0.5) / p50).toFixed(2)}; `
    const aims = `target ${targetMs} ms, floor ${floorMs} ms at p95: ${verdict}`
    say(`one metric of ${ids.length}, ${name}, p50 / p95`, shown(own), `${ratio}${aims}`)
    if (p95 > floorMs) process.exitCode = 1
  }
  peer?.stop()
  client.close()
  await stopServer(server)
}

console.log(
  `load at the start: ${loadavg()
    .map(load => load.toFixed(1))
    .join(', ')}`,
)
const endMs = Math.floor(Date.now() / DAY) * DAY
for (const size of SIZES) await measureSize(size, endMs)
console.log(
  `load at the end: ${loadavg()
    .map(load => load.toFixed(1))
    .join(', ')}`,
)
