import { problem, referenceRoutes } from '@narval/contracts'
import type { Logger } from 'pino'
import { type ToldToOthers, tellAccount, tellOthers } from './account-notice.ts'
import type { Changes } from './changes.ts'
import { accountHandlers } from './features/account/account.routes.ts'
import type { AccountService } from './features/account/account.service.ts'
import { createActors } from './features/account/account-actors.ts'
import { createAccountBulk } from './features/account/account-bulk.ts'
import type { ApiTokenService } from './features/account/api-token.service.ts'
import { groupHandlers } from './features/account/group.routes.ts'
import { createGroupService } from './features/account/group.service.ts'
import type { PasswordService } from './features/account/password.service.ts'
import { createPictureService } from './features/account/picture.service.ts'
import type { Reach } from './features/account/reach.ts'
import { secondFactorHandlers } from './features/account/second-factor.routes.ts'
import type { SecondFactorService } from './features/account/second-factor.service.ts'
import type { SessionService } from './features/account/session.service.ts'
import { availabilityHandlers } from './features/availability/availability.routes.ts'
import { createAvailabilityService } from './features/availability/availability.service.ts'
import { createMetricAvailabilityService } from './features/availability/metric-availability.service.ts'
import { commentHandlers } from './features/comment/comment.routes.ts'
import { createCommentService } from './features/comment/comment.service.ts'
import { credentialHandlers } from './features/credential/credential.routes.ts'
import type { CredentialService } from './features/credential/credential.service.ts'
import { createCustomFields, customFieldHandlers } from './features/custom-field/custom-field.routes.ts'
import { dashboardHandlers } from './features/dashboard/dashboard.routes.ts'
import { createDashboardService } from './features/dashboard/dashboard.service.ts'
import { statusHandlers } from './features/dashboard/status.routes.ts'
import { createStatusChangeService } from './features/dashboard/status-change.service.ts'
import { createStatusHourService } from './features/dashboard/status-hour.service.ts'
import { deliveryHandlers } from './features/delivery/delivery.routes.ts'
import { createDeliveryService } from './features/delivery/delivery.service.ts'
import type { DeliveryWorker } from './features/delivery/delivery-worker.ts'
import { discoveryHandlers } from './features/discovery/discovery.routes.ts'
import type { DiscoveryService } from './features/discovery/discovery.service.ts'
import { displayHandlers } from './features/display/display.routes.ts'
import type { DisplayService } from './features/display/display.service.ts'
import { createWallService } from './features/display/wall.service.ts'
import { eventHandlers } from './features/event/event.routes.ts'
import { historyHandlers } from './features/history/history.routes.ts'
import { createHistoryService } from './features/history/history.service.ts'
import { logHandlers } from './features/history/log.routes.ts'
import { createLogService } from './features/history/log.service.ts'
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
import { createHandoverService } from './features/log-book/handover.service.ts'
import { logBookHandlers } from './features/log-book/log-book.routes.ts'
import { createLogBookService } from './features/log-book/log-book.service.ts'
import { maintenanceHandlers } from './features/maintenance/maintenance.routes.ts'
import { createMaintenanceService } from './features/maintenance/maintenance.service.ts'
import { createMaintenanceCalendar } from './features/maintenance/maintenance-calendar.ts'
import { createMaintenanceObjects } from './features/maintenance/maintenance-objects.ts'
import { metricHandlers } from './features/metric/metric.routes.ts'
import { createMetricService } from './features/metric/metric.service.ts'
import { createMetricBulk } from './features/metric/metric-bulk.ts'
import { modelHandlers } from './features/model/model.routes.ts'
import { createModelService } from './features/model/model.service.ts'
import { type AlertSettingsService, alertSettingsHandlers } from './features/notification/alert-settings.ts'
import { notificationHandlers } from './features/notification/notification.routes.ts'
import { channelHandlers } from './features/notification-channel/channel.routes.ts'
import { createChannelService } from './features/notification-channel/channel.service.ts'
import type { createChannelSend } from './features/notification-channel/channel-send.ts'
import { notificationRuleHandlers } from './features/notification-rule/notification-rule.routes.ts'
import { createNotificationRuleService } from './features/notification-rule/notification-rule.service.ts'
import { createSimulator } from './features/notification-rule/simulator.ts'
import type { LogoService } from './features/parameter/logo.service.ts'
import { parameterHandlers } from './features/parameter/parameter.routes.ts'
import type { SettingsService } from './features/parameter/settings.service.ts'
import type { OrdersService } from './features/probe/orders.service.ts'
import { probeHandlers } from './features/probe/probe.routes.ts'
import type { ProbeService } from './features/probe/probe.service.ts'
import { createProbeDiagnose } from './features/probe/probe-diagnose.ts'
import { createProbeKeys } from './features/probe/probe-keys.ts'
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
import { createSearchService } from './features/search/search.service.ts'
import { serviceHandlers } from './features/service/service.routes.ts'
import { createServiceService, type ServiceDeps } from './features/service/service.service.ts'
import { siteHandlers } from './features/site/site.routes.ts'
import { createSiteService } from './features/site/site.service.ts'
import { createSiteBulk } from './features/site/site-bulk.ts'
import { createSiteTargets } from './features/site/site-targets.ts'
import { createSiteTypeService } from './features/site/site-type.service.ts'
import { topologyHandlers } from './features/topology/topology.routes.ts'
import { createTopologyService } from './features/topology/topology.service.ts'
import { viewHandlers } from './features/view/view.routes.ts'
import { createViewService } from './features/view/view.service.ts'
import type { Viewer } from './http/caller.ts'
import { type Mounted, on } from './http/mount.ts'
import { openApiDocument } from './http/openapi.ts'
import type { RateLimits } from './http/rate-limit.ts'
import type { Hubs } from './hub/hubs.ts'
import type { HostEntry } from './monitoring/fleet/model.ts'
import type { Monitoring } from './monitoring/monitoring.ts'
import type { SampleStore } from './samples/sample-store.ts'
import type { SecretBox } from './secret-box.ts'
import type { AnchorStore } from './store/audit-chain.ts'
import type { Database } from './store/database.ts'
import { readRules } from './store/notification-rules.ts'
import type { SiteProbes } from './store/site-probe.ts'

