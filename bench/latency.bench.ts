import { loadavg } from 'node:os'
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import {
  type AlertMessage,
  type CheckResult,
  dashboardRoutes,
  HUBS,
  hostStream,
  type MetricChanged,
  metricRoutes,
} from '@narval/contracts'
import type { ApiClient } from '../e2e/kit/client.ts'
import { createTcpScanners, type TcpScanner } from '../e2e/kit/fleet.ts'
import { listenToAlerts } from '../e2e/kit/hub.ts'
import { type RunningServer, removeFolder, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { approvedWireProbe, type WireProbe } from '../e2e/kit/wire-probe.ts'
import { insideOf, quantile, say } from './kit.ts'
import { demoServer, resultsOf, sleep, type Taken, takeOver } from './kit-load.ts'

/**
 * From the moment a probe posts a failure to the state that the API answers, that a client of the metric's hub is told, and
 * to the alert, while another probe posts 2,000 results a second: real processes, one failure of another metric each time.
 */
const SIZES = [1_000, 10_000]
const RESULTS_PER_SECOND = 2_000
const POSTS_PER_SECOND = 10
const LOAD_MS = 60_000
const FAILURES = 240
/** Every metric of the fleet has its first result, which writes its state, before anything is measured. */
const WARM_MS = 10_000
const TARGET_MS = 300
const GIVEN_UP_MS = 20_000

/** All is well with them until their one failure; the first is the life test of the host, and stays well. */
interface Watched {
  readonly probe: WireProbe
  readonly scanners: readonly TcpScanner[]
  sequence: number
}
const result = ({ scanner }: TcpScanner, isGood: boolean): CheckResult => ({
  scanner: scanner.id,
  at: Date.now(),
  durationMs: 1,
  failure: isGood ? null : { code: 'timeout', message: 'délai dépassé' },
  values: isGood ? { connect_time: 1 } : {},
})
const post = async (watched: Watched, results: readonly CheckResult[]): Promise<void> => {
  const status = await watched.probe.post(++watched.sequence, results)
  if (status !== 204) throw new Error(`a post answered ${status}`)
}
const watchedHost = async (server: RunningServer, api: ApiClient): Promise<Watched> => {
  const probe = await approvedWireProbe(server.url, api)
  const scanners = await createTcpScanners(api, {
    ...{ probeId: probe.id, name: 'mesure', count: FAILURES + 1, intervalSeconds: 300, attempts: 1 },
  })
  const watched = { probe, scanners, sequence: 0 }
  await post(
    watched,
    scanners.map(one => result(one, true)),
  )
  return watched
}

/** The load, until told to stop: how many results were taken. */
const load = ({ probe, scanners }: Taken, isOver: () => boolean) => {
  const perPost = RESULTS_PER_SECOND / POSTS_PER_SECOND
  const run = async (): Promise<number> => {
    let taken = 0
    const startedMs = performance.now()
    for (let turn = 1; !isOver(); turn += 1) {
      const results = resultsOf(scanners, turn * perPost, perPost, Date.now())
      if ((await probe.post(turn, results)) === 204) taken += perPost
      await sleep(Math.max(0, startedMs + (turn * 1_000) / POSTS_PER_SECOND - performance.now()))
    }
    return (taken * 1_000) / (performance.now() - startedMs)
  }
  return run()
}

/** What a client of the hubs is told, with when: states of the host's metrics, and alerts. */
const listen = async (server: RunningServer, api: ApiClient, hostId: number) => {
  const states = new Map<number, number>()
  const connection = new HubConnectionBuilder()
    .withUrl(`${server.url}${HUBS.metric.path}`, { accessTokenFactory: api.token })
    .configureLogging(LogLevel.None)
    .build()
  connection.on(HUBS.metric.event, ({ metrics }: MetricChanged) => {
    for (const { id, severity } of metrics)
      if (severity === 'error' && !states.has(id)) states.set(id, performance.now())
  })
  await connection.start()
  await connection.invoke(HUBS.metric.join, hostStream(hostId))
  const alerts: { readonly title: string; readonly atMs: number }[] = []
  const alerting = await listenToAlerts(server.url, api.token)
  alerting.onAlert((alert: AlertMessage) => alerts.push({ title: alert.title, atMs: performance.now() }))
  return {
    states,
    alerts,
    stop: () => Promise.all([connection.stop(), alerting.stop()]),
  }
}

const until = async <T>(what: string, look: () => T | undefined): Promise<T> => {
  const endMs = performance.now() + GIVEN_UP_MS
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    if (performance.now() > endMs) throw new Error(`not within ${GIVEN_UP_MS} ms: ${what}`)
    await sleep(1)
  }
}

