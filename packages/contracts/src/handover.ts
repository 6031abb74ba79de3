import * as z from 'zod/mini'
import { LOG_BOOK_DAYS, PERIOD_FAULT } from './log-book.ts'
import { route } from './route.ts'
import { idParams, idText, idValue, instant, nullableId, paragraph } from './schema.ts'
import { severity } from './state.ts'

/** Characters of a note, notes of one answer, and lines of each part of a summary. */
export const HANDOVER_MAX = 20_000
export const HANDOVERS_SHOWN = 50
export const HANDOVER_LINES = 50

const isPeriod = ({ from, to }: { readonly from: string; readonly to: string }): boolean => {
  const lastsMs = Date.parse(to) - Date.parse(from)
  return lastsMs > 0 && lastsMs <= LOG_BOOK_DAYS * 86_400_000
}

/** What one operator leaves to the next; signed, it never changes. */
export const handover = z.object({
  id: idValue,
  /** The shift. */
  from: instant,
  to: instant,
  text: z.string(),
  author: z.string(),
  signedAt: instant,
  /** Sites that it is about; null: all. */
  sites: z.nullable(z.array(z.object({ id: idValue, name: z.string() }))),
  /** Who said that it was read, in this order. */
  readers: z.array(z.object({ name: z.string(), at: instant })),
  /** Whether whoever asks has still to say so: neither who wrote it, nor who did. */
  mayRead: z.boolean(),
})
export type Handover = z.output<typeof handover>

const incidentLine = z.object({
  id: idValue,
  title: z.string(),
  severity,
  openedAt: instant,
  closedAt: z.nullable(instant),
  siteName: z.nullable(z.string()),
  /** Who takes care of it, else who acknowledged it. */
  inCharge: z.nullable(z.string()),
  acknowledged: z.boolean(),
})
/** What Narval knows of a shift: the words of a note are made of it. Lists are cut (`HANDOVER_LINES`), counts are not. */
export const handoverSummary = z.object({
  open: z.array(incidentLine),
  openCount: z.int(),
  /** Begun and ended within it. */
  ended: z.array(incidentLine),
  endedCount: z.int(),
  /** Begun within it, ended or not. */
  begunCount: z.int(),
  maintenances: z.array(z.object({ id: nullableId, comment: z.string(), until: instant, hosts: z.int() })),
  maintenanceCount: z.int(),
  notes: z.array(z.object({ at: instant, author: z.string(), text: z.string(), siteName: z.nullable(z.string()) })),
  noteCount: z.int(),
})
export type HandoverSummary = z.output<typeof handoverSummary>

export const handoverRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Handover/Get',
    access: 'user',
    summary: `Les relèves, de la plus récente à la plus ancienne (${HANDOVERS_SHOWN} au plus)`,
    query: z.object({ before: z.optional(idText) }),
    reply: z.array(handover),
  }),
  get: route({
    method: 'GET',
    path: '/api/Handover/Get/:id',
    access: 'user',
    summary: 'Une relève',
    params: idParams,
    reply: handover,
  }),
  summary: route({
    method: 'GET',
    path: '/api/Handover/Get/Summary',
    access: 'incident_write',
    summary: 'Ce qui est ouvert, ce qui s’est passé et ce qui est en maintenance, pour écrire une relève',
    query: z.object({ from: instant, to: instant, site: z.optional(idText) }).check(z.refine(isPeriod, PERIOD_FAULT)),
    reply: handoverSummary,
  }),
  create: route({
    method: 'POST',
    path: '/api/Handover/Create',
    access: 'incident_write',
    status: 201,
    summary: 'Signer une relève : elle ne change plus',
    body: z
      .object({
        ...{ from: instant, to: instant, siteId: z._default(nullableId, null) },
        text: paragraph(HANDOVER_MAX).check(z.trim(), z.minLength(1, 'La relève est vide')),
      })
      .check(z.refine(isPeriod, PERIOD_FAULT)),
    reply: handover,
  }),
  read: route({
    method: 'POST',
    path: '/api/Handover/Read/:id',
    access: 'incident_write',
    summary: 'Dire que l’on a lu une relève, et prendre son poste',
    params: idParams,
    reply: handover,
  }),
} as const
