import * as z from 'zod/mini'
import { countAddresses, parseRanges, RANGE_MAX_ADDRESSES, subtractRanges } from './address-range.ts'
import { datatableRoutes } from './datatable.ts'
import { DISCOVERY_MAX_PORTS, DISCOVERY_METHODS, FINDING_METHODS } from './discovery-wire.ts'
import { HOST_MAX_MODELS, HOST_MAX_PARENTS, HOST_MAX_TAGS } from './host.ts'
import { route } from './route.ts'
import { basedOn, idParams, idText, idValue, instant, nullableId, paragraph, requiredLine, stamps } from './schema.ts'

/** Discovery: ranges of addresses that a probe goes through, and what it found there, waiting for a person to decide. */
export const DISCOVERY_RECURRENCES = ['manual', 'daily', 'weekly'] as const
export type DiscoveryRecurrence = (typeof DISCOVERY_RECURRENCES)[number]
export const DISCOVERY_RATE = { min: 1, max: 500, default: 25 } as const
/** TCP ports that tell the most about what stands there. */
export const DISCOVERY_PORTS: readonly number[] = [22, 80, 135, 443, 445, 554, 631, 1433, 3306, 3389, 5432, 8080, 9100]
const RANGES_MAX = 4_000

const fields = {
  name: requiredLine(120),
  siteId: idValue,
  /** Null: the site's probe. */
  probeId: z._default(nullableId, null),
  ranges: paragraph(RANGES_MAX).check(z.trim(), z.minLength(1)),
  exclusions: z._default(paragraph(RANGES_MAX), ''),
  methods: z._default(
    z
      .array(z.enum(DISCOVERY_METHODS))
      .check(z.refine(list => new Set(list).size === list.length, 'Une méthode n’est donnée qu’une fois')),
    ['ping', 'reverse_dns', 'ports', 'snmp', 'lldp'],
  ),
  ports: z._default(
    z.array(z.int().check(z.minimum(1), z.maximum(65_535))).check(
      z.maxLength(DISCOVERY_MAX_PORTS),
      z.refine(list => new Set(list).size === list.length, 'Un port n’est donné qu’une fois'),
    ),
    [...DISCOVERY_PORTS],
  ),
  /** Addresses begun in a second. */
  rate: z._default(z.int().check(z.minimum(DISCOVERY_RATE.min), z.maximum(DISCOVERY_RATE.max)), DISCOVERY_RATE.default),
  recurrence: z._default(z.enum(DISCOVERY_RECURRENCES), 'manual'),
  /** In the site's own time. */
  atHour: z._default(z.int().check(z.minimum(0), z.maximum(23)), 2),
  /** Of weekly ones: 1 Monday … 7 Sunday. */
  weekday: z._default(z.int().check(z.minimum(1), z.maximum(7)), 1),
  enabled: z._default(z.boolean(), true),
}
const rangeFields = z.object(fields)
export type DiscoveryRangeInput = z.output<typeof rangeFields>

/** The addresses that a range goes through; French sentences by field where it can not. */
export const rangeIntervals = ({ ranges, exclusions }: Pick<DiscoveryRangeInput, 'ranges' | 'exclusions'>) => {
  const [own, without] = [parseRanges(ranges), parseRanges(exclusions)]
  const intervals = subtractRanges(own.intervals, without.intervals)
  const size = countAddresses(intervals)
  const errors: { field: 'ranges' | 'exclusions'; message: string }[] = [
    ...own.errors.map(message => ({ field: 'ranges' as const, message })),
    ...without.errors.map(message => ({ field: 'exclusions' as const, message })),
  ]
  if (errors.length === 0 && own.intervals.length === 0)
    errors.push({ field: 'ranges', message: 'Donnez au moins une adresse, un réseau ou une plage' })
  else if (errors.length === 0 && size === 0)
    errors.push({ field: 'exclusions', message: 'Il ne reste aucune adresse une fois les exclusions retirées' })
  if (size > RANGE_MAX_ADDRESSES)
    errors.push({
      field: 'ranges',
      message: `${grouped(size)} adresses au total : au plus ${grouped(RANGE_MAX_ADDRESSES)} par plage`,
    })
  return { intervals, size, errors }
}
const grouped = (value: number): string => value.toLocaleString('fr-FR')

