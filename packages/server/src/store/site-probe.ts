import { sql } from 'kysely'

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

/** The probe that stands by when no site has chosen another: the first local one that is approved. */
export const LOCAL_PROBE = sql`(select min(p.id) from probe p where p.local = 1 and p.approval = 'approved')`
