import {
  type ActedObject,
  type BulkReply,
  COMMENTS_SHOWN,
  type Comment,
  type CommentBulkBody,
  type CommentCreateBody,
  type CommentKind,
  type CommentUpdateBody,
  grants,
  LAST_COMMENTS,
} from '@narval/contracts'
import { sql } from 'kysely'
import { type Viewer, where } from '../../http/caller.ts'
import { conflict, forbidden, notFound } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { type AuditedChange, auditChange, auditChanges } from '../../store/audit-change.ts'
import { batches, turns } from '../../store/batches.ts'
import { bulkReplyOf } from '../../store/bulk.ts'
import type { Database, Db } from '../../store/database.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { visibleTo } from '../../store/visible.ts'
import { type CommentRow, isOwn, kindOf, readComments, toComment } from './comment.store.ts'

export interface CommentServiceDeps {
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
export const createCommentService = ({ database, monitoring, now, rows }: CommentServiceDeps) => {
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
  const read = async (viewer: Viewer, id: number): Promise<Comment> => toComment(viewer)(await find(db, viewer, id))

  return {
    async list(viewer: Viewer, kind: CommentKind, id: number): Promise<Comment[]> {
      await requireObject(db, viewer, kind, id)
      const where = sql<boolean>`${sql.ref(`comment.${kind}_id`)} = ${id}`
      const rows = await readComments(db, viewer, where, { limit: COMMENTS_SHOWN, pinnedFirst: true })
      return rows.map(toComment(viewer))
    },
    async last(viewer: Viewer): Promise<Comment[]> {
      const rows = await readComments(db, viewer, sql<boolean>`1 = 1`, { limit: LAST_COMMENTS })
      return rows.map(toComment(viewer))
    },
    async create(viewer: Viewer, body: CommentCreateBody): Promise<Comment> {
      requireRight(viewer, body.kind)
      const id = await transaction(db, async trx => {
        await requireObject(trx, writing(viewer, body.kind), body.kind, body.id)
        const written = writtenBy(viewer, await nameOf(trx, viewer), now())
        const row = await trx
          .insertInto('comment')
          .values({ ...written(body), ...placeOf(body.kind, body.id) })
          .returning('id')
          .executeTakeFirstOrThrow()
        await auditChange(trx, lineOf(viewer, await find(trx, viewer, row.id), 'create', null, auditedOf(body)), now())
        return row.id
      })
      tell(body.kind, body.id)
      return read(viewer, id)
    },
    /** The same words on many rows: all of them, but for what is gone, or none. */
    async bulk(viewer: Viewer, { text, plan, ...target }: CommentBulkBody): Promise<BulkReply> {
      const kind = KIND_OF[target.of]
      // Also those that are not there any more: each is told.
      const wanted = target.ids === undefined ? await rows(viewer, target) : [...new Set(target.ids)]
      const body = { text, from: null, to: null, pinned: false, kind }
      const there = await transaction(db, async trx => {
        const there: number[] = []
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
        }
        return there
      })
      if (!plan) for (const some of batches(there, TOLD_AT_ONCE)) tell(kind, ...some)
      const known = new Set(there)
      const refusals = wanted
        .filter(id => !known.has(id))
        .map(id => ({ id, name: `n°\u202f${id}`, errors: [MISSING[kind]] }))
      return bulkReplyOf({ matched: wanted.length, changed: there.length, refusals })
    },
    async update(viewer: Viewer, id: number, body: CommentUpdateBody): Promise<Comment> {
      const row = await transaction(db, async trx => {
        const before = await findOwn(trx, viewer, id)
        if (body.updatedAt !== undefined && fromIso(body.updatedAt) !== before.updated_at)
          throw conflict('Ce commentaire a été modifié entre-temps.', { current: toComment(viewer)(before) })
        const nowMs = Math.max(now(), before.updated_at + 1)
        const edited = body.text === before.text ? before.edited_at : nowMs
        await trx
          .updateTable('comment')
          .set({ ...columnsOf(body), edited_at: edited, updated_at: nowMs, updated_by: viewer.login })
          .where('id', '=', id)
          .execute()
        await auditChange(trx, lineOf(viewer, before, 'update', auditedOf(fieldsOf(before)), auditedOf(body)), nowMs)
        return before
      })
      tell(kindOf(row), row.object_id)
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
const SITE_OF = {
  site: sql`site.id`,
  host: sql`host.site_id`,
  metric: sql`host.site_id`,
  incident: sql`coalesce(host.site_id, incident.site_id)`,
} as const

/** Those of them that exist and may be seen. */
const seenOf = async (db: Db, viewer: Viewer, kind: CommentKind, ids: readonly number[]): Promise<number[]> => {
  const answer = await sql<{ id: number }>`select ${sql.ref(`${kind}.id`)} as id from ${SEEN_FROM[kind]}
    where ${visibleTo(viewer, SITE_OF[kind])} and ${sql.ref(`${kind}.id`)} in (${sql.join(ids)}) order by 1`.execute(db)
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
