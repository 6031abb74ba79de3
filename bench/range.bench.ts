import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { hostRoutes, metricRoutes } from '@narval/contracts'
import { signIn } from '../e2e/kit/client.ts'
import {
  freePort,
  type RunningServer,
  removeFolder,
  spawnServer,
  startServer,
  stopServer,
  temporaryFolder,
} from '../e2e/kit/server.ts'
import { openEmbeddedSampleStore } from '../packages/server/src/samples/embedded.ts'
import type { SampleStore } from '../packages/server/src/samples/sample-store.ts'
import { lightClient, quantile, say, timed } from './kit.ts'
import { createFleet, hostsFile, METRICS_PER_HOST } from './kit-fleet.ts'
import { runImport, upload } from './kit-import.ts'

/**
 * One metric as a chart asks for it, through the API, with 100,000 metrics stored: 24 h, 30 days, a year. All metrics have the last day
 * (every 15 min), some the last 30 days at a minute and the year at 5 min: it is these that are read. Beside VictoriaMetrics holding
 * the same samples of these, where it is installed (`VICTORIA_METRICS`, or Debian's).
 * Usage: npm run -s node -- bench/range.bench.ts [metrics]
 */
const METRICS = Number(process.argv[2] ?? 100_000)
const READ = 24
/** Hosts of one file to import: a larger one makes its caller wait. */
const FILE_HOSTS = 1_000
const POINTS = 480
const CALLS = 200
const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const RANGES = [
  { name: '24 h', ms: DAY, floorMs: 10, targetMs: 3 },
  { name: '30 days', ms: 30 * DAY, floorMs: 20, targetMs: 5 },
  { name: 'a year', ms: 365 * DAY, floorMs: 50, targetMs: 50 },
] as const
const VICTORIA = process.env.VICTORIA_METRICS ?? '/usr/bin/victoria-metrics'

/** Samples of one step: every id at each time, in order of time. */
function* samplesOf(ids: readonly number[], fromMs: number, toMs: number, stepMs: number) {
  for (let at = fromMs; at < toMs; at += stepMs)
    for (const id of ids) yield { id, at: at + (id % 50) * 1_000, value: levelOf(id, at) }
}
const levelOf = (id: number, at: number): number =>
  Math.round((50 + 30 * Math.sin(at / 7_200_000 + id) + ((at / MINUTE) % 7)) * 1_000) / 1_000

/** The year of the metrics that are read, by months: from, to, step. */
const spansOf = (endMs: number): (readonly [fromMs: number, toMs: number, stepMs: number])[] => [
  ...Array.from({ length: 11 }, (_, month) => {
    const fromMs = endMs - 365 * DAY + month * 30 * DAY
    return [fromMs, fromMs + 30 * DAY, 5 * MINUTE] as const
  }),
  [endMs - 35 * DAY, endMs - 30 * DAY, 5 * MINUTE],
  [endMs - 30 * DAY, endMs, MINUTE],
]

const BATCH = 20_000
const IN_FLIGHT = 8

/** Appends a span as it would have come, then has it sealed as the night does. */
const fillSpan = async (
  store: SampleStore & { maintain(): Promise<void> },
  clock: { now: number; sequence: number },
  samples: Iterable<{ id: number; at: number; value: number }>,
  endMs: number,
): Promise<number> => {
  clock.now = endMs
  const waiting: Promise<{ position: number }>[] = []
  let [position, count, filled] = [0, 0, 0]
  let columns = columnsOf(BATCH)
  const send = async (): Promise<void> => {
    const { series, atMs, value } = columns
    const part = { series: series.slice(0, filled), atMs: atMs.slice(0, filled), value: value.slice(0, filled) }
    const key = { probe: 1, boot: 'bench', lane: 'backlog' as const, sequence: clock.sequence++ }
    waiting.push(store.append({ ...key, arrivedMs: endMs, samples: part, attachment: new Uint8Array() }))
    if (waiting.length >= IN_FLIGHT) position = (await waiting.shift())?.position ?? position
    columns = columnsOf(BATCH)
    filled = 0
  }
  for (const { id, at, value } of samples) {
    columns.series[filled] = id
    columns.atMs[filled] = at
    columns.value[filled++] = value
    count += 1
    if (filled === BATCH) await send()
  }
  if (filled > 0) await send()
  for (const one of await Promise.all(waiting)) position = one.position
  await store.applied(position)
  await store.maintain()
  return count
}
const columnsOf = (size: number) => ({
  series: new Int32Array(size),
  atMs: new Float64Array(size),
  value: new Float64Array(size),
})

