import { fold, type HostInput, type MetricInput, type SiteInput } from '@narval/contracts'
import type { Bit } from './tables/row.ts'
import { foldTags } from './tags.ts'

type Columns = Readonly<Record<string, unknown>>
/** By field of a body: its value as the database keeps it, with what is searched and sorted beside it. */
type ColumnsOf<Body> = { readonly [Field in keyof Body]: (value: Body[Field]) => Columns }

const enabled = (value: boolean): { enabled: Bit } => ({ enabled: value ? 1 : 0 })

export const SITE_COLUMNS = {
  name: name => ({ name, name_folded: fold(name) }),
  code: code => ({ code, code_folded: fold(code) }),
  typeId: type_id => ({ type_id }),
  parentId: parent_id => ({ parent_id }),
  address: address => ({ address }),
  postalCode: postal_code => ({ postal_code }),
  city: city => ({ city, city_folded: fold(city) }),
  country: country => ({ country }),
  latitude: latitude => ({ latitude }),
  longitude: longitude => ({ longitude }),
  timeZone: time_zone => ({ time_zone }),
  contactName: contact_name => ({ contact_name }),
  contactPhone: contact_phone => ({ contact_phone }),
  contactEmail: contact_email => ({ contact_email }),
  openingHours: hours => ({ opening_hours: JSON.stringify(hours) }),
  holidays: hours => ({ holidays: hours === null ? null : JSON.stringify(hours) }),
  instruction: instruction => ({ instruction }),
  probeId: probe_id => ({ probe_id }),
} satisfies ColumnsOf<SiteInput>

/** Its parents and models have tables of their own. */
export const HOST_COLUMNS = {
  name: name => ({ name, name_folded: fold(name) }),
  address: address => ({ address, address_folded: fold(address) }),
  typeId: type_id => ({ type_id }),
  modelId: model_id => ({ model_id }),
  siteId: site_id => ({ site_id }),
  probeId: probe_id => ({ probe_id }),
  lifeScannerId: life_scanner_id => ({ life_scanner_id }),
  tags: tags => ({ tags: JSON.stringify(tags), tags_folded: foldTags(tags) }),
  enabled,
  description: description => ({ description }),
  instruction: instruction => ({ instruction }),
} satisfies ColumnsOf<Omit<HostInput, 'parentIds' | 'monitoringModelIds'>>

export const METRIC_COLUMNS = {
  name: name => ({ name, name_folded: fold(name) }),
  thresholds: thresholds => ({ thresholds: JSON.stringify(thresholds) }),
  attempts: attempts => ({ attempts }),
  noData: no_data => ({ no_data }),
  enabled,
} satisfies ColumnsOf<Omit<MetricInput, 'scannerId' | 'key' | 'formulas'>>

export const siteColumns = (input: SiteInput) => allOf(SITE_COLUMNS, input)
export const hostColumns = (input: HostInput) => allOf(HOST_COLUMNS, input)

type AnyColumns = Readonly<Record<string, (value: never) => Columns>>

/**
 * The columns of some fields of a body together; fields without columns of their own are left out. The caller's word
 * that each field was parsed by its contract is what makes the cast right.
 */
export const columnsOf = (table: AnyColumns, body: Columns, fields: Iterable<string>): Columns =>
  Object.assign({}, ...[...fields].map(field => table[field]?.(body[field] as never) ?? {}))

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never
type Whole<Table extends AnyColumns> = Both<ReturnType<Table[keyof Table]>>

/** Every column of a table's fields: `columnsOf` all of them, typed as what they make together. */
const allOf = <Table extends AnyColumns>(table: Table, body: Columns): Whole<Table> =>
  columnsOf(table, body, Object.keys(table)) as Whole<Table>
