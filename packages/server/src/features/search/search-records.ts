import { fold } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { sql } from 'kysely'
import type { Change, Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import { PROBE_TITLES } from '../../monitoring/texts.ts'
import type { Database } from '../../store/database.ts'
import { valueSearch } from '../../store/field-lists.ts'
import { visibleTo } from '../../store/visible.ts'

/** What a site is found by beside its name; without case and accents but `shown`. */
export interface SitePlace {
  readonly code: string
  readonly city: string
  readonly shown: string
}

/** What is found and stands in no fleet: probes, models, accounts, groups. */
export interface SearchRecord {
  readonly id: number
  readonly name: string
  readonly folded: string
  /** Also found by it; folded. */
  readonly also: string
  readonly detail: string
}

/** An incident of a probe or its link, which no metric tells of. */
export interface ProbeIncident extends SearchRecord {
  readonly severity: Severity
}

/** What the search knows of the database: small tables, read when first asked for and again after a change of theirs. */
export const createSearchRecords = (database: Database, changes: Changes) => {
  const { db } = database
  return {
    places: keptUntil(changes, ['site'], async (): Promise<ReadonlyMap<number, SitePlace>> => {
      const rows = await db.selectFrom('site').select(['id', 'code', 'code_folded', 'city', 'city_folded']).execute()
      return new Map(
        rows.map(row => [row.id, { code: row.code_folded, city: row.city_folded, shown: row.city || row.code }]),
      )
    }),
    probe: keptUntil(changes, ['probe', 'site'], async (): Promise<readonly SearchRecord[]> => {
      const rows = await db
        .selectFrom('probe')
        .leftJoin('site', 'site.id', 'probe.site_id')
        .select([
          'probe.id',
          'probe.name',
          'probe.name_folded',
          'site.name as site_name',
          'site.name_folded as site_folded',
        ])
        .execute()
      return rows.map(({ id, name, name_folded, site_name, site_folded }) => ({
        ...{ id, name, folded: name_folded, also: site_folded ?? '', detail: site_name ?? '' },
      }))
    }),
    model: keptUntil(changes, ['model'], async (): Promise<readonly SearchRecord[]> => {
      const rows = await db
        .selectFrom('monitoring_model')
        .select(['id', 'name', 'name_folded', 'description'])
        .execute()
      return rows.map(({ id, name, name_folded, description }) => ({
        ...{ id, name, folded: name_folded, also: fold(description), detail: description },
      }))
    }),
    user: keptUntil(changes, ['account'], async (): Promise<readonly SearchRecord[]> => {
      const rows = await db
        .selectFrom('account')
        .select(['id', 'login', 'login_folded', 'first_name', 'last_name', 'name_folded', 'email', 'enabled'])
        .execute()
      return rows.map(row => {
        const name = `${row.first_name} ${row.last_name}`.trim()
        const said = [name === '' ? '' : row.login, row.email, row.enabled === 1 ? '' : 'désactivé']
        return {
          id: row.id,
          name: name || row.login,
          folded: row.name_folded || row.login_folded,
          also: `${row.login_folded} ${fold(row.email)}`,
          detail: said.filter(Boolean).join(' · '),
        }
      })
    }),
    // A change of a group that has no member is told as one of what its members may read.
    group: keptUntil(changes, ['account', 'custom-field'], async (): Promise<readonly SearchRecord[]> => {
      const rows = await db.selectFrom('user_group').select(['id', 'name', 'name_folded', 'description']).execute()
      return rows.map(({ id, name, name_folded, description }) => ({
        ...{ id, name, folded: name_folded, also: fold(description), detail: description },
      }))
    }),
    /** Open incidents that are of no metric, as far as one may see them. */
    async probeIncidents(viewer: Viewer): Promise<readonly ProbeIncident[]> {
      const { rows } = await sql<{
        id: number
        kind: string
        name: string
        severity_rank: number
        site: string | null
      }>`
        select incident.id, incident.kind, probe.name, incident.severity_rank, site.name as site
        from incident join probe on probe.id = incident.probe_id
        left join site on site.id = incident.site_id
        where incident.closed_at is null and incident.kind <> 'metric' and incident.parent_id is null and ${visibleTo(viewer, sql`incident.site_id`)}`.execute(
        db,
      )
      return rows.map(row => {
        const name = row.kind === 'link' ? PROBE_TITLES.linkBlamed(row.name) : PROBE_TITLES.offline(row.name)
        const severity = severityOf(row.severity_rank)
        return { id: row.id, name, folded: fold(name), also: fold(row.site ?? ''), detail: row.site ?? '', severity }
      })
    },
    /** Sites and hosts with the term in a custom field that one may read. */
    async valued(viewer: Viewer, term: string, scope: 'site' | 'host'): Promise<ReadonlySet<number>> {
      const has = (await valueSearch(database, viewer, scope))(term)
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(scope)} where ${has}`.execute(db)
      return new Set(rows.map(row => row.id))
    },
  }
}
export type SearchRecords = ReturnType<typeof createSearchRecords>

/** Read once, and anew after a change of what it is made of; one that comes while it is read counts as well. */
const keptUntil = <T>(changes: Changes, entities: readonly Change['entity'][], read: () => Promise<T>) => {
  let kept: Promise<T> | null = null
  changes.on(({ entity }) => {
    if (entities.includes(entity)) kept = null
  })
  return (): Promise<T> => {
    const reading = kept ?? read()
    kept = reading
    reading.catch(() => {
      if (kept === reading) kept = null
    })
    return reading
  }
}
