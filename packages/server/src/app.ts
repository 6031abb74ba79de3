import { fileURLToPath } from 'node:url'
import fastifyCookie from '@fastify/cookie'
import { HUBS, LOG_STREAM, type ServiceChanged } from '@narval/contracts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { appHandlers } from './app-handlers.ts'
import { createIdentity } from './app-identity.ts'
import { type Changes, createChanges } from './changes.ts'
import { verifyPassword } from './features/account/password-hash.ts'
import { mountPictures } from './features/account/picture.service.ts'
import { createReach } from './features/account/reach.ts'
import { createCredentialService } from './features/credential/credential.service.ts'
import type { DeliveryWorker, DeliveryWorkerDeps } from './features/delivery/delivery-worker.ts'
import { createDiscoveryService, type DiscoveryService } from './features/discovery/discovery.service.ts'
import { createAlertSettings } from './features/notification/alert-settings.ts'
import { createLogo, mountLogo } from './features/parameter/logo.service.ts'
import { createSettings, retentionOf, type SettingsService } from './features/parameter/settings.service.ts'
import { createOrders } from './features/probe/orders.service.ts'
import { createProbeService, type ProbeService } from './features/probe/probe.service.ts'
import { createProbeGuard, readServerKey } from './features/probe/probe-guard.ts'
import { createProbeRefusals } from './features/probe/probe-refusals.ts'
import { createHeartbeat } from './heartbeat.ts'
import { serveConsole } from './http/console-files.ts'
import { createCsrf } from './http/csrf.ts'
import { closeWhenAnswered } from './http/drain.ts'
import { SECURITY_HEADERS, sayHeaders } from './http/headers.ts'
import { mountAll } from './http/mount.ts'
import { VERSION } from './http/openapi.ts'
import { handleErrors } from './http/problem.ts'
import { createRateLimiter, NO_RATE_LIMITS, RATE_LIMITS, type RateLimits } from './http/rate-limit.ts'
import { createHttp, mountHealth } from './http/server.ts'
import { createHubs, type Hubs } from './hub/hubs.ts'
import { HUB_DEFINITIONS } from './hub-definitions.ts'
import { createMonitoring, type Monitoring, type MonitoringDeps } from './monitoring/monitoring.ts'
import type { Notifier } from './monitoring/notifier/notifier.ts'
import { createCheckAsker } from './monitoring/probe/second-opinion-check.ts'
import { createPurging } from './purging.ts'
import type { SampleStore } from './samples/sample-store.ts'
import { scopedPublish } from './scoped-publish.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'
import type { Silence } from './services/telling-parts.ts'
import { openRegistry, type WatchedServices, watchServices } from './services/watch-services.ts'
import { auditStart, auditStop } from './store/audit.ts'
import { type AnchorStore, createAuditChain, createMemoryAnchor } from './store/audit-chain.ts'
import { attachAuditKey } from './store/audit-seal.ts'
import type { Database } from './store/database.ts'
import { createSiteProbes } from './store/site-probe.ts'
import { toIso } from './store/time.ts'
import { createTelling } from './telling.ts'

export interface AppDeps {
  readonly database: Database
  readonly samples: SampleStore
  /** 32 secret bytes for one use. */
  readonly key: (use: string) => Uint8Array
  /** Seals what is secret in the database; without it, by a key derived from `key`, which can't be renewed. */
  readonly secrets?: SecretBox
  /** PEM of the Ed25519 key that probes pin. */
  readonly serverKey: string
  readonly log: Logger
  readonly now?: () => number
  /** Where the end of the log's chain is kept; left out: in memory. */
  readonly auditAnchor?: AnchorStore
  readonly loginRate?: boolean
  /** Whether a password is an account's; left out: by its hash, each time. */
  readonly verify?: typeof verifyPassword
  readonly rateLimits?: RateLimits
  readonly trustProxy?: boolean
  readonly tls?: { readonly certificate: string; readonly key: string } | null
  /** Where people reach it when a proxy stands in front. */
  readonly publicUrl?: string | null
  /** Where the data lie, whose size is told; left out: it is not. */
  readonly dataFolder?: string
  /** Folder of the built console; a test that needs none leaves it out. */
  readonly consoleFolder?: string
  readonly checkReplies?: boolean
  /** How fast silence of probes is acted upon; left out: as in production. */
  readonly timing?: MonitoringDeps['timing']
  /** How work that lasts lets others in; left out: after some 8 ms. */
  readonly turns?: MonitoringDeps['turns']
  /** False: it was started to tell nobody of anything. */
  readonly tells?: boolean
  /** False while another server may have this database: nothing is told then; left out: it is this one's alone. */
  readonly mayTell?: () => boolean
  /** How deliveries are taken in tests. */
  readonly delivering?: Pick<DeliveryWorkerDeps, 'pollMs' | 'random' | 'onSent'>
}

