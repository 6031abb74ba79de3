import { accountRoutes, CSRF_COOKIE, CSRF_HEADER, hostRoutes, metricRoutes, siteRoutes } from '@narval/contracts'
import type { ApiClient } from '../e2e/kit/client.ts'
import type { RunningServer } from '../e2e/kit/server.ts'
import { type insideOf, lightClient, perSecond, quantile, say, timed } from './kit.ts'
import { createFleet, hostsFile, METRICS_PER_HOST } from './kit-fleet.ts'
import { runImport, upload } from './kit-import.ts'
import { besides, measuredServer } from './kit-server.ts'

/**
 * Managed objects with 1,000 and 10,000 hosts side by side: pages of the three lists beside the barest answer of the same
 * server, files, the tree of sites, one edit, bulk changes and what others feel meanwhile.
 */
const SIZES = [1_000, 10_000]
const ROUNDS = 60
const CLIENTS = 8
const CLIENTS_MS = 2_000
const EDITS = 40

const named = (...names: readonly string[]) => names.map(data => ({ data }))
type Ask = (turn: number) => object
const letters = (turn: number): string => `${turn % 7}${turn}`.slice(0, 3)

/** What is asked of each list: nothing; a search never asked before with a sort and a filter; by a custom field; from the middle. */
const pagesOf = (
  fleet: Awaited<ReturnType<typeof createFleet>>,
  size: number,
): readonly (readonly [string, string, Ask])[] => {
  const siteAt = (turn: number): number => fleet.siteIds[turn % fleet.siteIds.length] ?? 0
  const hosts = hostRoutes.datatable.put.path
  const sites = siteRoutes.datatable.put.path
  const metrics = metricRoutes.datatable.put.path
  const hostColumns = named('name', 'address', 'siteName', 'tags')
  const byRack = named('name', 'champ.baie')
  const siteColumns = named('name', 'code', 'city', 'hosts')
  const metricColumns = named('name', 'hostName', 'siteName', 'severity')
  return [
    ['hosts: first page', hosts, () => ({})],
    [
      'hosts: new search, sort, filter',
      hosts,
      turn => ({
        search: { value: `srv-${letters(turn)}` },
        columns: hostColumns,
        order: [{ column: 2, dir: 'desc' }],
        filters: { enabled: true },
      }),
    ],
    [
      'hosts: of one site',
      hosts,
      turn => ({ columns: hostColumns, order: [{ column: 1, dir: 'asc' }], filters: { siteId: siteAt(turn) } }),
    ],
    [
      'hosts: custom field filtered, sorted',
      hosts,
      turn => ({ columns: byRack, order: [{ column: 1, dir: 'desc' }], filters: { 'champ.baie': `baie-${turn}` } }),
    ],
    [
      'hosts: custom field searched, sorted',
      hosts,
      turn => ({ columns: byRack, search: { value: `baie-${turn}` }, order: [{ column: 1, dir: 'asc' }] }),
    ],
    ['sites: first page', sites, () => ({})],
    [
      'sites: new search, sort',
      sites,
      turn => ({ columns: siteColumns, search: { value: `mesure ${turn}` }, order: [{ column: 1, dir: 'desc' }] }),
    ],
    ['sites: by number of hosts', sites, () => ({ columns: siteColumns, order: [{ column: 3, dir: 'desc' }] })],
    [
      'sites: of one parent',
      sites,
      turn => ({ columns: siteColumns, filters: { parentId: siteAt(turn) }, order: [{ column: 0, dir: 'asc' }] }),
    ],
    ['metrics: first page', metrics, () => ({})],
    [
      'metrics: new search, sort, filter',
      metrics,
      turn => ({
        columns: metricColumns,
        search: { value: `srv-${letters(turn)}` },
        order: [{ column: 1, dir: 'asc' }],
        filters: { enabled: true },
      }),
    ],
    ['metrics: by severity', metrics, () => ({ columns: metricColumns, order: [{ column: 3, dir: 'desc' }] })],
    [
      'metrics: from the middle',
      metrics,
      turn => ({
        columns: metricColumns,
        start: (size * METRICS_PER_HOST) / 2 + turn,
        order: [{ column: 1, dir: 'asc' }],
      }),
    ],
  ]
}

const measurePages = async (
  server: RunningServer,
  api: ApiClient,
  inside: ReturnType<typeof insideOf>,
  fleet: Awaited<ReturnType<typeof createFleet>>,
  size: number,
): Promise<void> => {
  const light = await lightClient(server, api, CLIENTS)
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) bare.push(await timed(() => light.call('GET', '/health/live')))
  for (const [what, path, bodyOf] of pagesOf(fleet, size)) {
    const ask = (turn: number) => light.call('PUT', path, JSON.stringify(bodyOf(turn)))
    const times: number[] = []
    await inside.look(server)
    for (let round = 0; round < ROUNDS; round++) times.push(await timed(() => ask(round)))
    const { cpuMs } = await inside.look(server)
    const rate = await perSecond(CLIENTS, CLIENTS_MS, turn => ask(ROUNDS + turn))
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
    say(
      `  ${what}, p50 / p95`,
      `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`,
      `${(cpuMs / ROUNDS).toFixed(1)} ms of CPU; ${(p50 / quantile(bare, 0.5)).toFixed(1)} × the barest answer; ${rate.toFixed(0)} /s with ${CLIENTS} clients`,
    )
  }
  light.close()
}

