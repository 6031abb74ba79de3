import { ALWAYS, hostRoutes, notificationChannelRoutes, notificationRuleRoutes, siteRoutes } from '@narval/contracts'
import { afterAll, describe, expect, it } from 'vitest'
import { type ApiClient, signIn } from './kit/client.ts'
import { createTcpScanners, readSamples } from './kit/fleet.ts'
import { endProgram } from './kit/program.ts'
import { freePort, type RunningServer, removeFolder, startServer, temporaryFolder } from './kit/server.ts'
import { openWebhook, type WebhookReceiver } from './kit/webhook.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

const folder = temporaryFolder()
let server: RunningServer | null = null
let webhook: WebhookReceiver | null = null
afterAll(async () => {
  await webhook?.close()
  if (server !== null) await endProgram(server)
  removeFolder(folder)
})

/** Of the whole product, over HTTP; 200 of the same modules alone: `told-kill.integration.test.ts` in the server. */
const KILLS = 50
/** On a busy machine many die before anything was taken: it goes on until enough was. */
const MOST_KILLS = 2 * KILLS
const READY_LIMIT_MS = 10_000
const QUIET = { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'fatal' }
/** Each probe sends this many batches before one whose answer it does not wait for. */
const DEAF_EVERY = 7
/** Milliseconds of the sample's clock for one number: room for its attempts, each under a time of its own. */
const SLOT_MS = 100

/** What one probe has sent: a number a batch, again until acknowledged. */
interface Stream {
  readonly probe: WireProbe
  readonly scanner: number
  readonly metric: number
  sequence: number
  attempt: number
  readonly acknowledged: Set<number>
}

/**
 * A resent batch must be ignored whole: were it stored beside the first, two samples of one number would be read, since
 * each attempt dates it otherwise.
 */
const post = async (stream: Stream, startMs: number): Promise<void> => {
  const { probe, scanner, sequence, attempt } = stream
  const at = startMs + sequence * SLOT_MS + (attempt % SLOT_MS)
  stream.attempt += 1
  const deaf = sequence % DEAF_EVERY === 0 && attempt === 0
  const results = [{ scanner, at, durationMs: 1, failure: null, values: { connect_time: sequence } }]
  if ((await probe.post(sequence, results, { deaf })) !== 204) return
  stream.acknowledged.add(sequence)
  stream.sequence += 1
  stream.attempt = 0
}

/** Sites and hosts that were acknowledged, and the last acknowledged or attempted instruction of each host. */
interface Writer {
  readonly sites: Set<string>
  readonly hosts: Map<string, { acknowledged: string; attempted: string }>
  made: number
}

const write = async (writer: Writer, api: ApiClient): Promise<void> => {
  const name = `o-${++writer.made}`
  const site = await api.call(siteRoutes.create, { body: { name, code: name } })
  writer.sites.add(name)
  const host = await api.call(hostRoutes.create, {
    body: { name, address: '192.0.2.1', siteId: site.id, withPing: true },
  })
  const told = { acknowledged: '', attempted: `fait ${name}` }
  writer.hosts.set(name, told)
  await api.call(hostRoutes.update, {
    params: { id: String(host.id) },
    body: { ...host, instruction: told.attempted },
  })
  told.acknowledged = told.attempted
}

/** Everything that goes wrong is told at once to somebody's web server. */
const tellOf = async (api: ApiClient, url: string): Promise<void> => {
  const settings = { url, body: '{"key": "{{key}}", "subject": "{{subject}}"}' }
  const channel = await api.call(notificationChannelRoutes.create, {
    body: { name: 'Veille', kind: 'webhook', enabled: true, settings },
  })
  await api.call(notificationRuleRoutes.create, {
    body: {
      ...{
        name: 'Veille',
        enabled: true,
        severities: ['error'],
        kinds: ['host', 'metric'],
        siteIds: [],
        hostTypeIds: [],
      },
      ...{ tags: [], period: ALWAYS },
      ...{ waitSeconds: 0, newsMinutes: null, reminderMinutes: 0, tellRecovery: false, tellBrief: true, stop: false },
      steps: [{ afterMinutes: 0, untilMinutes: null, accountIds: [], groupIds: [], channelIds: [channel.id] }],
    },
  })
}

/** A host for each kill, which fails just before it. */
const FAILURE = { code: 'refused', message: 'connexion refusée' } as const
const fail = async (probe: WireProbe, scanner: number, sequence: number): Promise<boolean> =>
  (await probe
    .post(sequence, [{ scanner, at: Date.now(), durationMs: 1, failure: FAILURE, values: {} }])
    .catch(() => 0)) === 204

