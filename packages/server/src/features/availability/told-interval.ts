import type { AvailabilityInterval as ToldInterval } from '@narval/contracts'
import type { AvailabilityInterval } from '@narval/engine'
import { toIso } from '../../store/time.ts'
import type { ToldIncident, ToldRun } from './availability.store.ts'

/** An interval as it is read, with what it leads to: its incident, the maintenances that covered it. */
export const tellInterval = (
  interval: AvailabilityInterval,
  incidents: readonly ToldIncident[],
  runs: ReadonlyMap<number, ToldRun>,
): ToldInterval => {
  const { fromMs, toMs, reason, state, source, maintenances } = interval
  const incident = incidentOf(interval, incidents)
  return {
    from: toIso(fromMs),
    to: toIso(toMs),
    ...{ reason, state, source },
    incident: incident === null ? null : { id: incident.id, title: incident.title },
    maintenances: maintenances.flatMap(id => {
      const run = runs.get(id)
      return run === undefined ? [] : [{ id: run.maintenanceId, comment: run.comment }]
    }),
  }
}

/** What may tell of a state, the likeliest first. */
const ABOUT: Readonly<Partial<Record<AvailabilityInterval['state'], readonly ToldIncident['about'][]>>> = {
  down: ['life', 'other'],
  unreachable: ['cut', 'life'],
  unknown: ['probe', 'life'],
}

/** Of what tells of such a state, the incident that lasted longest within the interval. */
const incidentOf = (
  { fromMs, toMs, reason, state, source }: AvailabilityInterval,
  incidents: readonly ToldIncident[],
): ToldIncident | null => {
  if (source === 'stopped' || reason === 'not-monitored') return null
  for (const about of reason === 'flapping' ? (['life', 'other'] as const) : (ABOUT[state] ?? [])) {
    let found: ToldIncident | null = null
    let longestMs = 0
    for (const incident of incidents) {
      if (incident.about !== about) continue
      const sharedMs = Math.min(toMs, incident.toMs) - Math.max(fromMs, incident.fromMs)
      if (sharedMs <= longestMs) continue
      found = incident
      longestMs = sharedMs
    }
    if (found !== null) return found
  }
  return null
}
