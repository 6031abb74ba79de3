import { createHash } from 'node:crypto'
import { type Claim, grants, HIDDEN_NAME } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import { type Place, type Viewer, where } from '../http/caller.ts'
import { invalidField } from '../http/refusal.ts'
import type { Db } from './database.ts'
import { containsFolded } from './datatable.ts'
import { foldTags } from './tags.ts'

/** Equipment as memory has it, as far as it matters to who sees it. */
export interface Standing {
  readonly site: { readonly id: number }
  /** `tags`: the column `tags_folded`. */
  readonly facts: { readonly tags: string }
}

/**
 * What an account may see of sites, and of what stands on them: `site` is the column with the id of the site, `tags` that
 * of the tags of the host which it is about (`tags_folded`); without it, it is about the site itself. Every query on objects
 * goes through here; what one may not see answers 404 (rule 10). What stands on no site is seen by who sees all.
 */
export const visibleTo = (
  viewer: Viewer | 'system',
  site: RawBuilder<unknown>,
  tags: RawBuilder<unknown> | null = null,
): RawBuilder<boolean> => {
  if (viewer === 'system') return sql<boolean>`1 = 1`
  if (viewer.userId <= 0) return sql<boolean>`1 = 0`
  if (viewer.place === null) return sql<boolean>`1 = 1`
  return inPlace(viewer.place, site, tags)
}

/** Whether what stands on a site, and bears these tags, is in a place. */
export const inPlace = (
  place: Place,
  site: RawBuilder<unknown>,
  tags: RawBuilder<unknown> | null,
): RawBuilder<boolean> => {
  const sites = [...place.sites]
  return any([
    ...(sites.length === 0 ? [] : [sql<boolean>`${site} in (${sql.join(sites)})`]),
    ...(tags === null ? [] : [...place.tags].map(tag => containsFolded(sql`coalesce(${tags}, '')`, tag))),
  ])
}

