import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyCookie from '@fastify/cookie'
import { HUBS, problem, referenceRoutes, type Settings } from '@narval/contracts'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { tellOthers, warnAccount } from './account-notice.ts'
import { type Changes, createChanges } from './changes.ts'
import { warnOfChannel } from './channel-notice.ts'
import { createAccessTokens } from './features/account/access-token.ts'
import { accountHandlers } from './features/account/account.routes.ts'
import { createAccountService } from './features/account/account.service.ts'
import { createApiTokenService } from './features/account/api-token.service.ts'
import { createLoginThrottle } from './features/account/login-throttle.ts'
import { createPasswordService, type PasswordRules } from './features/account/password.service.ts'
import { createSessionService } from './features/account/session.service.ts'
import { commentHandlers } from './features/comment/comment.routes.ts'
import { createCommentService } from './features/comment/comment.service.ts'
import { credentialHandlers } from './features/credential/credential.routes.ts'
import { createCredentialService } from './features/credential/credential.service.ts'
import { createCustomFields, customFieldHandlers } from './features/custom-field/custom-field.routes.ts'
import { dashboardHandlers } from './features/dashboard/dashboard.routes.ts'
import { createDashboardService } from './features/dashboard/dashboard.service.ts'
import { deliveryHandlers } from './features/delivery/delivery.routes.ts'
import { createDeliveryService } from './features/delivery/delivery.service.ts'
import { purgeDeliveries } from './features/delivery/delivery.store.ts'
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerDeps,
} from './features/delivery/delivery-worker.ts'
import { discoveryHandlers } from './features/discovery/discovery.routes.ts'
import { createDiscoveryService, type DiscoveryService } from './features/discovery/discovery.service.ts'
import { eventHandlers } from './features/event/event.routes.ts'
import { historyHandlers } from './features/history/history.routes.ts'
import { createHistoryService } from './features/history/history.service.ts'
import { hostHandlers } from './features/host/host.routes.ts'
import { createHostService } from './features/host/host.service.ts'
import { createHostBulk } from './features/host/host-bulk.ts'
import { createHostCatalogue } from './features/host/host-catalogue.ts'
import { createHostTargets } from './features/host/host-targets.ts'
import { importHandlers } from './features/import/import.routes.ts'
import { createImportService } from './features/import/import.service.ts'
import { acknowledgementHandlers } from './features/incident/acknowledgement.routes.ts'
import { createAcknowledgementService } from './features/incident/acknowledgement.ts'
import { createActed } from './features/incident/acted.ts'
import { incidentHandlers } from './features/incident/incident.routes.ts'
import { createIncidentService } from './features/incident/incident.service.ts'
import { maintenanceHandlers } from './features/maintenance/maintenance.routes.ts'
import { createMaintenanceService } from './features/maintenance/maintenance.service.ts'
import { createMaintenanceCalendar } from './features/maintenance/maintenance-calendar.ts'
import { createMaintenanceObjects } from './features/maintenance/maintenance-objects.ts'
import { metricHandlers } from './features/metric/metric.routes.ts'
import { createMetricService } from './features/metric/metric.service.ts'
import { createMetricBulk } from './features/metric/metric-bulk.ts'
import { modelHandlers } from './features/model/model.routes.ts'
import { createModelService } from './features/model/model.service.ts'
import { alertSettingsHandlers, createAlertSettings } from './features/notification/alert-settings.ts'
import { notificationHandlers } from './features/notification/notification.routes.ts'
import { channelHandlers } from './features/notification-channel/channel.routes.ts'
import { createChannelService } from './features/notification-channel/channel.service.ts'
import { createChannelSend } from './features/notification-channel/channel-send.ts'
import { chartMetric, createCharts } from './features/notification-channel/chart-picture.ts'
import { notificationRuleHandlers } from './features/notification-rule/notification-rule.routes.ts'
import { createNotificationRuleService } from './features/notification-rule/notification-rule.service.ts'
import { createSimulator } from './features/notification-rule/simulator.ts'
import { parameterHandlers } from './features/parameter/parameter.routes.ts'
import { createSettings, type SettingsService } from './features/parameter/settings.service.ts'
import { createOrders } from './features/probe/orders.service.ts'
import { probeHandlers } from './features/probe/probe.routes.ts'
import { createProbeService, type ProbeService } from './features/probe/probe.service.ts'
import { createProbeDiagnose } from './features/probe/probe-diagnose.ts'
import { createProbeGuard, readServerKey } from './features/probe/probe-guard.ts'
import { createProbeKeys } from './features/probe/probe-keys.ts'
import { createProbeRefusals } from './features/probe/probe-refusals.ts'
import { probeGroupHandlers } from './features/probe-group/probe-group.routes.ts'
import { createProbeGroupService } from './features/probe-group/probe-group.service.ts'
import { pushHandlers } from './features/push/push.routes.ts'
import { createPushService } from './features/push/push.service.ts'
import { ruleSettingHandlers } from './features/rule-setting/rule-setting.routes.ts'
import { createRuleSettingService } from './features/rule-setting/rule-setting.service.ts'
import { createOpinionService } from './features/scanner/opinion.service.ts'
import { opinionHandlers, scannerHandlers } from './features/scanner/scanner.routes.ts'
import { createScannerService } from './features/scanner/scanner.service.ts'
import { createScannerBulk } from './features/scanner/scanner-bulk.ts'
import { createScannerExport } from './features/scanner/scanner-export.ts'
import { createScannerLearn } from './features/scanner/scanner-learn.ts'
import { createScannerPings } from './features/scanner/scanner-ping.ts'
import { createScannerTest } from './features/scanner/scanner-test.ts'
import { searchHandlers } from './features/search/search.routes.ts'
import { siteHandlers } from './features/site/site.routes.ts'
import { createSiteService } from './features/site/site.service.ts'
import { createSiteBulk } from './features/site/site-bulk.ts'
import { createSiteTargets } from './features/site/site-targets.ts'
import { createSiteTypeService } from './features/site/site-type.service.ts'
import { viewHandlers } from './features/view/view.routes.ts'
import { createViewService } from './features/view/view.service.ts'
import { serveConsole } from './http/console-files.ts'
import { createCsrf } from './http/csrf.ts'
import { closeWhenAnswered } from './http/drain.ts'
import { SECURITY_HEADERS, sayHeaders } from './http/headers.ts'
import { mountAll, on } from './http/mount.ts'
import { openApiDocument } from './http/openapi.ts'
import { handleErrors, sendProblem } from './http/problem.ts'
import { createRateLimiter, NO_RATE_LIMITS, RATE_LIMITS, type RateLimits } from './http/rate-limit.ts'
import { addRawParser } from './http/raw-body.ts'
import { invalid } from './http/refusal.ts'
import { createHubs, type Hubs } from './hub/hubs.ts'
import { HUB_DEFINITIONS } from './hub-definitions.ts'
import { purgeEvents } from './monitoring/event-log.ts'
import { createMonitoring, type Monitoring, type MonitoringDeps } from './monitoring/monitoring.ts'
import { createNotifier, type Notifier } from './monitoring/notifier/notifier.ts'
import { createCheckAsker } from './monitoring/probe/second-opinion-check.ts'
import type { SampleStore } from './samples/sample-store.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'
import type { Database } from './store/database.ts'
import { readRules } from './store/notification-rules.ts'
import { createSiteProbes } from './store/site-probe.ts'

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
  readonly loginRate?: boolean
  readonly rateLimits?: RateLimits
  readonly trustProxy?: boolean
  readonly tls?: { readonly certificate: string; readonly key: string } | null
  /** Where people reach it when a proxy stands in front. */
  readonly publicUrl?: string | null
  /** Folder of the built console; a test that needs none leaves it out. */
  readonly consoleFolder?: string
  readonly checkReplies?: boolean
  /** How fast silence of probes is acted upon; left out: as in production. */
  readonly timing?: MonitoringDeps['timing']
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
  readonly deliveries: Pick<DeliveryWorker, 'wake' | 'drain'>
  /** Reads what is known, judges what waits in the journal; then `http` may listen. */
  start(): Promise<void>
  /** Refuses new calls, says goodbye to hubs, commits what was acknowledged; the stores stay open. */
  stop(): Promise<void>
  /** Deletes what has been over for long; done every hour. */
  purge(): Promise<void>
}

