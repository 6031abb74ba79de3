import { AVAILABILITY_KEY } from '@narval/contracts'
import {
  type FailedInput,
  isCutOff,
  type MetricInput,
  type MetricState,
  type ParentInput,
  type Reachability,
  reachability,
  rootsOfCut,
} from '@narval/engine'
import type { HostEntry, MetricEntry, Model, ScannerEntry } from './fleet/model.ts'
import { type Effects, judgeMetric } from './judge-metric.ts'

/** What a host hangs on, as far as it is monitored: what is disabled says nothing. */
export const parentsOf = (host: HostEntry): HostEntry[] => host.parents.filter(({ enabled }) => enabled)
export const childrenOf = (host: HostEntry): HostEntry[] => host.children.filter(({ enabled }) => enabled)

/** Its life test has failed for sure, or it can't be reached itself. */
export const isHostCutOff = ({ life }: HostEntry): boolean => life !== null && isCutOff(life.state)

/** All that it hangs on is cut off, and it does not answer itself: what is not heard of it says nothing. */
export const isBehindCut = (silent: ScannerEntry): boolean => {
  const { host } = silent
  if (host.parents.length === 0 || !host.rules.dependencies) return false
  // A life test that is silent itself answers no more.
  if (host.life !== null && host.life.scanner !== silent && host.life.state.severity === 'ok') return false
  const above = parentsOf(host)
  return above.length > 0 && above.every(isHostCutOff)
}

const inputOf = ({ life, vouchedMs }: HostEntry): ParentInput => ({ life: life?.state ?? null, vouchedMs })

/** What those above its host say of a scanner that fails. */
const reachOf = (metric: MetricEntry, nowMs: number): Reachability => {
  const { host } = metric.scanner
  if (host.parents.length === 0 || !host.rules.dependencies) return 'open'
  const { life } = host
  // A host that answers can be reached; one that is down for sure explains what fails on it.
  if (life !== null && life !== metric) {
    if (life.state.severity === 'ok' || life.state.hardSeverity === 'error') return 'open'
    if (isCutOff(life.state) && life.state.kind === 'hard') return 'unreachable'
  }
  // What was cut off begins to fail anew, by all its attempts.
  const isNew = metric.state.kind === 'hard' && metric.state.hardCause === 'host-unreachable'
  const problemSinceMs = isNew ? null : metric.state.problemSinceMs
  const problem = { problemSinceMs, attempts: metric.rule.attempts, retryIntervalMs: metric.scanner.retryMs }
  return reachability(parentsOf(host).map(inputOf), problem, nowMs)
}

export interface Judged {
  readonly input: MetricInput
  readonly told?: string
}

/** What a failure is judged as: itself, not confirmed yet while something above may explain it, or cut off. */
export const throughParents = (metric: MetricEntry, failed: FailedInput, nowMs: number): Judged => {
  const reach = reachOf(metric, nowMs)
  if (reach === 'open') return { input: failed }
  if (reach === 'hold') return { input: { ...failed, unconfirmed: true } }
  const { atMs } = failed
  return {
    input: { type: 'unknown', cause: 'host-unreachable', ...(atMs === undefined ? {} : { atMs }) },
    told: cutText(metric.scanner.host),
  }
}

const STATE_WORDS = { down: 'indisponible', unreachable: 'injoignable' } as const
const wordOf = (host: HostEntry): string =>
  host.life?.state.hardSeverity === 'error' ? STATE_WORDS.down : STATE_WORDS.unreachable

/** « Équipement injoignable : routeur-1 est indisponible ». */
export const cutText = (host: HostEntry): string => {
  const above = parentsOf(host)
  const [only] = above
  if (only === undefined) return 'Équipement injoignable'
  if (above.length === 1) return `Équipement injoignable\u202f: ${only.name} est ${wordOf(only)}`
  const named = above.slice(0, NAMED).map(({ name }) => name)
  const more = above.length > NAMED ? ` et ${above.length - NAMED} de plus` : ''
  return `Équipement injoignable\u202f: tous ses parents sont indisponibles (${named.join(', ')}${more})`
}
/** Parents that a sentence names. */
const NAMED = 4

/** True while an unconfirmed failure on this host may depend on the word of what is above it. */
const isWaiting = (host: HostEntry): boolean =>
  host.life === null ? availabilitiesOf(host).some(isFailingSoft) : isFailingSoft(host.life)
const isFailingSoft = ({ state }: MetricEntry): boolean => state.kind === 'soft' && state.severity === 'error'

