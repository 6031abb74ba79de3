import * as z from 'zod/mini'
import { acted, isOneTarget, ONE_TARGET } from './acknowledgement.ts'
import { bulkReply } from './bulk.ts'
import { datatableRoutes } from './datatable.ts'
import { mention } from './mention.ts'
import { route } from './route.ts'
import { idParams, idText, idValue, instant, nullableId, paragraph } from './schema.ts'

/** What can be commented. */
export const COMMENT_KINDS = ['site', 'host', 'metric', 'incident'] as const
export type CommentKind = (typeof COMMENT_KINDS)[number]
export const COMMENT_MAX = 4_000
/** Comments of one answer: of one object, and of all of them. */
export const COMMENTS_SHOWN = 200
export const LAST_COMMENTS = 12
/** Pinned instructions of one page, and accounts that are offered to be mentioned at once. */
export const INSTRUCTIONS_SHOWN = 50
export const MENTIONS_OFFERED = 8

const kind = z.enum(COMMENT_KINDS)

export const comment = z.object({
  id: idValue,
  kind,
  objectId: idValue,
  objectName: z.string(),
  /** Where the object stands; null: on no site. */
  siteId: nullableId,
  siteName: z.nullable(z.string()),
  text: z.string(),
  /** Accounts that its text names and that may see the object. */
  mentions: z.array(mention),
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
  /** Whether its text names whoever asks. */
  mentionsMe: z.boolean(),
  /** Written by somebody else since whoever asks said that all was read. */
  unread: z.boolean(),
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

/** What is unread among what one may see, and the place up to which one may say that all was read. */
export const commentNews = z.object({ unread: z.int(), mentions: z.int(), latest: z.int() })
export type CommentNews = z.output<typeof commentNews>

export const commentRoutes = {
  datatable: datatableRoutes('CommentDatatable', 'user', 'Commentaires', comment),
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
  instructions: route({
    method: 'GET',
    path: '/api/Comment/Get/Instruction',
    access: 'user',
    summary: `Les consignes d’un objet et de ce sur quoi il se trouve : les commentaires épinglés (${INSTRUCTIONS_SHOWN} au plus)`,
    query: z.object({ kind, id: idText }),
    reply: z.array(comment),
  }),
  mentionable: route({
    method: 'GET',
    path: '/api/Comment/Get/Mentionable',
    access: 'user',
    summary: `Les comptes que l’on peut mentionner sur un objet, parce qu’ils le voient (${MENTIONS_OFFERED} au plus)`,
    query: z.object({ kind, id: idText, term: z._default(z.string().check(z.maxLength(64)), '') }),
    reply: z.array(mention),
  }),
  news: route({
    method: 'GET',
    path: '/api/Comment/Get/Unread',
    access: 'user',
    summary: 'Combien de commentaires ne sont pas lus, et combien me mentionnent',
    reply: commentNews,
  }),
  read: route({
    method: 'POST',
    path: '/api/Comment/Read',
    access: 'user',
    summary: 'Dire que les commentaires sont lus, jusqu’à celui-ci',
    body: z.object({ through: idValue }),
    reply: commentNews,
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
