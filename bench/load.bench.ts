import { randomInt } from 'node:crypto'
import { dashboardRoutes, hostRoutes, metricRoutes, scannerRoutes } from '@narval/contracts'
import type { ApiClient } from '../e2e/kit/client.ts'
import { listenToAlerts } from '../e2e/kit/hub.ts'
import { type RunningServer, removeFolder, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { insideOf, lightClient, quantile, say, timed } from './kit.ts'
import { demoServer, resultsOf, sleep, type Taken, takeOver } from './kit-load.ts'

/**
 * The whole server at work: 10,000 values a second posted by a probe, lists paged by 8 operators, a hub client; what its
 * event loop and its memory do meanwhile. Then charts read through the API.
 */
const SIZES = [
  { hosts: 600, valuesPerSecond: 10_000 },
  { hosts: 10_000, valuesPerSecond: 10_000 },
  { hosts: 18_400, valuesPerSecond: 10_000 },
]
const LOAD_MS = 10_000
const POSTS_PER_SECOND = 10
const OPERATORS = 8
/** An operator looks at a page, then at the next: this many a second each. */
const PAGES_PER_SECOND = 5

const underLoad = async (
  server: RunningServer,
  api: ApiClient,
  { probe, scanners }: Taken,
  valuesPerSecond: number,
) => {
  const listener = await listenToAlerts(server.url, api.token)
  const light = await lightClient(server, api, OPERATORS)
  const until = performance.now() + LOAD_MS
  const perPost = valuesPerSecond / 2 / POSTS_PER_SECOND
  const posted: number[] = []
  const pages: number[] = []
  let refused = 0
  const post = async () => {
    for (let turn = 1; performance.now() < until; turn++) {
      const startedMs = performance.now()
      const status = await probe.post(turn, resultsOf(scanners, turn * perPost, perPost, Date.now()))
      if (status === 204) posted.push(performance.now() - startedMs)
      else refused += 1
      await sleep(Math.max(0, 1_000 / POSTS_PER_SECOND - (performance.now() - startedMs)))
    }
  }
  const operate = async (operator: number) => {
    for (let turn = 0; performance.now() < until; turn++) {
      const body = JSON.stringify({ search: { value: String.fromCharCode(97 + ((operator + turn) % 26)) } })
      const path = turn % 2 === 0 ? hostRoutes.datatable.put.path : dashboardRoutes.datatable.put.path
      pages.push(await timed(() => light.call('PUT', path, body)))
      await sleep(1_000 / PAGES_PER_SECOND)
    }
  }
  await Promise.all([post(), ...Array.from({ length: OPERATORS }, (_, index) => operate(index))])
  await listener.stop()
  light.close()
  return { posted, pages, refused, values: posted.length * perPost * 2 }
}

/** 72 h of one metric at a minute, all that a probe keeps while it is cut off, posted late, then read as the chart asks. */
const charts = async (api: ApiClient, server: RunningServer, { probe, scanners }: Taken): Promise<void> => {
  const [scanner] = scanners
  if (scanner === undefined) throw new Error('no tcp scanner')
  const [metric] = (await api.call(scannerRoutes.metrics, { query: { id: String(scanner.id) } })).filter(
    one => one.key === 'connect_time',
  )
  const nowMs = Date.now()
  const minutes = 72 * 60
  const batch = 1_440
  for (let sent = 0; sent < minutes; sent += batch) {
    const results = Array.from({ length: Math.min(batch, minutes - sent) }, (_, index) => ({
      scanner: scanner.id,
      at: nowMs - (minutes - sent - index) * 60_000,
      durationMs: 3,
      failure: null,
      values: { connect_time: randomInt(900) / 1e3 },
    }))
    const status = await probe.post(1_000 + sent / batch, results)
    if (status !== 204) throw new Error(`a late batch answered ${status}`)
  }
  const light = await lightClient(server, api, 1)
  for (const [name, days, points] of [
    ['24 h', 1, 1_440],
    ['72 h', 3, 1_000],
  ] as const) {
    const query = new URLSearchParams({
      ids: String(metric?.id ?? 0),
      from: new Date(nowMs - days * 86_400_000).toISOString(),
      to: new Date(nowMs).toISOString(),
      points: String(points),
    })
    const times: number[] = []
    for (let round = 0; round < 100; round++)
      times.push(await timed(() => light.call('GET', `${metricRoutes.data.path}?${query}`)))
    say(
      `chart of one metric through the API, ${name}, p50 / p99`,
      `${quantile(times, 0.5).toFixed(2)} ms`,
      `p99 ${quantile(times, 0.99).toFixed(2)} ms`,
    )
  }
  light.close()
}

for (const { hosts, valuesPerSecond } of SIZES) {
  const folder = temporaryFolder()
  const inside = insideOf(folder)
  const { server, api } = await demoServer(folder, hosts, inside.env)
  const { severities } = await api.call(dashboardRoutes.main)
  const metrics = Object.values(severities).reduce((sum, count) => sum + count, 0)
  const name = `${hosts} hosts, ${metrics} metrics`
  await sleep(2_000)
  const idle = await inside.look(server)
  say(`${name}: memory at rest`, `${idle.rssMb.toFixed(0)} MiB`)
  const editing = await timed(() => takeOver(server, api))
  const taken = await takeOver(server, api)
  const edited = await inside.look(server)
  say(
    '  event loop while every site is edited, p99',
    `${edited.p99.toFixed(1)} ms`,
    `longest ${edited.max.toFixed(0)} ms, ${editing.toFixed(0)} ms in all`,
  )
  const { posted, pages, refused, values } = await underLoad(server, api, taken, valuesPerSecond)
  const busy = await inside.look(server)
  say(
    `  event loop under ${valuesPerSecond} values/s and ${OPERATORS} operators, p99`,
    `${busy.p99.toFixed(1)} ms`,
    `p50 ${busy.p50.toFixed(1)}, longest ${busy.max.toFixed(0)} ms; at rest p99 ${idle.p99.toFixed(1)} ms`,
  )
  say(
    '  a page meanwhile, p50 / p99',
    `${quantile(pages, 0.5).toFixed(1)} ms`,
    `p99 ${quantile(pages, 0.99).toFixed(1)} ms, ${pages.length} pages`,
  )
  say(
    '  a batch acknowledged, p50 / p99',
    `${quantile(posted, 0.5).toFixed(1)} ms`,
    `p99 ${quantile(posted, 0.99).toFixed(1)} ms, ${refused} refused`,
  )
  say(
    '  values durable, evaluated, shown',
    `${(values / (LOAD_MS / 1_000)).toFixed(0)} /s`,
    `${((busy.cpuMs * 1_000) / values).toFixed(1)} µs of CPU each, pages and hub included`,
  )
  say('  memory meanwhile', `${busy.rssMb.toFixed(0)} MiB`)
  if (hosts === 10_000) await charts(api, server, taken)
  await stopServer(server)
  removeFolder(folder)
}
