import * as z from 'zod/mini'
import { route } from './route.ts'
import { idParams, idText, idValue, instant, nullableId, paragraph } from './schema.ts'
import { severity } from './state.ts'

/** What a log book tells, in the order of its filter: what Narval saw and what people did; `note` is written by hand. */
export const LOG_BOOK_KINDS = [
  'incident',
  'acknowledgement',
  'maintenance',
  'probe',
  'comment',
  'note',
  'handover',
] as const
export type LogBookKind = (typeof LOG_BOOK_KINDS)[number]
export const LOG_BOOK_KIND_TEXTS: Readonly<Record<LogBookKind, string>> = {
  incident: 'Incident',
  acknowledgement: 'Acquittement',
  maintenance: 'Maintenance',
  probe: 'Sonde',
  comment: 'Commentaire',
  note: 'Note',
  handover: 'Relève',
}

/** What happened, of each kind. */
export const LOG_BOOK_EVENTS = [
  'opened',
  'reopened',
  'closed',
  'acknowledged',
  'unacknowledged',
  'acknowledgement-expired',
  'owned',
  'maintenance-started',
  'maintenance-ended',
  'commented',
  'noted',
  'handed-over',
  'taken-over',
] as const
export type LogBookEvent = (typeof LOG_BOOK_EVENTS)[number]
export const LOG_BOOK_EVENT_TEXTS: Readonly<Record<LogBookEvent, string>> = {
  opened: 'Début',
  reopened: 'De retour',
  closed: 'Fin',
  acknowledged: 'Acquitté',
  unacknowledged: 'Acquittement retiré',
  'acknowledgement-expired': 'Acquittement expiré',
  owned: 'Prise en charge',
  'maintenance-started': 'Début de maintenance',
  'maintenance-ended': 'Fin de maintenance',
  commented: 'Commentaire',
  noted: 'Note',
  'handed-over': 'Relève signée',
  'taken-over': 'Relève lue',
}

/** Lines of one answer, days of one request, and characters of a note. */
export const LOG_BOOK_PAGE = 200
export const LOG_BOOK_DAYS = 62
export const NOTE_MAX = 4_000

/** One line. */
export const logBookEntry = z.object({
  /** Unique among all lines: `comment:12`. */
  key: z.string(),
  at: instant,
  kind: z.enum(LOG_BOOK_KINDS),
  event: z.enum(LOG_BOOK_EVENTS),
  /** What it happened to: an incident's title, an object's name; '' for a note. */
  title: z.string(),
  /** Of the incident or the object that it leads to; a note's or a hand-over's own. */
  id: idValue,
  /** Where that is shown in the console; null: nowhere any more. */
  link: z.nullable(z.string()),
  text: z.string(),
  /** Name or login; null: Narval. */
  author: z.nullable(z.string()),
  /** Of an incident: how bad it then was. */
  severity: z.nullable(severity),
  siteId: nullableId,
  siteName: z.nullable(z.string()),
  /** A note whose text was changed after it was written. */
  edited: z.boolean(),
  /** Whether whoever asks may change and delete it: a note alone. */
  mayEdit: z.boolean(),
})
export type LogBookEntry = z.output<typeof logBookEntry>

const kinds = z.pipe(
  z.string().check(z.maxLength(120)),
  z.pipe(
    z.transform((text: string) => text.split(',')),
    z.array(z.enum(LOG_BOOK_KINDS)).check(z.minLength(1)),
  ),
)
const isPeriod = ({ from, to }: { readonly from: string; readonly to: string }): boolean => {
  const lastsMs = Date.parse(to) - Date.parse(from)
  return lastsMs > 0 && lastsMs <= LOG_BOOK_DAYS * 86_400_000
}
export const PERIOD_FAULT = `La période va du début à la fin, en ${LOG_BOOK_DAYS} jours au plus`

const text = paragraph(NOTE_MAX).check(z.trim(), z.minLength(1, 'La note est vide'))
export const noteBody = z.object({
  text,
  /** When what it tells took place; left out: now. */
  at: z.optional(instant),
  /** Null: none in particular; who sees some sites only must choose one of these. */
  siteId: z._default(nullableId, null),
})
export type NoteBody = z.output<typeof noteBody>

export const logBookRoutes = {
  list: route({
    method: 'GET',
    path: '/api/LogBook/Get',
    access: 'user',
    summary: `La main courante d’une période, la plus récente d’abord (${LOG_BOOK_PAGE} lignes au plus) ; en CSV par « Accept » : toute la période`,
    query: z
      .object({
        from: instant,
        to: instant,
        site: z.optional(idText),
        /** Some kinds alone, parted by commas. */
        kind: z.optional(kinds),
        /** Lines older than this place: `next` of the answer before. */
        before: z.optional(z.string().check(z.regex(/^\d{1,15}:\d{1,2}:\d{1,15}$/, 'Place incorrecte'))),
      })
      .check(z.refine(isPeriod, PERIOD_FAULT)),
    reply: z.object({ entries: z.array(logBookEntry), next: z.nullable(z.string()) }),
  }),
  shifts: route({
    method: 'GET',
    path: '/api/LogBook/Get/Shift',
    access: 'user',
    summary: 'Quand commence le premier poste de la journée, et combien il y en a',
    reply: z.object({ startHour: z.int(), perDay: z.int() }),
  }),
  create: route({
    method: 'POST',
    path: '/api/LogBook/Create',
    access: 'incident_write',
    status: 201,
    summary: 'Écrire dans la main courante',
    body: noteBody,
    reply: logBookEntry,
  }),
  update: route({
    method: 'PUT',
    path: '/api/LogBook/Update/:id',
    access: 'incident_write',
    summary: 'Modifier sa note de la main courante',
    params: idParams,
    body: noteBody,
    reply: logBookEntry,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/LogBook/Delete/:id',
    access: 'incident_write',
    summary: 'Supprimer sa note de la main courante',
    params: idParams,
  }),
} as const
