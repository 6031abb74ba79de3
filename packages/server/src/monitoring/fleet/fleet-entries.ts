import {
  CHECK_KINDS,
  CHECKS,
  HOST_STATES,
  type HostStateName,
  type RuleValues,
  type Thresholds,
} from '@narval/contracts'
import { initialMetricState, type MetricRule, NO_COUNTS, silenceAfterMs, withClearValues } from '@narval/engine'
import { type MetricRow, severityOf, stateOfRow, typeOf, unitOf } from '../monitoring.store.ts'
import { concernsOwnMachine } from '../probe/own-machine.ts'
import type { EffectiveRules, OwnRules, RuleBook } from './effective-rules.ts'
import type { HostRow, ScannerRow } from './fleet-rows.ts'
import { type HostEntry, type MetricEntry, type Model, type ScannerEntry, SERVER_RUNNER } from './model.ts'

export interface CollectSettings extends RuleValues {
  readonly intervalSeconds: number
}

const hostStateOf = (text: string): HostStateName => HOST_STATES.find(state => state === text) ?? 'pending'

/** Adds a host to the model under its site; what memory alone knew of it (`known`) is kept. */
export const addHost = (
  model: Model,
  row: HostRow,
  known: HostEntry | undefined,
  shared: Shared,
  book: RuleBook,
): void => {
  const site = model.sites.get(row.site_id)
  if (site === undefined) return
  const host: HostEntry = {
    id: row.id,
    name: row.name,
    folded: row.name_folded,
    site,
    enabled: row.enabled === 1,
    createdMs: row.created_at,
    lifeScannerId: row.life_scanner_id,
    facts: {
      address: row.address_folded,
      tags: shared.text(row.tags_folded),
      typeId: row.type_id,
      typeName: row.type_name === null ? null : shared.text(row.type_name),
      modelId: row.model_id,
      modelName: row.model_name === null ? null : shared.text(row.model_name),
      probeId: row.probe_id,
      probeName: row.probe_name === null ? null : shared.text(row.probe_name),
      updatedMs: row.updated_at,
    },
    rules: book.ofHost(row.id, row.site_id),
    scanners: new Map(),
    parents: [],
    children: [],
    vouchedMs: known?.vouchedMs ?? row.vouched_at ?? Number.NEGATIVE_INFINITY,
    cutBy: row.cut_by,
    maintenance: known?.maintenance ?? null,
    life: null,
    counts: known?.counts ?? NO_COUNTS,
    state: known?.state ?? hostStateOf(row.state),
    severity: known?.severity ?? severityOf(row.severity_rank),
    sinceMs: known?.sinceMs ?? row.state_since,
  }
  model.hosts.set(host.id, host)
  site.hosts.set(host.id, host)
}

/** Adds a scanner to its host. */
export const addScanner = (
  model: Model,
  row: ScannerRow,
  known: ScannerEntry | undefined,
  settings: CollectSettings,
  book: RuleBook,
  nowMs: number,
): void => {
  const host = model.hosts.get(row.host_id)
  const kind = CHECK_KINDS.find(one => one === row.kind)
  if (host === undefined || kind === undefined) return
  const enabled = row.enabled === 1
  const probeId = CHECKS[kind].runner === 'server' ? SERVER_RUNNER : row.probe_id
  // A scanner that is enabled again, or given to another probe, gets its time to be heard.
  const asBefore = known?.enabled === enabled && known.probeId === probeId && known.host.enabled === host.enabled
  const rules = book.ofScanner(row.id, host.rules, figuresOf(row))
  const intervalMs = (row.interval_seconds ?? settings.intervalSeconds) * 1_000
  const scanner: ScannerEntry = {
    id: row.id,
    name: row.name,
    folded: row.name_folded,
    kind,
    host,
    probeId,
    intervalMs,
    rules,
    retryMs: Math.min(rules.retryIntervalSeconds * 1_000, intervalMs),
    staleMs: silenceAfterMs(intervalMs, rules.silenceFactor, rules.silenceFloorSeconds * 1_000),
    enabled,
    silenceIsError: kind === 'push' && isSilenceError(row.parameters),
    ownMachine: concernsOwnMachine(kind, row.address, row.parameters),
    metrics: new Map(),
    heardMs: asBefore ? known.heardMs : nowMs,
    lastRunMs: known?.lastRunMs ?? null,
    lastProbeId: known?.lastProbeId ?? null,
    lastDurationMs: known?.lastDurationMs ?? null,
    lastError: known?.lastError ?? null,
  }
  model.scanners.set(scanner.id, scanner)
  host.scanners.set(scanner.id, scanner)
}

