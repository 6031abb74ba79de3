import type { ModelPlan, Thresholds } from '@narval/contracts'
import type { Model } from '../../monitoring/fleet/model.ts'
import type { Db } from '../../store/database.ts'
import { type Foreseen, type ModelChanges, modelChanges } from '../../store/model-changes.ts'
import { createTally } from '../../store/model-inheritance.ts'
import { type ForecastExample, forecastHost, type HostForecast } from './model-forecast.ts'

const MAX_EXAMPLES = 20

/**
 * What a change of a model would do to these hosts; its examples are in the order of their ids, batch by batch. Nothing is
 * written; others get their turn between batches.
 */
export const planModel = async (
  db: Db,
  fleet: Model,
  hostIds: readonly number[],
  foreseen: Foreseen,
): Promise<ModelPlan> => {
  const tally = createTally()
  const examples: ForecastExample[] = []
  let hostsChangingState = 0
  for await (const changes of modelChanges(db, hostIds, foreseen)) {
    tally.add(changes)
    for (const [hostId, forecast] of [...forecastsOf(changes)].toSorted(([a], [b]) => a - b)) {
      const host = fleet.hosts.get(hostId)
      const example = host === undefined ? null : forecastHost(host, forecast)
      if (example === null) continue
      hostsChangingState += 1
      if (examples.length < MAX_EXAMPLES) examples.push(example)
    }
  }
  const { scannersCreated, scannersUpdated, scannersDeleted, metricsUpdated, metricsDeleted } = tally.total()
  const counts = { scannersCreated, scannersUpdated, scannersDeleted, metricsUpdated, metricsDeleted }
  return { hosts: hostIds.length, hostsChangingState, ...counts, examples }
}

interface Growing extends HostForecast {
  readonly deletedScanners: Set<number>
  readonly scannersEnabled: Map<number, boolean>
  readonly metrics: Map<number, { thresholds?: Thresholds; enabled?: boolean }>
}

/** By host, what may change its severity. */
const forecastsOf = (changes: ModelChanges): ReadonlyMap<number, HostForecast> => {
  const forecasts = new Map<number, Growing>()
  const of = (hostId: number): Growing => {
    const known = forecasts.get(hostId)
    if (known !== undefined) return known
    const made: Growing = { deletedScanners: new Set(), scannersEnabled: new Map(), metrics: new Map() }
    forecasts.set(hostId, made)
    return made
  }
  for (const { id, host_id } of changes.deleted) of(host_id).deletedScanners.add(id)
  for (const { kept, change } of changes.scanners)
    if (change.enabled !== undefined) of(kept.held.host_id).scannersEnabled.set(kept.held.id, change.enabled === 1)
  for (const { hostId, held, change } of changes.metrics) {
    if (change.thresholds === undefined && change.enabled === undefined) continue
    of(hostId).metrics.set(held.id, {
      ...(change.thresholds === undefined ? {} : { thresholds: JSON.parse(change.thresholds) }),
      ...(change.enabled === undefined ? {} : { enabled: change.enabled === 1 }),
    })
  }
  return forecasts
}
