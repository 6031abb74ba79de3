import {
  type ActedObject,
  type BulkReply,
  COMMENTS_SHOWN,
  type Comment,
  type CommentBulkBody,
  type CommentCreateBody,
  type CommentKind,
  type CommentNews,
  type CommentUpdateBody,
  type DatatableReply,
  type DatatableRequest,
  fold,
  grants,
  INSTRUCTIONS_SHOWN,
  LAST_COMMENTS,
  type Mention,
} from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import { type Viewer, where } from '../../http/caller.ts'
import { conflict, forbidden, notFound } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { type AuditedChange, auditChange, auditChanges } from '../../store/audit-change.ts'
import { batches, turns } from '../../store/batches.ts'
import { bulkReplyOf } from '../../store/bulk.ts'
import type { Database, Db } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { everyMatch } from '../../store/matching.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { visibleHost, visibleIncident, visibleOwner } from '../../store/visible.ts'
import {
  type CommentRow,
  commentList,
  instructionsOf,
  isMentioned,
  isOwn,
  isUnread,
  kindOf,
  presentComments,
  readComments,
  readingOf,
} from './comment.store.ts'
import { type MentionDeps, mentionable, saveMentions, type Told, tellMentioned } from './comment-mention.ts'

export interface CommentServiceDeps extends MentionDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly now: () => number
  /** The rows that ids or the filter of a list stand for. */
  readonly rows: (viewer: Viewer, target: Omit<CommentBulkBody, 'text' | 'plan'>) => Promise<readonly number[]>
}

const MISSING: Readonly<Record<CommentKind, string>> = {
  site: "Ce site n'existe pas.",
  host: "Cet équipement n'existe pas.",
  metric: "Cette métrique n'existe pas.",
  incident: "Cet incident n'existe pas.",
}

