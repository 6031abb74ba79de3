import type { Model } from '../fleet/model.ts'

/** Where all stands as the history has it, by id: some bytes each, were there 100,000. */
export interface Known {
  /** 0: it does not count, or nothing is known of it. */
  metric(id: number): number
  setMetric(id: number, hostId: number, code: number): void
  /** 0: nothing is known of it. */
  host(id: number): number
  setHost(id: number, code: number): void
  hostOf(metricId: number): number
  siteOf(hostId: number): number
  setSite(hostId: number, siteId: number): void
  /** Metrics that these hosts have, or had; null: all. */
  metricsOf(model: Model, hostIds: readonly number[] | null): Iterable<number>
}

export const createKnown = (): Known => {
  const codes = createColumn()
  const hosts = createColumn()
  const hostStates = createColumn()
  const sites = createColumn()

  function* metricsOf(model: Model, hostIds: readonly number[] | null): Generator<number> {
    const wanted = hostIds === null ? null : new Set(hostIds)
    for (let id = 1; id < codes.length(); id += 1)
      if (codes.get(id) !== 0 && (wanted === null || wanted.has(hosts.get(id)))) yield id
    for (const hostId of wanted ?? model.hosts.keys())
      for (const scanner of model.hosts.get(hostId)?.scanners.values() ?? [])
        for (const { id } of scanner.metrics.values()) if (codes.get(id) === 0) yield id
  }

  return {
    metric: codes.get,
    setMetric(id, hostId, code) {
      codes.set(id, code)
      hosts.set(id, hostId)
    },
    host: hostStates.get,
    setHost: hostStates.set,
    hostOf: hosts.get,
    siteOf: sites.get,
    setSite: sites.set,
    metricsOf,
  }
}

/** Numbers by id, 0 where none was set. */
const createColumn = () => {
  let held = new Int32Array(1_024)
  return {
    get: (id: number): number => held[id] ?? 0,
    set(id: number, value: number): void {
      if (id >= held.length) {
        const wider = new Int32Array(Math.max(id + 1, held.length * 2))
        wider.set(held)
        held = wider
      }
      held[id] = value
    },
    length: (): number => held.length,
  }
}
