import { COMMENT_KINDS, type Comment, type CommentKind, grants } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { visibleTo } from '../../store/visible.ts'

export interface CommentRow {
  id: number
  kind: string
  object_id: number
  object_name: string | null
  text: string
  author_id: number | null
  author: string
  author_first: string | null
  author_last: string | null
  author_login: string | null
  pinned: 0 | 1
  from_at: number | null
  to_at: number | null
  edited_at: number | null
  created_at: number
  updated_at: number
}

const NAME = sql`case comment.kind when 'site' then site.name when 'host' then host.name
  when 'metric' then metric_host.name || ${'\u202f: '} || metric.name
  else case incident.kind when 'probe' then 'Sonde ' || probe.name || ' hors ligne'
    when 'link' then 'Liaison de la sonde ' || probe.name || ' en cause'
    else incident_host.name || ${'\u202f: '} || incident_metric.name end end`

/** The site that a comment is about, be it by a host, a metric or an incident. */
const SITE = sql`coalesce(comment.site_id, host.site_id, metric_host.site_id, incident_host.site_id, incident.site_id)`

/** Comments as they are read, newest first after those that are pinned. */
export const readComments = async (
  db: Db,
  viewer: Viewer,
  where: RawBuilder<boolean>,
  { limit, pinnedFirst = false }: { readonly limit: number; readonly pinnedFirst?: boolean },
): Promise<CommentRow[]> => {
  const order = pinnedFirst ? sql`comment.pinned desc, comment.id desc` : sql`comment.id desc`
  const answer = await sql<CommentRow>`select comment.id, comment.kind,
      coalesce(comment.site_id, comment.host_id, comment.metric_id, comment.incident_id) as object_id, ${NAME} as object_name,
      comment.text, comment.author_id, comment.author, account.first_name as author_first, account.last_name as author_last,
      account.login as author_login, comment.pinned, comment.from_at, comment.to_at, comment.edited_at, comment.created_at,
      comment.updated_at
    from comment left join account on account.id = comment.author_id left join site on site.id = comment.site_id
      left join host on host.id = comment.host_id left join metric on metric.id = comment.metric_id
      left join host metric_host on metric_host.id = metric.host_id left join incident on incident.id = comment.incident_id
      left join metric incident_metric on incident_metric.id = incident.metric_id
      left join host incident_host on incident_host.id = incident_metric.host_id left join probe on probe.id = incident.probe_id
    where ${visibleTo(viewer, SITE)} and ${where} order by ${order} limit ${limit}`.execute(db)
  return answer.rows
}

export const kindOf = (row: Pick<CommentRow, 'kind'>): CommentKind =>
  COMMENT_KINDS.find(kind => kind === row.kind) ?? 'incident'

export const toComment =
  (viewer: Viewer) =>
  (row: CommentRow): Comment => ({
    id: row.id,
    kind: kindOf(row),
    objectId: row.object_id,
    objectName: row.object_name ?? '',
    text: row.text,
    author: `${row.author_first ?? ''} ${row.author_last ?? ''}`.trim() || (row.author_login ?? row.author),
    pinned: row.pinned === 1,
    from: toIsoOrNull(row.from_at),
    to: toIsoOrNull(row.to_at),
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    edited: row.edited_at !== null,
    mayEdit: isOwn(viewer, row),
  })

/** Its author, or an administrator. */
export const isOwn = (viewer: Viewer, { author_id }: Pick<CommentRow, 'author_id'>): boolean =>
  author_id === viewer.userId || grants(viewer.claims, 'admin')
