import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../http/caller.ts'
import type { Db } from './database.ts'
import { seesAll, seesSite } from './visible.ts'

/**
 * The probe of each site, as a table to join: its own, else that of the nearest site above which has one. `origin_id` is
 * the site that chose it; both are null where none did, and the local probe does the work.
 */
export const SITE_PROBES = sql`(with recursive chosen(site_id, probe_id, origin_id) as (
    select id, probe_id, case when probe_id is null then null else id end from site where parent_id is null
    union all
    select site.id, coalesce(site.probe_id, chosen.probe_id), case when site.probe_id is null then chosen.origin_id else site.id end
    from site join chosen on site.parent_id = chosen.site_id)
  select site_id, probe_id, origin_id from chosen)`

/** The site that chose the probe of one site, found by going up from it: for rows read one by one, of which there are few. */
export const probeOriginOf = (siteId: RawBuilder<unknown>) => sql<
  number | null
>`(with recursive up(id, parent_id, probe_id) as (
    select own.id, own.parent_id, own.probe_id from site own where own.id = ${siteId}
    union select above.id, above.parent_id, above.probe_id from site above join up on above.id = up.parent_id where up.probe_id is null)
  select up.id from up where up.probe_id is not null)`

/** The probe that stands by when no site has chosen another: the first local one that is approved. */
export const LOCAL_PROBE = sql`(select min(p.id) from probe p where p.local = 1 and p.approval = 'approved')`

export interface ProbeChoice {
  readonly probeId: number
  readonly probeName: string
  /** The site that chose it; null: none did, it is the local one. */
  readonly originName: string | null
  readonly originId: number | null
}

/** The probe that hosts of each site get, kept until `forget`: every page of hosts asks for it. */
export const createSiteProbes = (db: Db) => {
  let known: Promise<ReadonlyMap<number, ProbeChoice>> | null = null
  const read = async (): Promise<ReadonlyMap<number, ProbeChoice>> => {
    const answer = await sql<{
      site_id: number
      id: number
      name: string
      origin_id: number | null
      origin_name: string | null
    }>`
      select chosen.site_id, probe.id, probe.name, origin.id as origin_id, origin.name as origin_name from ${SITE_PROBES} chosen
      join probe on probe.id = coalesce(chosen.probe_id, ${LOCAL_PROBE}) left join site origin on origin.id = chosen.origin_id`.execute(
      db,
    )
    return new Map(
      answer.rows.map(row => [
        row.site_id,
        {
          probeId: row.id,
          probeName: row.name,
          originName: row.origin_name,
          originId: row.origin_id,
        } satisfies ProbeChoice,
      ]),
    )
  }
  return {
    async all(): Promise<ReadonlyMap<number, ProbeChoice>> {
      known ??= read()
      try {
        return await known
      } catch (error) {
        known = null
        throw error
      }
    },
    forget(): void {
      known = null
    },
  }
}
export type SiteProbes = ReturnType<typeof createSiteProbes>

/** Those of some probes that one is told of: all, or those that stand on the sites that one sees. */
export const probesSeen = async (db: Db, viewer: Viewer, ids: readonly number[]): Promise<readonly number[]> => {
  if (seesAll(viewer)) return ids
  const sees = seesSite(viewer)
  const rows = await db.selectFrom('probe').select(['id', 'site_id']).execute()
  const seen = new Set(rows.flatMap(row => (row.site_id !== null && sees(row.site_id) ? row.id : [])))
  return ids.filter(id => seen.has(id))
}
