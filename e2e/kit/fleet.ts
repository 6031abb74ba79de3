import { hostRoutes, type Metric, metricRoutes, type Scanner, scannerRoutes, siteRoutes } from '@narval/contracts'
import type { ApiClient } from './client.ts'

export interface TcpScanner {
  readonly scanner: Scanner
  readonly hostId: number
  /** Its metric `connect_time`. */
  readonly connectTime: Metric
  readonly availability: Metric
}

/** Seconds between two results of a scanner for which a test speaks: however slow the machine, none is missed meanwhile. */
export const SELDOM_S = 3_600

/** A host of its own without ping, on a site of its own, with tcp scanners that this probe runs. */
export const createTcpScanners = async (
  api: ApiClient,
  options: {
    probeId: number
    name: string
    count?: number
    port?: number
    intervalSeconds?: number
    attempts?: number
  },
): Promise<TcpScanner[]> => {
  const { probeId, name, count = 1, port = 1, intervalSeconds = 5, attempts = 1 } = options
  const site = await api.call(siteRoutes.create, { body: { name, code: name.toUpperCase() } })
  const host = await api.call(hostRoutes.create, {
    body: { name, address: '127.0.0.1', siteId: site.id, withPing: false },
  })
  const scanners: TcpScanner[] = []
  for (let index = 0; index < count; index++) {
    const scanner = await api.call(scannerRoutes.create, {
      body: {
        name: `tcp-${index}`,
        kind: 'tcp',
        hostId: host.id,
        probeId,
        intervalSeconds,
        retryIntervalSeconds: 1,
        timeoutMs: 1_000,
        attempts,
        parameters: { port },
      },
    })
    const metrics = await api.call(scannerRoutes.metrics, { query: { id: String(scanner.id) } })
    scanners.push({
      scanner,
      hostId: host.id,
      connectTime: metricOf(metrics, 'connect_time'),
      availability: metricOf(metrics, 'availability'),
    })
  }
  return scanners
}

const metricOf = (metrics: readonly Metric[], key: string): Metric => {
  const metric = metrics.find(one => one.key === key)
  if (metric === undefined) throw new Error(`no metric ${key}`)
  return metric
}

const SLICE_MS = 60_000

export interface StoredSample {
  readonly at: number
  readonly value: number
}

/** The most that one answer gives as they are. */
const POINTS = 5_000

/** Every stored sample of a metric in [fromMs, toMs), as it is; throws where a slice holds more than 5,000 of them. */
export const readSamples = async (
  api: ApiClient,
  metric: number,
  fromMs: number,
  toMs: number,
): Promise<StoredSample[]> => {
  const samples: StoredSample[] = []
  for (let from = fromMs; from < toMs; from += SLICE_MS) {
    const query = {
      ids: String(metric),
      from: new Date(from).toISOString(),
      to: new Date(Math.min(from + SLICE_MS, toMs)).toISOString(),
      points: String(POINTS),
    }
    const { stepMs, series } = await api.call(metricRoutes.data, { query })
    if (stepMs !== 0) throw new Error(`${query.from}: more samples than one answer gives`)
    for (const one of series)
      for (const [index, at] of one.at.entries()) {
        const value = one.value[index]
        if (value !== null && value !== undefined) samples.push({ at, value })
      }
  }
  return samples
}
