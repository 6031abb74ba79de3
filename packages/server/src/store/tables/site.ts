import type { Generated } from 'kysely'
import type { Stamped } from './row.ts'

export interface NamedTypeTable {
  id: Generated<number>
  name: string
  name_folded: string
  icon: string
}

interface SiteTable extends Stamped {
  id: Generated<number>
  name: string
  name_folded: string
  code: string
  code_folded: string
  type_id: number | null
  parent_id: number | null
  address: string
  postal_code: string
  city: string
  city_folded: string
  country: string
  latitude: number | null
  longitude: number | null
  time_zone: string
  contact_name: string
  contact_phone: string
  contact_email: string
  instruction: string
  probe_id: number | null
  /** JSON list of `{ days, from, to }`; empty: at any time. */
  opening_hours: Generated<string>
  /** JSON list of `{ from, to }` for public holidays, empty: closed; null: a day like another. */
  holidays: Generated<string | null>
}

export interface SiteTables {
  site_type: NamedTypeTable
  site: SiteTable
}