/** What its columns say of rules. */
const figuresOf = (row: { attempts: number | null; retry_interval_seconds?: number | null }): OwnRules => ({
  ...(row.attempts === null ? {} : { attempts: row.attempts }),
  ...(row.retry_interval_seconds == null ? {} : { retryIntervalSeconds: row.retry_interval_seconds }),
})

/** Parameters are kept in the shape of their kind. */
const isSilenceError = (parameters: string): boolean => {
  const { silence }: { silence?: unknown } = JSON.parse(parameters)
  return silence === 'error'
}

/** More different texts or rules than this are not shared any more. */
const MAX_SHARED = 100_000
const remember = <T>(held: Map<string, T>, key: string, one: T): void => {
  if (held.size < MAX_SHARED) held.set(key, one)
}

export type Shared = ReturnType<typeof createShared>

/** Most metrics of a fleet bear the same few names and rules: each is held in memory once. */
export const createShared = () => {
  const texts = new Map<string, string>()
  const rules = new Map<string, MetricRule>()
  return {
    /** Rules in force, each once. */
    effective: new Map<string, EffectiveRules>(),
    text(text: string): string {
      const known = texts.get(text)
      if (known === undefined) remember(texts, text, text)
      return known ?? text
    },
    rule(row: MetricRow, inForce: EffectiveRules): MetricRule {
      const noData = row.no_data === 'keep' ? 'keep' : 'unknown'
      const key = `${inForce.key} ${noData} ${row.thresholds}`
      const known = rules.get(key)
      if (known !== undefined) return known
      const said: Thresholds = JSON.parse(row.thresholds)
      const thresholds = withClearValues(said, inForce.hysteresisPercent / 100)
      const { attempts, flappingRule: flapping } = inForce
      const made: MetricRule = { thresholds, attempts, noData, opensIncident: true, flapping }
      remember(rules, key, made)
      return made
    },
  }
}

/** Adds a metric to its scanner. */
export const addMetric = (
  model: Model,
  row: MetricRow,
  known: MetricEntry | undefined,
  shared: Shared,
  book: RuleBook,
  nowMs: number,
): void => {
  const scanner = model.scanners.get(row.scanner_id)
  if (scanner === undefined) return
  const rules = book.ofMetric(row.id, scanner.rules, figuresOf(row))
  const metric: MetricEntry = {
    id: row.id,
    key: shared.text(row.key),
    name: shared.text(row.name),
    folded: shared.text(row.name_folded),
    unit: unitOf(row.unit),
    type: typeOf(row.type),
    rule: shared.rule(row, rules),
    rules,
    enabled: row.enabled === 1,
    scanner,
    state: known?.state ?? stateOfRow(row) ?? initialMetricState(row.created_at),
    information: known?.information ?? row.information ?? '',
    incidentId: known?.incidentId ?? row.incident_id,
    explainedBy: row.parent_id,
    acknowledged: row.acknowledged_at !== null,
    maintenance: known?.maintenance ?? null,
    value: known?.value ?? null,
    atMs: known?.atMs ?? null,
    raw: known?.raw ?? null,
    heardMs: known?.enabled === (row.enabled === 1) ? known.heardMs : nowMs,
  }
  model.metrics.set(metric.id, metric)
  scanner.metrics.set(metric.key, metric)
}
