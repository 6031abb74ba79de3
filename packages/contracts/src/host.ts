import * as z from 'zod/mini'
import { bulkReply, hostBulkBody } from './bulk.ts'
import { datatableRoutes, select2Route, select2RouteFor } from './datatable.ts'
import { effectiveProbe } from './effective-probe.ts'
import { hostTypeBody } from './host-type.ts'
import { route } from './route.ts'
import {
  basedOn,
  idParams,
  idValue,
  instant,
  lastUpdate,
  line,
  nullableId,
  paragraph,
  requiredLine,
  stamps,
} from './schema.ts'
import { deleteQuery, deleteReply, namedType } from './site.ts'
import { standIn } from './stand-in.ts'
import { activeMaintenance, HOST_STATES, severity, severityCounts } from './state.ts'

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i
const isDnsName = (text: string): boolean =>
  text.length <= 253 &&
  text
    .replace(/\.$/, '')
    .split('.')
    .every(label => LABEL.test(label))
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const isIpv6 = (text: string): boolean => {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(':')) return false
  try {
    new URL(`http://[${text}]/`)
    return true
  } catch {
    return false
  }
}
/** An IPv4 or IPv6 address, or a DNS name; names made of digits and dots only must be a whole IPv4 address. */
export const isHostAddress = (text: string): boolean =>
  IPV4.test(text) || isIpv6(text) || (!/^[\d.]+$/.test(text) && !/^0x/i.test(text) && isDnsName(text))

export const HOST_MAX_PARENTS = 20
export const HOST_MAX_MODELS = 20
export const HOST_MAX_TAGS = 20
export const hostTag = requiredLine(40)

const fields = {
  name: requiredLine(120),
  address: requiredLine(253).check(z.refine(isHostAddress, 'Une adresse IP ou un nom DNS est attendu')),
  typeId: z._default(nullableId, null),
  modelId: z._default(nullableId, null),
  siteId: idValue,
  /** Null: the site's default probe, else the local one. */
  probeId: z._default(nullableId, null),
  /** The scanner whose hard failure makes the host « Indisponible »; null: its first ping, else its first scanner. */
  lifeScannerId: z._default(nullableId, null),
  /** Equipment through which it is reached. */
  parentIds: z._default(z.array(idValue).check(z.maxLength(HOST_MAX_PARENTS)), []),
  /** Monitoring models whose scanners it gets, in their order: the first wins. */
  monitoringModelIds: z._default(z.array(idValue).check(z.maxLength(HOST_MAX_MODELS)), []),
  tags: z._default(z.array(hostTag).check(z.maxLength(HOST_MAX_TAGS)), []),
  enabled: z._default(z.boolean(), true),
  description: z._default(line(500), ''),
  instruction: z._default(paragraph(4_000), ''),
}
export const hostBody = z.object({
  ...fields,
  /** On creation only: also create a ping scanner with the platform's defaults. */
  withPing: z._default(z.boolean(), true),
})
export const hostUpdateBody = z.object({ ...fields, ...basedOn })
export const hostFields = z.object(fields)
export type HostInput = z.output<typeof hostFields>

export const host = z.object({
  ...stamps,
  ...fields,
  typeName: z.nullable(z.string()),
  modelName: z.nullable(z.string()),
  siteName: z.string(),
  probeName: z.nullable(z.string()),
  /** The probe in force, and where it comes from. */
  effectiveProbe: z.nullable(effectiveProbe),
  /** The probe that runs its checks for now in place of that one; null: that one does. */
  standIn: z.nullable(standIn),
  parents: z.array(z.object({ id: idValue, name: z.string() })),
  monitoringModels: z.array(z.object({ id: idValue, name: z.string() })),
  /** Readable custom fields that have a value, by key, as they are shown. */
  customFields: z.record(z.string(), z.string()),
  state: z.enum(HOST_STATES),
  severity,
  since: instant,
  counts: severityCounts,
  inMaintenance: z.boolean(),
  maintenance: activeMaintenance,
  scanners: z.int(),
  lastAnswer: z.nullable(instant),
  /** Of its pings: the slowest mean round trip in ms, the worst share of 1 that was lost; null: none says. */
  rttMs: z.nullable(z.number()),
  lossRatio: z.nullable(z.number()),
  /** How long it has been running, s; null: none of its scanners says. */
  uptimeS: z.nullable(z.number()),
})
export type Host = z.output<typeof host>

export const hostModel = z.object({ id: idValue, name: z.string(), manufacturer: z.string() })
export const hostModelBody = z.object({ name: requiredLine(120), manufacturer: z._default(line(120), '') })

