import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import {
  type AlertMessage,
  dashboardRoutes,
  HUBS,
  hostRoutes,
  metricRoutes,
  probeRoutes,
  scannerRoutes,
} from '@narval/contracts'
import { type ApiClient, signIn } from '../e2e/kit/client.ts'
import {
  freePort,
  type RunningServer,
  removeFolder,
  startServer,
  stopServer,
  temporaryFolder,
} from '../e2e/kit/server.ts'
import { enrolWireProbe } from '../e2e/kit/wire-probe.ts'
import { lightClient, perSecond, quantile, say, timed } from './kit.ts'

/**
 * The real server with 1,000 and 10,000 hosts: start, a page of 25 hosts, or of 25 of all metrics, with search, sort and
 * count beside the barest answer of the same server, an edit, and the way from a posted result to the alert at a hub client.
 */
const SIZES = [1_000, 10_000]
const PAGE = {
  search: { value: 'srv' },
  columns: [{ data: 'name' }, { data: 'address' }],
  order: [{ column: 0, dir: 'desc' as const }],
}
const ROUNDS = 150
const CLIENTS = 8
const CLIENTS_MS = 3_000
const METRIC_ROUNDS = 40

const page = (api: ApiClient) => api.call(hostRoutes.datatable.put, { body: PAGE })

/** Prefixes of the demo's names, so that each call in turn asks another page. */
const TERMS = [
  'srv',
  'rtr',
  'sw',
  'cam',
  'imp',
  'onduleur',
  'paris',
  'lyon',
  'lille',
  '01',
  '02',
  'a',
  'e',
  'i',
  'o',
  'u',
]

const measurePages = async (api: ApiClient, server: RunningServer, size: number): Promise<void> => {
  const light = await lightClient(server, api, CLIENTS)
  const bare = () => light.call('GET', '/health/live')
  const ask = (value: string) =>
    light.call('PUT', hostRoutes.datatable.put.path, JSON.stringify({ ...PAGE, search: { value } }))
  const bareTimes: number[] = []
  const pageTimes: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bareTimes.push(await timed(bare))
    // Never asked before: the count is not known yet.
    pageTimes.push(
      await timed(() => ask(`srv-${String.fromCharCode(97 + (round % 26))}${Math.floor(round / 26)}`.slice(0, 5))),
    )
  }
  say(
    `25 of ${size} hosts, search + sort + count, p50 / p99`,
    `${quantile(pageTimes, 0.5).toFixed(2)} ms`,
    `p99 ${quantile(pageTimes, 0.99).toFixed(2)} ms, ${(quantile(pageTimes, 0.5) / quantile(bareTimes, 0.5)).toFixed(1)} × the barest answer`,
  )
  const bares = await perSecond(CLIENTS, CLIENTS_MS, bare)
  for (const [what, termOf] of [
    ['the same page', () => 'srv'],
    ['16 pages in turn', (turn: number) => TERMS[turn % TERMS.length] ?? ''],
    ['a new search each', (turn: number) => `s${turn}`],
  ] as const) {
    const pages = await perSecond(CLIENTS, CLIENTS_MS, turn => ask(termOf(turn)))
    say(
      `  ${what}, ${CLIENTS} clients`,
      `${pages.toFixed(0)} /s`,
      `${(pages / bares).toFixed(2)} of the barest answer (${bares.toFixed(0)} /s)`,
    )
  }
  light.close()
}

const METRIC_COLUMNS = [{ data: 'name' }, { data: 'hostName' }, { data: 'siteName' }, { data: 'severity' }]
/** Pages of the list of metrics: the first, a search never asked before, one by severity, and one from the middle. */
const measureMetrics = async (api: ApiClient, server: RunningServer): Promise<void> => {
  const light = await lightClient(server, api, CLIENTS)
  const ask = (body: object) =>
    light.call('PUT', metricRoutes.datatable.put.path, JSON.stringify({ columns: METRIC_COLUMNS, ...body }))
  const { recordsTotal } = await api.call(metricRoutes.datatable.get)
  for (const [what, bodyOf] of [
    ['the first page', () => ({})],
    ['a new search each', (turn: number) => ({ search: { value: `s${turn}` }, order: [{ column: 1, dir: 'asc' }] })],
    ['by severity', () => ({ order: [{ column: 3, dir: 'desc' }] })],
    ['from the middle', () => ({ start: recordsTotal >> 1, order: [{ column: 1, dir: 'asc' }] })],
  ] as const) {
    const times: number[] = []
    for (let round = 0; round < METRIC_ROUNDS; round++) times.push(await timed(() => ask(bodyOf(round))))
    say(
      `25 of ${recordsTotal} metrics, ${what}, p50 / p99`,
      `${quantile(times, 0.5).toFixed(2)} ms`,
      `p99 ${quantile(times, 0.99).toFixed(2)} ms`,
    )
  }
  light.close()
}

