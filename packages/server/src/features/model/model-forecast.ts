import { AVAILABILITY_KEY, type ModelPlan, type Thresholds, valueText } from '@narval/contracts'
import { judge, type Severity, severityRank } from '@narval/engine'
import {
  type HostEntry,
  isActive,
  lifeMetric,
  type MetricEntry,
  type ScannerEntry,
} from '../../monitoring/fleet/model.ts'
import { judgeHost } from '../../monitoring/host-roll-up.ts'

/** What a change would do to one host, by ids: what is left out stays. */
export interface HostForecast {
  readonly deletedScanners: ReadonlySet<number>
  readonly scannersEnabled: ReadonlyMap<number, boolean>
  readonly metrics: ReadonlyMap<number, { readonly thresholds?: Thresholds; readonly enabled?: boolean }>
}
export type ForecastExample = ModelPlan['examples'][number]

interface Reason {
  /** What the metric counted as, and would; null: not at all. */
  readonly before: Severity | null
  readonly after: Severity | null
  readonly text: string
}

/**
 * How the severity of a host would change with the values of now: present values are judged by the new thresholds with
 * the memory of those crossed, as confirmed; failures and silence stay what they are. New scanners are not foreseen.
 * Null when the severity stays. The fleet in memory is not touched.
 */
export const forecastHost = (host: HostEntry, forecast: HostForecast): ForecastExample | null => {
  const before = judgeHost(host).severity
  const { shadow, reasons } = shadowOf(host, forecast)
  const after = judgeHost(shadow).severity
  if (before === after) return null
  const because = reasonFor(reasons, before, after)
  return { hostId: host.id, hostName: host.name, before, after, because }
}

const shadowOf = (host: HostEntry, forecast: HostForecast) => {
  const reasons: Reason[] = []
  const shadow: HostEntry = { ...host, scanners: new Map() }
  for (const scanner of host.scanners.values()) {
    if (forecast.deletedScanners.has(scanner.id)) {
      for (const metric of scanner.metrics.values())
        reasons.push({ before: countedAs(metric), after: null, text: `Le scanner « ${scanner.name} » disparaît.` })
      continue
    }
    const enabled = forecast.scannersEnabled.get(scanner.id) ?? scanner.enabled
    const copy: ScannerEntry = { ...scanner, host: shadow, enabled, metrics: new Map() }
    shadow.scanners.set(copy.id, copy)
    for (const metric of scanner.metrics.values()) {
      const change = forecast.metrics.get(metric.id)
      const state = change?.thresholds === undefined ? metric.state : judgedBy(metric, change.thresholds)
      const next: MetricEntry = { ...metric, scanner: copy, enabled: change?.enabled ?? metric.enabled, state }
      copy.metrics.set(next.key, next)
      const text = reasonText(metric, next, change?.thresholds)
      if (text !== null) reasons.push({ before: countedAs(metric), after: countedAs(next), text })
    }
  }
  shadow.life = lifeMetric(shadow)
  return { shadow, reasons }
}

const countedAs = (metric: MetricEntry): Severity | null => (isActive(metric) ? metric.state.hardSeverity : null)

/** A value is judged again; a run that failed, or nothing heard, is no matter of thresholds. */
const judgedBy = (metric: MetricEntry, thresholds: Thresholds): MetricEntry['state'] => {
  const { value, state, scanner, key } = metric
  const hasFailed = key === AVAILABILITY_KEY && scanner.lastError !== null
  if (value === null || state.severity === 'unknown' || hasFailed) return state
  const { severity, raised } = judge(value, thresholds, state.raised)
  return { ...state, severity, raised, hardSeverity: severity, hardCause: null, kind: 'hard' }
}

const reasonText = (before: MetricEntry, after: MetricEntry, thresholds: Thresholds | undefined): string | null => {
  if (before.scanner.enabled !== after.scanner.enabled)
    return `Le scanner « ${before.scanner.name} » est ${after.scanner.enabled ? 'activé' : 'désactivé'}.`
  if (before.enabled !== after.enabled)
    return `La métrique « ${before.name} » est ${after.enabled ? 'activée' : 'désactivée'}.`
  if (thresholds === undefined || before.value === null) return null
  const value = valueText(before.value, before.unit)
  const { crossed } = judge(before.value, thresholds, before.state.raised)
  const threshold = crossed === null ? null : thresholds[crossed]
  if (crossed === null || threshold === null) return `${before.name} : ${value}, dans les seuils.`
  return `${before.name} : ${value} ${crossed.endsWith('High') ? '>' : '<'} ${valueText(threshold, before.unit)}.`
}

/** When it would be worse, what brings the new severity; when better, what no longer brings the former. */
const reasonFor = (reasons: readonly Reason[], before: Severity, after: Severity): string => {
  const changed = reasons.filter(reason => reason.before !== reason.after)
  const isWorse = severityRank(after) < severityRank(before)
  const fits = changed.find(reason => (isWorse ? reason.after === after : reason.before === before))
  return (fits ?? changed[0])?.text ?? ''
}
