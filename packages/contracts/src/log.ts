import * as z from 'zod/mini'
import { datatableRoutes } from './datatable.ts'
import { EVENT_SEVERITIES } from './probe-events.ts'
import { route } from './route.ts'
import { idParams, idValue, instant, nullableId } from './schema.ts'

/** `audit`: somebody did it; `event`: it happened. */
export const LOG_KINDS = ['audit', 'event'] as const
export type LogKind = (typeof LOG_KINDS)[number]

/** How it ended. `received` is of messages, which do nothing by themselves. */
export const LOG_OUTCOMES = ['success', 'refused', 'failure', 'received'] as const
export type LogOutcome = (typeof LOG_OUTCOMES)[number]

/** Periods up to now, in hours, that the list of the log filters by. */
export const LOG_PERIODS = { hour: 1, day: 24, week: 168, month: 720 } as const
export type LogPeriod = keyof typeof LOG_PERIODS

/** Stream of the service hub that says that the log has grown, at most twice a second, and nothing of what was written. */
export const LOG_STREAM = 'log'

/** One entry of the log. */
export const logEntry = z.object({
  id: idValue,
  at: instant,
  kind: z.enum(LOG_KINDS),
  /** `host-update`, `login`…: see `LOG_ACTIONS`. */
  action: z.string(),
  actionText: z.string(),
  /** Login of who did it; null: nobody known, or Narval itself. */
  actor: z.nullable(z.string()),
  /** Address that it came from; empty for what Narval did by itself. */
  address: z.string(),
  /** `host`, `account`…; empty when it is about nothing in particular. */
  objectKind: z.string(),
  objectId: nullableId,
  objectName: z.string(),
  /** Whether the object is still there. */
  objectExists: z.boolean(),
  outcome: z.enum(LOG_OUTCOMES),
  /** Of a received message. */
  severity: z.nullable(z.enum(EVENT_SEVERITIES)),
  /** One line: control characters are written as `\n`, `\t`… */
  message: z.string(),
})
export type LogEntry = z.output<typeof logEntry>

/** One entry with everything that is known of it. */
export const logDetail = z.extend(logEntry, {
  /** What differed, in words: names instead of ids, never a secret, no custom field that the reader may not read. */
  changes: z.array(z.object({ field: z.string(), label: z.string(), before: z.string(), after: z.string() })),
  /** Its place in the chain and its seal; null for what is not sealed (received messages), or not yet. */
  position: z.nullable(z.int()),
  seal: z.nullable(z.string()),
})
export type LogDetail = z.output<typeof logDetail>

/** What is wrong with the chain. */
export const LOG_FAULT_KINDS = ['altered', 'missing', 'unsealed', 'truncated', 'checkpoint', 'anchor'] as const
export type LogFaultKind = (typeof LOG_FAULT_KINDS)[number]

/** Faults that one answer names; their number is told in full. */
export const LOG_FAULTS_MAX = 20

/** What a verification of the whole chain found. */
export const logVerification = z.object({
  /** When it began. */
  at: instant,
  ok: z.boolean(),
  /** Entries whose seals were computed again. */
  checked: z.int(),
  /** First and last place in the chain; null when it is empty. */
  from: z.nullable(z.int()),
  to: z.nullable(z.int()),
  /** Seal of the last one: kept elsewhere, it proves that nothing before was cut or changed. */
  seal: z.nullable(z.string()),
  /** Entries written before the log was sealed: nothing shows whether they were changed before. */
  older: z.int(),
  faultCount: z.int(),
  faults: z.array(z.object({ kind: z.enum(LOG_FAULT_KINDS), from: z.int(), to: z.int(), text: z.string() })),
})
export type LogVerification = z.output<typeof logVerification>

export const logRoutes = {
  datatable: datatableRoutes('LogDatatable', 'log_read', 'Journal', logEntry),
  get: route({
    method: 'GET',
    path: '/api/Log/Get/:id',
    access: 'log_read',
    summary: 'Une entrée du journal, avec ce qui a changé champ par champ',
    params: idParams,
    reply: logDetail,
  }),
  verify: route({
    method: 'POST',
    path: '/api/Log/Verify',
    access: 'admin',
    rate: 'heavy',
    summary: 'Vérifier les sceaux de tout le journal',
    reply: logVerification,
  }),
} as const
