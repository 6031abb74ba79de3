import { NO_THRESHOLDS } from '@narval/contracts'
import { initialMetricState, NO_COUNTS, type Severity } from '@narval/engine'
import { describe, expect, it } from 'vitest'
import type { HostEntry, MetricEntry, ScannerEntry, SiteEntry } from '../../monitoring/fleet/model.ts'
import { PLAIN_RULES } from '../../testing/rules.ts'
import { forecastHost, type HostForecast } from './model-forecast.ts'

const STILL: HostForecast = { deletedScanners: new Set(), scannersEnabled: new Map(), metrics: new Map() }
const site: SiteEntry = { id: 1, name: 'Lyon', folded: 'lyon', hosts: new Map(), counts: NO_COUNTS, maintenance: null }

const newHost = (): HostEntry => ({
  id: 1,
  name: 'srv',
  folded: 'srv',
  site,
  enabled: true,
  createdMs: 0,
  lifeScannerId: null,
  facts: {
    address: '',
    tags: '',
    typeId: null,
    typeName: null,
    modelId: null,
    modelName: null,
    probeId: null,
    probeName: null,
    updatedMs: 0,
  },
  rules: PLAIN_RULES,
  scanners: new Map(),
  parents: [],
  children: [],
  vouchedMs: Number.NEGATIVE_INFINITY,
  cutBy: null,
  maintenance: null,
  life: null,
  counts: NO_COUNTS,
  state: 'available',
  severity: 'ok',
  sinceMs: 0,
})

/** A scanner whose availability is good and that has one metric with this value, alert above 80, error above 90. */
const addScanner = (host: HostEntry, id: number, name: string, severity: Severity, value: number): ScannerEntry => {
  const scanner: ScannerEntry = {
    id,
    name,
    folded: name,
    kind: 'ping',
    host,
    probeId: 1,
    intervalMs: 60_000,
    rules: PLAIN_RULES,
    retryMs: 20_000,
    staleMs: 180_000,
    enabled: true,
    ownMachine: false,
    silenceIsError: false,
    metrics: new Map(),
    heardMs: 0,
    lastRunMs: 0,
    lastProbeId: null,
    lastDurationMs: 1,
    lastError: null,
  }
  const add = (metricId: number, key: string, state: Partial<MetricEntry['state']>, now: number): void => {
    const thresholds = { ...NO_THRESHOLDS, warningHigh: 80, errorHigh: 90 }
    const rule = { thresholds, attempts: 3, noData: 'unknown', opensIncident: true } as const
    scanner.metrics.set(key, {
      id: metricId,
      key,
      name: key === 'availability' ? `Disponibilité (${name})` : 'Charge',
      folded: key,
      unit: '',
      type: 'gauge',
      rule,
      rules: PLAIN_RULES,
      enabled: true,
      scanner,
      state: { ...initialMetricState(0), severity: 'ok', hardSeverity: 'ok', cause: null, hardCause: null, ...state },
      information: '',
      incidentId: null,
      explainedBy: null,
      acknowledged: false,
      maintenance: null,
      value: now,
      atMs: 0,
      raw: null,
      heardMs: 0,
    })
  }
  add(id * 10, 'availability', {}, 1)
  add(id * 10 + 1, 'load', { severity, hardSeverity: severity, raised: severity === 'ok' ? 0 : 1 }, value)
  host.scanners.set(id, scanner)
  host.life = scanner.metrics.get('availability') ?? null
  return scanner
}
const withThresholds = (id: number, over: object): HostForecast => ({
  ...STILL,
  metrics: new Map([[id, { thresholds: { ...NO_THRESHOLDS, ...over } }]]),
})

describe('what a change would do to a host', () => {
  it('nothing when nothing changes, and the fleet in memory stays as it is', () => {
    const host = newHost()
    const scanner = addScanner(host, 1, 'Ping', 'ok', 50)
    const before = structuredClone({ ...host, scanners: [...scanner.metrics.values()].map(one => one.state) })
    expect(forecastHost(host, STILL)).toBeNull()
    expect(forecastHost(host, withThresholds(11, { errorHigh: 10 }))).not.toBeNull()
    expect({ ...host, scanners: [...scanner.metrics.values()].map(one => one.state) }).toEqual(before)
  })

  it('a present value is judged by the new thresholds, and the reason names value and threshold', () => {
    const host = newHost()
    addScanner(host, 1, 'Ping', 'ok', 50)
    expect(forecastHost(host, withThresholds(11, { warningHigh: 40, errorHigh: 60 }))).toMatchObject({
      hostName: 'srv',
      before: 'ok',
      after: 'warning',
      because: 'Charge : 50 > 40.',
    })
    expect(forecastHost(host, withThresholds(11, { warningHigh: 55 }))).toBeNull()
  })

  it('a threshold that was crossed keeps its memory: within the new clear value the state stays', () => {
    const host = newHost()
    addScanner(host, 1, 'Ping', 'warning', 85)
    expect(forecastHost(host, withThresholds(11, { warningHigh: 86 }))).toBeNull()
    expect(forecastHost(host, withThresholds(11, { warningHigh: 100 }))).toMatchObject({
      before: 'warning',
      after: 'ok',
      because: 'Charge : 85, dans les seuils.',
    })
  })

  it('a scanner that disappears or is disabled takes its states along', () => {
    const host = newHost()
    addScanner(host, 2, 'SSH', 'warning', 85)
    addScanner(host, 1, 'Ping', 'ok', 50)
    expect(forecastHost(host, { ...STILL, deletedScanners: new Set([2]) })).toMatchObject({
      after: 'ok',
      because: 'Le scanner « SSH » disparaît.',
    })
    expect(forecastHost(host, { ...STILL, scannersEnabled: new Map([[2, false]]) })).toMatchObject({
      after: 'ok',
      because: 'Le scanner « SSH » est désactivé.',
    })
    expect(forecastHost(host, { ...STILL, metrics: new Map([[21, { enabled: false }]]) })).toMatchObject({
      after: 'ok',
      because: 'La métrique « Charge » est désactivée.',
    })
    expect(forecastHost(host, { ...STILL, deletedScanners: new Set([1, 2]) })).toMatchObject({ after: 'unknown' })
  })

  it('a run that failed, or a value that nobody knows, is no matter of thresholds', () => {
    const host = newHost()
    const scanner = addScanner(host, 1, 'Ping', 'ok', 50)
    scanner.lastError = 'délai dépassé'
    expect(forecastHost(host, withThresholds(10, { errorLow: 2 }))).toBeNull()
    const load = scanner.metrics.get('load')
    if (load !== undefined) load.value = null
    expect(forecastHost(host, withThresholds(11, { errorHigh: 1 }))).toBeNull()
  })
})
