import { fold, type Site, type SiteInput } from '@narval/contracts'
import { SEVERITIES, type SeverityCounts, worstOfCounts } from '@narval/engine'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { idFilter, type ListSpec } from '../../store/datatable.ts'
import { toIso } from '../../store/time.ts'
import { visibleTo } from '../../store/visible.ts'

export interface SiteRow {
  id: number
  name: string
  code: string
  type_id: number | null
  type_name: string | null
  parent_id: number | null
  parent_name: string | null
  address: string
  postal_code: string
  city: string
  country: string
  latitude: number | null
  longitude: number | null
  time_zone: string
  contact_name: string
  contact_phone: string
  contact_email: string
  instruction: string
  probe_id: number | null
  probe_name: string | null
  created_at: number
  updated_at: number
  updated_by: string | null
  hosts: number
  error: number
  warning: number
  unknown: number
  ok: number
}

const HOSTS = SEVERITIES.map(
  (severity, rank) =>
    sql`(select count(*) from host h where h.site_id = site.id and h.enabled = 1 and h.severity_rank = ${sql.lit(rank)}) as ${sql.ref(severity)}`,
)

export const siteList = (viewer: Viewer | 'system'): ListSpec => ({
  select: sql`site.id, site.name, site.code, site.type_id, site_type.name as type_name, site.parent_id, parent.name as parent_name, site.address,
    site.postal_code, site.city, site.country, site.latitude, site.longitude, site.time_zone, site.contact_name, site.contact_phone,
    site.contact_email, site.instruction, site.probe_id, probe.name as probe_name, site.created_at, site.updated_at, site.updated_by,
    (select count(*) from host h where h.site_id = site.id) as hosts, ${sql.join(HOSTS)}`,
  from: sql`site left join site_type on site_type.id = site.type_id left join site parent on parent.id = site.parent_id left join probe on probe.id = site.probe_id`,
  visible: visibleTo(viewer),
  columns: {
    id: { sort: sql`site.id` },
    name: { sort: sql`site.name_folded`, search: sql`site.name_folded` },
    code: { sort: sql`site.code_folded`, search: sql`site.code_folded` },
    city: { sort: sql`site.city_folded`, search: sql`site.city_folded` },
    postalCode: { sort: sql`site.postal_code`, search: sql`site.postal_code` },
    country: { sort: sql`site.country` },
    typeName: { sort: sql`site_type.name_folded`, search: sql`site_type.name_folded` },
    parentName: { sort: sql`parent.name_folded`, search: sql`parent.name_folded` },
    probeName: { sort: sql`probe.name_folded` },
    hosts: { sort: sql`(select count(*) from host h where h.site_id = site.id)` },
    severity: { sort: sql`(select min(h.severity_rank) from host h where h.site_id = site.id and h.enabled = 1)` },
    createdAt: { sort: sql`site.created_at` },
    updatedAt: { sort: sql`site.updated_at` },
  },
  filters: { typeId: idFilter(sql`site.type_id`), parentId: idFilter(sql`site.parent_id`), id: idFilter(sql`site.id`) },
  order: sql`site.name_folded`,
  tie: sql`site.id`,
})

export const toSite = (row: SiteRow): Site => {
  const counts: SeverityCounts = {
    error: Number(row.error),
    warning: Number(row.warning),
    unknown: Number(row.unknown),
    ok: Number(row.ok),
  }
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    typeId: row.type_id,
    typeName: row.type_name,
    parentId: row.parent_id,
    parentName: row.parent_name,
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
    instruction: row.instruction,
    probeId: row.probe_id,
    probeName: row.probe_name,
    hosts: Number(row.hosts),
    counts,
    severity: worstOfCounts(counts) ?? 'ok',
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }
}

export const siteColumns = (input: SiteInput) => ({
  name: input.name,
  name_folded: fold(input.name),
  code: input.code,
  code_folded: fold(input.code),
  type_id: input.typeId,
  parent_id: input.parentId,
  address: input.address,
  postal_code: input.postalCode,
  city: input.city,
  city_folded: fold(input.city),
  country: input.country,
  latitude: input.latitude,
  longitude: input.longitude,
  time_zone: input.timeZone,
  contact_name: input.contactName,
  contact_phone: input.contactPhone,
  contact_email: input.contactEmail,
  instruction: input.instruction,
  probe_id: input.probeId,
})

/** The chain of parents above a site, itself first: at most 50 levels. */
export const ancestorsOf = async (db: Db, id: number): Promise<number[]> => {
  const chain: number[] = []
  let current: number | null = id
  while (current !== null && chain.length < 50 && !chain.includes(current)) {
    chain.push(current)
    const row: { parent_id: number | null } | undefined = await db
      .selectFrom('site')
      .select('parent_id')
      .where('id', '=', current)
      .executeTakeFirst()
    current = row?.parent_id ?? null
  }
  return chain
}

/** A site with all that would go along: the sites under it, their hosts with their scanners and metrics. */
export const whatDependsOn = async (db: Db, id: number) => {
  const sites = await sql<{ id: number; name: string; parent_id: number | null }>`with recursive under(id) as (
      select id from site where id = ${id} union select site.id from site join under on site.parent_id = under.id)
    select site.id, site.name, site.parent_id from site join under on under.id = site.id order by site.name_folded`.execute(
    db,
  )
  const siteIds = sites.rows.map(site => site.id)
  const hosts = await db.selectFrom('host').select('id').where('site_id', 'in', siteIds).execute()
  const scanners = await db
    .selectFrom('scanner')
    .innerJoin('host', 'host.id', 'scanner.host_id')
    .where('host.site_id', 'in', siteIds)
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  const metrics = await db
    .selectFrom('metric')
    .innerJoin('host', 'host.id', 'metric.host_id')
    .where('host.site_id', 'in', siteIds)
    .select('metric.id')
    .execute()
  return {
    siteIds,
    metricIds: metrics.map(metric => metric.id),
    children: sites.rows.filter(site => site.parent_id === id).map(site => site.name),
    plan: {
      sites: siteIds.length,
      hosts: hosts.length,
      scanners: Number(scanners.n),
      metrics: metrics.length,
    },
  }
}

/** Deletes sites and the hosts on them; what belongs to a host goes with it, probes that stood there stay without a site. */
export const deleteSites = async (trx: Db, ids: readonly number[]): Promise<void> => {
  await trx.updateTable('probe').set({ site_id: null }).where('site_id', 'in', ids).execute()
  await trx.deleteFrom('host').where('site_id', 'in', ids).execute()
  await trx.updateTable('site').set({ parent_id: null }).where('id', 'in', ids).execute()
  await trx.deleteFrom('site').where('id', 'in', ids).execute()
}
