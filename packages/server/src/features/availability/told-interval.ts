import type { MetricAvailabilityInterval, AvailabilityInterval as ToldInterval } from '@narval/contracts'
import type { AvailabilityInterval, MaintenanceSpan, MetricInterval, UnknownCause } from '@narval/engine'
import { toIso } from '../../store/time.ts'
import type { ToldIncident, ToldRun } from './availability.store.ts'

/** An interval as it is read, with what it leads to: its incident, the maintenances that covered it. */
export const tellInterval = (
  interval: AvailabilityInterval,
  incidents: readonly ToldIncident[],
  runs: ReadonlyMap<number, ToldRun>,
): ToldInterval => {
  const { reason, state } = interval
  return { ...toldOf(interval, incidentOf(interval, incidents), runs), reason, state }
}

/** The same of a metric: `scanner` is the availability of its scanner. */
export const tellMetricInterval = (
  interval: MetricInterval,
  metric: { readonly id: number; readonly scanner: number | null },
  incidents: readonly ToldIncident[],
  runs: ReadonlyMap<number, ToldRun>,
): MetricAvailabilityInterval => {
  const { reason, severity, cause, source } = interval
  const about = cause === null ? undefined : CAUSED_BY[cause]
  const isTold = severity !== 'ok' && severity !== 'disabled' && source !== 'stopped'
  const byScanner = cause === 'scanner-failed' || cause === 'credentials-refused'
  const incident = !isTold
    ? null
    : (longestOf(interval, incidents, one => one.metricId === metric.id) ??
      (about === undefined ? null : longestOf(interval, incidents, one => one.about === about)) ??
      (byScanner ? longestOf(interval, incidents, one => one.metricId === metric.scanner) : null))
  return { ...toldOf(interval, incident, runs), reason, severity, cause }
}

/** What else tells why a metric is unknown. */
const CAUSED_BY: Readonly<Partial<Record<UnknownCause, ToldIncident['about']>>> = {
  'probe-offline': 'probe',
  'probe-link': 'life',
  'host-unreachable': 'cut',
}

const toldOf = (
  { fromMs, toMs, source, maintenances }: Pick<AvailabilityInterval, 'fromMs' | 'toMs' | 'source' | 'maintenances'>,
  incident: ToldIncident | null,
  runs: ReadonlyMap<number, ToldRun>,
) => ({
  from: toIso(fromMs),
  to: toIso(toMs),
  source,
  incident: incident === null ? null : { id: incident.id, title: incident.title },
  maintenances: maintenances.flatMap(id => {
    const run = runs.get(id)
    return run === undefined ? [] : [{ id: run.maintenanceId, comment: run.comment }]
  }),
})

/** What may tell of a state, the likeliest first. */
const ABOUT: Readonly<Partial<Record<AvailabilityInterval['state'], readonly ToldIncident['about'][]>>> = {
  down: ['life', 'other'],
  unreachable: ['cut', 'life'],
  unknown: ['probe', 'life'],
}

/** Of what tells of such a state, the incident that lasted longest within the interval. */
const incidentOf = (interval: AvailabilityInterval, incidents: readonly ToldIncident[]): ToldIncident | null => {
  const { reason, state, source } = interval
  if (source === 'stopped' || reason === 'not-monitored') return null
  for (const about of reason === 'flapping' ? (['life', 'other'] as const) : (ABOUT[state] ?? [])) {
    const found = longestOf(interval, incidents, incident => incident.about === about)
    if (found !== null) return found
  }
  return null
}

/** Of those that pass, the one that lasted longest within a time. */
const longestOf = (
  { fromMs, toMs }: MaintenanceSpan,
  incidents: readonly ToldIncident[],
  isAbout: (incident: ToldIncident) => boolean,
): ToldIncident | null => {
  let found: ToldIncident | null = null
  let longestMs = 0
  for (const incident of incidents) {
    if (!isAbout(incident)) continue
    const sharedMs = Math.min(toMs, incident.toMs) - Math.max(fromMs, incident.fromMs)
    if (sharedMs <= longestMs) continue
    found = incident
    longestMs = sharedMs
  }
  return found
}
