import {
  CHECK_FAMILIES,
  CHECK_KINDS,
  CHECKS,
  type CheckKind,
  type RuleValues,
  SCANNER_INHERITED,
  type Scanner,
  type Settings,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { type FilterValue, flagFilter, idFilter, type ListSpec, wordFilter, wordsOf } from '../../store/datatable.ts'
import { type Models, modelScannerOf } from '../../store/model-changes.ts'
import { SCANNER_COLUMNS, scannerOverrides, scannerValues } from '../../store/model-values.ts'
import { LOCAL_PROBE, SITE_PROBES } from '../../store/site-probe.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { visibleHost } from '../../store/visible.ts'
import type { EffectiveRules } from '../fleet/effective-rules.ts'
import { type Model, runnerOf } from '../fleet/model.ts'
import { concernsOwnMachine } from '../probe/own-machine.ts'
import type { Presence } from '../probe/presence.ts'
import { nextRunMs } from './next-run.ts'

export interface ScannerRow {
  id: number
  name: string
  kind: string
  host_id: number
  host_name: string
  host_address: string
  site_id: number
  site_name: string
  probe_id: number | null
  probe_name: string | null
  effective_probe: number | null
  interval_seconds: number | null
  retry_interval_seconds: number | null
  timeout_ms: number | null
  attempts: number | null
  parameters: string
  enabled: number
  model_id: number | null
  model_item: string | null
  overrides: string
  created_at: number
  updated_at: number
  updated_by: string | null
}

/** Kinds that no probe runs. */
const SERVER_KINDS = sql.join(CHECK_KINDS.filter(kind => CHECKS[kind].runner === 'server'))
const EFFECTIVE_PROBE = sql`case when scanner.kind in (${SERVER_KINDS}) then null
  else coalesce(scanner.probe_id, host.probe_id, chosen.probe_id, ${LOCAL_PROBE}) end`

/** Scanners whose kind is of these families of the gallery. */
const ofFamilies = (value: FilterValue) => {
  const families = wordsOf(value, new Map(CHECK_FAMILIES.map(family => [family, family])))
  const kinds = CHECK_KINDS.filter(kind => families.includes(CHECKS[kind].family))
  return kinds.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`scanner.kind in (${sql.join(kinds)})`
}

export const scannerList = (viewer: Viewer | 'system'): ListSpec => ({
  select: sql`scanner.id, scanner.name, scanner.kind, scanner.host_id, host.name as host_name, host.address as host_address, host.site_id,
    site.name as site_name, scanner.probe_id, (select p.name from probe p where p.id = ${EFFECTIVE_PROBE}) as probe_name,
    ${EFFECTIVE_PROBE} as effective_probe, scanner.interval_seconds, scanner.retry_interval_seconds, scanner.timeout_ms, scanner.attempts,
    scanner.parameters, scanner.enabled, scanner.model_id, scanner.model_item, scanner.overrides, scanner.created_at, scanner.updated_at, scanner.updated_by`,
  from: sql`scanner join host on host.id = scanner.host_id join site on site.id = host.site_id
    left join ${SITE_PROBES} chosen on chosen.site_id = host.site_id`,
  visible: visibleHost(viewer),
  columns: {
    id: { sort: sql`scanner.id` },
    name: { sort: sql`scanner.name_folded`, search: sql`scanner.name_folded` },
    kind: { sort: sql`scanner.kind`, search: sql`scanner.kind` },
    hostName: { sort: sql`host.name_folded`, search: sql`host.name_folded` },
    hostAddress: { sort: sql`host.address_folded`, search: sql`host.address_folded` },
    siteName: { sort: sql`site.name_folded`, search: sql`site.name_folded` },
    probeName: { sort: sql`probe_name` },
    enabled: { sort: sql`scanner.enabled` },
    createdAt: { sort: sql`scanner.created_at` },
    updatedAt: { sort: sql`scanner.updated_at` },
  },
  filters: {
    id: idFilter(sql`scanner.id`),
    hostId: idFilter(sql`scanner.host_id`),
    siteId: idFilter(sql`host.site_id`),
    probeId: idFilter(EFFECTIVE_PROBE),
    modelId: idFilter(sql`scanner.model_id`),
    kind: wordFilter(sql`scanner.kind`, new Map(CHECK_KINDS.map(kind => [kind, kind]))),
    family: ofFamilies,
    enabled: flagFilter(sql`scanner.enabled`),
  },
  order: sql`scanner.name_folded`,
  tie: sql`scanner.id`,
})

export const kindOf = (text: string): CheckKind => CHECK_KINDS.find(kind => kind === text) ?? 'ping'

/** What of monitoring tells how scanners fare. */
interface Watching {
  readonly model: Model
  readonly presence: Presence
}

export const toScanner = (
  row: ScannerRow,
  { model, presence }: Watching,
  settings: Settings,
  models: Models,
): Scanner => {
  const entry = model.scanners.get(row.id)
  const rules = model.hosts.get(row.host_id)?.rules
  const schedule = effectiveSchedule(row, settings, rules)
  return {
    id: row.id,
    name: row.name,
    kind: kindOf(row.kind),
    hostId: row.host_id,
    hostName: row.host_name,
    hostAddress: row.host_address,
    siteId: row.site_id,
    siteName: row.site_name,
    probeId: row.probe_id,
    probeName: row.probe_name,
    standIn: standInOf(model, row),
    intervalSeconds: row.interval_seconds,
    retryIntervalSeconds: row.retry_interval_seconds,
    timeoutMs: row.timeout_ms,
    attempts: row.attempts,
    parameters: JSON.parse(row.parameters),
    enabled: row.enabled === 1,
    effective: { probeId: row.effective_probe, ...schedule, origin: originOf(row, rules) },
    modelId: row.model_id,
    modelName: models.get(row.model_id ?? 0)?.name ?? null,
    overrides: scannerOverrides(row.overrides),
    inherited: inheritedOf(row, settings, rules, models),
    metrics: entry?.metrics.size ?? 0,
    lastRun: toIsoOrNull(entry?.lastRunMs ?? null),
    lastDurationMs: entry?.lastDurationMs ?? null,
    lastError: entry?.lastError ?? null,
    nextRun: toIsoOrNull(nextRunMs(entry, schedule.retryIntervalSeconds * 1_000, { model, presence })),
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }
}

/** The probe that runs a scanner now, of a row that may be newer than the model. */
export const runnerOfRow = (
  model: Pick<Model, 'standIns'>,
  row: Pick<ScannerRow, 'effective_probe' | 'kind' | 'host_address' | 'parameters'>,
): number | null =>
  runnerOf(model, {
    probeId: row.effective_probe,
    ownMachine: concernsOwnMachine(row.kind, row.host_address, row.parameters),
  })

const standInOf = (model: Model, row: ScannerRow): Scanner['standIn'] => {
  const standIn = model.standIns.get(row.effective_probe ?? 0)
  return standIn === undefined || runnerOfRow(model, row) === row.effective_probe
    ? null
    : { id: standIn.id, name: standIn.name, since: toIso(standIn.sinceMs) }
}

type Origin = Scanner['effective']['origin']
type Figure = keyof Origin

/** Who says a figure that neither a scanner nor its model does. */
const above = (figure: Figure, rules: EffectiveRules | undefined): 'rule' | 'platform' =>
  (figure === 'attempts' || figure === 'retryIntervalSeconds') && rules?.isPlatform[figure] === false
    ? 'rule'
    : 'platform'

/** Who says each figure in force: one that is neither its own nor its model's is a rule's, or the platform's. */
const originOf = (row: ScannerRow, rules: EffectiveRules | undefined): Origin => {
  const own = row.model_id === null ? SCANNER_INHERITED : scannerOverrides(row.overrides)
  const from = (figure: Figure): Origin[Figure] =>
    row[SCANNER_COLUMNS[figure]] === null ? above(figure, rules) : own.includes(figure) ? 'scanner' : 'model'
  return {
    intervalSeconds: from('intervalSeconds'),
    retryIntervalSeconds: from('retryIntervalSeconds'),
    timeoutMs: from('timeoutMs'),
    attempts: from('attempts'),
  }
}

const inheritedOf = (
  row: ScannerRow,
  settings: Settings,
  rules: EffectiveRules | undefined,
  models: Models,
): Scanner['inherited'] => {
  const said = modelScannerOf(models, row)
  if (said === null) return null
  const values = scannerValues(said)
  const from = (figure: Figure) => (values[SCANNER_COLUMNS[figure]] === null ? above(figure, rules) : 'model')
  return {
    ...effectiveSchedule(values, settings, rules),
    parameters: said.parameters,
    enabled: said.enabled,
    origin: {
      intervalSeconds: from('intervalSeconds'),
      retryIntervalSeconds: from('retryIntervalSeconds'),
      timeoutMs: from('timeoutMs'),
      attempts: from('attempts'),
    },
  }
}

/** What is in force: the scanner's own figures, else its host's rules, else the platform's; the retry never exceeds the interval, nor the timeout the retry. */
export const effectiveSchedule = (
  row: Pick<ScannerRow, 'interval_seconds' | 'retry_interval_seconds' | 'timeout_ms' | 'attempts'>,
  settings: Settings,
  rules: Pick<RuleValues, 'attempts' | 'retryIntervalSeconds'> = settings,
): { intervalSeconds: number; retryIntervalSeconds: number; timeoutMs: number; attempts: number } => {
  const intervalSeconds = row.interval_seconds ?? settings.intervalSeconds
  const retryIntervalSeconds = Math.min(row.retry_interval_seconds ?? rules.retryIntervalSeconds, intervalSeconds)
  return {
    intervalSeconds,
    retryIntervalSeconds,
    timeoutMs: Math.min(row.timeout_ms ?? settings.timeoutMs, retryIntervalSeconds * 1_000),
    attempts: row.attempts ?? rules.attempts,
  }
}
