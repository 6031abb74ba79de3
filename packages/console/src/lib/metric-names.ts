import type { Metric } from '@narval/contracts'

/** Names of metrics by their ids; where two of a host have the same, with the scanner that each comes from. */
export const distinctNames = (
  metrics: readonly Pick<Metric, 'id' | 'hostId' | 'name' | 'scannerName'>[],
): ReadonlyMap<number, string> => {
  const bearers = Map.groupBy(metrics, ({ hostId, name }) => `${hostId} ${name}`)
  return new Map(
    metrics.map(({ id, hostId, name, scannerName }) => [
      id,
      (bearers.get(`${hostId} ${name}`)?.length ?? 0) > 1 ? `${name} (${scannerName})` : name,
    ]),
  )
}