describe('R01, R07: the server is killed at any moment', () => {
  it(`kill -9 under load, ${KILLS} times: every acknowledged sample and object is there, once, and who was to be told of a failure is (R17)`, async () => {
    const port = await freePort()
    server = await startServer(folder, port, QUIET)
    // One session for all: it survives the server as what it has written does.
    const api = await signIn(server.url)
    const startMs = Date.now() - 3_600_000
    const streams: Stream[] = []
    for (const name of ['charge-1', 'charge-2', 'charge-3']) {
      const probe = await approvedWireProbe(server.url, api)
      const [made] = await createTcpScanners(api, { probeId: probe.id, name })
      if (made === undefined) throw new Error('no scanner')
      const { scanner, connectTime } = made
      streams.push({
        probe,
        scanner: scanner.id,
        metric: connectTime.id,
        sequence: 1,
        attempt: 0,
        acknowledged: new Set(),
      })
    }
    webhook = await openWebhook()
    await tellOf(api, `${webhook.url}/veille`)
    const watch = await approvedWireProbe(server.url, api)
    const watched: { name: string; scanner: number; failed: boolean }[] = []
    for (let n = 0; n < MOST_KILLS; n++) {
      const name = `veille-${n}`
      const [made] = await createTcpScanners(api, { probeId: watch.id, name, intervalSeconds: 300 })
      watched.push({ name, scanner: made?.scanner.id ?? 0, failed: false })
    }
    const writer: Writer = { sites: new Set(), hosts: new Map(), made: 0 }

    let down = false
    const load = async (work: () => Promise<void>): Promise<void> => {
      while (!down) await work().catch(() => undefined)
    }
    let slowestMs = 0
    const kept = () => streams.reduce((sum, stream) => sum + stream.acknowledged.size, 0)
    const isEnough = () =>
      watched.filter(one => one.failed).length > KILLS / 2 &&
      kept() > KILLS &&
      writer.sites.size + writer.hosts.size > KILLS
    for (let kill = 0; kill < KILLS || (kill < MOST_KILLS && !isEnough()); kill++) {
      down = false
      const loads = [...streams.map(stream => load(() => post(stream, startMs))), load(() => write(writer, api))]
      const failing = watched[kill]
      const told =
        failing === undefined
          ? null
          : fail(watch, failing.scanner, kill + 1).then(isKept => {
              failing.failed = isKept
            })
      await new Promise(resolve => setTimeout(resolve, 60 + Math.random() * 240))
      await endProgram(server)
      down = true
      await Promise.all([...loads, told])
      const restartedMs = performance.now()
      server = await startServer(folder, port, QUIET)
      slowestMs = Math.max(slowestMs, performance.now() - restartedMs)
    }

    const failed = watched.filter(one => one.failed)
    const keysOf = (name: string): unknown[] =>
      (webhook?.received('/veille') ?? []).flatMap(({ key, subject }) =>
        String(subject).includes(`${name}\u202f`) ? [key] : [],
      )
    const untold = () => failed.filter(({ name }) => keysOf(name).length === 0).map(({ name }) => name)
    await expect.poll(untold, { timeout: 60_000 }).toEqual([])
    expect(failed.filter(({ name }) => new Set(keysOf(name)).size !== 1)).toEqual([])
    expect(failed.length).toBeGreaterThan(KILLS / 2)

    let [acknowledged, lost, doubled] = [0, 0, 0]
    for (const stream of streams) {
      const toMs = startMs + (stream.sequence + 1) * SLOT_MS
      const values = (await readSamples(api, stream.metric, startMs, toMs)).map(sample => sample.value)
      const found = new Set(values)
      acknowledged += stream.acknowledged.size
      lost += [...stream.acknowledged].filter(value => !found.has(value)).length
      doubled += values.length - found.size
    }
    const sites = Map.groupBy(await api.call(siteRoutes.list), site => site.name)
    const hosts = Map.groupBy(await api.call(hostRoutes.list), host => host.name)
    const wrongSites = [...writer.sites].filter(name => sites.get(name)?.length !== 1)
    const wrongHosts = [...writer.hosts].filter(([name, told]) => {
      const [host, ...others] = hosts.get(name) ?? []
      const isSaid = host?.instruction === told.attempted || (told.acknowledged === '' && host?.instruction === '')
      return !isSaid || others.length > 0 || host.scanners !== 1
    })
    const objects = writer.sites.size + writer.hosts.size
    console.log(
      `${KILLS} kills: ${acknowledged} samples acknowledged, ${lost} lost, ${doubled} doubled; ${objects} objects, ` +
        `${wrongSites.length + wrongHosts.length} lost, doubled or older than said; slowest start ${Math.round(slowestMs)} ms`,
    )
    expect(acknowledged).toBeGreaterThan(KILLS)
    expect(objects).toBeGreaterThan(KILLS)
    expect([lost, doubled, wrongSites, wrongHosts]).toEqual([0, 0, [], []])
    expect(slowestMs).toBeLessThan(READY_LIMIT_MS)
  }, 600_000)
})
