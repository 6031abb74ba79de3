import type { OwnAccount } from '@narval/contracts'
import { sql } from 'kysely'
import type { Place } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { inPlace, placeTags } from '../../store/visible.ts'

/** The places of limited groups by their id: their sites with those that stand under them, and their tags; of all, or of some. */
export const placesOfGroups = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Place>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ group_id: number; id: number }>`with recursive under(group_id, id) as (
      select group_id, site_id from user_group_site where group_id in (${sql.join(ids)})
      union select under.group_id, site.id from site join under on site.parent_id = under.id)
    select group_id, id from under order by id`.execute(db)
  const tags = await db.selectFrom('user_group_tag').selectAll().where('group_id', 'in', ids).orderBy('tag').execute()
  const [sitesOf, tagsOf] = [Map.groupBy(rows, row => row.group_id), Map.groupBy(tags, row => row.group_id)]
  return new Map(
    ids.map(id => [
      id,
      {
        sites: new Set((sitesOf.get(id) ?? []).map(row => row.id)),
        tags: placeTags((tagsOf.get(id) ?? []).map(row => row.tag)),
      },
    ]),
  )
}

/** A group whose sites and tags are all gone: nowhere. */
const NOWHERE: Place = { sites: new Set(), tags: new Set() }

/** Where a group reaches; null: everywhere. */
export const placeOfGroup = (
  places: ReadonlyMap<number, Place>,
  { id, limited }: { readonly id: number; readonly limited: number },
): Place | null => (limited === 1 ? (places.get(id) ?? NOWHERE) : null)

/** What groups are limited to, as they name it: their sites by name, and their tags. */
export const limitsOfGroups = async (
  db: Db,
  ids: readonly number[],
): Promise<(id: number) => { sites: { id: number; name: string }[]; tags: string[] }> => {
  if (ids.length === 0) return () => ({ sites: [], tags: [] })
  const sites = await db
    .selectFrom('user_group_site as place')
    .innerJoin('site', 'site.id', 'place.site_id')
    .select(['place.group_id', 'site.id', 'site.name'])
    .where('place.group_id', 'in', ids)
    .orderBy('site.name_folded')
    .execute()
  const tags = await db.selectFrom('user_group_tag').selectAll().where('group_id', 'in', ids).orderBy('tag').execute()
  const [sitesOf, tagsOf] = [Map.groupBy(sites, row => row.group_id), Map.groupBy(tags, row => row.group_id)]
  return id => ({
    sites: (sitesOf.get(id) ?? []).map(site => ({ id: site.id, name: site.name })),
    tags: (tagsOf.get(id) ?? []).map(row => row.tag),
  })
}

/** Claims held in some places only, with the hosts that a tag brings in by their ids: as the console asks of what it shows. */
export const ownLimits = async (db: Db, limits: ReadonlyMap<string, Place>): Promise<OwnAccount['limits']> => {
  const told: { claims: string[]; siteIds: number[]; hostIds: number[] }[] = []
  for (const [, some] of Map.groupBy(limits, ([, { sites, tags }]) => [[...sites].join(), ...tags].join(' '))) {
    const [first] = some
    if (first === undefined) continue
    const [, { sites, tags }] = first
    const byTag = tags.size === 0 ? [] : await hostsBearing(db, tags)
    told.push({
      claims: some.map(([claim]) => claim),
      siteIds: [...sites],
      hostIds: byTag.flatMap(host => (sites.has(host.site_id) ? [] : host.id)),
    })
  }
  return told
}

const hostsBearing = (db: Db, tags: ReadonlySet<string>) =>
  db
    .selectFrom('host')
    .select(['id', 'site_id'])
    .where(inPlace({ sites: new Set(), tags }, sql`host.site_id`, sql`host.tags_folded`))
    .orderBy('id')
    .execute()
