import { fold } from '@narval/contracts'
import { foldTags } from './tags.ts'

/** Columns of one field of an object: its value as the database keeps it, with what is searched and sorted beside it. */
type Columns = Readonly<Record<string, unknown>>
type ColumnsOf = Readonly<Record<string, (value: unknown) => Columns>>

const plain = (column: string) => (value: unknown) => ({ [column]: value })
const folded = (column: string) => (value: unknown) => ({ [column]: value, [`${column}_folded`]: fold(String(value)) })
const flag = (column: string) => (value: unknown) => ({ [column]: value === true ? 1 : 0 })
const json = (column: string) => (value: unknown) => ({ [column]: JSON.stringify(value) })

/** By field of `siteBody`, `hostFields` and of a metric's settings: what an update of that field alone writes. */
export const SITE_COLUMNS: ColumnsOf = {
  name: folded('name'),
  code: folded('code'),
  typeId: plain('type_id'),
  parentId: plain('parent_id'),
  address: plain('address'),
  postalCode: plain('postal_code'),
  city: folded('city'),
  country: plain('country'),
  latitude: plain('latitude'),
  longitude: plain('longitude'),
  timeZone: plain('time_zone'),
  contactName: plain('contact_name'),
  contactPhone: plain('contact_phone'),
  contactEmail: plain('contact_email'),
  openingHours: json('opening_hours'),
  instruction: plain('instruction'),
  probeId: plain('probe_id'),
}
export const HOST_COLUMNS: ColumnsOf = {
  name: folded('name'),
  address: folded('address'),
  typeId: plain('type_id'),
  modelId: plain('model_id'),
  siteId: plain('site_id'),
  probeId: plain('probe_id'),
  lifeScannerId: plain('life_scanner_id'),
  tags: value => ({
    tags: JSON.stringify(value),
    tags_folded: foldTags(Array.isArray(value) ? value.map(String) : []),
  }),
  enabled: flag('enabled'),
  description: plain('description'),
  instruction: plain('instruction'),
}
export const METRIC_COLUMNS: ColumnsOf = {
  name: folded('name'),
  thresholds: json('thresholds'),
  attempts: plain('attempts'),
  noData: plain('no_data'),
  enabled: flag('enabled'),
}

/** The columns of some fields of a body together; fields without columns of their own are left out. */
export const columnsOf = (
  table: ColumnsOf,
  body: Readonly<Record<string, unknown>>,
  fields: Iterable<string>,
): Columns => Object.assign({}, ...[...fields].map(field => table[field]?.(body[field]) ?? {}))