const measure = async (server: RunningServer, api: ApiClient, watched: Watched) => {
  const times = { kept: [] as number[], answered: [] as number[], told: [] as number[], alerted: [] as number[] }
  const hub = await listen(server, api, watched.scanners[0]?.hostId ?? 0)
  const startedMs = performance.now()
  for (const [n, one] of watched.scanners.slice(1).entries()) {
    await sleep(Math.max(0, startedMs + (n * LOAD_MS) / FAILURES - performance.now()))
    const postedMs = performance.now()
    const since = (atMs: number): number => atMs - postedMs
    const answered = async (): Promise<number> => {
      const ask = () => api.call(metricRoutes.get, { params: { id: String(one.availability.id) } })
      while ((await ask()).severity !== 'error');
      return since(performance.now())
    }
    const kept = post(watched, [result(one, false)]).then(() => times.kept.push(since(performance.now())))
    times.answered.push(await answered())
    await kept
    times.told.push(since(await until('the state on the hub', () => hub.states.get(one.availability.id))))
    const isIts = ({ title }: { readonly title: string }): boolean => title.includes(`${one.scanner.name} `)
    times.alerted.push(since((await until('the alert', () => hub.alerts.find(isIts))).atMs))
  }
  await hub.stop()
  return times
}

const p99: number[] = []
for (const hosts of SIZES) {
  const folder = temporaryFolder()
  const inside = insideOf(folder)
  const { server, api } = await demoServer(folder, hosts, inside.env)
  const { severities } = await api.call(dashboardRoutes.main)
  const metrics = Object.values(severities).reduce((sum, count) => sum + count, 0)
  const taken = await takeOver(server, api)
  const watched = await watchedHost(server, api)
  let isOver = false
  const loading = load(taken, () => isOver)
  await sleep(WARM_MS)
  await inside.look(server)
  const times = await measure(server, api, watched)
  isOver = true
  const rate = await loading
  const busy = await inside.look(server)
  say(
    `${hosts} hosts, ${metrics} metrics; results taken meanwhile`,
    `${rate.toFixed(0)} /s`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  )
  for (const [what, values] of [
    ['acknowledged, durable', times.kept],
    ['state answered by the API', times.answered],
    ['state told by the hub', times.told],
    ['alert told by the hub', times.alerted],
  ] as const)
    say(
      `  result posted → ${what}, p50 / p99`,
      `${quantile(values, 0.5).toFixed(1)} ms`,
      `p99 ${quantile(values, 0.99).toFixed(1)} ms, longest ${quantile(values, 1).toFixed(0)} ms`,
    )
  say('  event loop of the server, p99', `${busy.p99.toFixed(1)} ms`, `longest ${busy.max.toFixed(0)} ms`)
  p99.push(Math.max(...[times.answered, times.told, times.alerted].map(values => quantile(values, 0.99))))
  await stopServer(server)
  removeFolder(folder)
}
const [small = 0, large = 0] = p99
say(
  `latency, p99 of the slowest way, ${SIZES.join(' → ')} hosts`,
  `× ${(large / small).toFixed(2)}`,
  `target ${TARGET_MS} ms: ${Math.max(...p99) <= TARGET_MS ? 'met' : 'MISSED'}`,
)
if (Math.max(...p99) > TARGET_MS) process.exitCode = 1