export interface App {
  readonly http: FastifyInstance
  readonly monitoring: Monitoring
  readonly settings: SettingsService
  readonly probes: ProbeService
  readonly hubs: Hubs
  readonly discovery: DiscoveryService
  readonly changes: Changes
  readonly notifier: Notifier
  /** Seals what waits in the log, now. */
  readonly sealLog: () => Promise<void>
  readonly deliveries: Pick<DeliveryWorker, 'wake' | 'drain'>
  /** Reads what is known, judges what waits in the journal; then `http` may listen. */
  start(): Promise<void>
  /** Refuses new calls, says goodbye to hubs, commits what was acknowledged; the stores stay open. */
  stop(): Promise<void>
  /** Deletes what has been over for long; done every hour. */
  purge(): Promise<void>
  /** How each part of the server is. */
  readonly services: WatchedServices
}

export const CONSOLE_FOLDER = fileURLToPath(new URL('../../console/dist/', import.meta.url))
const FLEET_ENTITIES = new Set(['site', 'host', 'scanner', 'model', 'probe', 'setting', 'credential'])

/** The whole server without listening: what `main.ts` starts and tests inject into. */
export const createApp = async (deps: AppDeps): Promise<App> => {
  const { database, samples, log } = deps
  const now = deps.now ?? Date.now
  const changes = createChanges()
  const anchor = deps.auditAnchor ?? createMemoryAnchor()
  const { registry, probes: probeServices } = openRegistry({
    ...{ version: VERSION, database, now, monitoring: () => monitoring, hubs: () => hubs },
  })
  const { heard } = registry
  const chainLog = heard('chain', 'Des entrées n’ont pas été scellées', log)
  const chain = createAuditChain({
    ...{ database, anchor, now },
    onGrown: () =>
      void hubs.publish(HUBS.service.path, LOG_STREAM, HUBS.service.event, [
        { log: true, at: toIso(now()) } satisfies ServiceChanged,
      ]),
    onError: error => chainLog.error({ err: error }, 'what was written in the log was not sealed'),
  })
  attachAuditKey(database.db, deps.key('audit'), chain.wake)
  const settings = await createSettings(database, changes, now)
  const logo = await createLogo(database, now)
  const serverKey = readServerKey(deps.serverKey)
  const guard = createProbeGuard(
    database,
    serverKey,
    now,
    createProbeRefusals(database, now, error =>
      log.error({ err: error }, 'a refused request of a probe was not audited'),
    ),
  )

  const isSecure = deps.tls != null || deps.publicUrl?.startsWith('https:') === true
  const allowedOrigins = deps.publicUrl == null ? [] : [new URL(deps.publicUrl).origin]

  const secrets = deps.secrets ?? createSecretBox({ keys: [Buffer.from(deps.key('secrets'))], save: null })
  const identity = createIdentity({
    ...{ database, key: deps.key, secrets, settings: settings.current, changes, hubs: () => hubs, now },
    loginRate: deps.loginRate ?? true,
    verify: deps.verify ?? verifyPassword,
  })
  const { sessions, displays } = identity
  const hubs: Hubs = createHubs({
    hubs: HUB_DEFINITIONS,
    authenticate: identity.authenticate,
    liveSessions: identity.liveSessions,
    log,
    allowedOrigins: () => allowedOrigins,
    securityHeaders: SECURITY_HEADERS,
  })
  const reach = createReach(database, changes, error =>
    log.error({ err: error }, 'the accounts that are limited to sites were not read again'),
  )
  const alertSettings = createAlertSettings(
    database,
    changes,
    error => log.error({ err: error }, 'the alerts that accounts ask for were not read again'),
    reach.limited,
    now,
  )
  const hostRules = (hostId: number) => monitoring.model.hosts.get(hostId)?.rules
  const monitoring: Monitoring = createMonitoring({
    database,
    samples,
    changes,
    settings: settings.current,
    publish: scopedPublish(
      (hub, stream, argument, to) => void hubs.publish(HUBS[hub].path, stream, HUBS[hub].event, [argument], to),
      { model: () => monitoring.model, limited: () => reach.limited(), isConnected: id => hubs.hasUser(id) },
    ),
    isFollowed: (hub, stream) => hubs.isFollowed(HUBS[hub].path, stream),
    audience: alerts => alertSettings.audience(alerts),
    onSoft: (scannerId, delayMs) => orders.recheckLater(scannerId, delayMs),
    onMoved: () => orders.invalidate(),
    onAlerts: () => notifier.wake(),
    askCheck: createCheckAsker({ database, settings: settings.current, secrets, hostRules }, () => orders.ask),
    timing: deps.timing,
    turns: deps.turns,
    now,
    log: heard('judging', 'Une étape du jugement a échoué', log),
  })
  const orders = createOrders({ database, monitoring, settings: settings.current, secrets, hostRules, now })
  const probes = createProbeService({
    ...{ database, now, changes, monitoring, guard, serverKey },
    publicUrl: deps.publicUrl ?? null,
  })
  changes.on(({ entity }) => {
    if (FLEET_ENTITIES.has(entity)) orders.invalidate()
  })

  changes.on(({ entity }) => {
    if (entity === 'setting')
      void samples
        .retain(retentionOf(settings.current()))
        .catch(error => log.error({ err: error }, 'how long measures are kept was not told to their store'))
  })

  const siteProbes = createSiteProbes(database.db)
  changes.on(({ entity }) => {
    if (entity === 'site' || entity === 'probe') siteProbes.forget()
  })

  const discovery = createDiscoveryService({
    ...{ database, now, changes, monitoring, secrets, siteProbes },
    log: heard('discovery', 'Un passage n’a pas été suivi', log),
    assign: orders.assign,
  })

  const silence = (): Silence | null =>
    deps.tells === false ? 'asked' : deps.mayTell?.() === false ? 'contested' : null
  const stopping = new AbortController()
  const { send, deliveries, notifier } = createTelling({
    ...{ database, samples, monitoring, changes, hubs, secrets, settings: settings.current, now },
    log: heard('notifier', 'Les notifications n’ont pas été décidées', log),
    deliveryLog: heard('delivery', 'Un envoi n’a pas été mené à bien', log),
    publicUrl: deps.publicUrl ?? null,
    mayTell: () => silence() === null,
    delivering: deps.delivering,
  })

  const http = createHttp(deps)
  const purging = createPurging({
    ...{ database, sessions, history: monitoring.history, settings: settings.current, now },
    log: heard('retention', 'L’effacement a échoué', log),
  })
  let ready = false
  let closing = false
  const services = watchServices({
    ...{
      registry,
      probes: probeServices,
      database,
      samples,
      http,
      hubs,
      monitoring,
      notifier,
      purging,
      anchor,
      changes,
    },
    ...{ exchange: orders.counts, discoveries: discovery.runs.underWay, settings: settings.current, now },
    ...{ dataFolder: deps.dataFolder ?? null, silence },
    isReady: () => ready && !closing,
  })
  handleErrors(http)
  sayHeaders(http, isSecure)
  await http.register(fastifyCookie)
  hubs.register(http)
  const credentials = createCredentialService({ database, now, changes, secrets })
  const rateLimits = deps.rateLimits ?? (deps.loginRate === false ? NO_RATE_LIMITS : RATE_LIMITS)
  mountAll(
    http,
    appHandlers({
      ...{ database, samples, now, log, changes, settings, secrets, hubs, monitoring, hostRules, orders, siteProbes },
      ...identity,
      ...{ credentials, probes, discovery, alertSettings, send, deliveries },
      ...{ stopping: stopping.signal, rateLimits, anchor, reach, services, logo },
    }),
    {
      ...{ sessions, probes: guard, displays },
      csrf: createCsrf(deps.key('csrf')),
      limiter: createRateLimiter(rateLimits, now),
      secure: isSecure,
      allowedOrigins,
      checkReplies: deps.checkReplies ?? false,
    },
  )
  const heartbeat = createHeartbeat(hubs, now, () => !monitoring.evaluation.isBehind())
  mountPictures(http, database)
  mountLogo(http, database)
  mountHealth(http, database, () => ready && !closing && !monitoring.evaluation.isBehind())
  if (deps.consoleFolder !== undefined) await serveConsole(http, deps.consoleFolder)

  return {
    http,
    monitoring,
    settings,
    probes,
    hubs,
    discovery,
    changes,
    deliveries,
    notifier,
    services,
    sealLog: chain.seal,
    async start() {
      chain.start()
      await auditStart(database.db, now())
      await reach.load()
      await alertSettings.load()
      await probes.loadPresence()
      const { replayed } = await monitoring.start()
      if (replayed > 0) log.info({ batches: replayed }, 'journal replayed')
      const unreadable = await credentials.countUnreadable()
      if (unreadable > 0) log.error({ unreadable }, 'credentials that no known key opens: their checks are not started')
      await discovery.start()
      deliveries.start()
      notifier.start()
      purging.start()
      await services.start()
      heartbeat.start()
      ready = true
    },
    async stop() {
      closing = true
      stopping.abort(new DOMException('stopping', 'AbortError'))
      orders.stop()
      heartbeat.stop()
      await services.stop()
      await hubs.close()
      await closeWhenAnswered(http)
      await purging.stop()
      await discovery.stop()
      await notifier.stop()
      await deliveries.stop()
      await monitoring.stop()
      await auditStop(database.db, now())
      await chain.stop()
    },
    purge: purging.run,
  }
}
