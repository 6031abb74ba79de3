import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { CHANNEL_SETTINGS, type CheckResult, hostRoutes, siteRoutes } from '@narval/contracts'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { createChanges } from './changes.ts'
import { createDeliveryWorker, type SendBy } from './features/delivery/delivery-worker.ts'
import { createHostService } from './features/host/host.service.ts'
import { sendWebhook } from './features/notification-channel/senders/webhook.ts'
import { createSettings } from './features/parameter/settings.service.ts'
import { createSiteService } from './features/site/site.service.ts'
import type { Viewer } from './http/caller.ts'
import { createMonitoring } from './monitoring/monitoring.ts'
import { createNotifier } from './monitoring/notifier/notifier.ts'
import { PRESENCE_TIMING } from './monitoring/probe/presence.ts'
import { openEmbeddedSampleStore } from './samples/embedded.ts'
import { attachAuditKey } from './store/audit-seal.ts'
import { openSqlite } from './store/database.ts'
import { createSiteProbes } from './store/site-probe.ts'

/**
 * One life of what R01 and R17 kill: results are ingested, journalled and judged, incidents written, rules applied and
 * people told by a webhook, while objects are made and a stream of samples comes in. The modules are those of the
 * server, without HTTP. Its clock is its own: seconds go by as fast as it can look.
 */
export interface Life {
  readonly folder: string
  readonly nowMs: number
  /** Before which of its writes it is killed, counted from its opening or once it is ready; or when it has sent; or by a timer. */
  readonly end:
    | { readonly at: 'opening' | 'write' | 'sent'; readonly count: number }
    | { readonly at: 'time'; readonly ms: number }
    | { readonly at: 'never' }
  /** Hosts to make. */
  readonly make: readonly string[]
  /** A batch of the probe, sent again as it was until it is acknowledged. */
  readonly batch: { readonly sequence: number; readonly failing: readonly string[]; readonly good: readonly string[] }
  /** The host whose values are numbers in order, and the next of them; null before it is made. */
  readonly stream: { readonly host: string; readonly next: number } | null
}

/** What a life tells as soon as it is acknowledged. */
export type Acknowledged = { readonly made: string } | { readonly batch: number } | { readonly value: number }

const life: Life = JSON.parse(process.argv[2] ?? '{}')
const { end } = life
/** How often a life looks at what is to be told, and how far its clock goes between two looks: beyond the 30 s of grouping. */
const LOOKS = 8
const LOOK_MS = 5_000
/** Values of the stream a life. */
const STREAMED = 15
const PROBE = 1
/** Milliseconds of the stream's clock for one number: each attempt has a time of its own. */
const SLOT_MS = 100
const STREAM_MS = Date.parse('2026-11-20T00:00:00Z')

const die = (): void => void process.kill(process.pid, 'SIGKILL')
const tell = (acknowledged: Acknowledged): void => void writeSync(1, `${JSON.stringify(acknowledged)}\n`)
let nowMs = life.nowMs
const now = (): number => nowMs
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const counted = { opening: 0, write: 0, sent: 0 }
let isArmed = false
const count = (what: keyof typeof counted): void => {
  counted[what] += 1
  if (end.at === what && counted[what] >= end.count) die()
}
const WRITES = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])
/** Dies before a statement is run: in the middle of a transaction as well as between two. */
const killer: KyselyPlugin = {
  transformQuery({ node }) {
    if (WRITES.has(node.kind)) count(isArmed ? 'write' : 'opening')
    return node
  },
  transformResult: async ({ result }) => result,
}