const fill = async (
  folder: string,
  ids: readonly number[],
  read: readonly number[],
  endMs: number,
): Promise<number> => {
  const clock = { now: endMs - 365 * DAY, sequence: 1 }
  const options = { maintainEveryMs: 0, sealAfterMs: 0, callTimeoutMs: 600_000 }
  const store = await openEmbeddedSampleStore({ folder: join(folder, 'samples'), now: () => clock.now, ...options })
  let count = 0
  for (const [fromMs, toMs, stepMs] of spansOf(endMs))
    count += await fillSpan(store, clock, samplesOf(read, fromMs, toMs, stepMs), toMs)
  const rest = ids.filter(id => !read.includes(id))
  count += await fillSpan(store, clock, samplesOf(rest, endMs - DAY, endMs, 15 * MINUTE), endMs)
  await store.close()
  return count
}

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
  for (const [fromMs, toMs, stepMs] of spansOf(endMs))
    for (let day = fromMs; day < toMs; day += DAY) {
      const lines = [...samplesOf(read, day, day + DAY, stepMs)].map(
        ({ id, at, value }) => `m{id="${id}"} ${value} ${at}`,
      )
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

const START_MS = 180_000
/** A server with so many metrics may take longer to be ready on a busy machine than tests wait. */
const started = async (folder: string, env: Readonly<Record<string, string>>): Promise<RunningServer> => {
  const server = spawnServer(folder, await freePort(), env)
  const deadline = performance.now() + START_MS
  while (performance.now() < deadline) {
    const answer = await fetch(`${server.url}/health/ready`).catch(() => null)
    if (answer?.status === 200) return server
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`the server is not ready:\n${server.output()}`)
}

const measured = async (read: readonly number[], work: (id: number) => Promise<unknown>): Promise<number[]> => {
  for (const id of read.slice(0, 5)) await work(id)
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) times.push(await timed(() => work(read[(call * 7) % read.length] ?? 1)))
  return times
}
const shown = (times: readonly number[]): string =>
  `${quantile(times, 0.5).toFixed(2)} / ${quantile(times, 0.95).toFixed(2)} ms`

const main = async (): Promise<void> => {
  const folder = temporaryFolder()
  const env = { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error', NARVAL_LOGIN_RATE: 'off' }
  const first = await startServer(folder, await freePort(), env)
  const hosts = Math.ceil(METRICS / METRICS_PER_HOST / FILE_HOSTS) * FILE_HOSTS
  const madeMs = await timed(async () => {
    const making = await signIn(first.url)
    await createFleet(first, making, FILE_HOSTS)
    for (let made = FILE_HOSTS; made < hosts; made += FILE_HOSTS)
      await runImport(
        making,
        await upload(first, making, 'host', hostsFile(FILE_HOSTS, FILE_HOSTS / 10, `lot-${made}`)),
      )
  })
  await stopServer(first)
  const ids = Array.from({ length: hosts * METRICS_PER_HOST }, (_, index) => index + 1)
  const read = Array.from({ length: READ }, (_, index) => 1 + Math.floor((index * ids.length) / READ))
  const endMs = Math.floor(Date.now() / DAY) * DAY
  let count = 0
  const filledMs = await timed(async () => {
    count = await fill(folder, ids, read, endMs)
  })
  say(`${ids.length} metrics made, ${count} samples stored`, `${((madeMs + filledMs) / 1_000).toFixed(0)} s`)

  const server = await started(folder, env)
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
    const own = await measured(read, id => client.call('GET', path(id)))
    const theirs = peer === null ? null : await measured(read, id => peer.query(id, from, to))
    const p50 = quantile(own, 0.5)
    const verdict = p50 <= targetMs ? 'met' : p50 <= floorMs ? 'within the floor' : 'MISSED'
    const ratio =
      theirs === null ? '' : `VictoriaMetrics ${shown(theirs)}, ratio ${(quantile(theirs, 0.5) / p50).toFixed(2)}; `
    say(`one metric of ${ids.length}, ${name}, p50 / p95`, shown(own), `${ratio}target ${targetMs} ms: ${verdict}`)
    if (p50 > floorMs) process.exitCode = 1
  }
  peer?.stop()
  client.close()
  await stopServer(server)
  removeFolder(folder)
}

await main()
