import { holidayHours, openingHours, type SiteInput } from '@narval/contracts'
import type { Selectable } from 'kysely'
import type { Schema } from './schema.ts'

type SiteColumn =
  | (
      | 'name'
      | 'code'
      | 'type_id'
      | 'parent_id'
      | 'address'
      | 'postal_code'
      | 'city'
      | 'country'
      | 'latitude'
      | 'longitude'
    )
  | (
      | 'time_zone'
      | 'contact_name'
      | 'contact_phone'
      | 'contact_email'
      | 'opening_hours'
      | 'holidays'
      | 'instruction'
      | 'probe_id'
    )

/** What a form of a site gave, from its row. */
export const siteBodyOf = (row: Pick<Selectable<Schema['site']>, SiteColumn>): SiteInput => ({
  name: row.name,
  code: row.code,
  typeId: row.type_id,
  parentId: row.parent_id,
  address: row.address,
  postalCode: row.postal_code,
  city: row.city,
  country: row.country,
  latitude: row.latitude,
  longitude: row.longitude,
  timeZone: row.time_zone,
  contactName: row.contact_name,
  contactPhone: row.contact_phone,
  contactEmail: row.contact_email,
  openingHours: openingHours.parse(JSON.parse(row.opening_hours)),
  holidays: holidayHours.parse(JSON.parse(row.holidays ?? 'null')),
  instruction: row.instruction,
  probeId: row.probe_id,
})