export const availabilitiesOf = (host: HostEntry): MetricEntry[] =>
  [...host.scanners.values()].flatMap(scanner => scanner.metrics.get(AVAILABILITY_KEY) ?? [])

/**
 * What a result of a life test means for what hangs on its host: heard as good, it vouches for those that wait for it, and
 * those that were cut off are looked at again; confirmed as bad, it cuts off all that fails behind it.
 * @returns that cut, a host a step, to be made before anything else is judged; null: none.
 */
export const spread = (
  effects: Effects,
  host: HostEntry,
  before: MetricState,
  nowMs: number,
  origin: string,
): Iterable<void> | null => {
  const { life } = host
  if (life === null || life.state === before) {
    if (life !== null && before.severity === 'ok') vouch(effects, host, nowMs)
    return null
  }
  // Also where it is explained by another thing than before.
  if (isCutOff(life.state))
    return isCutOff(before) && before.hardSeverity === life.state.hardSeverity
      ? null
      : cutBehind(effects, host, nowMs, origin)
  if (isCutOff(before)) effects.released.add(host)
  vouch(effects, host, nowMs)
  return null
}

const vouch = (effects: Effects, host: HostEntry, nowMs: number): void => {
  if (host.life?.state.severity !== 'ok' || !host.children.some(isWaiting)) return
  host.vouchedMs = nowMs
  // Its row keeps that.
  effects.hosts.add(host)
}

/** Makes unreachable, step by step, all that fails behind a host that is cut off. */
function* cutBehind(effects: Effects, start: HostEntry, nowMs: number, origin: string): Generator<void> {
  const seen = new Set([start])
  for (const host of seen)
    for (const child of childrenOf(host)) {
      if (seen.has(child) || child.life === null || !child.rules.dependencies || !parentsOf(child).every(isHostCutOff))
        continue
      const { state } = child.life
      // What answers is not cut off, whatever hangs above it.
      if (state.severity === 'ok' || (state.severity === 'unknown' && !isHostCutOff(child))) continue
      if (state.severity === 'error') cutOff(effects, child, nowMs, origin)
      // Where the cut begins may have moved up.
      else effects.hosts.add(child)
      seen.add(child)
      yield
    }
}

const cutOff = (effects: Effects, host: HostEntry, nowMs: number, origin: string): void => {
  const told = cutText(host)
  const input = { type: 'unknown', cause: 'host-unreachable' } as const
  for (const availability of availabilitiesOf(host)) {
    if (availability.state.severity !== 'error') continue
    for (const metric of availability.scanner.metrics.values())
      if (metric === availability || metric.state.severity === 'unknown')
        judgeMetric(effects, metric, input, nowMs, origin, metric === availability ? told : undefined)
  }
}

/** Confirms, a host a step, what waited long enough and what no longer has to wait, though no new result has come. */
export function* judgeHeld(effects: Effects, model: Model, nowMs: number): Generator<void> {
  for (const host of model.hosts.values()) {
    yield
    if (host.parents.length === 0 || !host.enabled) continue
    for (const { metrics } of host.scanners.values()) {
      const metric = metrics.get(AVAILABILITY_KEY)
      if (metric === undefined || !isFailingSoft(metric)) continue
      const { state, rule } = metric
      if (state.attempt < rule.attempts) continue
      const before = metric.state
      const failed = { type: 'failed', message: metric.information, atMs: nowMs } as const
      const { input, told } = throughParents(metric, failed, nowMs)
      if (input.type === 'failed' && input.unconfirmed === true) continue
      const origin = `held-${state.problemSinceMs}`
      judgeMetric(effects, metric, input, nowMs, origin, told)
      if (metric === host.life) yield* spread(effects, host, before, nowMs, origin) ?? []
    }
  }
}

/** The hosts at which the cut begins that keeps this one from being reached, the first that failed first. */
export const rootsOf = (host: HostEntry): HostEntry[] =>
  rootsOfCut(host, parentsOf, isHostCutOff).toSorted((a, b) => sinceOf(a) - sinceOf(b) || a.id - b.id)
const sinceOf = ({ life }: HostEntry): number => life?.state.problemSinceMs ?? Number.POSITIVE_INFINITY

/** The incident that explains why a host can't be reached; null: none is open, or nothing above it explains it. */
export const rootIncident = (host: HostEntry): { readonly metric: MetricEntry; readonly id: number } | null => {
  for (const { life } of rootsOf(host))
    if (life !== null && life.incidentId !== null) return { metric: life, id: life.explainedBy ?? life.incidentId }
  return null
}
