import type { Site, SiteNode } from '@narval/contracts'
import { SEVERITIES, type SeverityCounts, worstOfCounts } from '@narval/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { countComments } from '../../store/comments.ts'
import type { Db } from '../../store/database.ts'
import { idFilter, type ListSpec } from '../../store/datatable.ts'
import { siteBodyOf } from '../../store/site-body.ts'
import { LOCAL_PROBE, probeOriginOf } from '../../store/site-probe.ts'
import { toIso } from '../../store/time.ts'
import { nameSeen, seesSite, visibleHost, visibleSite, visibleTo } from '../../store/visible.ts'

export interface SiteRow {
  id: number
  name: string
  code: string
  type_id: number | null
  type_name: string | null
  type_icon: string | null
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
  opening_hours: string
  holidays: string | null
  instruction: string
  probe_id: number | null
  probe_name: string | null
  effective_id: number | null
  effective_name: string | null
  origin_id: number | null
  origin_name: string | null
  created_at: number
  updated_at: number
  updated_by: string | null
  hosts: number
  error: number
  warning: number
  unknown: number
  ok: number
}

/** By the site, not by the severity that most hosts share: without figures of its own, SQLite takes that index (the `+` hides it). */
const countsOf = (counted: RawBuilder<unknown>) =>
  SEVERITIES.map(
    (severity, rank) =>
      sql`(select count(*) from host h where ${counted} and h.enabled = 1 and +h.severity_rank = ${sql.lit(rank)}) as ${sql.ref(severity)}`,
  )

/** The sites that one sees, be it only some of their equipment; `whole`: those alone of which all is seen, as who changes them. */
export const siteList = (viewer: Viewer | 'system', sight: 'some' | 'whole' = 'some'): ListSpec => {
  const counted = sql`h.site_id = site.id and ${visibleHost(viewer, 'h')}`
  return {
    select: sql`site.id, site.name, site.code, site.type_id, site_type.name as type_name, site_type.icon as type_icon, parent.id as parent_id, parent.name as parent_name, site.address,
    site.postal_code, site.city, site.country, site.latitude, site.longitude, site.time_zone, site.contact_name, site.contact_phone,
    site.contact_email, site.opening_hours, site.holidays, site.instruction, site.probe_id, probe.name as probe_name, effective.id as effective_id,
    effective.name as effective_name, origin.id as origin_id, ${nameSeen(viewer, 'origin')} as origin_name, site.created_at, site.updated_at, site.updated_by,
    (select count(*) from host h where ${counted}) as hosts, ${sql.join(countsOf(counted))}`,
    from: sql`site left join site_type on site_type.id = site.type_id left join site parent on parent.id = site.parent_id and ${visibleSite(viewer, sql`parent.id`)} left join probe on probe.id = site.probe_id
    left join site origin on origin.id = ${probeOriginOf(sql`site.id`)}
    left join probe effective on effective.id = coalesce(origin.probe_id, ${LOCAL_PROBE})`,
    visible: sight === 'whole' ? visibleTo(viewer, sql`site.id`) : visibleSite(viewer, sql`site.id`),
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
      hosts: { sort: sql`(select count(*) from host h where ${counted})` },
      severity: { sort: sql`(select min(+h.severity_rank) from host h where ${counted} and h.enabled = 1)` },
      createdAt: { sort: sql`site.created_at` },
      updatedAt: { sort: sql`site.updated_at` },
    },
    filters: {
      typeId: idFilter(sql`site.type_id`),
      parentId: idFilter(sql`site.parent_id`),
      id: idFilter(sql`site.id`),
    },
    order: sql`site.name_folded`,
    tie: sql`site.id`,
    isDear: true,
  }
}

/** Without custom fields, maintenance and what is hidden: whose they are for knows which. */
export const toSite = (row: SiteRow): Site => {
  const counts: SeverityCounts = {
    error: Number(row.error),
    warning: Number(row.warning),
    unknown: Number(row.unknown),
    ok: Number(row.ok),
  }
  return {
    id: row.id,
    ...siteBodyOf(row),
    typeName: row.type_name,
    typeIcon: row.type_icon,
    parentName: row.parent_name,
    probeName: row.probe_name,
    effectiveProbe:
      row.effective_id === null || row.effective_name === null
        ? null
        : { id: row.effective_id, name: row.effective_name, ...originOf(row) },
    customFields: {},
    hosts: Number(row.hosts),
    counts,
    severity: worstOfCounts(counts) ?? 'ok',
    maintenance: null,
    partial: false,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    updatedBy: row.updated_by,
  }
}

