import * as z from 'zod/mini'
import { acted, isOneTarget, ONE_TARGET } from './acknowledgement.ts'
import { bulkReply } from './bulk.ts'
import { route } from './route.ts'
import { idParams, idText, idValue, instant, paragraph } from './schema.ts'

/** What can be commented. */
export const COMMENT_KINDS = ['site', 'host', 'metric', 'incident'] as const
export type CommentKind = (typeof COMMENT_KINDS)[number]
export const COMMENT_MAX = 4_000
/** Comments of one answer: of one object, and of all of them. */
export const COMMENTS_SHOWN = 200
export const LAST_COMMENTS = 12

const kind = z.enum(COMMENT_KINDS)

export const comment = z.object({
  id: idValue,
  kind,
  objectId: idValue,
  objectName: z.string(),
  text: z.string(),
  /** Name of who wrote it, which outlives the account. */
  author: z.string(),
  pinned: z.boolean(),
  /** The instant or the range of time that it is about; null: none in particular. */
  from: z.nullable(instant),
  to: z.nullable(instant),
  createdAt: instant,
  updatedAt: instant,
  /** Whether its text was changed after it was written. */
  edited: z.boolean(),
  /** Whether whoever asks may change and delete it. */
  mayEdit: z.boolean(),
})
export type Comment = z.output<typeof comment>

const isRange = ({ from, to }: { from: string | null; to: string | null }): boolean =>
  to === null || (from !== null && Date.parse(to) >= Date.parse(from))
const RANGE = 'La fin précède le début'
const text = paragraph(COMMENT_MAX).check(z.trim(), z.minLength(1, 'Le commentaire est vide'))
const body = {
  text,
  from: z._default(z.nullable(instant), null),
  to: z._default(z.nullable(instant), null),
}
export const commentCreateBody = z
  .object({ ...body, kind, id: idValue, pinned: z._default(z.boolean(), false) })
  .check(z.refine(isRange, RANGE))
export type CommentCreateBody = z.output<typeof commentCreateBody>
export const commentUpdateBody = z.object({ ...body, updatedAt: z.optional(instant) }).check(z.refine(isRange, RANGE))
export type CommentUpdateBody = z.output<typeof commentUpdateBody>
/** The same words on each of the rows themselves; a problem is its metric. */
export const commentBulkBody = z
  .object({ ...acted, text, plan: z._default(z.boolean(), false) })
  .check(z.refine(isOneTarget, ONE_TARGET))
export type CommentBulkBody = z.output<typeof commentBulkBody>

export const commentRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Comment/Get',
    access: 'user',
    summary: `Les commentaires d’un objet : épinglés d’abord, puis du plus récent au plus ancien (${COMMENTS_SHOWN} au plus)`,
    query: z.object({ kind, id: idText }),
    reply: z.array(comment),
  }),
  last: route({
    method: 'GET',
    path: '/api/Comment/Get/Last',
    access: 'user',
    summary: `Les ${LAST_COMMENTS} derniers commentaires`,
    reply: z.array(comment),
  }),
  create: route({
    method: 'POST',
    path: '/api/Comment/Create',
    access: 'user',
    status: 201,
    summary: 'Commenter un objet (un incident : avec le droit « incident_write »)',
    body: commentCreateBody,
    reply: comment,
  }),
  bulk: route({
    method: 'POST',
    path: '/api/Comment/Bulk',
    access: 'incident_write',
    rate: 'heavy',
    summary: 'Écrire le même commentaire sur de nombreux objets',
    body: commentBulkBody,
    reply: bulkReply,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Comment/Update/:id',
    access: 'user',
    summary: 'Modifier son commentaire',
    params: idParams,
    body: commentUpdateBody,
    reply: comment,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Comment/Delete/:id',
    access: 'user',
    summary: 'Supprimer son commentaire',
    params: idParams,
  }),
  pin: route({
    method: 'POST',
    path: '/api/Comment/Pin/:id',
    access: 'user',
    summary: 'Épingler un commentaire, ou le détacher',
    params: idParams,
    body: z.object({ pinned: z.boolean() }),
    reply: comment,
  }),
} as const