const isFinding = (method: string): boolean => FINDING_METHODS.some(one => one === method)
/** What no field says alone. */
const wholeRange = z.check<DiscoveryRangeInput>(({ value, issues }) => {
  const refuse = (field: string, message: string) =>
    issues.push({ code: 'custom', message, input: value, path: [field] })
  // Told together: a person mends a list in one go.
  for (const [field, all] of Map.groupBy(rangeIntervals(value).errors, error => error.field))
    refuse(
      field,
      all
        .map(({ message }) => message)
        .slice(0, 10)
        .join(' ; '),
    )
  if (!value.methods.some(isFinding))
    refuse(
      'methods',
      'Choisissez au moins le ping, les ports TCP ou SNMP : les autres méthodes ne trouvent rien seules',
    )
  if (value.methods.includes('lldp') && !value.methods.includes('snmp'))
    refuse('methods', 'Les voisins LLDP se lisent par SNMP : choisissez aussi SNMP')
  if (value.methods.includes('ports') && value.ports.length === 0) refuse('ports', 'Donnez au moins un port')
})
export const discoveryRangeBody = z.object(fields).check(wholeRange)
export const discoveryRangeUpdateBody = z.object({ ...fields, ...basedOn }).check(wholeRange)
export type DiscoveryRangeUpdate = z.output<typeof discoveryRangeUpdateBody>

/** `waiting`: for its probe, or for the probe's other run to end. `interrupted`: the probe or the server went away. */
export const DISCOVERY_RUN_STATES = ['waiting', 'running', 'done', 'cancelled', 'interrupted', 'failed'] as const
export type DiscoveryRunState = (typeof DISCOVERY_RUN_STATES)[number]

export const discoveryRun = z.object({
  id: idValue,
  rangeId: idValue,
  probeName: z.string(),
  state: z.enum(DISCOVERY_RUN_STATES),
  total: z.int(),
  done: z.int(),
  found: z.int(),
  added: z.int(),
  changed: z.int(),
  vanished: z.int(),
  error: z.string(),
  notes: z.array(z.string()),
  startedBy: z.nullable(z.string()),
  createdAt: instant,
  startedAt: z.nullable(instant),
  endedAt: z.nullable(instant),
})
export type DiscoveryRun = z.output<typeof discoveryRun>

/** In the order in which a person looks at them. */
export const FINDING_STATES = ['new', 'changed', 'vanished', 'known', 'ignored'] as const
export type FindingState = (typeof FINDING_STATES)[number]
const stateCounts = z.object({
  new: z.int(),
  changed: z.int(),
  vanished: z.int(),
  known: z.int(),
  ignored: z.int(),
})

export const discoveryRange = z.object({
  ...stamps,
  ...fields,
  siteName: z.string(),
  probeName: z.nullable(z.string()),
  /** The probe that would run it now. */
  runsOn: z.nullable(z.string()),
  addresses: z.int(),
  nextRun: z.nullable(instant),
  lastRun: z.nullable(discoveryRun),
  findings: stateCounts,
})
export type DiscoveryRange = z.output<typeof discoveryRange>

/** What a found thing seems to be; each but the last two has a shipped monitoring model of that key. */
export const DISCOVERY_ROLES = [
  'linux-server',
  'windows-server',
  'router',
  'switch',
  'printer',
  'ups',
  'camera',
  'access-point',
  'web-service',
  'database',
  'firewall',
  'unknown',
] as const
export type DiscoveryRole = (typeof DISCOVERY_ROLES)[number]

/** What can differ between two runs. */
export const FINDING_CHANGES = ['name', 'mac', 'ports', 'system', 'address'] as const
export type FindingChange = (typeof FINDING_CHANGES)[number]

export const PARENT_SOURCES = ['lldp', 'traceroute'] as const
const proposedParent = z.object({
  /** Null: not a host yet, but found too; approved together, it is its parent. */
  hostId: z.nullable(idValue),
  findingId: z.nullable(idValue),
  name: z.string(),
  source: z.enum(PARENT_SOURCES),
})

export const discoveryFinding = z.object({
  id: idValue,
  rangeId: idValue,
  rangeName: z.string(),
  siteId: idValue,
  siteName: z.string(),
  address: z.string(),
  name: z.string(),
  state: z.enum(FINDING_STATES),
  hostId: z.nullable(idValue),
  hostName: z.nullable(z.string()),
  mac: z.string(),
  role: z.enum(DISCOVERY_ROLES),
  rttMs: z.nullable(z.number()),
  dnsName: z.string(),
  openPorts: z.array(z.int()),
  snmp: z.nullable(
    z.object({ sysName: z.string(), sysDescr: z.string(), sysObjectId: z.string(), sysLocation: z.string() }),
  ),
  neighbours: z.array(z.object({ localPort: z.string(), name: z.string(), port: z.string(), address: z.string() })),
  hops: z.nullable(z.array(z.nullable(z.string()))),
  changes: z.array(z.object({ what: z.enum(FINDING_CHANGES), before: z.string(), after: z.string() })),
  firstSeen: instant,
  lastSeen: instant,
  vanishedSince: z.nullable(instant),
  /** What creating it as it stands would make. */
  proposal: z.object({
    typeId: nullableId,
    typeName: z.nullable(z.string()),
    monitoringModels: z.array(z.object({ id: idValue, name: z.string() })),
    parent: z.nullable(proposedParent),
  }),
})
export type DiscoveryFinding = z.output<typeof discoveryFinding>