const originOf = ({ origin_id: originId, origin_name: name }: SiteRow) =>
  ({ origin: originId === null ? 'platform' : 'site', originName: name ?? '', originId }) as const

/** Whether a site is another one or stands somewhere under it. */
export const isWithin = async (db: Db, id: number, ancestor: number): Promise<boolean> => {
  const answer = await sql<{ n: number }>`with recursive above(id) as (
      select id from site where id = ${id} union select site.parent_id from site join above on site.id = above.id where site.parent_id is not null)
    select count(*) as n from above where id = ${ancestor}`.execute(db)
  return Number(answer.rows[0]?.n ?? 0) > 0
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
  const hostIds = hosts.map(host => host.id)
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
      comments: (await countComments(db, 'site', siteIds)) + (await countComments(db, 'host', hostIds)),
    },
  }
}

/** Deletes sites and the hosts on them; what belongs to a host goes with it, probes that stood there stay without a site. */
export const deleteSites = async (trx: Db, ids: readonly number[]): Promise<void> => {
  await forgetOwned(trx, 'host', sql`(select id from host where site_id in (${sql.join(ids)}))`)
  await forgetOwned(trx, 'site', sql`(${sql.join(ids)})`)
  await trx.updateTable('probe').set({ site_id: null }).where('site_id', 'in', ids).execute()
  await trx.deleteFrom('host').where('site_id', 'in', ids).execute()
  await trx.updateTable('site').set({ parent_id: null }).where('id', 'in', ids).execute()
  await trx.deleteFrom('site').where('id', 'in', ids).execute()
}

/** Credentials and custom fields name their owner without a foreign key, as it may be a site or a host. */
const forgetOwned = async (trx: Db, kind: 'site' | 'host', ids: RawBuilder<unknown>): Promise<void> => {
  await sql`delete from credential where owner_kind = ${kind} and owner_id in ${ids}`.execute(trx)
  const definitions = sql`(select id from field_definition where scope = ${kind})`
  await sql`delete from field_value where definition_id in ${definitions} and owner_id in ${ids}`.execute(trx)
  await sql`delete from field_history where definition_id in ${definitions} and owner_id in ${ids}`.execute(trx)
}

/** What an audit line keeps of the equipment that goes along with its site. */
export const hostsOf = (db: Db, siteIds: readonly number[]) =>
  db.selectFrom('host').select(['id', 'name', 'address', 'site_id as siteId']).where('site_id', 'in', siteIds).execute()

interface NodeRow {
  id: number
  name: string
  code: string
  parent_id: number | null
  type_id: number | null
  type_name: string | null
  icon: string | null
  latitude: number | null
  longitude: number | null
}

/** Every site that may be seen, in the order of names, with the counts of its own equipment: two passes, whatever the number. */
export const readTree = async (db: Db, viewer: Viewer): Promise<SiteNode[]> => {
  const sites =
    await sql<NodeRow>`select site.id, site.name, site.code, site.parent_id, site.type_id, site_type.name as type_name, site_type.icon,
        site.latitude, site.longitude
      from site left join site_type on site_type.id = site.type_id where ${visibleSite(viewer, sql`site.id`)} order by site.name_folded, site.id`.execute(
      db,
    )
  const hosts = await sql<{ site_id: number; enabled: number; severity_rank: number; n: number }>`
    select site_id, enabled, severity_rank, count(*) as n from host where ${visibleHost(viewer)} group by site_id, enabled, severity_rank`.execute(
    db,
  )
  const tallies = new Map(
    sites.rows.map(site => [site.id, { hosts: 0, counts: { error: 0, warning: 0, unknown: 0, ok: 0 } }]),
  )
  for (const row of hosts.rows) {
    const tally = tallies.get(row.site_id)
    const severity = SEVERITIES[row.severity_rank]
    if (tally === undefined || severity === undefined) continue
    tally.hosts += Number(row.n)
    if (row.enabled === 1) tally.counts[severity] += Number(row.n)
  }
  const isWhole = seesSite(viewer)
  return sites.rows.map(({ id, name, code, parent_id, type_id, type_name, icon, latitude, longitude }) => {
    const { hosts: own = 0, counts = { error: 0, warning: 0, unknown: 0, ok: 0 } } = tallies.get(id) ?? {}
    // What may not be seen is not told of: a site under it stands at the top.
    const parentId = parent_id !== null && tallies.has(parent_id) ? parent_id : null
    const severity = worstOfCounts(counts) ?? 'ok'
    const type = { typeId: type_id, typeName: type_name, typeIcon: icon }
    return {
      id,
      name,
      code,
      parentId,
      ...type,
      latitude,
      longitude,
      hosts: own,
      severity,
      counts,
      partial: !isWhole(id),
    }
  })
}