export const CONSOLE_FOLDER = fileURLToPath(new URL('../../console/dist/', import.meta.url))
const PURGE_MS = 3_600_000
const FLEET_ENTITIES = new Set(['site', 'host', 'scanner', 'model', 'probe', 'setting', 'credential'])
/** What rules name: changed, they are read again. */
const NOTIFIED_ENTITIES = new Set(['notification-rule', 'site', 'account', 'setting'])

/** The whole server without listening: what `main.ts` starts and tests inject into. */
export const createApp = async (deps: AppDeps): Promise<App> => {
  const { database, samples, log } = deps
  const now = deps.now ?? Date.now
  const changes = createChanges()
  const settings = await createSettings(database, changes, now)
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

  const apiTokens = createApiTokenService(database, now)
  const sessions = createSessionService({
    database,
    now,
    tokens: createAccessTokens(deps.key('access-token'), now),
    refreshKey: deps.key('refresh-token'),
    throttle: createLoginThrottle(database.db, now, deps.loginRate ?? true),
    limits: () => ({
      idleMs: settings.current().sessionIdleHours * 3_600_000,
      maxMs: settings.current().sessionMaxDays * 86_400_000,
    }),
    apiTokens,
    onEnd: ids => {
      for (const id of ids) hubs.endSession(id)
    },
    warn: (accountId, notice) => warnAccount({ database, hubs, now }, accountId, notice),
  })
  const hubs: Hubs = createHubs({
    hubs: HUB_DEFINITIONS,
    authenticate: async token => {
      const found = await sessions.identify(token)
      if (found === null || found.viewer.firstConnection) return null
      return { userId: found.viewer.userId, sessionId: found.claims.sessionId, expiresMs: found.claims.expiresMs }
    },
    liveSessions: ids => sessions.liveUntil(ids),
    log,
    allowedOrigins: () => allowedOrigins,
    securityHeaders: SECURITY_HEADERS,
  })
  const alertSettings = createAlertSettings(database, changes, error =>
    log.error({ err: error }, 'the alerts that accounts ask for were not read again'),
  )
  const secrets = deps.secrets ?? createSecretBox({ keys: [Buffer.from(deps.key('secrets'))], save: null })
  const hostRules = (hostId: number) => monitoring.model.hosts.get(hostId)?.rules
  const monitoring: Monitoring = createMonitoring({
    database,
    samples,
    changes,
    settings: () => settings.current(),
    publish: (hub, stream, argument, to) => hubs.publish(HUBS[hub].path, stream, HUBS[hub].event, [argument], to),
    audience: alerts => alertSettings.audience(alerts),
    onSoft: (scannerId, delayMs) => recheckLater(scannerId, delayMs),
    onMoved: () => orders.invalidate(),
    onAlerts: () => notifier.wake(),
    askCheck: createCheckAsker({ database, settings: () => settings.current(), secrets, hostRules }, () => orders.ask),
    timing: deps.timing,
    now,
    log,
  })
  const orders = createOrders({ database, monitoring, settings: () => settings.current(), secrets, hostRules, now })
  const rechecks = new Map<number, NodeJS.Timeout>()
  const recheckLater = (scannerId: number, delayMs: number): void => {
    if (rechecks.has(scannerId)) return
    const timer = setTimeout(() => {
      rechecks.delete(scannerId)
      orders.recheck([scannerId])
    }, delayMs)
    rechecks.set(scannerId, timer)
  }
  const probes = createProbeService({
    ...{ database, now, changes, monitoring, guard, serverKey },
    publicUrl: deps.publicUrl ?? null,
  })
  const passwords = createPasswordService({
    database,
    now,
    sessions,
    changes,
    rules: () => passwordRules(settings.current()),
  })
  const accounts = createAccountService({ database, now, sessions, changes, passwords })
  changes.on(({ entity }) => {
    if (FLEET_ENTITIES.has(entity)) orders.invalidate()
  })

  const siteProbes = createSiteProbes(database.db)
  changes.on(({ entity }) => {
    if (entity === 'site' || entity === 'probe') siteProbes.forget()
  })

  const discovery = createDiscoveryService({
    ...{ database, now, changes, monitoring, secrets, siteProbes, log },
    assign: orders.assign,
  })

  const stopping = new AbortController()
  const send = createChannelSend({
    charts: createCharts(id => chartMetric(monitoring.model.metrics.get(id)), samples),
    now,
    base: () => (deps.publicUrl ?? settings.current().consoleUrl).replace(/\/+$/, '') || null,
    product: () => settings.current().productName,
  })
  const deliveries = createDeliveryWorker({
    ...{ database, now, secrets, send, log },
    onTrouble: channel => warnOfChannel({ database, hubs, now }, channel),
    ...deps.delivering,
  })
  const { maintenances } = monitoring
  const notifier = createNotifier({
    ...{ database, now, log, model: monitoring.model, chains: monitoring.chains, settings: () => settings.current() },
    inMaintenance: (metric, host) =>
      metric === null ? host !== null && maintenances.ofHost(host) !== null : maintenances.ofMetric(metric) !== null,
    onQueued: () => deliveries.wake(),
  })
  changes.on(({ entity }) => {
    if (NOTIFIED_ENTITIES.has(entity)) notifier.forget()
  })

  const http = createHttp(deps)
  handleErrors(http)
  sayHeaders(http, isSecure)
  await http.register(fastifyCookie)
  hubs.register(http)
  const credentials = createCredentialService({ database, now, changes, secrets })
  const rateLimits = deps.rateLimits ?? (deps.loginRate === false ? NO_RATE_LIMITS : RATE_LIMITS)
  const objects = { database, now, changes, monitoring, samples, reload: () => monitoring.reload() }
  const platform = () => settings.list('collect')
  const scheduled = { ...objects, settings: () => settings.current() }
  const incidents = createIncidentService(database, monitoring, now)
  const maintained = {
    ...{ database, monitoring, now },
    objects: createMaintenanceObjects({
      ...{ database, monitoring },
      hosts: createHostTargets(database, monitoring.model),
      sites: createSiteTargets(database),
    }),
  }
  mountAll(
    http,
    [
      ...accountHandlers({ accounts, passwords, sessions, apiTokens }),
      ...siteHandlers(createSiteService(objects), createSiteTypeService(objects), createSiteBulk(objects)),
      ...hostHandlers(
        createHostService({ ...objects, siteProbes, recheck: ids => orders.recheck(ids) }),
        createHostCatalogue(database, now, objects.reload),
        createHostBulk(objects),
      ),
      ...opinionHandlers(createOpinionService(database, monitoring)),
      ...scannerHandlers({
        scanners: createScannerService({ ...scheduled, recheck: ids => orders.recheck(ids) }),
        bulk: createScannerBulk(scheduled),
        everything: createScannerExport(scheduled),
        test: createScannerTest({ ...scheduled, secrets, hostRules, ask: orders.ask }),
        learn: createScannerLearn(scheduled),
        pings: createScannerPings(database, monitoring),
      }),
      ...pushHandlers(createPushService({ ...objects, rateLimits })),
      ...eventHandlers(database),
      ...metricHandlers(createMetricService({ ...objects, platform }), createMetricBulk(objects)),
      ...importHandlers(createImportService({ ...objects, log })),
      ...modelHandlers(createModelService({ ...objects, settings: () => settings.current() })),
      ...probeGroupHandlers(createProbeGroupService(objects)),
      ...probeHandlers({
        probes,
        orders,
        keys: createProbeKeys({ database, now, ask: orders.ask, settle: probes.settle }),
        diagnose: createProbeDiagnose({ database, now, secrets, ask: orders.ask }),
      }),
      ...dashboardHandlers(createDashboardService(database, monitoring, now)),
      ...incidentHandlers(incidents),
      ...acknowledgementHandlers(
        createAcknowledgementService({
          ...{ database, monitoring, now, get: incidents.get, recheck: ids => orders.recheck(ids) },
          acted: createActed({
            ...{ database, monitoring },
            hosts: createHostTargets(database, monitoring.model),
            sites: createSiteTargets(database),
          }),
          tell: (viewer, told) => tellOthers(hubs, viewer.userId, told, alertSettings.wantsActs),
        }),
      ),
      ...commentHandlers(createCommentService({ database, monitoring, now })),
      ...maintenanceHandlers(
        createMaintenanceService({
          ...maintained,
          changes,
          tell: (viewer, told) => tellOthers(hubs, viewer.userId, told, alertSettings.wantsActs),
        }),
        createMaintenanceCalendar(maintained),
      ),
      ...discoveryHandlers(discovery),
      ...customFieldHandlers(createCustomFields({ ...objects, secrets, reloadHosts: monitoring.reloadHosts })),
      ...credentialHandlers(credentials),
      ...parameterHandlers(settings),
      ...ruleSettingHandlers(createRuleSettingService({ ...objects, platform })),
      ...channelHandlers(
        createChannelService({
          ...{ database, now, secrets, send, stop: stopping.signal },
          product: () => settings.current().productName,
          rulesOf: async (trx, id) =>
            (await readRules(trx))
              .filter(rule => rule.steps.some(step => step.channelIds.includes(id)))
              .map(rule => rule.name),
        }),
      ),
      ...notificationRuleHandlers(
        createNotificationRuleService({ database, now, changes, settings: () => settings.current() }),
        createSimulator({ database, monitoring, now, settings: () => settings.current() }),
      ),
      ...deliveryHandlers(createDeliveryService({ database, now, wake: deliveries.wake })),
      ...notificationHandlers(database.db, alertSettings),
      ...alertSettingsHandlers(alertSettings),
      ...historyHandlers(createHistoryService(database)),
      ...viewHandlers(createViewService(database, now)),
      ...searchHandlers(database, monitoring),
      on(referenceRoutes.openapi, () => openApiDocument(problem)),
    ],
    {
      sessions,
      probes: guard,
      csrf: createCsrf(deps.key('csrf')),
      limiter: createRateLimiter(rateLimits, now),
      secure: isSecure,
      allowedOrigins,
      checkReplies: deps.checkReplies ?? false,
    },
  )
  const purge = async (): Promise<void> => {
    await sessions.purge()
    await purgeEvents(database, settings.current(), now())
    await purgeDeliveries(database.db, now() - settings.current().deliveryDays * 86_400_000)
  }
  let purging: NodeJS.Timeout | null = null
  let ready = false
  let closing = false
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
    async start() {
      await alertSettings.load()
      await probes.loadPresence()
      const { replayed } = await monitoring.start()
      if (replayed > 0) log.info({ batches: replayed }, 'journal replayed')
      const unreadable = await credentials.countUnreadable()
      if (unreadable > 0) log.error({ unreadable }, 'credentials that no known key opens: their checks are not started')
      await discovery.start()
      deliveries.start()
      notifier.start()
      await purge()
      purging = setInterval(
        () => void purge().catch(err => log.error({ err }, 'what is over was not purged')),
        PURGE_MS,
      )
      ready = true
    },
    async stop() {
      closing = true
      stopping.abort(new DOMException('stopping', 'AbortError'))
      orders.stop()
      for (const timer of rechecks.values()) clearTimeout(timer)
      if (purging !== null) clearInterval(purging)
      await hubs.close()
      await closeWhenAnswered(http)
      await discovery.stop()
      await notifier.stop()
      await deliveries.stop()
      await monitoring.stop()
    },
    purge,
  }
}

