import {
  type Claim,
  type DatatableInput,
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

const sites = (claim?: Claim): OptionSource => ({
  key: `site ${claim ?? ''}`.trim(),
  search: (term, signal) => call(siteRoutes.select2, { query: { term, ...(claim && { claim }) }, signal }),
  nameOf: async (id, signal) => (await call(siteRoutes.get, { params: { id }, signal })).name,
})
const hosts = (claim?: Claim): OptionSource => ({
  key: `host ${claim ?? ''}`.trim(),
  search: (term, signal) => call(hostRoutes.select2, { query: { term, ...(claim && { claim }) }, signal }),
  nameOf: async (id, signal) => (await call(hostRoutes.get, { params: { id }, signal })).name,
})
/** Sites, by name. */
export const siteOptions = sites()
/** Those where equipment may be put, or that may be put in maintenance: where one holds the claim. */
export const siteOptionsFor = { host_write: sites('host_write'), incident_write: sites('incident_write') } as const
export const siteTypeOptions: OptionSource = {
  key: 'site-type',
  search: (term, signal) => call(siteRoutes.select2Type, { query: { term }, signal }),
  nameOf: async (id, signal) => named(await call(siteRoutes.types, { signal }), id),
}
export const hostOptions = hosts()
/** Those on which one holds the claim. */
export const hostOptionsFor = {
  scanner_write: hosts('scanner_write'),
  incident_write: hosts('incident_write'),
} as const
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
/** What is found in its list, for want of a Select2 route. */
interface Listed<Row> {
  readonly key: string
  /** Columns that it is ordered by. */
  readonly columns: readonly string[]
  readonly page: (
    body: DatatableInput,
    signal: AbortSignal,
  ) => Promise<{ readonly data: readonly Row[]; readonly recordsFiltered: number }>
  readonly get: (id: number, signal: AbortSignal) => Promise<Row>
  readonly text: (row: Row) => string
  /** Those that may be chosen; all unless told. */
  readonly offers?: (row: Row) => boolean
}

const listed = <Row extends { readonly id: number }>(source: Listed<Row>): OptionSource => ({
  key: source.key,
  search: async (term, signal) => {
    const body = {
      length: SELECT2_PAGE,
      search: { value: term },
      columns: source.columns.map(data => ({ data })),
      order: source.columns.map((_, column) => ({ column, dir: 'asc' as const })),
    }
    const { data, recordsFiltered } = await source.page(body, signal)
    return {
      results: data.filter(source.offers ?? (() => true)).map(row => ({ id: row.id, text: source.text(row) })),
      pagination: { more: recordsFiltered > data.length },
    }
  },
  nameOf: async (id, signal) => source.text(await source.get(id, signal)),
})

/** Needs the claim `probe_write`. */
export const probeOptions = listed({
  key: 'probe',
  columns: ['name'],
  page: (body, signal) => call(probeRoutes.datatable.put, { body, signal }),
  get: (id, signal) => call(probeRoutes.get, { params: { id }, signal }),
  text: ({ name }) => name,
  offers: ({ state }) => state !== 'revoked',
})

interface Hosted {
  readonly id: number
  readonly hostName: string
  readonly name: string
}
const afterHost = ({ hostName, name }: Hosted): string => `${hostName} · ${name}`
const metrics = (key: string, text: (metric: Hosted) => string): OptionSource =>
  listed<Hosted>({
    ...{ key, text, columns: ['hostName', 'name'] },
    page: (body, signal) => call(metricRoutes.datatable.put, { body, signal }),
    get: (id, signal) => call(metricRoutes.get, { params: { id }, signal }),
  })
/** Metrics, with their host. */
export const metricOptions = metrics('metric', afterHost)
/** Metrics told as the other objects of a maintenance are; a key of their own, for the words differ. */
export const coveredMetricOptions = metrics('covered-metric', ({ hostName, name }) => `${hostName}\u202f: ${name}`)
/** Scanners, with their host. Needs the claim `scanner_read`. */
export const scannerOptions = listed<Hosted>({
  ...{ key: 'scanner', text: afterHost, columns: ['hostName', 'name'] },
  page: (body, signal) => call(scannerRoutes.datatable.put, { body, signal }),
  get: (id, signal) => call(scannerRoutes.get, { params: { id }, signal }),
})
