import {
  accountRoutes,
  customFieldRoutes,
  dashboardRoutes,
  discoveryRoutes,
  handoverRoutes,
  hostRoutes,
  maintenanceRoutes,
  monitoringModelRoutes,
  notificationChannelRoutes,
  notificationRuleRoutes,
  probeRoutes,
  scannerRoutes,
  siteRoutes,
  userGroupRoutes,
} from '@narval/contracts'
import type { ApiClient } from './client.ts'

/** A screen of the console with something real on it. */
export interface Screen {
  /** Name of its picture. */
  readonly name: string
  readonly path: string
  /** File of the page, under the console's features; several screens may share one. */
  readonly page: string
}

const HOUR_MS = 3_600_000

/** The first of a list, made where there is none. */
const firstOr = async <T>(list: readonly T[], make: () => Promise<T>): Promise<T> => list[0] ?? (await make())

/** One object of each kind that screens show: those that are there, or made for it. The fleet itself must be there. */
const objectsOf = async (api: ApiClient) => {
  const problems = await api.call(dashboardRoutes.datatable.put, {
    body: { length: 50, filters: { view: 'problems' } },
  })
  const incident = problems.data.find(({ incidentId }) => incidentId !== null)
  const host =
    incident === undefined ? undefined : await api.call(hostRoutes.get, { params: { id: String(incident.hostId) } })
  if (host === undefined || incident === undefined) throw new Error('a fleet with an open incident is needed')
  const [scanner] = await api.call(scannerRoutes.list, { query: { host: String(host.id) } })
  const [probe] = await api.call(probeRoutes.list)
  const [site] = await api.call(siteRoutes.list)
  const from = new Date(Date.now() + HOUR_MS).toISOString()
  const to = new Date(Date.now() + 2 * HOUR_MS).toISOString()
  const maintenance = await firstOr(await api.call(maintenanceRoutes.list), () =>
    api.call(maintenanceRoutes.create, {
      body: { comment: 'Remplacement de l’onduleur', hosts: [host.id], schedule: { kind: 'one-off', from, to } },
    }),
  )
  const channel = await firstOr(await api.call(notificationChannelRoutes.list), () =>
    api.call(notificationChannelRoutes.create, {
      body: {
        ...{ kind: 'ntfy' as const, name: 'Salle d’exploitation' },
        settings: { server: 'http://127.0.0.1:9', topic: 'alertes' },
      },
    }),
  )
  const model = await firstOr(await api.call(monitoringModelRoutes.list), () =>
    api.call(monitoringModelRoutes.create, { body: { name: 'Base', definition: { scanners: [] } } }),
  )
  const range = await firstOr(await api.call(discoveryRoutes.list), () =>
    api.call(discoveryRoutes.create, {
      body: { name: 'Salle serveur', siteId: site?.id ?? 0, ranges: '127.78.0.0/30', rate: 25, methods: ['ping'] },
    }),
  )
  const field = await firstOr(await api.call(customFieldRoutes.definitions), async () => {
    const group = await firstOr(await api.call(customFieldRoutes.groups), () =>
      api.call(customFieldRoutes.createGroup, { body: { name: 'Exploitation' } }),
    )
    return api.call(customFieldRoutes.createDefinition, {
      body: { key: 'baie', label: 'Baie', type: 'text', scope: 'host', groupId: group.id },
    })
  })
  const [group] = await api.call(userGroupRoutes.list)
  const account = (await api.call(accountRoutes.datatable.get)).data[0]?.idUser
  const people = { group: group?.id, account }
  const handover = await firstOr(await api.call(handoverRoutes.list), () =>
    api.call(handoverRoutes.create, {
      body: {
        from: new Date(Date.now() - HOUR_MS).toISOString(),
        to: new Date().toISOString(),
        text: 'Rien d’ouvert.',
      },
    }),
  )
  return { handover, host, incident, scanner, probe, site, maintenance, channel, model, range, field, ...people }
}

/** A rule of notification, from the console's own first proposal, where there is none. */
const ruleOf = async (api: ApiClient): Promise<number | null> =>
  (await api.call(notificationRuleRoutes.list))[0]?.id ?? null

