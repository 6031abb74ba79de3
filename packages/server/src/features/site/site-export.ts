import { holidayText, openingText, type Site } from '@narval/contracts'
import type { ExportColumn } from '../../http/exported.ts'
import type { Db } from '../../store/database.ts'
import { importColumns } from '../../store/import-columns.ts'

/** Columns of sites as a file: first those that an import reads back, then what is known of them now. */
export const siteColumnsOf = async (db: Db): Promise<ExportColumn<Site>[]> => {
  const codes = new Map(
    (await db.selectFrom('site').select(['id', 'code']).execute()).map(site => [site.id, site.code]),
  )
  return [
    ...importColumns<Site>('site', {
      code: site => site.code,
      name: site => site.name,
      type: site => site.typeName,
      parent: site => (site.parentId === null ? '' : (codes.get(site.parentId) ?? '')),
      address: site => site.address,
      postalCode: site => site.postalCode,
      city: site => site.city,
      country: site => site.country,
      latitude: site => site.latitude,
      longitude: site => site.longitude,
      timeZone: site => site.timeZone,
      openingHours: site => openingText(site.openingHours),
      holidays: site => holidayText(site.holidays),
      contactName: site => site.contactName,
      contactPhone: site => site.contactPhone,
      contactEmail: site => site.contactEmail,
      instruction: site => site.instruction,
      probe: site => site.probeName,
    }),
    { header: 'Équipements', cell: site => site.hosts },
    { header: 'Sévérité', cell: site => site.severity },
    { header: 'Modifié le', cell: site => site.updatedAt },
    { header: 'Modifié par', cell: site => site.updatedBy },
  ]
}