/** What the routes are made of, beside the stores: everything that lives as long as the application. */
export interface AppParts {
  readonly database: Database
  readonly samples: SampleStore
  readonly now: () => number
  readonly log: Logger
  readonly changes: Changes
  readonly settings: SettingsService
  readonly secrets: SecretBox
  readonly hubs: Hubs
  /** Where the log's chain ends. */
  readonly anchor: AnchorStore
  readonly monitoring: Monitoring
  readonly hostRules: (hostId: number) => HostEntry['rules'] | undefined
  readonly orders: OrdersService
  readonly reach: Pick<Reach, 'limited'>
  readonly siteProbes: SiteProbes
  readonly sessions: SessionService
  readonly apiTokens: ApiTokenService
  readonly accounts: AccountService
  readonly passwords: PasswordService
  readonly secondFactors: SecondFactorService
  readonly credentials: CredentialService
  readonly probes: ProbeService
  readonly discovery: DiscoveryService
  readonly displays: DisplayService
  readonly alertSettings: AlertSettingsService
  readonly send: ReturnType<typeof createChannelSend>
  readonly deliveries: Pick<DeliveryWorker, 'wake'>
  /** Aborted when the application stops. */
  readonly stopping: AbortSignal
  readonly rateLimits: RateLimits
  readonly services: ServiceDeps
  readonly logo: LogoService
}

