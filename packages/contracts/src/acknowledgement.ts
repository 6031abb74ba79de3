import * as z from 'zod/mini'
import { BULK_MAX_IDS, bulkReply } from './bulk.ts'
import { datatableRequest } from './datatable.ts'
import { incident } from './incident.ts'
import { route } from './route.ts'
import { idParams, idText, idValue, instant, requiredLine } from './schema.ts'

export const ACKNOWLEDGE_COMMENT_MAX = 500
/** An acknowledgement that is not to end before the problem has no end; one with an end ends within this. */
export const ACKNOWLEDGE_MAX_DAYS = 366

/** Login of who takes care of it; null: nobody any more. */
const owner = z.nullable(requiredLine(64))
export const acknowledgeBody = z.object({
  comment: requiredLine(ACKNOWLEDGE_COMMENT_MAX),
  /** Holds when the severity changes. */
  sticky: z._default(z.boolean(), false),
  /** Its end; null: when all is well again; left out: the setting says. */
  until: z.optional(z.nullable(instant)),
  /** Left out: whoever has it keeps it. */
  owner: z.optional(owner),
})
export type AcknowledgeBody = z.output<typeof acknowledgeBody>
export const ownBody = z.object({ owner })

/** What the ids, or the list of the filter, are of: of anything but incidents, all its open incidents are meant. */
export const ACTED_OBJECTS = ['incident', 'problem', 'metric', 'host', 'site'] as const
export type ActedObject = (typeof ACTED_OBJECTS)[number]

/** Which rows of a list of these objects are meant: those ticked, or all that a filter matches. */
export const acted = {
  of: z._default(z.enum(ACTED_OBJECTS), 'incident'),
  ids: z.optional(z.array(idValue).check(z.minLength(1), z.maxLength(BULK_MAX_IDS))),
  /** A request of the list of these objects: its page and order do not count. */
  filter: z.optional(datatableRequest),
}
export const isOneTarget = (body: { ids?: unknown; filter?: unknown }): boolean =>
  (body.ids === undefined) !== (body.filter === undefined)
export const ONE_TARGET = 'Donner soit « ids », soit « filter »'
const isOneChange = (change: object): boolean => Object.values(change).filter(value => value !== undefined).length === 1

export const incidentChange = z
  .strictObject({
    acknowledge: z.optional(acknowledgeBody),
    unacknowledge: z.optional(z.literal(true)),
    own: z.optional(ownBody),
  })
  .check(z.refine(isOneChange, 'Donner un changement, et un seul'))
export type IncidentChange = z.output<typeof incidentChange>
export const incidentBulkBody = z
  .object({ ...acted, change: incidentChange, plan: z._default(z.boolean(), false) })
  .check(z.refine(isOneTarget, ONE_TARGET))
export type IncidentBulkBody = z.output<typeof incidentBulkBody>

/** Scanners that one call asks to run at once: probes do nothing else meanwhile. */
export const CHECKS_MAX = 500
export const checkNowBody = z.object(acted).check(z.refine(isOneTarget, ONE_TARGET))
export type CheckNowBody = z.output<typeof checkNowBody>

/** Hours that an acknowledgement lasts whose end nobody says, by the rules of what it is about. */
export const incidentBulkReply = z.extend(bulkReply, {
  /** Of those that are acknowledged, the shortest and the longest; null: none is, or their end is said. */
  hours: z.nullable(z.object({ least: z.number(), most: z.number() })),
})
export type IncidentBulkReply = z.output<typeof incidentBulkReply>

export const acknowledgementRoutes = {
  acknowledge: route({
    method: 'POST',
    path: '/api/Incident/Acknowledge/:id',
    access: 'incident_write',
    summary: 'Acquitter un incident',
    params: idParams,
    body: acknowledgeBody,
    reply: incident,
  }),
  unacknowledge: route({
    method: 'POST',
    path: '/api/Incident/Unacknowledge/:id',
    access: 'incident_write',
    summary: "Retirer l'acquittement d'un incident",
    params: idParams,
    reply: incident,
  }),
  own: route({
    method: 'POST',
    path: '/api/Incident/Own/:id',
    access: 'incident_write',
    summary: 'Prendre en charge un incident, le confier ou le rendre',
    params: idParams,
    body: ownBody,
    reply: incident,
  }),
  bulk: route({
    method: 'POST',
    path: '/api/Incident/Bulk',
    access: 'incident_write',
    rate: 'heavy',
    summary: 'Acquitter, désacquitter ou confier de nombreux incidents',
    body: incidentBulkBody,
    reply: incidentBulkReply,
  }),
  check: route({
    method: 'POST',
    path: '/api/Incident/Check',
    access: 'incident_write',
    rate: 'heavy',
    summary: `Vérifier maintenant ce qui est désigné (${CHECKS_MAX} contrôles au plus)`,
    body: checkNowBody,
    reply: z.object({ scanners: z.int(), probes: z.int() }),
  }),
  owners: route({
    method: 'GET',
    path: '/api/Incident/GetOwner',
    access: 'incident_write',
    summary: 'Les comptes à qui un incident peut être confié',
    // One thing, by its id; without: those who may act somewhere.
    query: z.object({ of: z.optional(z.enum(ACTED_OBJECTS)), id: z.optional(idText) }),
    reply: z.array(z.object({ login: z.string(), name: z.string() })),
  }),
} as const
