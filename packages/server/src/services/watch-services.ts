import { HUBS, SERVICES_STREAM, type ServiceChanged, type Settings } from '@narval/contracts'
import type { FastifyInstance } from 'fastify'
import type { Changes } from '../changes.ts'
import type { Hubs } from '../hub/hubs.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import type { Notifier } from '../monitoring/notifier/notifier.ts'
import type { Purging } from '../purging.ts'
import type { SampleStore } from '../samples/sample-store.ts'
import type { AnchorStore } from '../store/audit-chain.ts'
import type { Database } from '../store/database.ts'
import { toIso } from '../store/time.ts'
import { backupPart } from './backup-part.ts'
import { clockPart } from './clock-part.ts'
import { apiPart, type ExchangeCounts, exchangePart, hubPart, ingestPart, judgingPart } from './flow-parts.ts'
import { watchHttp } from './http-watch.ts'
import { createOutgoingBeat, type OutgoingBeat, whyNotWell } from './outgoing-beat.ts'
import { createProbeServices } from './probe-services.ts'
import { createServerPart } from './server-part.ts'
import { createServiceRegistry, type ServiceRegistry } from './service-registry.ts'
import { createStorage, type Storage } from './storage.ts'
import { chainPart, diskPart, retentionPart, samplesPart, watchDatabase, writeMark } from './store-parts.ts'
import { deliveryPart, discoveryPart, notifierPart, type Silence } from './telling-parts.ts'

export interface WatchedServices {
  readonly registry: ServiceRegistry
  readonly storage: Storage
  readonly beat: OutgoingBeat
  start(): Promise<void>
  stop(): Promise<void>
}

export interface WatchDeps {
  readonly registry: ServiceRegistry
  readonly probes: { readonly load: () => Promise<void> }
  readonly database: Database
  readonly samples: SampleStore
  readonly http: FastifyInstance
  readonly hubs: Hubs
  readonly monitoring: Monitoring
  readonly exchange: () => ExchangeCounts
  readonly notifier: Pick<Notifier, 'lookedAt'>
  readonly discoveries: () => number
  readonly purging: Pick<Purging, 'last'>
  readonly anchor: AnchorStore
  readonly changes: Changes
  readonly settings: () => Settings
  /** Null: it is not known where the data lie. */
  readonly dataFolder: string | null
  readonly silence: () => Silence | null
  /** False before the start is done and once the stop has begun. */
  readonly isReady: () => boolean
  readonly now: () => number
}

/** The registry before its parts are there: those that are made first note their errors in it. */
export const openRegistry = (deps: {
  readonly version: string
  readonly database: Database
  readonly monitoring: () => Monitoring
  readonly hubs: () => Hubs
  readonly now: () => number
}) => {
  let services: ReturnType<typeof createProbeServices> | null = null
  const probes = () => (services ??= createProbeServices(deps.database, deps.monitoring().presence))
  const registry = createServiceRegistry({
    version: deps.version,
    now: deps.now,
    probes: () => probes().list(),
    onChange: () =>
      void deps
        .hubs()
        .publish(HUBS.service.path, SERVICES_STREAM, HUBS.service.event, [
          { services: true, at: toIso(deps.now()) } satisfies ServiceChanged,
        ]),
  })
  return { registry, probes: { load: () => probes().load() } }
}

/** A beat says that people are told of what happens: without that, none is sent. */
const SILENT_WORDS: Readonly<Record<Silence, string>> = {
  asked: 'ce serveur ne prévient personne (NARVAL_NOTIFICATIONS=off)',
  contested: 'un autre serveur tient peut-être la base',
}

/** Has every part of the server say how it is. */
export const watchServices = (deps: WatchDeps): WatchedServices => {
  const { registry, database, samples, monitoring, settings, silence, now } = deps
  const storage = createStorage({ database, folder: deps.dataFolder, settings, now })
  const server = createServerPart(now)
  const databaseWatch = watchDatabase(database, now)
  const beat = createOutgoingBeat({
    settings,
    holdBack() {
      if (!deps.isReady()) return 'le serveur démarre ou s’arrête'
      const why = silence()
      return why === null ? whyNotWell(registry.state) : SILENT_WORDS[why]
    },
    prove: () => monitoring.evaluation.alone(() => writeMark(database, 'beat', now())),
    failed: text => registry.failed('beat', text),
    now,
  })
  registry.register('server', server)
  registry.register('api', apiPart(watchHttp(deps.http, what => registry.failed('api', what))))
  registry.register('hub', hubPart(deps.hubs))
  registry.register('exchange', exchangePart(deps.exchange))
  registry.register('ingest', ingestPart(monitoring))
  registry.register('judging', judgingPart(monitoring))
  registry.register(
    'samples',
    samplesPart(samples, () => monitoring.ingest.stats.samples),
  )
  registry.register('database', databaseWatch.part)
  registry.register('disk', diskPart(storage))
  registry.register('notifier', notifierPart(deps.notifier.lookedAt, silence))
  registry.register(
    'delivery',
    deliveryPart({ database, now, silence, failed: text => registry.failed('delivery', text) }),
  )
  registry.register('discovery', discoveryPart(deps.discoveries))
  registry.register('retention', retentionPart(deps.purging))
  registry.register('chain', chainPart(database, deps.anchor))
  const { dataFolder } = deps
  registry.register('backup', backupPart({ dataFolder, failed: text => registry.failed('backup', text), now }))
  registry.register('clock', clockPart(databaseWatch.skewMs))
  registry.register('beat', beat.part)
  deps.changes.on(({ entity }) => {
    if (entity === 'probe') void deps.probes.load().catch(() => undefined)
  })
  return {
    registry,
    storage,
    beat,
    async start() {
      await deps.probes.load()
      registry.start()
      beat.start()
    },
    async stop() {
      server.stop()
      await Promise.all([registry.stop(), beat.stop()])
    },
  }
}