const any = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(conditions, sql` or `)})`

/** The same of hosts: `host` is their table, or its name in the query. */
export const visibleHost = (viewer: Viewer | 'system', host = 'host'): RawBuilder<boolean> =>
  visibleTo(viewer, sql.ref(`${host}.site_id`), sql.ref(`${host}.tags_folded`))

/** The same of incidents: `incident` and, joined to the left, `host`, which may have moved since. */
export const visibleIncident = (viewer: Viewer | 'system'): RawBuilder<boolean> =>
  visibleTo(viewer, sql`coalesce(host.site_id, incident.site_id)`, sql`host.tags_folded`)

/** The same of what is read of either: their table, or its name in the query. */
export const visibleOwner = (
  viewer: Viewer | 'system',
  kind: 'site' | 'host',
  table: string = kind,
): RawBuilder<boolean> => (kind === 'host' ? visibleHost(viewer, table) : visibleTo(viewer, sql.ref(`${table}.id`)))

/** The same of sites of which it may be only some equipment that one sees: their name is told, and no more. */
export const visibleSite = (viewer: Viewer | 'system', site: RawBuilder<unknown>): RawBuilder<boolean> => {
  const whole = visibleTo(viewer, site)
  if (viewer === 'system' || viewer.place === null || viewer.place.tags.size === 0) return whole
  return sql<boolean>`(${whole} or ${site} in (select seen.site_id from host seen where ${visibleHost(viewer, 'seen')}))`
}

/** The name of the site in this row of a query, as far as one may be told it. */
export const nameSeen = (viewer: Viewer | 'system', table: string): RawBuilder<string | null> =>
  seesAll(viewer)
    ? sql`${sql.ref(`${table}.name`)}`
    : sql`case when ${sql.ref(`${table}.id`)} is null or ${visibleSite(viewer, sql.ref(`${table}.id`))} then ${sql.ref(`${table}.name`)} else ${HIDDEN_NAME} end`

/** The names of sites as far as one may be told them: of those above one's own what hangs on them shows, not who they are. */
export const namesSeen = async (db: Db, viewer: Viewer | 'system'): Promise<(id: number, name: string) => string> => {
  if (seesAll(viewer)) return (_, name) => name
  const rows = await db.selectFrom('site').select('id').where(visibleSite(viewer, sql`site.id`)).execute()
  const seen = new Set(rows.map(row => row.id))
  return (id, name) => (seen.has(id) ? name : HIDDEN_NAME)
}

/** Whether one sees a site with all that stands on it, of what is in memory. */
export const seesSite = (viewer: Viewer | 'system'): ((siteId: number) => boolean) => {
  if (viewer === 'system') return () => true
  const { userId, place } = viewer
  return siteId => userId > 0 && (place === null || place.sites.has(siteId))
}

/** The same of equipment, and of what is of it. */
export const seesHost = (viewer: Viewer | 'system'): ((host: Standing) => boolean) => {
  if (viewer === 'system') return () => true
  const { userId, place } = viewer
  if (userId <= 0) return () => false
  return place === null ? () => true : within(place)
}

/** The same of sites of which it may be only some equipment that one sees. */
export const seesSome = (
  viewer: Viewer | 'system',
): ((site: { readonly id: number; readonly hosts: ReadonlyMap<number, Standing> }) => boolean) => {
  const [whole, sees] = [seesSite(viewer), seesHost(viewer)]
  const byTag = viewer !== 'system' && (viewer.place?.tags.size ?? 0) > 0
  return ({ id, hosts }) => whole(id) || (byTag && [...hosts.values()].some(sees))
}

/** Whether equipment is in a place: by its site, or by a tag. */
export const within = ({ sites, tags }: Place): ((host: Standing) => boolean) =>
  tags.size === 0
    ? ({ site }) => sites.has(site.id)
    : ({ site, facts }) => sites.has(site.id) || bearsOne(facts.tags, tags)

const bearsOne = (folded: string, tags: ReadonlySet<string>): boolean => {
  if (folded === '') return false
  for (const tag of tags) if (folded.includes(tag)) return true
  return false
}

/** Tags of equipment as `Place` names them. */
export const placeTags = (tags: readonly string[]): ReadonlySet<string> => new Set(tags.map(tag => foldTags([tag])))

/** What equipment would be, standing on a site with these tags. */
export const standing = (siteId: number, tags: readonly string[]): Standing => ({
  site: { id: siteId },
  facts: { tags: foldTags(tags) },
})

/** The same account with a site that it has just made. */
export const including = (viewer: Viewer, siteId: number): Viewer =>
  viewer.place === null
    ? viewer
    : { ...viewer, place: { ...viewer.place, sites: new Set([...viewer.place.sites, siteId]) } }

/** Whether nothing is hidden from it. */
export const seesAll = (viewer: Viewer | 'system'): boolean =>
  viewer === 'system' || (viewer.userId > 0 && viewer.place === null)

/** Whether it holds a claim on each of these sites. */
export const holdsOn = (viewer: Viewer, claim: Claim, siteIds: readonly number[]): boolean =>
  grants(viewer.claims, claim) && siteIds.every(seesSite(where(viewer, claim)))

/** Objects are put only where one may see them afterwards. @throws Refusal as for a site that is not. */
export const requireSeen = (viewer: Viewer, siteId: number | null | undefined, field = 'siteId'): void => {
  if (siteId != null && !seesSite(viewer)(siteId)) throw invalidField(field, "Ce site n'existe pas.")
}

const keys = new WeakMap<Place, string>()
/** What tells apart answers that are kept for viewers: those who see the same have the same. */
export const scopeKey = ({ userId, place }: Viewer): string => {
  if (place === null || userId <= 0) return String(userId)
  const known =
    keys.get(place) ??
    createHash('sha256')
      .update([...place.sites].join())
      .update([...place.tags].join(' '))
      .digest('base64url')
  keys.set(place, known)
  return `${userId} ${known}`
}
