import { CHECK_KINDS, HOST_STATES, type HostStateName, type Thresholds } from '@narval/contracts'
import { initialMetricState, type MetricRule, NO_COUNTS } from '@narval/engine'
import type { Database } from '../store/database.ts'
import { type HostRow, readFleet, type ScannerRow } from './fleet-rows.ts'
import { countSite, judgeHost } from './host-roll-up.ts'
import { type HostEntry, lifeMetric, type MetricEntry, type Model, type ScannerEntry, type SiteEntry } from './model.ts'
import { type MetricRow, severityOf, stateOfRow, typeOf, unitOf } from './monitoring.store.ts'

export interface CollectSettings {
  readonly intervalSeconds: number
  readonly attempts: number
}

const hostStateOf = (text: string): HostStateName => HOST_STATES.find(state => state === text) ?? 'pending'

/**
 * Reads the fleet again and keeps what only memory knows (last values, when each was heard). What is there is shown until
 * all of the new is read, and no turn of the event loop is long, so that a change in a fleet of 100,000 metrics is felt by
 * nobody. Nothing may be judged meanwhile.
 */
export const reloadFleet = async (
  database: Database,
  model: Model,
  settings: CollectSettings,
  nowMs: number,
): Promise<void> => {
  const read = readFleet(database.db)
  const next: Model = { sites: new Map(), hosts: new Map(), scanners: new Map(), metrics: new Map() }
  for await (const rows of read.sites())
    for (const { id, name, name_folded } of rows)
      next.sites.set(id, { id, name, folded: name_folded, hosts: new Map(), counts: NO_COUNTS })
  for await (const rows of read.hosts()) for (const row of rows) addHost(next, row, model.hosts.get(row.id))
  for await (const rows of read.scanners())
    for (const row of rows) addScanner(next, row, model.scanners.get(row.id), settings, nowMs)
  const shared = createShared()
  for await (const rows of read.metrics())
    for (const row of rows) addMetric(next, row, model.metrics.get(row.id), shared, nowMs)
  for (const host of next.hosts.values()) {
    host.life = lifeMetric(host)
    host.counts = judgeHost(host).counts
  }
  for (const site of next.sites.values()) site.counts = countSite(site)
  replace(model.sites, next.sites)
  replace(model.hosts, next.hosts)
  replace(model.scanners, next.scanners)
  replace(model.metrics, next.metrics)
}

const replace = <T>(held: Map<number, T>, next: ReadonlyMap<number, T>): void => {
  held.clear()
  for (const [id, one] of next) held.set(id, one)
}

const addHost = (model: Model, row: HostRow, known: HostEntry | undefined): void => {
  const site: SiteEntry | undefined = model.sites.get(row.site_id)
  if (site === undefined) return
  const host: HostEntry = {
    id: row.id,
    name: row.name,
    folded: row.name_folded,
    site,
    enabled: row.enabled === 1,
    createdMs: row.created_at,
    lifeScannerId: row.life_scanner_id,
    scanners: new Map(),
    life: null,
    counts: known?.counts ?? NO_COUNTS,
    state: known?.state ?? hostStateOf(row.state),
    severity: known?.severity ?? severityOf(row.severity_rank),
    sinceMs: known?.sinceMs ?? row.state_since,
  }
  model.hosts.set(host.id, host)
  site.hosts.set(host.id, host)
}

const addScanner = (
  model: Model,
  row: ScannerRow,
  known: ScannerEntry | undefined,
  settings: CollectSettings,
  nowMs: number,
): void => {
  const host = model.hosts.get(row.host_id)
  const kind = CHECK_KINDS.find(one => one === row.kind)
  if (host === undefined || kind === undefined) return
  const enabled = row.enabled === 1
  // A scanner that is enabled again, or given to another probe, gets its time to be heard.
  const asBefore = known?.enabled === enabled && known.probeId === row.probe_id && known.host.enabled === host.enabled
  const scanner: ScannerEntry = {
    id: row.id,
    name: row.name,
    folded: row.name_folded,
    kind,
    host,
    probeId: row.probe_id,
    intervalMs: (row.interval_seconds ?? settings.intervalSeconds) * 1_000,
    attempts: row.attempts ?? settings.attempts,
    enabled,
    metrics: new Map(),
    heardMs: asBefore ? known.heardMs : nowMs,
    lastRunMs: known?.lastRunMs ?? null,
    lastDurationMs: known?.lastDurationMs ?? null,
    lastError: known?.lastError ?? null,
  }
  model.scanners.set(scanner.id, scanner)
  host.scanners.set(scanner.id, scanner)
}

/** Most metrics of a fleet bear the same few names and rules: each is held in memory once. */
const createShared = () => {
  const texts = new Map<string, string>()
  const rules = new Map<string, MetricRule>()
  return {
    text(text: string): string {
      const known = texts.get(text)
      if (known === undefined) texts.set(text, text)
      return known ?? text
    },
    rule(row: MetricRow, attempts: number): MetricRule {
      const noData = row.no_data === 'keep' ? 'keep' : 'unknown'
      const key = `${attempts} ${noData} ${row.thresholds}`
      const known = rules.get(key)
      if (known !== undefined) return known
      const thresholds: Thresholds = JSON.parse(row.thresholds)
      const made: MetricRule = { thresholds, attempts, noData, opensIncident: true }
      rules.set(key, made)
      return made
    },
  }
}

const addMetric = (
  model: Model,
  row: MetricRow,
  known: MetricEntry | undefined,
  shared: ReturnType<typeof createShared>,
  nowMs: number,
): void => {
  const scanner = model.scanners.get(row.scanner_id)
  if (scanner === undefined) return
  const metric: MetricEntry = {
    id: row.id,
    key: shared.text(row.key),
    name: shared.text(row.name),
    folded: shared.text(row.name_folded),
    unit: unitOf(row.unit),
    type: typeOf(row.type),
    rule: shared.rule(row, row.attempts ?? scanner.attempts),
    enabled: row.enabled === 1,
    scanner,
    state: known?.state ?? stateOfRow(row) ?? initialMetricState(row.created_at),
    information: known?.information ?? row.information ?? '',
    incidentId: known?.incidentId ?? row.incident_id,
    acknowledged: row.acknowledged_at !== null,
    value: known?.value ?? null,
    atMs: known?.atMs ?? null,
    raw: known?.raw ?? null,
    heardMs: known?.enabled === (row.enabled === 1) ? known.heardMs : nowMs,
  }
  model.metrics.set(metric.id, metric)
  scanner.metrics.set(metric.key, metric)
}
