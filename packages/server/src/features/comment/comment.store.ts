import { COMMENT_KINDS, type Comment, type CommentKind, grants, type Mention } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { containsFolded, flagFilter, flagOf, idFilter, type ListSpec, wordFilter } from '../../store/datatable.ts'
import { instantOf, textOf } from '../../store/filter-values.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { visibleTo } from '../../store/visible.ts'

export interface CommentRow {
  id: number
  kind: string
  object_id: number
  object_name: string | null
  seen_site_id: number | null
  seen_site_name: string | null
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
const TAGS = sql`coalesce(host.tags_folded, metric_host.tags_folded, incident_host.tags_folded)`
const HOST = sql`coalesce(comment.host_id, metric.host_id, incident_metric.host_id)`
const METRIC = sql`coalesce(comment.metric_id, incident.metric_id)`

const FROM = sql`comment left join account on account.id = comment.author_id left join site on site.id = comment.site_id
  left join host on host.id = comment.host_id left join metric on metric.id = comment.metric_id
  left join host metric_host on metric_host.id = metric.host_id left join incident on incident.id = comment.incident_id
  left join metric incident_metric on incident_metric.id = incident.metric_id
  left join host incident_host on incident_host.id = incident_metric.host_id left join probe on probe.id = incident.probe_id
  left join site seen_site on seen_site.id = ${SITE}`
const SELECT = sql`comment.id, comment.kind,
  coalesce(comment.site_id, comment.host_id, comment.metric_id, comment.incident_id) as object_id, ${NAME} as object_name,
  seen_site.id as seen_site_id, seen_site.name as seen_site_name, comment.text, comment.author_id, comment.author,
  account.first_name as author_first, account.last_name as author_last, account.login as author_login, comment.pinned,
  comment.from_at, comment.to_at, comment.edited_at, comment.created_at, comment.updated_at`

/** Up to where an account has read. */
export interface Reading {
  readonly through: number
  /** When the account was made: what is older is no news to it. */
  readonly since: number
}

export const readingOf = async (db: Db, viewer: Viewer): Promise<Reading> => {
  const row = await db
    .selectFrom('account')
    .select(['comments_through as through', 'created_at as since'])
    .where('id', '=', viewer.userId)
    .executeTakeFirst()
  return row ?? { through: 0, since: 0 }
}

export const isUnread = (viewer: Viewer, { through, since }: Reading): RawBuilder<boolean> =>
  sql<boolean>`(comment.id > ${through} and comment.created_at >= ${since}
    and (comment.author_id is null or comment.author_id <> ${viewer.userId}))`
export const isMentioned = (viewer: Viewer): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from comment_mention m where m.comment_id = comment.id and m.account_id = ${viewer.userId})`

const either = (yes: RawBuilder<boolean>) => (value: Parameters<ListSpec['filters'][string]>[0]) =>
  flagOf(value) ? yes : sql<boolean>`not ${yes}`

/** Comments on what one may see, the newest first. */
export const commentList = (viewer: Viewer, reading: Reading): ListSpec => ({
  select: SELECT,
  from: FROM,
  visible: visibleTo(viewer, SITE, TAGS),
  columns: {
    createdAt: { sort: sql`comment.created_at` },
    kind: { sort: sql`comment.kind` },
    objectName: { sort: NAME },
    siteName: { sort: sql`seen_site.name_folded`, search: sql`seen_site.name_folded` },
    author: { sort: sql`lower(comment.author)` },
    text: { sort: sql`comment.text_folded`, search: sql`comment.text_folded` },
    pinned: { sort: sql`comment.pinned` },
  },
  alsoFinds: term =>
    sql<boolean>`(${sql.join(
      [sql`host.name_folded`, sql`metric.name_folded`, sql`metric_host.name_folded`, sql`incident_host.name_folded`]
        .concat([sql`incident_metric.name_folded`, sql`probe.name_folded`])
        .map(column => containsFolded(column, term)),
      sql` or `,
    )} or ${writtenBy(term)})`,
  filters: {
    id: idFilter(sql`comment.id`),
    kind: wordFilter(sql`comment.kind`, new Map(COMMENT_KINDS.map(kind => [kind, kind]))),
    siteId: idFilter(SITE),
    hostId: idFilter(HOST),
    metricId: idFilter(METRIC),
    incidentId: idFilter(sql`comment.incident_id`),
    author: value => writtenBy(textOf(value)),
    mine: either(sql<boolean>`coalesce(comment.author_id, 0) = ${viewer.userId}`),
    pinned: flagFilter(sql`comment.pinned`),
    mentionsMe: either(isMentioned(viewer)),
    unread: either(isUnread(viewer, reading)),
    from: value => sql<boolean>`comment.created_at >= ${instantOf(value)}`,
    to: value => sql<boolean>`comment.created_at < ${instantOf(value)}`,
  },
  order: sql`comment.id desc`,
  tie: sql`comment.id`,
  isDear: true,
})

/** By the name that the account has, or had when it wrote. */
const writtenBy = (term: string): RawBuilder<boolean> =>
  sql<boolean>`(${containsFolded(sql`account.name_folded`, term)} or ${containsFolded(sql`account.login_folded`, term)}
    or ${containsFolded(sql`lower(comment.author)`, term)})`

/** Comments as they are read, newest first after those that are pinned. */
export const readComments = async (
  db: Db,
  viewer: Viewer,
  where: RawBuilder<boolean>,
  { limit, pinnedFirst = false }: { readonly limit: number; readonly pinnedFirst?: boolean },
): Promise<CommentRow[]> => {
  const order = pinnedFirst ? sql`comment.pinned desc, comment.id desc` : sql`comment.id desc`
  const answer = await sql<CommentRow>`select ${SELECT} from ${FROM}
    where ${visibleTo(viewer, SITE, TAGS)} and ${where} order by ${order} limit ${limit}`.execute(db)
  return answer.rows
}

/** Where what an instruction is about stands: an incident's metric, host and site, a metric's host and site, a host's site. */
export const instructionsOf = (kind: CommentKind, id: number): RawBuilder<boolean> => {
  const incident = kind === 'incident' ? sql`${id}` : sql`null`
  const metric = kind === 'metric' ? sql`${id}` : sql`(select metric_id from incident where id = ${incident})`
  const host = kind === 'host' ? sql`${id}` : sql`(select host_id from metric where id = ${metric})`
  const site =
    kind === 'site'
      ? sql`${id}`
      : sql`coalesce((select site_id from host where id = ${host}), (select site_id from incident where id = ${incident}))`
  return sql<boolean>`comment.pinned = 1 and (comment.incident_id = ${incident} or comment.metric_id = ${metric}
    or comment.host_id = ${host} or comment.site_id = ${site})`
}

interface MentionRow {
  comment_id: number
  id: number
  login: string
  first_name: string
  last_name: string
}
export const nameOfAccount = (row: Omit<MentionRow, 'comment_id' | 'id'>): string =>
  `${row.first_name} ${row.last_name}`.trim() || row.login

/** Comments as one account is answered them. */
export const presentComments = async (
  db: Db,
  viewer: Viewer,
  rows: readonly CommentRow[],
  reading?: Reading,
): Promise<Comment[]> => {
  if (rows.length === 0) return []
  const { through, since } = reading ?? (await readingOf(db, viewer))
  const named =
    await sql<MentionRow>`select m.comment_id, account.id, account.login, account.first_name, account.last_name
    from comment_mention m join account on account.id = m.account_id
    where m.comment_id in (${sql.join(rows.map(row => row.id))}) order by account.login_folded`.execute(db)
  const byComment = Map.groupBy(named.rows, row => row.comment_id)
  return rows.map(row => {
    const mentioned = byComment.get(row.id) ?? []
    const isNews = row.id > through && row.created_at >= since && row.author_id !== viewer.userId
    return toComment(viewer, row, {
      mentions: mentioned.map(one => ({ login: one.login, name: nameOfAccount(one) })),
      mentionsMe: mentioned.some(one => one.id === viewer.userId),
      unread: isNews,
    })
  })
}

export const kindOf = (row: Pick<CommentRow, 'kind'>): CommentKind =>
  COMMENT_KINDS.find(kind => kind === row.kind) ?? 'incident'

interface ToReader {
  readonly mentions: Mention[]
  readonly mentionsMe: boolean
  readonly unread: boolean
}
const toComment = (viewer: Viewer, row: CommentRow, toReader: ToReader): Comment => ({
  id: row.id,
  kind: kindOf(row),
  objectId: row.object_id,
  objectName: row.object_name ?? '',
  siteId: row.seen_site_id,
  siteName: row.seen_site_name,
  text: row.text,
  author: `${row.author_first ?? ''} ${row.author_last ?? ''}`.trim() || (row.author_login ?? row.author),
  pinned: row.pinned === 1,
  from: toIsoOrNull(row.from_at),
  to: toIsoOrNull(row.to_at),
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
  edited: row.edited_at !== null,
  mayEdit: isOwn(viewer, row),
  ...toReader,
})

/** Its author, or an administrator. */
export const isOwn = (viewer: Viewer, { author_id }: Pick<CommentRow, 'author_id'>): boolean =>
  author_id === viewer.userId || grants(viewer.claims, 'admin')
