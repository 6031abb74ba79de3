import { sql } from 'kysely'
import type { Db } from './database.ts'

interface About {
  readonly object?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** What stands on a site by itself, by the first word of its object. */
const FROM = {
  host: sql`select host.id, host.site_id as site from host`,
  scanner: sql`select scanner.id, host.site_id as site from scanner join host on host.id = scanner.host_id`,
  metric: sql`select metric.id, host.site_id as site from metric join host on host.id = metric.host_id`,
  incident: sql`select incident.id, coalesce(host.site_id, incident.site_id) as site from incident
    left join metric on metric.id = incident.metric_id left join host on host.id = coalesce(metric.host_id, incident.host_id)`,
  comment: sql`select comment.id, coalesce(comment.site_id, host.site_id, incident.site_id) as site from comment
    left join incident on incident.id = comment.incident_id
    left join metric on metric.id = coalesce(comment.metric_id, incident.metric_id)
    left join host on host.id = coalesce(comment.host_id, metric.host_id, incident.host_id)`,
} as const
type Sited = keyof typeof FROM
const SITED: readonly Sited[] = ['host', 'scanner', 'metric', 'incident', 'comment']

/**
 * The site that each entry is about: who reads only some sites reads their entries alone. Looked up in the transaction of
 * the change; of what is deleted already, what was kept of it says it. Null: about no site, read by who reads all.
 */
export const auditSites = async (db: Db, entries: readonly About[]): Promise<(number | null)[]> => {
  const wanted = new Map<Sited, Set<number>>()
  for (const entry of entries) {
    const { kind, id } = parsed(entry.object)
    const sited = SITED.find(one => one === kind)
    if (sited === undefined || id === null || siteInDetail(entry.detail) !== null) continue
    wanted.set(sited, (wanted.get(sited) ?? new Set()).add(id))
  }
  const found = new Map<string, number | null>()
  for (const [kind, ids] of wanted)
    for (const { id, site } of await sitesOf(db, kind, [...ids])) found.set(`${kind} ${id}`, site)
  return entries.map(entry => {
    const { kind, id } = parsed(entry.object)
    if (kind === 'site') return id
    return siteInDetail(entry.detail) ?? found.get(entry.object ?? '') ?? null
  })
}

const parsed = (object = ''): { kind: string; id: number | null } => {
  const [kind = '', id = ''] = object.split(' ')
  return { kind, id: /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const idOf = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null)

/** `siteId` as it became, or as it was. */
const siteInDetail = (detail: About['detail']): number | null => {
  if (detail === undefined) return null
  const changes = isRecord(detail.changes) ? detail.changes : {}
  const moved = isRecord(changes.siteId) ? changes.siteId : {}
  return idOf(moved.after) ?? idOf(moved.before) ?? idOf(detail.siteId)
}

const sitesOf = async (db: Db, kind: Sited, ids: readonly number[]) =>
  (
    await sql<{
      id: number
      site: number | null
    }>`${FROM[kind]} where ${sql.ref(`${kind}.id`)} in (${sql.join(ids)})`.execute(db)
  ).rows