/** What people write on sites, equipment, metrics and incidents. */
export const createCommentService = (deps: CommentServiceDeps) => {
  const { database, monitoring, now, rows } = deps
  const { db } = database

  const find = async (trx: Db, viewer: Viewer, id: number): Promise<CommentRow> => {
    const [row] = await readComments(trx, viewer, sql<boolean>`comment.id = ${id}`, { limit: 1 })
    if (row === undefined) throw notFound("Ce commentaire n'existe pas.")
    return row
  }
  const findOwn = async (trx: Db, viewer: Viewer, id: number): Promise<CommentRow> => {
    const row = await find(trx, viewer, id)
    requireRight(viewer, kindOf(row))
    if (!isOwn(viewer, row)) throw forbidden('Seul son auteur, ou un administrateur, change ce commentaire.')
    return row
  }
  const tell = (kind: CommentKind, ...ids: readonly number[]): void =>
    monitoring.publisher.changed({ entity: 'comment', ids, action: 'updated', object: kind })
  const present = (viewer: Viewer, found: readonly CommentRow[]) => presentComments(db, viewer, found)
  const one = async (trx: Db, viewer: Viewer, row: CommentRow): Promise<Comment> => {
    const [comment] = await presentComments(trx, viewer, [row])
    if (comment === undefined) throw notFound("Ce commentaire n'existe pas.")
    return comment
  }
  const read = async (viewer: Viewer, id: number): Promise<Comment> => one(db, viewer, await find(db, viewer, id))
  const newsOf = async (viewer: Viewer): Promise<CommentNews> => {
    const reading = await readingOf(db, viewer)
    const { from, visible } = commentList(viewer, reading)
    const answer = await sql<{ unread: number; mentions: number | null }>`select count(*) as unread,
      sum(case when ${isMentioned(viewer)} then 1 else 0 end) as mentions from ${from}
      where ${visible} and ${isUnread(viewer, reading)}`.execute(db)
    const latest = await sql<{ id: number | null }>`select max(id) as id from comment`.execute(db)
    const [counts] = answer.rows
    return {
      ...{ unread: Number(counts?.unread ?? 0), mentions: Number(counts?.mentions ?? 0) },
      latest: Number(latest.rows[0]?.id ?? 0),
    }
  }

  return {
    async list(viewer: Viewer, kind: CommentKind, id: number): Promise<Comment[]> {
      await requireObject(db, viewer, kind, id)
      // Chosen before they are joined: of an object with 100,000 of them, each was.
      const where = sql<boolean>`comment.id in (select one.id from comment one where ${sql.ref(`one.${kind}_id`)} = ${id}
        order by one.pinned desc, one.id desc limit ${COMMENTS_SHOWN})`
      const rows = await readComments(db, viewer, where, { limit: COMMENTS_SHOWN, pinnedFirst: true })
      return present(viewer, rows)
    },
    async last(viewer: Viewer): Promise<Comment[]> {
      return present(viewer, await readComments(db, viewer, sql<boolean>`1 = 1`, { limit: LAST_COMMENTS }))
    },
    async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<Comment>> {
      const reading = await readingOf(db, viewer)
      const page = await runDatatable<CommentRow>(database, commentList(viewer, reading), request)
      return { ...page, data: await presentComments(db, viewer, page.data, reading) }
    },
    async everything(viewer: Viewer, request: DatatableRequest): Promise<AsyncIterable<readonly Comment[]>> {
      const list = commentList(viewer, await readingOf(db, viewer))
      return everyMatch<CommentRow, Comment>(database, list, request, found => present(viewer, found))
    },
    /** What is pinned on an object and on what it stands on, the nearest to it last written first. */
    async instructions(viewer: Viewer, kind: CommentKind, id: number): Promise<Comment[]> {
      await requireObject(db, viewer, kind, id)
      return present(viewer, await readComments(db, viewer, instructionsOf(kind, id), { limit: INSTRUCTIONS_SHOWN }))
    },
    async mentionable(viewer: Viewer, kind: CommentKind, id: number, term: string): Promise<Mention[]> {
      await requireObject(db, viewer, kind, id)
      return mentionable(db, deps, { kind, id }, term)
    },
    news: newsOf,
    async read(viewer: Viewer, through: number): Promise<CommentNews> {
      const { latest } = await newsOf(viewer)
      await db
        .updateTable('account')
        .set({ comments_through: Math.min(through, latest) })
        .where('id', '=', viewer.userId)
        .where('comments_through', '<', Math.min(through, latest))
        .execute()
      return newsOf(viewer)
    },
    async create(viewer: Viewer, body: CommentCreateBody): Promise<Comment> {
      requireRight(viewer, body.kind)
      const { id, told } = await transaction(db, async trx => {
        await requireObject(trx, writing(viewer, body.kind), body.kind, body.id)
        const written = writtenBy(viewer, await nameOf(trx, viewer), now())
        const row = await trx
          .insertInto('comment')
          .values({ ...written(body), ...placeOf(body.kind, body.id) })
          .returning('id')
          .executeTakeFirstOrThrow()
        const made = await find(trx, viewer, row.id)
        await auditChange(trx, lineOf(viewer, made, 'create', null, auditedOf(body)), now())
        return { id: row.id, told: await saveMentions(trx, deps, viewer, [made]) }
      })
      tell(body.kind, body.id)
      await tellMentioned(deps, told)
      return read(viewer, id)
    },
    /** The same words on many rows: all of them, but for what is gone, or none. */
    async bulk(viewer: Viewer, { text, plan, ...target }: CommentBulkBody): Promise<BulkReply> {
      const kind = KIND_OF[target.of]
      // Also those that are not there any more: each is told.
      const wanted = target.ids === undefined ? await rows(viewer, target) : [...new Set(target.ids)]
      const body = { text, from: null, to: null, pinned: false, kind }
      const { there, told } = await transaction(db, async trx => {
        const there: number[] = []
        const told: Told[] = []
        const written = writtenBy(viewer, await nameOf(trx, viewer), now())
        for await (const some of turns(wanted)) {
          const found = await seenOf(trx, writing(viewer, kind), kind, some)
          there.push(...found)
          if (plan || found.length === 0) continue
          const made = await trx
            .insertInto('comment')
            .values(found.map(id => ({ ...written(body), ...placeOf(kind, id) })))
            .returning('id')
            .execute()
          const ids = sql.join(made.map(row => row.id))
          const comments = await readComments(trx, viewer, sql<boolean>`comment.id in (${ids})`, { limit: made.length })
          const lines = comments.toReversed().map(row => lineOf(viewer, row, 'create', null, auditedOf(body)))
          await auditChanges(trx, lines, now())
          told.push(...(await saveMentions(trx, deps, viewer, comments.toReversed())))
        }
        return { there, told }
      })
      await tellMentioned(deps, told)
      if (!plan) for (const some of batches(there, TOLD_AT_ONCE)) tell(kind, ...some)
      const known = new Set(there)
      const refusals = wanted
        .filter(id => !known.has(id))
        .map(id => ({ id, name: `n°\u202f${id}`, errors: [MISSING[kind]] }))
      return bulkReplyOf({ matched: wanted.length, changed: there.length, refusals })
    },
    async update(viewer: Viewer, id: number, body: CommentUpdateBody): Promise<Comment> {
      const { row, told } = await transaction(db, async trx => {
        const before = await findOwn(trx, viewer, id)
        if (body.updatedAt !== undefined && fromIso(body.updatedAt) !== before.updated_at)
          throw conflict('Ce commentaire a été modifié entre-temps.', { current: await one(trx, viewer, before) })
        const nowMs = Math.max(now(), before.updated_at + 1)
        const edited = body.text === before.text ? before.edited_at : nowMs
        await trx
          .updateTable('comment')
          .set({ ...columnsOf(body), edited_at: edited, updated_at: nowMs, updated_by: viewer.login })
          .where('id', '=', id)
          .execute()
        await auditChange(trx, lineOf(viewer, before, 'update', auditedOf(fieldsOf(before)), auditedOf(body)), nowMs)
        return { row: before, told: await saveMentions(trx, deps, viewer, [{ ...before, text: body.text }]) }
      })
      tell(kindOf(row), row.object_id)
      await tellMentioned(deps, told)
      return read(viewer, id)
    },
    async delete(viewer: Viewer, id: number): Promise<undefined> {
      const row = await transaction(db, async trx => {
        const before = await findOwn(trx, viewer, id)
        await trx.deleteFrom('comment').where('id', '=', id).execute()
        await auditChange(trx, lineOf(viewer, before, 'delete', auditedOf(fieldsOf(before)), null), now())
        return before
      })
      tell(kindOf(row), row.object_id)
    },
    async pin(viewer: Viewer, id: number, pinned: boolean): Promise<Comment> {
      const row = await transaction(db, async trx => {
        const before = await find(trx, viewer, id)
        requireRight(viewer, kindOf(before))
        await requireObject(trx, writing(viewer, kindOf(before)), kindOf(before), before.object_id)
        const updated = { pinned: pinned ? (1 as const) : (0 as const), updated_by: viewer.login }
        await trx.updateTable('comment').set(updated).where('id', '=', id).execute()
        const line = lineOf(viewer, before, 'update', { pinned: before.pinned === 1 }, { pinned })
        await auditChange(trx, line, now())
        return before
      })
      tell(kindOf(row), row.object_id)
      return read(viewer, id)
    },
  }
}
export type CommentService = ReturnType<typeof createCommentService>

