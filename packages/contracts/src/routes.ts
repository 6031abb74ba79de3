import { accountRoutes } from './account.ts'
import { acknowledgementRoutes } from './acknowledgement.ts'
import { alertSettingsRoutes } from './alert-settings.ts'
import { authenticationRoutes } from './authentication.ts'
import { availabilityRoutes } from './availability.ts'
import { metricAvailabilityRoutes } from './availability-metric.ts'
import { commentRoutes } from './comment.ts'
import { credentialRoutes } from './credential.ts'
import { customFieldRoutes } from './custom-field-routes.ts'
import { dashboardRoutes } from './dashboard.ts'
import { deliveryRoutes } from './delivery.ts'
import { discoveryRoutes } from './discovery.ts'
import { lookRoutes } from './discovery-look.ts'
import { displayRoutes } from './display.ts'
import { eventRoutes } from './event.ts'
import { handoverRoutes } from './handover.ts'
import { historyRoutes } from './history.ts'
import { hostRoutes } from './host.ts'
import { importRoutes } from './import.ts'
import { incidentRoutes } from './incident.ts'
import { logRoutes } from './log.ts'
import { logBookRoutes } from './log-book.ts'
import { maintenanceRoutes } from './maintenance.ts'
import { metricRoutes } from './metric.ts'
import { monitoringModelRoutes } from './monitoring-model.ts'
import { notificationChannelRoutes } from './notification-channel-routes.ts'
import { notificationRuleRoutes } from './notification-rule.ts'
import { notificationRoutes, parameterRoutes, referenceRoutes } from './platform.ts'
import { probeRoutes } from './probe.ts'
import { probeGroupRoutes } from './probe-group.ts'
import { pushRoutes } from './push.ts'
import type { Route } from './route.ts'
import { ruleSettingRoutes } from './rule-setting.ts'
import { savedViewRoutes } from './saved-view.ts'
import { scannerRoutes } from './scanner.ts'
import { searchRoutes } from './search.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { opinionRoutes } from './second-opinion.ts'
import { serviceRoutes } from './service.ts'
import { apiTokenRoutes, sessionRoutes } from './session.ts'
import { siteRoutes } from './site.ts'
import { statusRoutes } from './status.ts'
import { topologyRoutes } from './topology.ts'
import { userGroupRoutes } from './user-group.ts'

interface RouteTable {
  readonly [name: string]: Route | { readonly get: Route; readonly put: Route }
}

const flatten = (table: RouteTable): Route[] =>
  Object.values(table).flatMap(entry => ('method' in entry ? [entry] : [entry.get, entry.put]))

/** Every operation of the API: what the server must mount, and what OpenAPI and the matrix tests go through. */
export const ALL_ROUTES: readonly Route[] = [
  authenticationRoutes,
  accountRoutes,
  userGroupRoutes,
  sessionRoutes,
  secondFactorRoutes,
  apiTokenRoutes,
  siteRoutes,
  hostRoutes,
  scannerRoutes,
  opinionRoutes,
  pushRoutes,
  eventRoutes,
  metricRoutes,
  importRoutes,
  monitoringModelRoutes,
  probeRoutes,
  probeGroupRoutes,
  dashboardRoutes,
  topologyRoutes,
  statusRoutes,
  availabilityRoutes,
  metricAvailabilityRoutes,
  displayRoutes,
  incidentRoutes,
  acknowledgementRoutes,
  commentRoutes,
  logBookRoutes,
  handoverRoutes,
  maintenanceRoutes,
  discoveryRoutes,
  lookRoutes,
  credentialRoutes,
  customFieldRoutes,
  parameterRoutes,
  ruleSettingRoutes,
  notificationRoutes,
  notificationRuleRoutes,
  notificationChannelRoutes,
  deliveryRoutes,
  alertSettingsRoutes,
  historyRoutes,
  logRoutes,
  serviceRoutes,
  savedViewRoutes,
  searchRoutes,
  referenceRoutes,
].flatMap(table => flatten(table))
