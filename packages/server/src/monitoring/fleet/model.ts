import { CHECKS, type CheckKind, type HostStateName, type MetricType, type Unit } from '@narval/contracts'
import type { MetricRule, MetricState, Severity, SeverityCounts } from '@narval/engine'
import type { EffectiveRules } from './effective-rules.ts'

/**
 * The fleet in memory, as monitoring sees it: what each result is judged against, and where everything stands. The
 * database is its source at start and after each change; states are written there as they change.
 */
export interface MetricEntry {
  readonly id: number
  readonly key: string
  readonly name: string
  /** Names without case and accents, as they are searched and sorted. */
  readonly folded: string
  readonly unit: Unit
  readonly type: MetricType
  readonly rule: MetricRule
  /** What it inherits, or has of its own. */
  readonly rules: EffectiveRules
  readonly enabled: boolean
  readonly scanner: ScannerEntry
  state: MetricState
  /** Failure or cause in French, '' when there is nothing to say. */
  information: string
  incidentId: number | null
  /** The incident that explains its own; null while that one stands for itself. */
  explainedBy: number | null
  acknowledged: boolean
  /** The maintenance that covers it (`maintenance.ts`). */
  maintenance: ActiveWindow | null
  /** Newest sample by the probe's clock; counters: the rate per second. Null: none yet. */
  value: number | null
  atMs: number | null
  /** Newest raw value of a counter, from which the next rate is made. */
  raw: number | null
  /** When the server last heard of it, or began to wait for it. */
  heardMs: number
}

export interface ScannerEntry {
  readonly id: number
  readonly name: string
  readonly folded: string
  readonly kind: CheckKind
  readonly host: HostEntry
  readonly probeId: number | null
  readonly intervalMs: number
  readonly rules: EffectiveRules
  /** Between two attempts, while a bad result is not confirmed. */
  readonly retryMs: number
  /** Nothing heard for longer is silence. */
  readonly staleMs: number
  readonly enabled: boolean
  /** It says something of the machine of its probe: no other one runs it. */
  readonly ownMachine: boolean
  /** Nothing heard for long is a failure, not a doubt: of what is pushed to the server. */
  readonly silenceIsError: boolean
  readonly metrics: Map<string, MetricEntry>
  heardMs: number
  lastRunMs: number | null
  /** The probe whose run that was; null before the first one since the start. */
  lastProbeId: number | null
  lastDurationMs: number | null
  lastError: string | null
}

export interface HostEntry {
  readonly id: number
  readonly name: string
  readonly folded: string
  readonly site: SiteEntry
  readonly enabled: boolean
  readonly createdMs: number
  readonly lifeScannerId: number | null
  readonly facts: HostFacts
  readonly rules: EffectiveRules
  readonly scanners: Map<number, ScannerEntry>
  /** What it hangs on, and what hangs on it: each host once, disabled ones too. */
  readonly parents: HostEntry[]
  readonly children: HostEntry[]
  /** When a result of its life test last arrived that its children had to wait for; -Infinity: never. */
  vouchedMs: number
  /** The incident because of which it can't be reached, as it is written. */
  cutBy: number | null
  /** The maintenance that covers it whole. */
  maintenance: ActiveWindow | null
  /** Its life test (`lifeMetric`), found once each time the fleet changes. */
  life: MetricEntry | null
  counts: SeverityCounts
  state: HostStateName
  severity: Severity
  sinceMs: number
}

/** What equipment is searched and sorted by beside its name: texts without case and accents, null where it has none. */
export interface HostFacts {
  readonly address: string
  readonly tags: string
  readonly typeId: number | null
  readonly typeName: string | null
  readonly modelId: number | null
  readonly modelName: string | null
  /** Its own probe, not one that it gets from its site. */
  readonly probeId: number | null
  readonly probeName: string | null
  readonly updatedMs: number
}

export interface SiteEntry {
  readonly id: number
  readonly name: string
  readonly folded: string
  readonly hosts: Map<number, HostEntry>
  /** Hosts by severity. */
  counts: SeverityCounts
  maintenance: ActiveWindow | null
}

/** A maintenance that takes place, as what it covers shows it; epoch ms. */
export interface ActiveWindow {
  readonly id: number
  readonly comment: string
  readonly fromMs: number
  readonly untilMs: number
}

export interface Model {
  /** Another one each time that objects were read again: what is made from them alone holds as long. */
  version: number
  readonly sites: Map<number, SiteEntry>
  readonly hosts: Map<number, HostEntry>
  readonly scanners: Map<number, ScannerEntry>
  readonly metrics: Map<number, MetricEntry>
  /** By probe: the one that runs its scanners for now (`failover.ts`). */
  readonly standIns: Map<number, StandIn>
}

/** A probe that runs what another one of its group is in charge of. */
export interface StandIn {
  readonly id: number
  readonly name: string
  readonly sinceMs: number
  /** Since when the one in charge speaks again; null while it is silent. */
  readonly backSinceMs: number | null
  /** Both stand on the server's machine: checks of that machine move too. */
  readonly sameMachine: boolean
}

/** In place of a probe for what the server itself takes in: no probe has this id. */
export const SERVER_RUNNER = 0

/** The probe that runs a scanner now: the one in charge of it, or its stand-in. */
export const runnerOf = (
  model: Pick<Model, 'standIns'>,
  { probeId, ownMachine }: Pick<ScannerEntry, 'probeId' | 'ownMachine'>,
): number | null => {
  const standIn = probeId === null ? undefined : model.standIns.get(probeId)
  return standIn === undefined || (ownMachine && !standIn.sameMachine) ? probeId : standIn.id
}

/** A metric counts where it is enabled and its host and scanner are too. */
export const isActive = (metric: MetricEntry): boolean =>
  metric.enabled && metric.scanner.enabled && metric.scanner.host.enabled

/** The availability metric of the scanner whose failure makes a host « Indisponible »: chosen, else a ping, else the first. */
export const lifeMetric = (host: HostEntry): MetricEntry | null => {
  const enabled = [...host.scanners.values()].filter(scanner => scanner.enabled)
  // That nobody can be heard says nothing of who might speak.
  const scanners = enabled.filter(scanner => CHECKS[scanner.kind].passive !== true)
  const life =
    enabled.find(scanner => scanner.id === host.lifeScannerId) ??
    scanners.find(scanner => scanner.kind === 'ping') ??
    scanners.toSorted((a, b) => a.id - b.id)[0]
  return life?.metrics.get('availability') ?? null
}