/** Equipment as a node of the dependencies, at most `HOST_NEIGHBOURS_MAX` each way. */
export const HOST_NEIGHBOURS_MAX = 200
export const hostNeighbour = z.object({
  id: idValue,
  name: z.string(),
  siteId: idValue,
  siteName: z.string(),
  state: z.enum(HOST_STATES),
  severity,
})
export const hostNeighbours = z.object({ parents: z.array(hostNeighbour), children: z.array(hostNeighbour) })
export type HostNeighbours = z.output<typeof hostNeighbours>

export const hostRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Host/Get',
    access: 'user',
    rate: 'heavy',
    summary: 'Tous les équipements',
    query: z.object({ site: z.optional(z.string().check(z.regex(/^[1-9]\d{0,9}$/, 'Identifiant incorrect'))) }),
    reply: z.array(host),
  }),
  get: route({
    method: 'GET',
    path: '/api/Host/Get/:id',
    access: 'user',
    summary: 'Un équipement',
    params: idParams,
    reply: host,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Host/Get/LastUpdate',
    access: 'user',
    summary: 'Dernier changement des équipements',
    reply: lastUpdate,
  }),
  create: route({
    method: 'POST',
    path: '/api/Host/Create',
    access: 'host_write',
    summary: 'Créer un équipement',
    body: hostBody,
    status: 201,
    reply: host,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Host/Update/:id',
    access: 'host_write',
    summary: 'Modifier un équipement',
    params: idParams,
    body: hostUpdateBody,
    reply: host,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Host/Delete/:id',
    access: 'host_write',
    summary: 'Supprimer un équipement',
    params: idParams,
    query: deleteQuery,
    reply: deleteReply,
  }),
  check: route({
    method: 'POST',
    path: '/api/Host/Check/:id',
    access: 'incident_write',
    summary: 'Vérifier maintenant tous les scanners de cet équipement',
    params: idParams,
    reply: z.object({ scanners: z.int(), probes: z.int() }),
  }),
  types: route({
    method: 'GET',
    path: '/api/Host/GetType',
    access: 'user',
    summary: "Les types d'équipement",
    reply: z.array(namedType),
  }),
  models: route({
    method: 'GET',
    path: '/api/Host/GetModel',
    access: 'user',
    summary: 'Les modèles matériels',
    reply: z.array(hostModel),
  }),
  createType: route({
    method: 'POST',
    path: '/api/Host/CreateType',
    access: 'host_write',
    summary: "Créer un type d'équipement",
    body: hostTypeBody,
    status: 201,
    reply: namedType,
  }),
  updateType: route({
    method: 'PUT',
    path: '/api/Host/UpdateType/:id',
    access: 'host_write',
    summary: "Modifier un type d'équipement",
    params: idParams,
    body: hostTypeBody,
    reply: namedType,
  }),
  deleteType: route({
    method: 'DELETE',
    path: '/api/Host/DeleteType/:id',
    access: 'host_write',
    summary: "Supprimer un type d'équipement qui ne sert pas",
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
  createModel: route({
    method: 'POST',
    path: '/api/Host/CreateModel',
    access: 'host_write',
    summary: 'Créer un modèle matériel',
    body: hostModelBody,
    status: 201,
    reply: hostModel,
  }),
  updateModel: route({
    method: 'PUT',
    path: '/api/Host/UpdateModel/:id',
    access: 'host_write',
    summary: 'Modifier un modèle matériel',
    params: idParams,
    body: hostModelBody,
    reply: hostModel,
  }),
  deleteModel: route({
    method: 'DELETE',
    path: '/api/Host/DeleteModel/:id',
    access: 'host_write',
    summary: 'Supprimer un modèle matériel qui ne sert pas',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
  neighbours: route({
    method: 'GET',
    path: '/api/Host/Neighbour/:id',
    access: 'user',
    summary: 'Ce dont dépend un équipement, et ce qui dépend de lui',
    params: idParams,
    reply: hostNeighbours,
  }),
  bulk: route({
    method: 'POST',
    path: '/api/Host/Bulk',
    access: 'host_write',
    rate: 'heavy',
    summary: 'Modifier ou supprimer plusieurs équipements',
    body: hostBulkBody,
    reply: bulkReply,
  }),
  select2: select2RouteFor('/api/Host/Select2D/Get', 'Équipements, pour une liste déroulante'),
  select2Model: select2Route('/api/Host/Select2D/GetModel', 'Modèles matériels, pour une liste déroulante'),
  select2Type: select2Route('/api/Host/Select2D/GetType', "Types d'équipement, pour une liste déroulante"),
  datatable: datatableRoutes('HostDatatable', 'user', 'Équipements', host),
} as const
