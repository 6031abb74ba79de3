import * as z from 'zod/mini'
import { route } from './route.ts'
import { idText, idValue, instant } from './schema.ts'

/** What has a history that people read beside it. */
export const HISTORY_OBJECTS = ['site', 'host', 'scanner', 'metric', 'monitoring-model'] as const
export type HistoryObject = (typeof HISTORY_OBJECTS)[number]
/** Changes that one answer gives; `before` asks for older ones. */
export const HISTORY_PAGE = 50

/** One change of one record: who, when, and what differed, in words: names instead of ids, never a secret. */
export const historyEntry = z.object({
  id: idValue,
  at: instant,
  actor: z.nullable(z.string()),
  /** `host-update`, `credential-update`… */
  action: z.string(),
  changes: z.array(z.object({ field: z.string(), label: z.string(), before: z.string(), after: z.string() })),
})
export type HistoryEntry = z.output<typeof historyEntry>

export const historyRoutes = {
  list: route({
    method: 'GET',
    path: '/api/History/Get',
    access: 'log_read',
    summary: 'Changements d’un objet, le plus récent d’abord',
    query: z.object({ object: z.enum(HISTORY_OBJECTS), id: idText, before: z.optional(idText) }),
    reply: z.array(historyEntry),
  }),
} as const
