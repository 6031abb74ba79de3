import { EFFECTS_SHOWN, INCIDENT_KINDS, type Incident, type IncidentDetail } from '@narval/contracts'
import { SEVERITIES, severityRank } from '@narval/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import { failsSince } from '../../monitoring/incident/incident-reopening.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import { PROBE_TITLES } from '../../monitoring/texts.ts'
import type { Db } from '../../store/database.ts'
import { type FilterValue, flagOf, idFilter, type ListSpec, wordFilter } from '../../store/datatable.ts'
import { fetchByIds } from '../../store/fetch.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { visibleHost, visibleIncident, visibleSite } from '../../store/visible.ts'

export interface IncidentRow {
  id: number
  kind: string
  metric_id: number | null
  metric_name: string | null
  host_id: number | null
  host_name: string | null
  host_tags: string | null
  site_id: number | null
  site_name: string | null
  probe_id: number | null
  probe_name: string | null
  severity_rank: number
  worst_rank: number
  information: string
  opened_at: number
  closed_at: number | null
  reopened: number
  reopened_at: number | null
  flapping: number
  acknowledged_by: string | null
  acknowledged_at: number | null
  acknowledged_comment: string | null
  acknowledged_sticky: number
  acknowledged_until: number | null
  owner: string | null
  parent_id: number | null
  merged: number
  unreachable: number
}

/** Hosts that an incident makes unreachable: those of the moment, or of its end. */
const UNREACHABLE = sql`(select count(distinct effect.host_id) from incident_effect effect where effect.incident_id = incident.id
  and effect.kind = 'cut' and (effect.until is null or effect.until >= incident.closed_at))`
const FIELDS = sql`incident.id, incident.kind, incident.metric_id, metric.name as metric_name, host.id as host_id, host.name as host_name, host.tags_folded as host_tags,
  site.id as site_id, site.name as site_name, incident.probe_id, probe.name as probe_name, incident.severity_rank, incident.worst_rank,
  incident.information, incident.opened_at, incident.closed_at, incident.reopened, incident.reopened_at, incident.flapping, incident.acknowledged_by,
  incident.acknowledged_at, incident.acknowledged_comment, incident.acknowledged_sticky, incident.acknowledged_until, incident.owner,
  incident.parent_id, (select count(*) from incident child where child.parent_id = incident.id) as merged, ${UNREACHABLE} as unreachable`
const FROM = sql`incident left join metric on metric.id = incident.metric_id left join host on host.id = metric.host_id
  left join probe on probe.id = incident.probe_id left join site on site.id = coalesce(host.site_id, incident.site_id)`
/** The title as it is searched and sorted: without case and accents. */
const TITLE = sql`case incident.kind when 'probe' then 'sonde ' || probe.name_folded || ' hors ligne'
  when 'link' then 'liaison de la sonde ' || probe.name_folded || ' en cause' else host.name_folded || ' : ' || metric.name_folded end`

const SEVERITY_WORDS = new Map(SEVERITIES.map(severity => [severity as string, severityRank(severity)]))
const KIND_WORDS = new Map(INCIDENT_KINDS.map(kind => [kind as string, kind]))

/** Stands for itself: nothing explains it, or what did is over while it is not. */
const IS_ROOT = sql<boolean>`(incident.parent_id is null or (incident.closed_at is null and exists (select 1 from incident root
  where root.id = incident.parent_id and root.closed_at is not null)))`

const NO_OWNER = sql<boolean>`(incident.owner is null)`

const nullness =
  (column: RawBuilder<unknown>) =>
  (value: FilterValue): RawBuilder<boolean> =>
    flagOf(value) ? sql<boolean>`${column} is null` : sql<boolean>`${column} is not null`