/** A handler for every route of the API, each feature's by its own services. */
export const appHandlers = (parts: AppParts): Mounted[] => {
  const { database, samples, now, log, changes, settings, secrets, hubs, monitoring, hostRules, orders } = parts
  const { siteProbes, sessions, apiTokens, accounts, passwords, credentials, probes, discovery } = parts
  const { alertSettings, send, deliveries, stopping, rateLimits, displays } = parts
  const objects = { database, now, changes, monitoring, samples, reload: () => monitoring.reload() }
  const platform = () => settings.list('collect')
  const scheduled = { ...objects, settings: () => settings.current() }
  const actors = createActors(database, 'incident_write')
  const incidents = createIncidentService({ database, monitoring, actors, now })
  /** What a list's filter or ticks of equipment and sites stand for. */
  const targets = {
    ...{ database, monitoring },
    hosts: createHostTargets(database, monitoring.model),
    sites: createSiteTargets(database),
  }
  const acted = createActed({ ...targets, actors })
  const maintained = {
    database,
    monitoring,
    now,
    objects: createMaintenanceObjects({ ...targets, incidents: acted.metricsOfIncidents }),
  }
  const tell = (viewer: Viewer, told: ToldToOthers): void =>
    tellOthers(hubs, viewer.userId, told, alertSettings.wantsActs)
  return [
    ...accountHandlers({
      ...{ accounts, passwords, sessions, apiTokens },
      pictures: createPictureService(database, now, changes),
      bulk: createAccountBulk({ database, now, accounts, sessions, changes }),
    }),
    ...secondFactorHandlers(parts.secondFactors),
    ...groupHandlers(createGroupService({ database, now, changes })),
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
    ...statusHandlers(
      createStatusHourService(database, monitoring),
      createStatusChangeService(database, monitoring, now),
    ),
    ...displayHandlers(
      displays,
      createWallService({ database, monitoring, now, product: () => settings.current().productName }),
    ),
    ...topologyHandlers(createTopologyService(database, monitoring, now)),
    ...availabilityHandlers(
      createAvailabilityService(database, monitoring, now),
      createMetricAvailabilityService(database, monitoring, now),
    ),
    ...incidentHandlers(incidents),
    ...acknowledgementHandlers(
      createAcknowledgementService({
        ...{ database, monitoring, now, get: incidents.get, recheck: ids => orders.recheck(ids) },
        ...{ acted, actors, tell },
      }),
    ),
    ...commentHandlers(
      createCommentService({
        ...{ database, monitoring, now, rows: acted.rows, limited: () => parts.reach.limited() },
        notify: (accountId, notice) =>
          tellAccount({ database, hubs, now }, accountId, notice, id => !alertSettings.quietNow(id, notice.severity)),
      }),
    ),
    ...logBookHandlers(
      createLogBookService({ database, monitoring, now, settings: () => settings.current() }),
      createHandoverService({ database, monitoring, now, tell }),
    ),
    ...maintenanceHandlers(
      createMaintenanceService({
        ...maintained,
        changes,
        tell,
      }),
      createMaintenanceCalendar(maintained),
    ),
    ...discoveryHandlers(discovery),
    ...customFieldHandlers(createCustomFields({ ...objects, secrets, reloadHosts: monitoring.reloadHosts })),
    ...credentialHandlers(credentials),
    ...parameterHandlers(settings, parts.logo),
    ...ruleSettingHandlers(createRuleSettingService({ ...objects, platform })),
    ...channelHandlers(
      createChannelService({
        ...{ database, now, secrets, send, stop: stopping },
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
    ...deliveryHandlers(createDeliveryService({ database, now, changes, wake: deliveries.wake })),
    ...notificationHandlers(database.db, alertSettings),
    ...alertSettingsHandlers(alertSettings),
    ...historyHandlers(createHistoryService(database)),
    ...logHandlers(createLogService({ database, anchor: parts.anchor, now })),
    ...serviceHandlers(createServiceService(parts.services)),
    ...viewHandlers(createViewService(database, now)),
    ...searchHandlers(createSearchService(database, monitoring, changes)),
    on(referenceRoutes.openapi, () => openApiDocument(problem)),
  ]
}
