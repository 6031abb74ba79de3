import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../store/database.ts'
import { LOCAL_PROBE, SITE_PROBES } from '../store/site-probe.ts'
import type { MetricRow } from './monitoring.store.ts'

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
}
export interface ScannerRow {
  id: number
  name: string
  name_folded: string
  kind: string
  host_id: number
  probe_id: number | null
  interval_seconds: number | null
  attempts: number | null
  enabled: number
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

/** Everything that monitoring judges, in the order in which it refers to each other. */
export const readFleet = (db: Db) => ({
  sites: () =>
    inSlices(
      db,
      id => sql<SiteRow>`select id, name, name_folded from site where id > ${id} order by id limit ${SLICE}`,
    ),
  hosts: () =>
    inSlices(
      db,
      id => sql<HostRow>`select id, name, name_folded, site_id, enabled, created_at, life_scanner_id, state, severity_rank, state_since
        from host where id > ${id} order by id limit ${SLICE}`,
    ),
  /** With the probe that runs it: its own, else the host's, that of the site or of one above it, the local one. */
  scanners: () =>
    inSlices(
      db,
      id => sql<ScannerRow>`select s.id, s.name, s.name_folded, s.kind, s.host_id, s.interval_seconds, s.attempts, s.enabled,
        coalesce(s.probe_id, h.probe_id, chosen.probe_id, ${LOCAL_PROBE}) as probe_id
        from scanner s join host h on h.id = s.host_id left join ${SITE_PROBES} chosen on chosen.site_id = h.site_id where s.id > ${id} order by s.id limit ${SLICE}`,
    ),
  metrics: () =>
    inSlices(
      db,
      id => sql<MetricRow>`select m.id, m.host_id, m.scanner_id, m.key, m.name, m.name_folded, m.unit, m.type, m.thresholds, m.attempts, m.no_data,
        m.enabled, m.created_at, st.severity_rank, st.hard_rank, st.kind, st.attempt, st.cause, st.hard_cause, st.incident_rank, st.held, st.raised,
        st.since, st.hard_since, st.problem_since, st.information, st.incident_id, i.acknowledged_at
        from metric m left join metric_state st on st.metric_id = m.id left join incident i on i.id = st.incident_id
        where m.id > ${id} order by m.id limit ${SLICE}`,
    ),
})
