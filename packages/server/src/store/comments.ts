import { type RawBuilder, sql } from 'kysely'
import { batches } from './batches.ts'
import type { Db } from './database.ts'

const ON_METRICS = (metrics: RawBuilder<unknown>) => sql<boolean>`comment.metric_id in (${metrics})
  or comment.incident_id in (select incident.id from incident where incident.metric_id in (${metrics}))`
const ON: Readonly<Record<'site' | 'host' | 'scanner' | 'metric', (ids: RawBuilder<unknown>) => RawBuilder<boolean>>> =
  {
    site: ids => sql<boolean>`comment.site_id in (${ids})`,
    host: ids =>
      sql<boolean>`comment.host_id in (${ids}) or ${ON_METRICS(sql`select metric.id from metric where metric.host_id in (${ids})`)}`,
    scanner: ids => ON_METRICS(sql`select metric.id from metric where metric.scanner_id in (${ids})`),
    metric: ids => ON_METRICS(ids),
  }

/** Comments that go when these objects do, with what stands on them (of sites: the sites alone, their hosts are asked apart). */
export const countComments = async (db: Db, kind: keyof typeof ON, ids: readonly number[]): Promise<number> => {
  let count = 0
  for (const some of batches(ids)) {
    const on = ON[kind](sql.join(some))
    const answer = await sql<{ n: number }>`select count(*) as n from comment where ${on}`.execute(db)
    count += Number(answer.rows[0]?.n ?? 0)
  }
  return count
}
