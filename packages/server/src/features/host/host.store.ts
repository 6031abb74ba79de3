import { HOST_STATES, type Host, type HostInput, hostFields } from '@narval/contracts'
import { NO_COUNTS, SEVERITIES } from '@narval/engine'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { type HostEntry, isActive } from '../../monitoring/fleet/model.ts'
import { toMaintenance } from '../../monitoring/live.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { containsFolded, flagFilter, idFilter, type ListSpec, memoryFilter, wordFilter } from '../../store/datatable.ts'
import type { ProbeChoice } from '../../store/site-probe.ts'
import { foldTags } from '../../store/tags.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { visibleHost } from '../../store/visible.ts'
import type { HostLinks } from './host-links.ts'

export interface HostRow {
  id: number
  name: string
  address: string
  type_id: number | null
  type_name: string | null
  model_id: number | null
  model_name: string | null
  site_id: number
  site_name: string
  probe_id: number | null
  probe_name: string | null
  life_scanner_id: number | null
  tags: string
  enabled: number
  description: string
  instruction: string
  state: string
  severity_rank: number
  state_since: number
  created_at: number
  updated_at: number
  updated_by: string | null
}

const SEVERITY_WORDS = new Map<string, number>(SEVERITIES.map((severity, rank) => [severity, rank]))
/** The worst first, as the words are ordered. */
const STATE_RANK = sql`case host.state ${sql.join(
  HOST_STATES.map((state, rank) => sql`when ${sql.lit(state)} then ${sql.lit(rank)}`),
  sql` `,
)} end`
const STATE_WORDS = new Map<string, string>(HOST_STATES.map(state => [state, state]))

export const hostList = (viewer: Viewer | 'system'): ListSpec => ({
  select: sql`host.id, host.name, host.address, host.type_id, host_type.name as type_name, host.model_id, host_model.name as model_name, host.site_id,
    site.name as site_name, host.probe_id, probe.name as probe_name, host.life_scanner_id, host.tags, host.enabled, host.description,
    host.instruction, host.state, host.severity_rank, host.state_since, host.created_at, host.updated_at, host.updated_by`,
  from: sql`host join site on site.id = host.site_id left join host_type on host_type.id = host.type_id
    left join host_model on host_model.id = host.model_id left join probe on probe.id = host.probe_id`,
  visible: visibleHost(viewer),
  columns: {
    id: { sort: sql`host.id` },
    name: { sort: sql`host.name_folded`, search: sql`host.name_folded` },
    address: { sort: sql`host.address_folded`, search: sql`host.address_folded` },
    typeName: { sort: sql`host_type.name_folded`, search: sql`host_type.name_folded` },
    modelName: { sort: sql`host_model.name_folded`, search: sql`host_model.name_folded` },
    siteName: { sort: sql`site.name_folded`, search: sql`site.name_folded` },
    probeName: { sort: sql`probe.name_folded`, search: sql`probe.name_folded` },
    tags: { sort: sql`host.tags_folded`, search: sql`host.tags_folded` },
    enabled: { sort: sql`host.enabled` },
    state: { sort: STATE_RANK },
    severity: { sort: sql`host.severity_rank` },
    since: { sort: sql`host.state_since` },
    createdAt: { sort: sql`host.created_at` },
    updatedAt: { sort: sql`host.updated_at` },
  },
  filters: {
    id: idFilter(sql`host.id`),
    siteId: idFilter(sql`host.site_id`),
    typeId: idFilter(sql`host.type_id`),
    modelId: idFilter(sql`host.model_id`),
    probeId: idFilter(sql`host.probe_id`),
    severity: wordFilter(sql`host.severity_rank`, SEVERITY_WORDS),
    state: wordFilter(sql`host.state`, STATE_WORDS),
    enabled: flagFilter(sql`host.enabled`),
    inMaintenance: memoryFilter,
    monitoringModelId: value =>
      sql<boolean>`host.id in (select link.host_id from host_monitoring_model link where ${idFilter(sql`link.model_id`)(value)})`,
    parentId: value =>
      sql<boolean>`host.id in (select link.host_id from host_parent link where ${idFilter(sql`link.parent_id`)(value)})`,
    tag: value =>
      sql<boolean>`(${sql.join(
        [value].flat().map(tag => containsFolded(sql`host.tags_folded`, foldTags([String(tag)]))),
        sql` or `,
      )})`,
  },
  order: sql`host.name_folded`,
  tie: sql`host.id`,
})