/** Incidents that were open at some time between two instants; an empty one is no bound. */
const ofPeriod = (value: FilterValue): RawBuilder<boolean> => {
  const [from = '', to = ''] = [value].flat().map(String)
  const [fromMs, toMs] = [from, to].map(text => (text === '' ? null : Date.parse(text)))
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) throw invalid(['Période incorrecte\u202f: deux instants attendus.'])
  const begun = toMs == null ? sql<boolean>`1 = 1` : sql<boolean>`incident.opened_at <= ${toMs}`
  const notOver =
    fromMs == null ? sql<boolean>`1 = 1` : sql<boolean>`(incident.closed_at is null or incident.closed_at >= ${fromMs})`
  return sql<boolean>`(${begun} and ${notOver})`
}

/** Looks for a text as it was said, but for its case. */
const saysIn = (column: RawBuilder<unknown>, term: string): RawBuilder<boolean> =>
  term.includes('\u0000')
    ? sql<boolean>`1 = 0`
    : sql<boolean>`lower(${column}) like ${`%${term.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** `nobodys`: rows that nobody is in charge of (`owner.ts`), where the filter `owned` is asked for. */
export const incidentList = (viewer: Viewer | 'system', nobodys = NO_OWNER): ListSpec => ({
  select: FIELDS,
  from: FROM,
  visible: visibleIncident(viewer),
  columns: {
    id: { sort: sql`incident.id` },
    title: { sort: TITLE, search: TITLE },
    kind: { sort: sql`incident.kind` },
    severity: { sort: sql`incident.severity_rank` },
    worst: { sort: sql`incident.worst_rank` },
    hostName: { sort: sql`host.name_folded`, search: sql`host.name_folded` },
    metricName: { sort: sql`metric.name_folded`, search: sql`metric.name_folded` },
    siteName: { sort: sql`site.name_folded`, search: sql`site.name_folded` },
    probeName: { sort: sql`probe.name_folded`, search: sql`probe.name_folded` },
    information: { sort: sql`incident.information` },
    openedAt: { sort: sql`incident.opened_at` },
    failsSince: { sort: sql`coalesce(incident.reopened_at, incident.opened_at)` },
    closedAt: { sort: sql`incident.closed_at` },
    acknowledgedBy: { sort: sql`incident.acknowledged_by` },
    owner: { sort: sql`incident.owner` },
    reopened: { sort: sql`incident.reopened` },
    merged: { sort: sql`(select count(*) from incident child where child.parent_id = incident.id)` },
    unreachable: { sort: UNREACHABLE },
  },
  filters: {
    id: idFilter(sql`incident.id`),
    open: nullness(sql`incident.closed_at`),
    kind: wordFilter(sql`incident.kind`, KIND_WORDS),
    severity: wordFilter(sql`incident.severity_rank`, SEVERITY_WORDS),
    siteId: idFilter(sql`site.id`),
    hostId: idFilter(sql`host.id`),
    metricId: idFilter(sql`incident.metric_id`),
    probeId: idFilter(sql`incident.probe_id`),
    parentId: idFilter(sql`incident.parent_id`),
    acknowledged: value => nullness(sql`incident.acknowledged_at`)(!flagOf(value)),
    owner: value => sql<boolean>`incident.owner in (${sql.join([value].flat().map(String))})`,
    owned: value => (flagOf(value) ? sql<boolean>`not ${nobodys}` : nobodys),
    period: ofPeriod,
    roots: value => (flagOf(value) ? IS_ROOT : sql<boolean>`1 = 1`),
  },
  // Accents count in what was measured: it is kept as it was said.
  alsoFinds: term => saysIn(sql`incident.information`, term),
  order: sql`incident.opened_at desc`,
  tie: sql`incident.id`,
})

/** What is wrong, in words. */
const titleOf = (row: IncidentRow): string => {
  if (row.kind === 'probe') return PROBE_TITLES.offline(row.probe_name ?? '')
  if (row.kind === 'link') return PROBE_TITLES.linkBlamed(row.probe_name ?? '')
  return `${row.host_name}\u202f: ${row.metric_name}`
}

/** What memory knows of it, and what another probe said. */
export interface IncidentSurroundings {
  readonly opinion: Incident['opinion']
  readonly inMaintenance: boolean
  readonly ownerLost: boolean
}

export const toIncident = (
  row: IncidentRow,
  { opinion, inMaintenance, ownerLost }: IncidentSurroundings,
): Incident => ({
  id: row.id,
  kind: INCIDENT_KINDS.find(kind => kind === row.kind) ?? 'metric',
  title: titleOf(row),
  metricId: row.metric_id,
  metricName: row.metric_name,
  hostId: row.host_id,
  hostName: row.host_name,
  siteId: row.site_id,
  siteName: row.site_name,
  probeId: row.probe_id,
  probeName: row.probe_name,
  severity: severityOf(row.severity_rank),
  worst: severityOf(row.worst_rank),
  information: row.information,
  openedAt: toIso(row.opened_at),
  closedAt: toIsoOrNull(row.closed_at),
  failsSince: toIso(failsSince(row)),
  reopened: row.reopened,
  flapping: row.flapping === 1,
  inMaintenance,
  acknowledgedBy: row.acknowledged_by,
  acknowledgedAt: toIsoOrNull(row.acknowledged_at),
  acknowledgedComment: row.acknowledged_comment,
  acknowledgedSticky: row.acknowledged_sticky === 1,
  acknowledgedUntil: toIsoOrNull(row.acknowledged_until),
  owner: row.owner,
  ownerLost,
  parentId: row.parent_id,
  merged: Number(row.merged),
  unreachable: Number(row.unreachable),
  opinion,
})

/** Hosts that an incident takes along and that may be seen; `onlyNow`: still. */
const effectsSeen = (viewer: Viewer, incidentId: number, onlyNow: boolean): RawBuilder<unknown> =>
  sql`incident_effect effect join host on host.id = effect.host_id
    where effect.incident_id = ${incidentId} and ${visibleHost(viewer)}
    ${onlyNow ? sql`and effect.until is null` : sql``}`

/** Those hosts with what befell them, those to which it still does first. */
export const readEffects = async (
  db: Db,
  viewer: Viewer,
  incidentId: number,
  onlyNow: boolean,
): Promise<IncidentDetail['effects']> => {
  const { rows } = await sql<{ host_id: number; name: string; since: number; until: number | null }>`
    select effect.host_id, host.name, effect.since, effect.until from ${effectsSeen(viewer, incidentId, onlyNow)}
    order by case when effect.until is null then 0 else 1 end, host.name_folded, effect.id
    limit ${EFFECTS_SHOWN}`.execute(db)
  return rows.map(row => ({
    hostId: row.host_id,
    hostName: row.name,
    since: toIso(row.since),
    until: toIsoOrNull(row.until),
  }))
}

/** How many those are, each once however often it fell. */
export const countEffects = async (db: Db, viewer: Viewer, incidentId: number, onlyNow: boolean): Promise<number> => {
  const { rows } = await sql<{ hosts: number }>`select count(distinct effect.host_id) as hosts
    from ${effectsSeen(viewer, incidentId, onlyNow)}`.execute(db)
  return Number(rows[0]?.hosts ?? 0)
}

/** What the sheets of an incident's host and of its site ask to do, the nearest first; of what one does not see, nothing. */
export const readInstructions = async (
  db: Db,
  viewer: Viewer,
  { hostId, siteId }: Pick<Incident, 'hostId' | 'siteId'>,
): Promise<IncidentDetail['instructions']> => {
  const sees = { host: visibleHost(viewer), site: visibleSite(viewer, sql`site.id`) }
  const written = async (kind: 'host' | 'site', id: number | null) => {
    if (id === null) return []
    const rows = await db
      .selectFrom(kind)
      .select(['id', 'name', 'instruction as text'])
      .where('id', '=', id)
      .where('instruction', '<>', '')
      .where(sees[kind])
      .execute()
    return rows.map(row => ({ kind, ...row }))
  }
  return [...(await written('host', hostId)), ...(await written('site', siteId))]
}

/** Titles of those of them that may be seen. */
export const incidentsTitled = async (db: Db, viewer: Viewer, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map((await fetchByIds<IncidentRow>(db, incidentList(viewer), ids)).map(row => [row.id, titleOf(row)]))