/** Every screen of the console; `e2e/screens.test.ts` sees that none is missing. */
export const screensOf = async (api: ApiClient): Promise<readonly Screen[]> => {
  const of = await objectsOf(api)
  const rule = await ruleOf(api)
  const screen = (name: string, path: string, page: string): Screen => ({ name, path, page: `${page}.tsx` })
  return [
    screen('general', '/dashboard/live-view?view=problems', 'dashboard/live-view-page'),
    screen('incidents', '/dashboard/live-view/incident', 'incident/incident-list-page'),
    screen('incident', `/dashboard/live-view/incident/${of.incident.incidentId}`, 'incident/incident-page'),
    screen('maintenances', '/dashboard/live-view/maintenance', 'maintenance/maintenance-page'),
    screen(
      'maintenance',
      `/dashboard/live-view/maintenance/${of.maintenance.id}`,
      'maintenance/maintenance-detail-page',
    ),
    screen('maintenance-nouvelle', '/dashboard/live-view/maintenance/new', 'maintenance/maintenance-edit-page'),
    screen('statuts', '/dashboard/status-view', 'status/status-page'),
    screen('disponibilite', '/dashboard/status-view/availability', 'availability/availability-page'),
    screen(
      'disponibilite-equipement',
      `/dashboard/status-view/availability/host/${of.host.id}`,
      'availability/host-availability-page',
    ),
    screen(
      'disponibilite-metrique',
      `/dashboard/status-view/availability/metric/${of.incident.id}`,
      'availability/metric-availability-page',
    ),
    screen('carte', '/dashboard/status-view/map', 'map/map-page'),
    screen('topologie', '/dashboard/status-view/topology', 'topology/topology-page'),
    screen('equipements-grille', '/dashboard/host-status', 'host-status/host-status-page'),
    screen('mur', '/dashboard/wall', 'wall/wall-pages'),
    screen('sites', '/site', 'site/site-list-page'),
    screen('site', `/site/${of.site?.id}`, 'site/site-page'),
    screen('site-edition', `/site/edit/${of.site?.id}`, 'site/site-edit-page'),
    screen('types-de-site', '/site/edit/type', 'site/site-types-page'),
    screen('equipements', '/host', 'host/host-list-page'),
    screen('premier-equipement', '/host/first', 'first-run/first-run-page'),
    screen('equipement', `/host/${of.host.id}`, 'host-detail/host-page'),
    screen('equipement-edition', `/host/edit/${of.host.id}`, 'host/host-edit-page'),
    screen('types-d-equipement', '/host/edit/type', 'host/host-catalogue-page'),
    screen('modeles', '/host/model', 'model/model-list-page'),
    screen('modele', `/host/model/${of.model.id}`, 'model/model-edit-page'),
    screen('import', '/host/edit/import', 'import/import-page'),
    screen('metriques', '/metric', 'metric/metric-list-page'),
    screen('metrique', `/metric/${of.incident.id}`, 'metric-detail/metric-page'),
    screen('graphique', `/metric/graph?ids=${of.incident.id}`, 'metric-detail/graph-page'),
    screen('metrique-edition', `/metric/edit/${of.incident.id}`, 'metric/metric-edit-page'),
    screen('metrique-nouvelle', '/metric/edit/new', 'metric/metric-new-page'),
    screen('champs', '/customfield/edit', 'customfield/custom-field-page'),
    screen('champ', `/customfield/edit/${of.field.id}`, 'customfield/definition-edit-page'),
    screen('scanners', '/scanner/edit', 'scanner/scanner-list-page'),
    screen('scanner', `/scanner/edit/${of.scanner?.id}`, 'scanner/scanner-edit-page'),
    screen('pings', '/scanner/edit/ping', 'scanner/ping-list-page'),
    screen('decouverte', '/scanner/discovery', 'discovery/discovery-page'),
    screen('plage', `/scanner/discovery/${of.range.id}`, 'discovery/range-edit-page'),
    screen('sondes', '/probe/edit', 'probe/probe-list-page'),
    screen('sonde', `/probe/edit/${of.probe?.id}`, 'probe/probe-edit-page'),
    screen('services', '/system', 'system/services-page'),
    screen('parametres', '/system/parameter', 'parameter/parameter-page'),
    screen('journal', '/log', 'log/log-page'),
    screen('ecrans', '/system/display', 'display/display-page'),
    screen('canaux', '/system/notification', 'notification-channel/channel-list-page'),
    screen('canal', `/system/notification/channel/${of.channel.id}`, 'notification-channel/channel-edit-page'),
    screen('envois', '/system/notification/delivery', 'notification-channel/delivery-page'),
    screen('regles', '/system/notification/rule', 'notification-rule/rule-list-page'),
    screen('regle', `/system/notification/rule/${rule ?? 'new'}`, 'notification-rule/rule-edit-page'),
    screen('simulateur', '/system/notification/simulator', 'notification-rule/simulator-page'),
    screen('notifications', '/notifications', 'notifications/notifications-page'),
    screen('commentaires', '/comments', 'comments/comments-page'),
    screen('main-courante', '/comments/log-book', 'comments/log-book-page'),
    screen('releves', '/comments/log-book/handover', 'comments/handover-list-page'),
    screen('releve', `/comments/log-book/handover/${of.handover.id}`, 'comments/handover-page'),
    screen('releve-nouvelle', '/comments/log-book/handover/new', 'comments/handover-new-page'),
    screen('comptes', '/user/edit', 'accounts/account-list-page'),
    screen('compte', `/user/edit/${of.account}`, 'accounts/account-edit-page'),
    screen('groupes', '/user/group', 'accounts/group-list-page'),
    screen('groupe', `/user/group/${of.group}`, 'accounts/group-edit-page'),
    screen('mon-compte', '/user/myaccount', 'user/my-account-page'),
    screen('reference', '/api/docs', 'reference/reference-page'),
  ]
}

/** Pages that are seen without these screens: before one signs in, or of what only a run of discovery brings. */
export const SEEN_ELSEWHERE: readonly string[] = [
  'sign-in/login-page.tsx',
  'sign-in/password-reset-page.tsx',
  'discovery/finding-page.tsx',
]