const tagsOf = (text: string): string[] => {
  const tags: unknown = JSON.parse(text)
  return Array.isArray(tags) ? tags.map(String) : []
}

const effectiveProbeOf = (row: HostRow, ofSite: ProbeChoice | undefined): Host['effectiveProbe'] => {
  if (row.probe_id !== null)
    return { id: row.probe_id, name: row.probe_name ?? '', origin: 'host', originName: row.name, originId: row.id }
  if (ofSite === undefined) return null
  const { probeId, probeName, originName, originId } = ofSite
  return {
    id: probeId,
    name: probeName,
    origin: originName === null ? 'platform' : 'site',
    originName: originName ?? '',
    originId,
  }
}

/** What a row of a host does not say itself. */
export interface HostSurroundings {
  readonly links: (id: number) => HostLinks
  readonly siteProbes: ReadonlyMap<number, ProbeChoice>
  readonly customFields: (id: number) => Host['customFields']
}

/** A row with its links and what monitoring knows now of the host. */
export const toHost = (
  row: HostRow,
  { links, siteProbes, customFields }: HostSurroundings,
  monitoring: Monitoring,
): Host => {
  const { parents, monitoringModels } = links(row.id)
  const entry = monitoring.model.hosts.get(row.id)
  const probe = effectiveProbeOf(row, siteProbes.get(row.site_id))
  const standIn = probe === null ? undefined : monitoring.model.standIns.get(probe.id)
  const answers =
    entry === undefined
      ? []
      : [...entry.scanners.values()].flatMap(scanner => (scanner.lastError === null ? (scanner.lastRunMs ?? []) : []))
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    typeId: row.type_id,
    typeName: row.type_name,
    modelId: row.model_id,
    modelName: row.model_name,
    siteId: row.site_id,
    siteName: row.site_name,
    probeId: row.probe_id,
    probeName: row.probe_name,
    effectiveProbe: probe,
    standIn: standIn === undefined ? null : { id: standIn.id, name: standIn.name, since: toIso(standIn.sinceMs) },
    parentIds: parents.map(parent => parent.id),
    parents: [...parents],
    monitoringModelIds: monitoringModels.map(model => model.id),
    monitoringModels: [...monitoringModels],
    customFields: customFields(row.id),
    lifeScannerId: row.life_scanner_id,
    tags: tagsOf(row.tags),
    enabled: row.enabled === 1,
    description: row.description,
    instruction: row.instruction,
    state: entry?.state ?? HOST_STATES.find(state => state === row.state) ?? 'pending',
    severity: entry?.severity ?? severityOf(row.severity_rank),
    since: toIso(entry?.sinceMs ?? row.state_since),
    counts: entry?.counts ?? NO_COUNTS,
    ...toMaintenance(entry?.maintenance ?? null),
    scanners: entry?.scanners.size ?? 0,
    lastAnswer: toIsoOrNull(answers.length === 0 ? null : Math.max(...answers)),
    rttMs: figureOf(entry, 'rtt_avg'),
    lossRatio: figureOf(entry, 'loss_ratio'),
    uptimeS: figureOf(entry, 'uptime'),
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }
}

/** The largest present value of a metric that several scanners may have: the worst path, the longest run. */
const figureOf = (entry: HostEntry | undefined, key: string): number | null => {
  const values = [...(entry?.scanners.values() ?? [])].flatMap(scanner => {
    const metric = scanner.metrics.get(key)
    return metric === undefined || !isActive(metric) || metric.state.severity === 'unknown' ? [] : (metric.value ?? [])
  })
  return values.length === 0 ? null : Math.max(...values)
}

/** What is kept of a host: its fields alone, as a form sends them. */
export const fieldsOf = (host: Host): HostInput => hostFields.parse(host)
