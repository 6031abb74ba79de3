import { EXACT, SEARCH_KINDS, type SearchKind, type SearchResult } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { type Viewer, where } from '../../http/caller.ts'
import type { MetricEntry, Model } from '../../monitoring/fleet/model.ts'
import { seesHost, seesSite, seesSome } from '../../store/visible.ts'
import { hasIncident, hostSeverity, metricSeverity, scannerSeverity, siteSeverity } from './search-fleet.ts'
import type { SearchRecords } from './search-records.ts'
import { resultOf, SHOWN } from './search-results.ts'

interface RecallDeps {
  readonly model: Model
  readonly records: SearchRecords
  readonly probeSeverity: (id: number) => Severity | null
  readonly mayFind: (viewer: Viewer, kind: SearchKind) => boolean
}

/** Objects that were found before, as they are now: `host:4,metric:12`. What is gone, over or hidden is left out. */
export const createRecall = ({ model, records, probeSeverity, mayFind }: RecallDeps) => {
  const recalled = async (viewer: Viewer, kind: SearchKind, id: number): Promise<SearchResult | null> => {
    const sees = seesHost(viewer)
    switch (kind) {
      case 'site': {
        const site = model.sites.get(id)
        if (site === undefined || !seesSome(viewer)(site)) return null
        const sight = { seesSite: seesSite(viewer), seesHost: sees }
        const place = sight.seesSite(id) ? (await records.places()).get(id) : undefined
        return resultOf(kind, SHOWN.site(site, place), siteSeverity(site, sight), EXACT)
      }
      case 'host': {
        const host = model.hosts.get(id)
        return host === undefined || !sees(host) ? null : resultOf(kind, SHOWN.host(host), hostSeverity(host), EXACT)
      }
      case 'metric': {
        const metric = model.metrics.get(id)
        if (metric === undefined || !sees(metric.scanner.host)) return null
        return resultOf(kind, SHOWN.metric(metric), metricSeverity(metric), EXACT)
      }
      case 'incident':
        return recalledIncident(viewer, id)
      case 'scanner': {
        const scanner = model.scanners.get(id)
        if (scanner === undefined || !seesHost(where(viewer, 'scanner_read'))(scanner.host)) return null
        return resultOf(kind, SHOWN.scanner(scanner), scannerSeverity(scanner), EXACT)
      }
      default: {
        const record = (await records[kind]()).find(one => one.id === id)
        const severity = kind === 'probe' ? probeSeverity(id) : null
        return record === undefined ? null : resultOf(kind, SHOWN.record(record), severity, EXACT)
      }
    }
  }
  const recalledIncident = async (viewer: Viewer, id: number): Promise<SearchResult | null> => {
    const metric = metricOf(model, id)
    if (metric !== undefined)
      return seesHost(viewer)(metric.scanner.host)
        ? resultOf('incident', SHOWN.incident(metric), metric.state.hardSeverity, EXACT)
        : null
    const record = (await records.probeIncidents(viewer)).find(one => one.id === id)
    return record === undefined ? null : resultOf('incident', SHOWN.record(record), record.severity, EXACT)
  }
  return async (viewer: Viewer, objects: string): Promise<SearchResult[]> => {
    const found: SearchResult[] = []
    for (const object of objects.split(',')) {
      const [word, id] = object.split(':')
      const kind = SEARCH_KINDS.find(one => one === word)
      if (kind === undefined || !mayFind(viewer, kind)) continue
      const one = await recalled(viewer, kind, Number(id))
      if (one !== null) found.push(one)
    }
    return found
  }
}

const metricOf = (model: Model, incidentId: number): MetricEntry | undefined => {
  for (const metric of model.metrics.values())
    if (metric.incidentId === incidentId && hasIncident(metric)) return metric
  return undefined
}