/** What is written on for a row of a list: a problem is its metric. */
const KIND_OF: Readonly<Record<ActedObject, CommentKind>> = {
  ...{ incident: 'incident', problem: 'metric', metric: 'metric', host: 'host', site: 'site' },
}
/** Ids of one message of the hubs. */
const TOLD_AT_ONCE = 500

/** Name of who writes, which outlives the account. */
const nameOf = async (db: Db, viewer: Viewer): Promise<string> => {
  const author = await db
    .selectFrom('account')
    .select(['first_name', 'last_name'])
    .where('id', '=', viewer.userId)
    .executeTakeFirst()
  return `${author?.first_name ?? ''} ${author?.last_name ?? ''}`.trim() || viewer.login
}
const writtenBy =
  (viewer: Viewer, author: string, nowMs: number) => (body: Written & Pick<CommentCreateBody, 'kind' | 'pinned'>) => ({
    kind: body.kind,
    ...columnsOf(body),
    author_id: viewer.userId,
    author,
    pinned: body.pinned ? (1 as const) : (0 as const),
    edited_at: null,
    ...{ created_at: nowMs, updated_at: nowMs, updated_by: viewer.login },
  })

/** Sites, equipment and metrics are commented by anybody; incidents by those who act on them. */
const requireRight = (viewer: Viewer, kind: CommentKind): void => {
  if (kind === 'incident' && !grants(viewer.claims, 'incident_write'))
    throw forbidden('Cette action demande le droit « Incidents ».')
}

