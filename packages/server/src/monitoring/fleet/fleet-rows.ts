import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { LOCAL_PROBE, probeOriginOf, SITE_PROBES } from '../../store/site-probe.ts'
import type { MetricRow } from '../monitoring.store.ts'

export interface SiteRow {
  id: number
  name: string
  name_folded: string
}
export interface HostRow {
  id: number
  name: string
  name_folded: string
  site_id: number
  enabled: number
  created_at: number
  life_scanner_id: number | null
  state: string
  severity_rank: number
  state_since: number
  address_folded: string
  tags_folded: string
  type_id: number | null
  type_name: string | null
  model_id: number | null
  model_name: string | null
  probe_id: number | null
  probe_name: string | null
  updated_at: number
  vouched_at: number | null
  cut_by: number | null
}
/** A host hangs on another one. */
export interface LinkRow {
  host_id: number
  parent_id: number
}
export interface ScannerRow {
  id: number
  name: string
  name_folded: string
  kind: string
  host_id: number
  probe_id: number | null
  interval_seconds: number | null
  retry_interval_seconds: number | null
  attempts: number | null
  enabled: number
  address: string
  parameters: string
}

/** Rows read at once: some 5 ms, between which others get their turn. */
const SLICE = 1_000

/** A table by slices of its ids: neither the event loop nor the memory ever holds all of its rows. */
async function* inSlices<Row extends { id: number }>(
  db: Db,
  after: (id: number) => RawBuilder<Row>,
): AsyncGenerator<readonly Row[]> {
  for (let last = 0; ; ) {
    const { rows } = await after(last).execute(db)
    yield rows
    const end = rows[rows.length - 1]
    if (end === undefined || rows.length < SLICE) return
    last = end.id
    await setImmediate()
  }
}

const SITES = sql`select id, name, name_folded from site`
const HOSTS = sql`select h.id, h.name, h.name_folded, h.site_id, h.enabled, h.created_at, h.life_scanner_id, h.state, h.severity_rank,
  h.state_since, h.address_folded, h.tags_folded, h.type_id, kind.name_folded as type_name, h.model_id, hardware.name_folded as model_name,
  h.probe_id, own.name_folded as probe_name, h.updated_at, h.vouched_at,
  (select max(effect.incident_id) from incident_effect effect where effect.host_id = h.id and effect.kind = 'cut'
    and effect.until is null) as cut_by
  from host h left join host_type kind on kind.id = h.type_id left join host_model hardware on hardware.id = h.model_id
  left join probe own on own.id = h.probe_id`
/** With the probe that runs it: its own, else the host's, that of the site or of one above it, the local one. */
const SCANNER = sql`select s.id, s.name, s.name_folded, s.kind, s.host_id, s.interval_seconds, s.retry_interval_seconds, s.attempts, s.enabled, s.parameters, h.address,
  coalesce(s.probe_id, h.probe_id, chosen.probe_id, ${LOCAL_PROBE}) as probe_id from scanner s join host h on h.id = s.host_id`
const SCANNERS = sql`${SCANNER} left join ${SITE_PROBES} chosen on chosen.site_id = h.site_id`
/** The same of few hosts: only the sites above theirs are looked at. */
const SCANNERS_OF_SOME = sql`${SCANNER} left join site chosen on chosen.id = ${probeOriginOf(sql`h.site_id`)}`
const METRICS = sql`select m.id, m.host_id, m.scanner_id, m.key, m.name, m.name_folded, m.unit, m.type, m.thresholds, m.attempts, m.no_data,
  m.enabled, m.created_at, st.severity_rank, st.hard_rank, st.kind, st.attempt, st.cause, st.hard_cause, st.incident_rank, st.held, st.raised,
  st.since, st.hard_since, st.problem_since, st.information, st.incident_id, st.flapping, i.acknowledged_at, i.parent_id
  from metric m left join metric_state st on st.metric_id = m.id left join incident i on i.id = st.incident_id`

const LINKS = sql`select host_id, parent_id from host_parent`

/** Who hangs on whom: of all hosts, or of those on either end. Some 10 ms at 10,000. */
export const readLinks = async (db: Db, hostIds?: readonly number[]): Promise<LinkRow[]> => {
  if (hostIds === undefined) return (await sql<LinkRow>`${LINKS} order by host_id, parent_id`.execute(db)).rows
  const links: LinkRow[] = []
  for (const ids of batches(hostIds)) {
    const these = sql.join(ids)
    const found = await sql<LinkRow>`${LINKS} where host_id in (${these}) or parent_id in (${these})
      order by host_id, parent_id`.execute(db)
    links.push(...found.rows)
  }
  return links
}

/** Everything that monitoring judges, in the order in which it refers to each other. */
export const readFleet = (db: Db) => ({
  sites: () => inSlices(db, id => sql<SiteRow>`${SITES} where id > ${id} order by id limit ${SLICE}`),
  hosts: () => inSlices(db, id => sql<HostRow>`${HOSTS} where h.id > ${id} order by h.id limit ${SLICE}`),
  scanners: () => inSlices(db, id => sql<ScannerRow>`${SCANNERS} where s.id > ${id} order by s.id limit ${SLICE}`),
  metrics: () => inSlices(db, id => sql<MetricRow>`${METRICS} where m.id > ${id} order by m.id limit ${SLICE}`),
})

/** Some of the hosts with their scanners and metrics, each list by id. */
export interface HostParts {
  readonly hosts: HostRow[]
  readonly scanners: ScannerRow[]
  readonly metrics: MetricRow[]
}

/** Hosts read at once: few enough rows that nobody waits for them. */
const HOSTS_AT_ONCE = 50

export const readHosts = async (db: Db, hostIds: readonly number[]): Promise<HostParts> => {
  const parts: HostParts = { hosts: [], scanners: [], metrics: [] }
  for (const ids of batches(hostIds, HOSTS_AT_ONCE)) {
    const these = sql.join(ids)
    parts.hosts.push(...(await sql<HostRow>`${HOSTS} where h.id in (${these}) order by h.id`.execute(db)).rows)
    parts.scanners.push(
      ...(await sql<ScannerRow>`${SCANNERS_OF_SOME} where s.host_id in (${these}) order by s.id`.execute(db)).rows,
    )
    parts.metrics.push(
      ...(await sql<MetricRow>`${METRICS} where m.host_id in (${these}) order by m.id`.execute(db)).rows,
    )
    await setImmediate()
  }
  return parts
}
