import { LOG_BOOK_EVENTS, type LogBookEntry, type LogBookEvent, type LogBookKind } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Db } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import { visibleHost, visibleIncident, visibleTo } from '../../store/visible.ts'

/** What of the log book is asked for; times are epoch ms. */
export interface LogBookQuery {
  readonly fromMs: number
  readonly toMs: number
  readonly site: number | null
  readonly kinds: ReadonlySet<LogBookKind>
  /** Only lines that come after this one in the order of the book; null: from the newest on. */
  readonly before: Place | null
  readonly limit: number
}

/** Where a line stands: by its time, what it comes from, its id; each from the greatest down but the source. */
export interface Place {
  readonly at: number
  readonly source: number
  readonly id: number
}

/** What lines come from, in the order in which they stand when they are of one moment. */
export const SOURCE = { incident: 0, comment: 1, started: 2, ended: 3, note: 4, handover: 5, reading: 6 } as const
export type Source = keyof typeof SOURCE

export interface Line {
  readonly place: Place
  readonly entry: LogBookEntry
}

/** Lines of a source within the period and past the place, newest first. */
export const within = (
  { fromMs, toMs, before }: LogBookQuery,
  source: Source,
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> => {
  const period = sql<boolean>`${at} >= ${fromMs} and ${at} < ${toMs}`
  if (before === null) return period
  const rank = SOURCE[source]
  if (rank > before.source) return sql<boolean>`${period} and ${at} <= ${before.at}`
  if (rank < before.source) return sql<boolean>`${period} and ${at} < ${before.at}`
  return sql<boolean>`${period} and (${at} < ${before.at} or (${at} = ${before.at} and ${id} < ${before.id}))`
}
const onSite = (site: number | null, column: RawBuilder<unknown>): RawBuilder<boolean> =>
  site === null ? sql<boolean>`1 = 1` : sql<boolean>`${column} = ${site}`
const anyOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`

/** What is the same on most lines. */
export const PLAIN = { severity: null, siteId: null, siteName: null, edited: false, mayEdit: false } as const

/** What is wrong, in words, of `incident` and what `INCIDENT_FROM` joins. */
export const TITLE = sql`case incident.kind when 'probe' then 'Sonde ' || probe.name || ' hors ligne'
  when 'link' then 'Liaison de la sonde ' || probe.name || ' en cause'
  else host.name || ${'\u202f: '} || metric.name end`
/** As the partial index has them: SQLite takes it for these very words alone. */
const LIFE = sql.raw("('opened', 'reopened', 'closed')")
const TOLD = sql.raw(
  "('opened', 'reopened', 'closed', 'acknowledged', 'unacknowledged', 'acknowledgement-expired', 'owned')",
)
/** Of one that another explains, its life is read there. */
const IS_TOLD = sql<boolean>`(incident.parent_id is null or e.kind not in ${LIFE})`
const OF_KIND = {
  incident: sql<boolean>`(incident.kind = 'metric' and e.kind in ${LIFE})`,
  probe: sql<boolean>`(incident.kind <> 'metric' and e.kind in ${LIFE})`,
  acknowledgement: sql<boolean>`e.kind not in ${LIFE}`,
} as const
type IncidentPart = keyof typeof OF_KIND
const INCIDENT_PARTS: readonly IncidentPart[] = ['incident', 'probe', 'acknowledgement']

interface IncidentLine {
  id: number
  at: number
  kind: string
  severity_rank: number | null
  actor: string | null
  first_name: string | null
  last_name: string | null
  text: string
  incident_id: number
  incident_kind: string
  title: string | null
  site_id: number | null
  site_name: string | null
}

/** What an incident is about. */
export const INCIDENT_FROM = sql`left join metric on metric.id = incident.metric_id
  left join host on host.id = metric.host_id left join probe on probe.id = incident.probe_id
  left join site on site.id = coalesce(host.site_id, incident.site_id)`

/** What happened to incidents and what was done about them; of probes, their silence. */
export const incidentLines = async (db: Db, viewer: Viewer, query: LogBookQuery): Promise<Line[]> => {
  const parts = INCIDENT_PARTS.filter(part => query.kinds.has(part))
  if (parts.length === 0) return []
  const { rows } = await sql<IncidentLine>`select e.id, e.at, e.kind, e.severity_rank, e.actor, e.text,
      account.first_name, account.last_name, incident.id as incident_id, incident.kind as incident_kind, ${TITLE} as title,
      site.id as site_id, site.name as site_name
    from incident_event e join incident on incident.id = e.incident_id ${INCIDENT_FROM}
      left join account on account.login = e.actor
    where e.kind in ${TOLD} and ${IS_TOLD} and ${anyOf(parts.map(part => OF_KIND[part]))} and ${visibleIncident(viewer)}
      and ${onSite(query.site, sql`site.id`)} and ${within(query, 'incident', sql`e.at`, sql`e.id`)}
    order by e.at desc, e.id desc limit ${query.limit}`.execute(db)
  return rows.map(row => ({
    place: { at: row.at, source: SOURCE.incident, id: row.id },
    entry: {
      ...PLAIN,
      ...{ key: `incident:${row.id}`, at: toIso(row.at), kind: partOf(row), event: eventOf(row.kind) },
      ...{ title: row.title ?? '', id: row.incident_id, link: `/dashboard/live-view/incident/${row.incident_id}` },
      text: row.text,
      author: row.actor === null ? null : nameIn(row) || row.actor,
      severity: row.severity_rank === null ? null : severityOf(row.severity_rank),
      ...{ siteId: row.site_id, siteName: row.site_name },
    },
  }))
}
const eventOf = (kind: string): LogBookEvent => LOG_BOOK_EVENTS.find(event => event === kind) ?? 'opened'
const LIVES: readonly string[] = ['opened', 'reopened', 'closed']
const partOf = ({ kind, incident_kind }: IncidentLine): LogBookKind =>
  LIVES.includes(kind) ? (incident_kind === 'metric' ? 'incident' : 'probe') : 'acknowledgement'
const nameIn = (row: { readonly first_name: string | null; readonly last_name: string | null }): string =>
  `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim()

interface CommentLine {
  id: number
  at: number
  kind: 'site' | 'host' | 'metric' | 'incident'
  object_id: number
  title: string | null
  text: string
  author: string
  first_name: string | null
  last_name: string | null
  site_id: number | null
  site_name: string | null
}
const SAID_OF = sql`case comment.kind when 'site' then own_site.name when 'host' then host.name
  when 'metric' then host.name || ${'\u202f: '} || metric.name else ${TITLE} end`
const LINKS = { site: '/site', host: '/host', metric: '/metric', incident: '/dashboard/live-view/incident' } as const

/** What people wrote on objects. */
export const commentLines = async (db: Db, viewer: Viewer, query: LogBookQuery): Promise<Line[]> => {
  if (!query.kinds.has('comment')) return []
  const { rows } = await sql<CommentLine>`select comment.id, comment.created_at as at, comment.kind,
      coalesce(comment.site_id, comment.host_id, comment.metric_id, comment.incident_id) as object_id, ${SAID_OF} as title,
      comment.text, comment.author, account.first_name, account.last_name, site.id as site_id, site.name as site_name
    from comment left join incident on incident.id = comment.incident_id left join probe on probe.id = incident.probe_id
      left join metric on metric.id = coalesce(comment.metric_id, incident.metric_id)
      left join host on host.id = coalesce(comment.host_id, metric.host_id)
      left join site own_site on own_site.id = comment.site_id
      left join site on site.id = coalesce(comment.site_id, host.site_id, incident.site_id)
      left join account on account.id = comment.author_id
    where ${visibleTo(viewer, sql`site.id`, sql`host.tags_folded`)} and ${onSite(query.site, sql`site.id`)}
      and ${within(query, 'comment', sql`comment.created_at`, sql`comment.id`)}
    order by comment.created_at desc, comment.id desc limit ${query.limit}`.execute(db)
  return rows.map(row => ({
    place: { at: row.at, source: SOURCE.comment, id: row.id },
    entry: {
      ...PLAIN,
      ...{ key: `comment:${row.id}`, at: toIso(row.at), kind: 'comment', event: 'commented', title: row.title ?? '' },
      ...{ id: row.object_id, link: `${LINKS[row.kind]}/${row.object_id}`, text: row.text },
      author: nameIn(row) || row.author,
      ...{ siteId: row.site_id, siteName: row.site_name },
    },
  }))
}

export interface NoteRow {
  id: number
  at: number
  site_id: number | null
  site_name: string | null
  text: string
  author_id: number | null
  author: string
  edited_at: number | null
}
/** Notes of which the condition holds, newest first. */
export const readNotes = async (
  db: Db,
  viewer: Viewer,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<NoteRow[]> =>
  (
    await sql<NoteRow>`select note.id, note.at, note.site_id, site.name as site_name, note.text, note.author_id, note.author,
        note.edited_at from log_book_note note left join site on site.id = note.site_id
      where ${visibleTo(viewer, sql`note.site_id`)} and ${condition} order by note.at desc, note.id desc limit ${limit}`.execute(
      db,
    )
  ).rows

export const noteLines = async (
  db: Db,
  viewer: Viewer,
  query: LogBookQuery,
  toEntry: (row: NoteRow) => LogBookEntry,
): Promise<Line[]> => {
  if (!query.kinds.has('note')) return []
  const asked = sql<boolean>`${onSite(query.site, sql`note.site_id`)} and ${within(query, 'note', sql`note.at`, sql`note.id`)}`
  const rows = await readNotes(db, viewer, asked, query.limit)
  return rows.map(row => ({ place: { at: row.at, source: SOURCE.note, id: row.id }, entry: toEntry(row) }))
}

/** Whether a host that may be seen is on a site; `ids` are those of a maintenance. */
export const seenHosts = async (db: Db, viewer: Viewer, site: number | null): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ id: number }>`select host.id from host where ${visibleHost(viewer)}
    and ${onSite(site, sql`host.site_id`)}`.execute(db)
  return new Set(rows.map(row => row.id))
}