const passwordRules = (settings: Settings): PasswordRules => ({
  minLength: settings.passwordMinLength,
  maxLength: settings.passwordMaxLength,
  forbidCommon: settings.forbidCommonPasswords,
  productName: settings.productName,
  temporaryMs: settings.temporaryPasswordHours * 3_600_000,
})

const createHttp = (deps: AppDeps): FastifyInstance => {
  const options = {
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: deps.trustProxy ?? false,
    routerOptions: { caseSensitive: false, maxParamLength: 200 },
    requestTimeout: 60_000,
    // An address that can not be read reaches neither routes nor hooks.
    frameworkErrors: (_error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
      void sendProblem(reply.headers(SECURITY_HEADERS), invalid(["L'adresse demandée n'est pas lisible."])),
    // Not cut while a call is under way: `closeWhenAnswered` sees to the end.
    forceCloseConnections: false,
    ...(deps.tls == null
      ? {}
      : { https: { cert: readFileSync(deps.tls.certificate), key: readFileSync(deps.tls.key) } }),
  }
  // The one cast: with `https` or not, what we use of the instance is the same.
  const http = fastify(options) as unknown as FastifyInstance
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.rawBody = body
    if (body.length === 0) done(null, undefined)
    else parseJson(request, body.toString('utf8'), done)
  })
  addRawParser(http)
  return http
}

/** Open and bare: is the process there, and does everything that an answer needs work (R28). */
const mountHealth = (http: FastifyInstance, database: Database, isReady: () => boolean): void => {
  http.get('/health/live', async () => ({ status: 'live' }))
  http.get('/health/ready', async (_request, reply) => {
    const works =
      isReady() &&
      (await database.db
        .selectFrom('position')
        .select('name')
        .limit(1)
        .execute()
        .then(
          () => true,
          () => false,
        ))
    return reply.status(works ? 200 : 503).send({ status: works ? 'ready' : 'not-ready' })
  })
}
