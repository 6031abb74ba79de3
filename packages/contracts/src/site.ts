import * as z from 'zod/mini'
import { bulkReply, siteBulkBody } from './bulk.ts'
import { datatableRoutes, select2Route, select2RouteFor } from './datatable.ts'
import { deletionPlan } from './deletion-plan.ts'
import { effectiveProbe } from './effective-probe.ts'
import { holidayHours, openingHours } from './opening-hours.ts'
import { route } from './route.ts'
import {
  basedOn,
  idParams,
  idValue,
  lastUpdate,
  line,
  nullableId,
  paragraph,
  requiredLine,
  stamps,
  timeZone,
} from './schema.ts'
import { activeMaintenance, severity, severityCounts } from './state.ts'

const coordinate = (limit: number) => z.nullable(z.number().check(z.minimum(-limit), z.maximum(limit)))
/** What a form of a site sends. */
const fields = {
  name: requiredLine(120),
  code: requiredLine(32).check(z.regex(/^[\p{L}\p{N}._-]+$/u, 'Lettres, chiffres et . _ - seulement')),
  typeId: z._default(nullableId, null),
  parentId: z._default(nullableId, null),
  address: z._default(line(200), ''),
  postalCode: z._default(line(20), ''),
  city: z._default(line(100), ''),
  country: z._default(line(100), 'France'),
  latitude: z._default(coordinate(90), null),
  longitude: z._default(coordinate(180), null),
  timeZone: z._default(timeZone, 'Europe/Paris'),
  contactName: z._default(line(120), ''),
  contactPhone: z._default(line(40), ''),
  contactEmail: z._default(
    z.union([z.literal(''), z.email('Une adresse e-mail est attendue').check(z.maxLength(254))]),
    '',
  ),
  openingHours: z._default(openingHours, []),
  /** Of the public holidays of its country and postal code (`holidayRegionOf`). */
  holidays: z._default(holidayHours, null),
  instruction: z._default(paragraph(4_000), ''),
  probeId: z._default(nullableId, null),
}
/** Half a place is none: beside the other half it is told what lacks. */
const wholePlace = z.check<{ latitude: number | null; longitude: number | null }>(({ value, issues }) => {
  if ((value.latitude === null) === (value.longitude === null)) return
  const [field, message] =
    value.latitude === null
      ? (['latitude', 'La longitude ne va pas sans la latitude'] as const)
      : (['longitude', 'La latitude ne va pas sans la longitude'] as const)
  issues.push({ code: 'custom', path: [field], message, input: value[field], continue: true })
})
/** A site as it is kept, whatever it was given before; for what is sent, see `siteBody`. */
export const siteFields = z.object(fields)
export const siteBody = siteFields.check(wholePlace)
export const siteUpdateBody = z.object({ ...fields, ...basedOn }).check(wholePlace)
export type SiteInput = z.output<typeof siteBody>

export const site = z.object({
  ...stamps,
  ...siteBody.shape,
  typeName: z.nullable(z.string()),
  typeIcon: z.nullable(z.string()),
  parentName: z.nullable(z.string()),
  probeName: z.nullable(z.string()),
  /** The probe that its hosts get, and the site that chose it: itself, one above, or none (the local probe). */
  effectiveProbe: z.nullable(effectiveProbe),
  /** Readable custom fields that have a value, by key, as they are shown. */
  customFields: z.record(z.string(), z.string()),
  hosts: z.int(),
  severity,
  counts: severityCounts,
  /** Only some of its equipment is seen: those that bear a tag; figures count these alone, and it is not changed. */
  partial: z.boolean(),
  /** The maintenance that covers it whole. */
  maintenance: activeMaintenance,
})
export type Site = z.output<typeof site>

export const namedType = z.object({ id: idValue, name: z.string(), icon: z.string() })

