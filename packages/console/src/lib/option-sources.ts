import {
  hostRoutes,
  metricRoutes,
  monitoringModelRoutes,
  probeRoutes,
  SELECT2_PAGE,
  scannerRoutes,
  siteRoutes,
} from '@narval/contracts'
import { call } from './api.ts'
import type { OptionSource } from './option-source.ts'

const named = (items: readonly { readonly id: number; readonly name: string }[], id: number): string =>
  items.find(item => item.id === id)?.name ?? `n° ${id}`

/** Sites, by name. */
export const siteOptions: OptionSource = {
  key: 'site',
  search: (term, signal) => call(siteRoutes.select2, { query: { term }, signal }),
  nameOf: async (id, signal) => (await call(siteRoutes.get, { params: { id }, signal })).name,
}
export const siteTypeOptions: OptionSource = {
  key: 'site-type',
  search: (term, signal) => call(siteRoutes.select2Type, { query: { term }, signal }),
  nameOf: async (id, signal) => named(await call(siteRoutes.types, { signal }), id),
}
export const hostOptions: OptionSource = {
  key: 'host',
  search: (term, signal) => call(hostRoutes.select2, { query: { term }, signal }),
  nameOf: async (id, signal) => (await call(hostRoutes.get, { params: { id }, signal })).name,
}
export const hostTypeOptions: OptionSource = {
  key: 'host-type',
  search: (term, signal) => call(hostRoutes.select2Type, { query: { term }, signal }),
  nameOf: async (id, signal) => named(await call(hostRoutes.types, { signal }), id),
}
/** Monitoring models, by name. */
export const monitoringModelOptions: OptionSource = {
  key: 'monitoring-model',
  search: (term, signal) => call(monitoringModelRoutes.select2, { query: { term }, signal }),
  nameOf: async (id, signal) => (await call(monitoringModelRoutes.get, { params: { id }, signal })).name,
}
export const hostModelOptions: OptionSource = {
  key: 'host-model',
  search: (term, signal) => call(hostRoutes.select2Model, { query: { term }, signal }),
  nameOf: async (id, signal) => named(await call(hostRoutes.models, { signal }), id),
}
/** Probes have no Select2 route: their list is searched. Needs the claim `probe_write`. */
export const probeOptions: OptionSource = {
  key: 'probe',
  search: async (term, signal) => {
    const body = {
      length: SELECT2_PAGE,
      search: { value: term },
      columns: [{ data: 'name' }],
      order: [{ column: 0, dir: 'asc' as const }],
    }
    const page = await call(probeRoutes.datatable.put, { body, signal })
    return {
      results: page.data.filter(probe => probe.state !== 'revoked').map(probe => ({ id: probe.id, text: probe.name })),
      pagination: { more: page.recordsFiltered > page.data.length },
    }
  },
  nameOf: async (id, signal) => (await call(probeRoutes.get, { params: { id }, signal })).name,
}
/** Metrics, with their host. */
export const metricOptions: OptionSource = {
  key: 'metric',
  search: async (term, signal) => {
    const body = {
      length: SELECT2_PAGE,
      search: { value: term },
      columns: [{ data: 'hostName' }, { data: 'name' }],
      order: [
        { column: 0, dir: 'asc' as const },
        { column: 1, dir: 'asc' as const },
      ],
    }
    const page = await call(metricRoutes.datatable.put, { body, signal })
    return {
      results: page.data.map(metric => ({ id: metric.id, text: scannerName(metric) })),
      pagination: { more: page.recordsFiltered > page.data.length },
    }
  },
  nameOf: async (id, signal) => scannerName(await call(metricRoutes.get, { params: { id }, signal })),
}
/** Scanners, with their host. Needs the claim `scanner_read`. */
export const scannerOptions: OptionSource = {
  key: 'scanner',
  search: async (term, signal) => {
    const body = {
      length: SELECT2_PAGE,
      search: { value: term },
      columns: [{ data: 'hostName' }, { data: 'name' }],
      order: [
        { column: 0, dir: 'asc' as const },
        { column: 1, dir: 'asc' as const },
      ],
    }
    const page = await call(scannerRoutes.datatable.put, { body, signal })
    return {
      results: page.data.map(scanner => ({ id: scanner.id, text: scannerName(scanner) })),
      pagination: { more: page.recordsFiltered > page.data.length },
    }
  },
  nameOf: async (id, signal) => scannerName(await call(scannerRoutes.get, { params: { id }, signal })),
}
const scannerName = ({ hostName, name }: { readonly hostName: string; readonly name: string }): string =>
  `${hostName} · ${name}`