/** A host renamed, until the answer: monitoring has read it again by then. */
const measureEdits = async (api: ApiClient, size: number): Promise<void> => {
  const [first] = (await api.call(hostRoutes.datatable.get)).data
  if (first === undefined) throw new Error('no host')
  let host = first
  const times: number[] = []
  for (let round = 0; round < METRIC_ROUNDS; round++) {
    times.push(
      await timed(async () => {
        host = await api.call(hostRoutes.update, {
          params: { id: String(host.id) },
          body: { ...host, description: `essai ${round}` },
        })
      }),
    )
  }
  say(
    `one host of ${size} changed, p50 / p99`,
    `${quantile(times, 0.5).toFixed(1)} ms`,
    `p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  )
}

/** From the post of a bad result (1 attempt) to the alert, alternating with recoveries. */
const measureAlerts = async (api: ApiClient, server: RunningServer): Promise<void> => {
  const [host] = await api.call(hostRoutes.datatable.get).then(answer => answer.data)
  const [scanner] = await api.call(scannerRoutes.list, { query: { host: String(host?.id ?? 0) } })
  if (scanner === undefined) throw new Error('no scanner')
  const { code } = await api.call(probeRoutes.code)
  const probe = await enrolWireProbe(server.url, code)
  await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
  await api.call(scannerRoutes.update, {
    params: { id: String(scanner.id) },
    body: { ...scanner, probeId: probe.id, attempts: 1 },
  })
  const connection = new HubConnectionBuilder()
    .withUrl(`${server.url}${HUBS.communication.path}`, { accessTokenFactory: api.token })
    .configureLogging(LogLevel.None)
    .build()
  let heard: (alert: AlertMessage) => void = () => undefined
  connection.on(HUBS.communication.event, (alert: AlertMessage) => heard(alert))
  await connection.start()
  await connection.invoke(HUBS.communication.join, 'global')
  const times: number[] = []
  const posts: number[] = []
  const startMs = Date.now()
  for (let round = 0; round < ROUNDS; round++) {
    const failure = round % 2 === 0 ? { code: 'timeout' as const, message: 'délai dépassé' } : null
    const alert = new Promise<number>(resolve => {
      heard = () => resolve(performance.now())
    })
    const postedMs = performance.now()
    const status = await probe.post(round + 1, [
      { scanner: scanner.id, at: startMs + round, durationMs: 1, failure, values: {} },
    ])
    if (status !== 204) throw new Error(`post answered ${status}`)
    posts.push(performance.now() - postedMs)
    // The first result of a metric in « en attente » that is good is silent; ours begins with a failure.
    times.push((await alert) - postedMs)
  }
  await connection.stop()
  say(
    'result posted → alert at a hub client, idle, p50 / p99',
    `${quantile(times, 0.5).toFixed(1)} ms`,
    `p99 ${quantile(times, 0.99).toFixed(1)} ms; the durable acknowledgement alone ${quantile(posts, 0.5).toFixed(1)} ms`,
  )
}

for (const size of SIZES) {
  const folder = temporaryFolder()
  const env = { NARVAL_DEMO: 'on', NARVAL_DEMO_HOSTS: String(size), NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error' }
  let server = await startServer(folder, await freePort(), env)
  let api = await signIn(server.url)
  while ((await page(api)).recordsTotal < size) await new Promise(resolve => setTimeout(resolve, 200))
  await stopServer(server)
  const port = await freePort()
  const startMs = await timed(async () => {
    server = await startServer(folder, port, env)
  })
  api = await signIn(server.url)
  const main = await api.call(dashboardRoutes.main)
  say(`start with ${size} hosts, ${main.severities.unknown} metrics, to /health/ready`, `${startMs.toFixed(0)} ms`)
  await measurePages(api, server, size)
  await measureMetrics(api, server)
  await measureEdits(api, size)
  await measureAlerts(api, server)
  await stopServer(server)
  removeFolder(folder)
}