/** Where one writes about objects of a kind. */
const writing = (viewer: Viewer, kind: CommentKind): Viewer =>
  kind === 'incident' ? where(viewer, 'incident_write') : viewer

const SEEN_FROM = {
  site: sql`site`,
  host: sql`host`,
  metric: sql`metric join host on host.id = metric.host_id`,
  incident: sql`incident left join metric on metric.id = incident.metric_id left join host on host.id = metric.host_id`,
} as const
const SEEN: Readonly<Record<CommentKind, (viewer: Viewer) => RawBuilder<boolean>>> = {
  site: viewer => visibleOwner(viewer, 'site'),
  host: viewer => visibleHost(viewer),
  metric: viewer => visibleHost(viewer),
  incident: visibleIncident,
}

/** Those of them that exist and may be seen. */
const seenOf = async (db: Db, viewer: Viewer, kind: CommentKind, ids: readonly number[]): Promise<number[]> => {
  const answer = await sql<{ id: number }>`select ${sql.ref(`${kind}.id`)} as id from ${SEEN_FROM[kind]}
    where ${SEEN[kind](viewer)} and ${sql.ref(`${kind}.id`)} in (${sql.join(ids)}) order by 1`.execute(db)
  return answer.rows.map(row => row.id)
}
const requireObject = async (db: Db, viewer: Viewer, kind: CommentKind, id: number): Promise<void> => {
  if ((await seenOf(db, viewer, kind, [id])).length === 0) throw notFound(MISSING[kind])
}

const placeOf = (kind: CommentKind, id: number) => ({
  site_id: kind === 'site' ? id : null,
  host_id: kind === 'host' ? id : null,
  metric_id: kind === 'metric' ? id : null,
  incident_id: kind === 'incident' ? id : null,
})
type Written = Pick<CommentUpdateBody, 'text' | 'from' | 'to'>
const columnsOf = ({ text, from, to }: Written) => ({
  text,
  text_folded: fold(text),
  from_at: from === null ? null : fromIso(from),
  to_at: to === null ? null : fromIso(to),
})
const fieldsOf = (row: CommentRow): Written => ({
  text: row.text,
  from: row.from_at === null ? null : new Date(row.from_at).toISOString(),
  to: row.to_at === null ? null : new Date(row.to_at).toISOString(),
})
const auditedOf = ({ text, from, to }: Written): Written => ({
  text,
  from: from === null ? null : new Date(from).toISOString(),
  to: to === null ? null : new Date(to).toISOString(),
})
const lineOf = (
  viewer: Viewer,
  row: CommentRow,
  what: 'create' | 'update' | 'delete',
  before: object | null,
  after: object | null,
): AuditedChange => ({
  ...{ action: `comment-${what}`, actor: viewer.login, object: `comment ${row.id}` },
  ...{ name: `${row.kind} ${row.object_id} ${row.object_name ?? ''}`, before, after },
})
