import { fold, type SearchResult, searchRoutes } from '@narval/contracts'
import { worstOfCounts } from '@narval/engine'
import { sql } from 'kysely'
import { type Mounted, on } from '../../http/mount.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database } from '../../store/database.ts'
import { containsFolded } from '../../store/datatable.ts'
import { valueSearch } from '../../store/field-lists.ts'
import { visibleHost, visibleSite } from '../../store/visible.ts'

const PER_KIND = 8

interface Found {
  id: number
  name: string
  detail: string
}

/** Sites, hosts and metrics whose name has the words typed; those that begin with them first. */
export const searchHandlers = (database: Database, monitoring: Monitoring): Mounted[] => [
  on(searchRoutes.search, async ({ query }, viewer) => {
    const term = query.term.trim()
    if (term === '') return []
    const { db } = database
    const [ofSite, ofHost] = [visibleSite(viewer, sql`site.id`), visibleHost(viewer)]
    const hostValue = await valueSearch(database, viewer, 'host')
    const begins = (column: ReturnType<typeof sql>) =>
      sql`case when ${column} like ${`${fold(term).replace(/[\\%_]/g, c => `\\${c}`)}%`} escape '\\' then 0 else 1 end`
    const [sites, hosts, metrics] = await Promise.all([
      sql<Found>`select site.id, site.name, site.city as detail from site where ${ofSite} and (${containsFolded(sql`site.name_folded`, term)} or ${containsFolded(sql`site.code_folded`, term)})
        order by ${begins(sql`site.name_folded`)}, site.name_folded limit ${PER_KIND}`.execute(db),
      sql<Found>`select host.id, host.name, site.name as detail from host join site on site.id = host.site_id where ${ofHost} and (${containsFolded(sql`host.name_folded`, term)} or ${containsFolded(sql`host.address_folded`, term)} or ${hostValue(term)})
        order by ${begins(sql`host.name_folded`)}, host.name_folded limit ${PER_KIND}`.execute(db),
      sql<Found>`select metric.id, metric.name, host.name as detail from metric join host on host.id = metric.host_id where ${ofHost} and ${containsFolded(sql`metric.name_folded`, term)}
        order by ${begins(sql`metric.name_folded`)}, metric.name_folded, host.name_folded limit ${PER_KIND}`.execute(
        db,
      ),
    ])
    const { model } = monitoring
    const result = (
      kind: SearchResult['kind'],
      { id, name, detail }: Found,
      severity: SearchResult['severity'] | null | undefined,
    ): SearchResult => ({ kind, id, name, detail, severity: severity ?? 'unknown' })
    return [
      ...sites.rows.map(row =>
        result(
          'site',
          row,
          worstOfCounts(model.sites.get(row.id)?.counts ?? { error: 0, warning: 0, unknown: 0, ok: 0 }) ?? 'ok',
        ),
      ),
      ...hosts.rows.map(row => result('host', row, model.hosts.get(row.id)?.severity)),
      ...metrics.rows.map(row => result('metric', row, model.metrics.get(row.id)?.state.hardSeverity)),
    ]
  }),
]