export const APPROVE_MAX = 500
/** What is left out is as proposed. */
const approval = z.strictObject({
  findingId: idValue,
  name: z.optional(requiredLine(120)),
  siteId: z.optional(idValue),
  typeId: z.optional(nullableId),
  probeId: z.optional(nullableId),
  monitoringModelIds: z.optional(z.array(idValue).check(z.maxLength(HOST_MAX_MODELS))),
  /** Instead of the parent that is proposed. */
  parentIds: z.optional(z.array(idValue).check(z.maxLength(HOST_MAX_PARENTS))),
  tags: z.optional(z.array(requiredLine(40)).check(z.maxLength(HOST_MAX_TAGS))),
})
export const approveBody = z.object({
  items: z.array(approval).check(z.minLength(1), z.maxLength(APPROVE_MAX)),
  /** Changes nothing: only says what it would make. */
  plan: z._default(z.boolean(), false),
})
export type ApproveInput = z.output<typeof approveBody>

/** One host that is made, or would be. */
const approvedHost = z.object({
  findingId: idValue,
  /** Null in a plan. */
  hostId: z.nullable(idValue),
  name: z.string(),
  /** The name that was wanted, when another host of the site has it and this one is numbered. */
  wantedName: z.nullable(z.string()),
  address: z.string(),
  siteName: z.string(),
  typeName: z.nullable(z.string()),
  monitoringModels: z.array(z.string()),
  parents: z.array(z.string()),
  /** Scanners that it gets: a ping where no model brings one, and what its models say. */
  scanners: z.int(),
})
export const approveReply = z.object({
  created: z.array(approvedHost),
  refused: z.array(z.object({ findingId: idValue, address: z.string(), error: z.string() })),
})
export type ApproveReply = z.output<typeof approveReply>

/** `accept`: what changed is seen; `ignore` and `restore`; `forget`: the line goes, a later run may find it again. */
export const REVIEW_ACTIONS = ['accept', 'ignore', 'restore', 'forget'] as const
export const reviewBody = z.object({
  ids: z.array(idValue).check(z.minLength(1), z.maxLength(APPROVE_MAX)),
  action: z.enum(REVIEW_ACTIONS),
})

const read = 'scanner_read' as const
const write = 'scanner_write' as const
export const discoveryRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Discovery/Range/Get',
    access: read,
    summary: 'Toutes les plages à découvrir, avec leur dernier passage',
    reply: z.array(discoveryRange),
  }),
  get: route({
    method: 'GET',
    path: '/api/Discovery/Range/Get/:id',
    access: read,
    summary: 'Une plage à découvrir',
    params: idParams,
    reply: discoveryRange,
  }),
  create: route({
    method: 'POST',
    path: '/api/Discovery/Range/Create',
    access: write,
    summary: 'Créer une plage à découvrir',
    body: discoveryRangeBody,
    status: 201,
    reply: discoveryRange,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Discovery/Range/Update/:id',
    access: write,
    summary: 'Modifier une plage à découvrir',
    params: idParams,
    body: discoveryRangeUpdateBody,
    reply: discoveryRange,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Discovery/Range/Delete/:id',
    access: write,
    summary: 'Supprimer une plage avec ce qui y fut trouvé ; les équipements créés restent',
    params: idParams,
    reply: z.object({ deleted: z.boolean(), findings: z.int() }),
  }),
  run: route({
    method: 'POST',
    path: '/api/Discovery/Run/:id',
    access: write,
    rate: 'heavy',
    summary: 'Découvrir une plage maintenant',
    params: idParams,
    reply: discoveryRun,
  }),
  runs: route({
    method: 'GET',
    path: '/api/Discovery/Run/Get',
    access: read,
    summary: 'Les derniers passages sur une plage, le plus récent d’abord',
    query: z.object({ range: idText }),
    reply: z.array(discoveryRun),
  }),
  cancel: route({
    method: 'POST',
    path: '/api/Discovery/Run/Cancel/:id',
    access: write,
    summary: 'Arrêter un passage en cours',
    params: idParams,
    reply: discoveryRun,
  }),
  finding: route({
    method: 'GET',
    path: '/api/Discovery/Finding/Get/:id',
    access: read,
    summary: 'Ce qui fut trouvé à une adresse',
    params: idParams,
    reply: discoveryFinding,
  }),
  approve: route({
    method: 'POST',
    path: '/api/Discovery/Finding/Approve',
    access: 'host_write',
    rate: 'heavy',
    summary: 'Créer les équipements de ce qui fut trouvé, ou dire ce qui serait créé',
    body: approveBody,
    reply: approveReply,
  }),
  review: route({
    method: 'POST',
    path: '/api/Discovery/Finding/Review',
    access: 'host_write',
    summary: 'Accepter des changements, ignorer, reprendre ou oublier ce qui fut trouvé',
    body: reviewBody,
    reply: z.object({ changed: z.int() }),
  }),
  datatable: datatableRoutes('DiscoveryDatatable', read, 'Ce que la découverte a trouvé', discoveryFinding),
} as const