const opened = await openSqlite(join(life.folder, 'narval.db'))
const database = { ...opened, db: opened.db.withPlugin(killer) }
attachAuditKey(database.db, new Uint8Array(32))
const samples = await openEmbeddedSampleStore({ folder: join(life.folder, 'samples'), now })
const log = pino({ level: 'fatal' }, pino.destination({ fd: 2, sync: true }))
const changes = createChanges()
const settings = await createSettings(database, changes, now)
const monitoring = createMonitoring({
  ...{ database, samples, changes, now, log, settings: () => settings.current(), publish: () => undefined },
  ...{ onSoft: () => undefined, onMoved: () => undefined, onAlerts: () => undefined },
  askCheck: async () => null,
  // Nobody looks for silence: the clock is too fast for it.
  timing: { ...PRESENCE_TIMING, passEveryMs: 3_600_000, giveBackAfterMs: 3_600_000 },
})
const send: SendBy = async (
  { settings: shape, secrets },
  { message, stop, person, address, key, reason, ruleName },
) => ({
  ...(await sendWebhook({
    ...{ settings: CHANNEL_SETTINGS.webhook.parse(shape), secrets, person, address, message, stop },
    ...{ product: 'Narval', nowMs, picture: async () => null },
    around: { key, reason, ruleName, recipient: person, base: null },
  })),
  durationMs: 0,
})
const worker = createDeliveryWorker({
  ...{ database, now, secrets: { open: () => null }, send, log, onTrouble: async () => {}, pollMs: 3 },
  onSent: () => {
    if (isArmed) count('sent')
  },
})
const notifier = createNotifier({
  ...{ database, now, log, model: monitoring.model, chains: monitoring.chains, settings: () => settings.current() },
  ...{ inMaintenance: () => false, onQueued: () => worker.wake() },
})
const objects = { database, samples, changes, monitoring, now, reload: () => monitoring.reload() }
const sites = createSiteService(objects)
const hosts = createHostService({ ...objects, siteProbes: createSiteProbes(database.db), recheck: () => 0 })
const viewer: Viewer = {
  ...{ userId: 1, login: 'admin', sessionId: 1, credential: '1', firstConnection: false, signedInMs: 0 },
  claims: new Set(['admin']),
  ...{ place: null, limits: new Map() },
}

const make = async (name: string): Promise<void> => {
  const site = await sites.create(viewer, siteRoutes.create.body.parse({ name, code: name }))
  const host = { name, address: '192.0.2.1', siteId: site.id, withPing: true }
  await hosts.create(viewer, hostRoutes.create.body.parse(host))
  tell({ made: name })
}
const makeAll = async (names: readonly string[]): Promise<void> => {
  for (const name of names) await make(name)
}
const post = (bootId: string, sequence: number, results: readonly CheckResult[]): Promise<void> =>
  monitoring.ingest.accept(PROBE, { bootId, lane: 'live', sequence, sentAt: nowMs, results: [...results] }, nowMs)
const pingOf = (name: string): number => {
  for (const host of monitoring.model.hosts.values()) if (host.name === name) return [...host.scanners.keys()][0] ?? 0
  throw new Error(`no host ${name}`)
}
const FAILURE = { code: 'timeout', message: 'délai dépassé après 2 s' } as const
const GOOD = { rtt_min: 1, rtt_avg: 1, rtt_max: 1, jitter: 0, loss_ratio: 0 }
const postBatch = async ({ sequence, failing, good }: Life['batch']): Promise<void> => {
  const result = (name: string) => ({ scanner: pingOf(name), at: nowMs, durationMs: 1 })
  await post('pannes', sequence, [
    ...failing.map(name => ({ ...result(name), failure: FAILURE, values: {} })),
    ...good.map(name => ({ ...result(name), failure: null, values: GOOD })),
  ])
  tell({ batch: sequence })
}
const stream = async ({ host, next }: NonNullable<Life['stream']>): Promise<void> => {
  for (let value = next; value < next + STREAMED; value += 1) {
    const at = STREAM_MS + value * SLOT_MS + Math.floor(Math.random() * SLOT_MS)
    await post('charge', value, [
      { scanner: pingOf(host), at, durationMs: 1, failure: null, values: { ...GOOD, rtt_avg: value } },
    ])
    tell({ value })
    await pause(1)
  }
}
const watch = async (): Promise<void> => {
  for (let look = 0; look < LOOKS; look += 1) {
    nowMs += LOOK_MS
    await notifier.pass()
    await pause(2)
  }
}

await monitoring.start()
await worker.drain()
isArmed = true
if (end.at === 'time') setTimeout(die, end.ms)
worker.start()
await Promise.all([
  postBatch(life.batch),
  life.stream === null ? null : stream(life.stream),
  makeAll(life.make),
  watch(),
])
await monitoring.evaluation.idle()
// Each goes its way to the end within this life.
await watch()
await worker.drain()
if (end.at !== 'never') die()
await monitoring.stop()
await worker.stop()
await samples.close()
await database.db.destroy()
process.exit(0)