/** Names of the icons that a type of site may have: Tabler's, those that the console ships. */
export const SITE_TYPE_ICONS = [
  'building',
  'buildings',
  'building-community',
  'building-skyscraper',
  'server',
  'building-factory',
  'building-warehouse',
  'building-store',
  'building-bank',
  'building-hospital',
  'building-airport',
  'building-broadcast-tower',
  'building-wind-turbine',
  'building-stadium',
  'building-castle',
  'home',
  'school',
  'antenna',
  'bolt',
  'droplet',
  'anchor',
  'train',
  'truck',
  'cloud',
  'map',
  'map-pin',
  'world',
] as const
export type SiteTypeIcon = (typeof SITE_TYPE_ICONS)[number]
export const siteTypeBody = z.object({ name: requiredLine(60), icon: z.enum(SITE_TYPE_ICONS) })
export type SiteTypeInput = z.output<typeof siteTypeBody>

/** In place of the name of a site that one does not see, where what one sees hangs on it. */
export const HIDDEN_NAME = '(non visible)'

/** A site in the tree, with the counts of its own equipment alone: who shows the tree adds up. */
export const siteNode = z.object({
  id: idValue,
  name: z.string(),
  code: z.string(),
  parentId: z.nullable(idValue),
  typeId: z.nullable(idValue),
  typeName: z.nullable(z.string()),
  typeIcon: z.nullable(z.string()),
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  hosts: z.int(),
  severity,
  counts: severityCounts,
  /** Only some of its equipment is seen. */
  partial: z.boolean(),
})
export type SiteNode = z.output<typeof siteNode>

export const deleteQuery = z.object({
  plan: z.optional(z.enum(['true', 'false'])),
  cascade: z.optional(z.enum(['true', 'false'])),
})
export const deleteReply = z.object({ deleted: z.boolean(), plan: deletionPlan })

export const siteRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Site/Get',
    access: 'user',
    rate: 'heavy',
    summary: 'Tous les sites',
    reply: z.array(site),
  }),
  get: route({
    method: 'GET',
    path: '/api/Site/Get/:id',
    access: 'user',
    summary: 'Un site',
    params: idParams,
    reply: site,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Site/Get/LastUpdate',
    access: 'user',
    summary: 'Dernier changement des sites',
    reply: lastUpdate,
  }),
  create: route({
    method: 'POST',
    path: '/api/Site/Create',
    access: 'site_write',
    summary: 'Créer un site',
    body: siteBody,
    status: 201,
    reply: site,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Site/Update/:id',
    access: 'site_write',
    summary: 'Modifier un site',
    params: idParams,
    body: siteUpdateBody,
    reply: site,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Site/Delete/:id',
    access: 'site_write',
    summary: 'Supprimer un site',
    params: idParams,
    query: deleteQuery,
    reply: deleteReply,
  }),
  tree: route({
    method: 'GET',
    path: '/api/Site/Tree',
    access: 'user',
    summary: 'Tous les sites avec leur parent, pour une arborescence ou une carte',
    reply: z.array(siteNode),
  }),
  types: route({
    method: 'GET',
    path: '/api/Site/GetType',
    access: 'user',
    summary: 'Les types de site',
    reply: z.array(namedType),
  }),
  createType: route({
    method: 'POST',
    path: '/api/Site/CreateType',
    access: 'site_write',
    summary: 'Créer un type de site',
    body: siteTypeBody,
    status: 201,
    reply: namedType,
  }),
  updateType: route({
    method: 'PUT',
    path: '/api/Site/UpdateType/:id',
    access: 'site_write',
    summary: 'Modifier un type de site',
    params: idParams,
    body: siteTypeBody,
    reply: namedType,
  }),
  deleteType: route({
    method: 'DELETE',
    path: '/api/Site/DeleteType/:id',
    access: 'site_write',
    summary: 'Supprimer un type de site qui ne sert pas',
    params: idParams,
  }),
  bulk: route({
    method: 'POST',
    path: '/api/Site/Bulk',
    access: 'site_write',
    rate: 'heavy',
    summary: 'Modifier ou supprimer plusieurs sites',
    body: siteBulkBody,
    reply: bulkReply,
  }),
  select2: select2RouteFor('/api/Site/Select2D/Get', 'Sites, pour une liste déroulante'),
  select2Type: select2Route('/api/Site/Select2D/GetType', 'Types de site, pour une liste déroulante'),
  datatable: datatableRoutes('SiteDatatable', 'user', 'Sites', site),
} as const
