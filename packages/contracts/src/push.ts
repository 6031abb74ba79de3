import * as z from 'zod/mini'
import { PUSH_VALUES_MAX } from './checks/push.ts'
import { EVENT_TEXT_MAX } from './probe-events.ts'
import { route } from './route.ts'
import { idParams, idText, instant } from './schema.ts'

/** Longest body of a pushed value, in bytes. */
export const PUSH_BODY_MAX = 16_384
/** A token is 32 random bytes in base64url. */
export const PUSH_TOKEN_BYTES = 32

const STATES = ['ok', 'error'] as const
const message = z.string().check(z.maxLength(EVENT_TEXT_MAX))
const NUMBER = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})([eE][+-]?\d{1,3})?$/
/** Strict: a wrong name of a field is said, instead of a value that is silently lost. */
export const pushBody = z.strictObject({
  values: z.optional(
    z
      .record(z.string().check(z.maxLength(64)), z.number())
      .check(z.refine(values => Object.keys(values).length <= PUSH_VALUES_MAX, 'Trop de valeurs')),
  ),
  state: z.optional(z.enum(STATES)),
  message: z.optional(message),
})
/** The same for who has no JSON at hand: `value` is that of the first value of the scanner. */
const pushQuery = z.strictObject({
  value: z.optional(
    z.pipe(
      z.string().check(z.regex(NUMBER, 'Un nombre est attendu')),
      z.transform((text: string) => Number(text)),
    ),
  ),
  state: z.optional(z.enum(STATES)),
  message: z.optional(message),
})

export const pushToken = z.object({
  /** Null: none was made yet, nothing can be sent. */
  createdAt: z.nullable(instant),
  createdBy: z.nullable(z.string()),
})
export type PushToken = z.output<typeof pushToken>

export const pushRoutes = {
  /** The token is all that it shows; a wrong one is answered like an address that does not exist. */
  push: route({
    method: 'POST',
    path: '/api/Push/:token',
    access: 'open',
    rate: 'push',
    csrf: false,
    summary: 'Envoyer des valeurs à un scanner avec son jeton',
    params: z.object({ token: z.string() }),
    query: pushQuery,
    body: z.optional(pushBody),
  }),
  token: route({
    method: 'GET',
    path: '/api/Scanner/Get/Token',
    access: 'scanner_read',
    summary: 'Ce que l’on sait du jeton d’un scanner qui reçoit ses valeurs',
    query: z.object({ id: idText }),
    reply: pushToken,
  }),
  renew: route({
    method: 'POST',
    path: '/api/Scanner/Token/:id',
    access: 'scanner_write',
    summary: 'Créer ou renouveler le jeton d’un scanner qui reçoit ses valeurs\u202f: montré une seule fois',
    params: idParams,
    status: 201,
    reply: z.object({ token: z.string() }),
  }),
}