/** Everything that a list matches as CSV; how large it is. */
const download = async (server: RunningServer, api: ApiClient, path: string): Promise<number> => {
  const authorization = `Bearer ${api.token()}`
  const offered = await fetch(`${server.url}${accountRoutes.ownClaims.path}`, { headers: { authorization } })
  const cookie = offered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const answer = await fetch(`${server.url}${path}`, {
    method: 'PUT',
    headers: {
      authorization,
      cookie,
      [CSRF_HEADER]: cookie.slice(CSRF_COOKIE.length + 1),
      accept: 'text/csv',
      'content-type': 'application/json',
    },
    body: '{}',
  })
  if (answer.status !== 200) throw new Error(`the export answered ${answer.status}`)
  return (await answer.arrayBuffer()).byteLength
}

/** A host renamed, until the answer: monitoring has read it again by then. */
const edit = async (api: ApiClient): Promise<number[]> => {
  const [first] = (await api.call(hostRoutes.datatable.get)).data
  if (first === undefined) throw new Error('no host')
  let host = first
  const times: number[] = []
  for (let round = 0; round < EDITS; round++)
    times.push(
      await timed(async () => {
        host = await api.call(hostRoutes.update, {
          params: { id: String(host.id) },
          body: { ...host, description: `essai ${round}` },
        })
      }),
    )
  return times
}

const measure = async (size: number): Promise<void> => {
  const { server, inside, api, end } = await measuredServer()
  const step = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await inside.look(server)
    const { ms, longestMs } = await besides(api, work)
    const { p99, max, rssMb, cpuMs } = await inside.look(server)
    say(
      `  ${what}`,
      `${(ms / 1_000).toFixed(2)} s`,
      `${(cpuMs / 1_000).toFixed(2)} s of CPU, the pages asked meanwhile included; event loop p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms; a page waits ≤ ${longestMs.toFixed(0)} ms; ${rssMb.toFixed(0)} MiB`,
    )
  }
  let fleet: Awaited<ReturnType<typeof createFleet>> = { siteIds: [], modelId: 0 }
  await step(`${size} hosts, ${size * METRICS_PER_HOST} metrics: imported with their sites`, async () => {
    fleet = await createFleet(server, api, size)
  })
  await measurePages(server, api, inside, fleet, size)
  const tree: number[] = []
  for (let round = 0; round < ROUNDS; round++) tree.push(await timed(() => api.call(siteRoutes.tree)))
  say(
    `  tree of ${fleet.siteIds.length} sites, p50 / p95`,
    `${quantile(tree, 0.5).toFixed(1)} / ${quantile(tree, 0.95).toFixed(1)} ms`,
  )
  const edits = await edit(api)
  say(
    '  one host changed, p50 / p95',
    `${quantile(edits, 0.5).toFixed(1)} / ${quantile(edits, 0.95).toFixed(1)} ms`,
    'until the answer; monitoring knows',
  )
  await step(`${size} hosts as CSV`, () => download(server, api, hostRoutes.datatable.put.path))
  await step(`${size * METRICS_PER_HOST} metrics as CSV`, () => download(server, api, metricRoutes.datatable.put.path))

  const half = (await api.call(hostRoutes.list)).slice(0, size / 2).map(host => host.id)
  const some = half.slice(0, size / 10)
  const bulk = (ids: readonly number[], change: object, plan = false) =>
    api.call(hostRoutes.bulk, { body: { ids: [...ids], change, plan } })
  const [, siteId] = fleet.siteIds
  await step(`${half.length} moved to another site`, () => bulk(half, { siteId }))
  await step(`${half.length} given a tag`, () => bulk(half, { addTags: ['mesure'] }))
  await step(`${half.length} given a model of 2 scanners`, () => bulk(half, { addMonitoringModelIds: [fleet.modelId] }))
  await step(`${half.length} disabled`, () => bulk(half, { enabled: false }))
  await step(`plan: ${some.length} deleted`, () => bulk(some, { delete: true }, true))
  await step(`${some.length} deleted`, () => bulk(some, { delete: true }))
  const more = await upload(server, api, 'host', hostsFile(size / 10, fleet.siteIds.length, 'autre'))
  await step(`${half.length - some.length} given a tag while ${size / 10} are imported`, () =>
    Promise.all([bulk(half.slice(some.length), { addTags: ['ensemble'] }), runImport(api, more)]),
  )
  await end()
}

for (const size of SIZES) {
  console.log(`${size} hosts`)
  await measure(size)
}
