import * as z from 'zod/mini'
import { PASSWORD_INPUT_MAX } from './password.ts'
import { route } from './route.ts'
import { idParams, instant } from './schema.ts'

/** Digits of a code, and how long one lasts: what every authenticator application supposes (RFC 6238). */
export const CODE_DIGITS = 6
export const CODE_PERIOD_MS = 30_000
/** Recovery codes that an account is given, each for one sign-in. */
export const RECOVERY_CODES = 10
/** How long the code may take to follow the password, and how many wrong ones end the sign-in. */
export const CHALLENGE_MS = 5 * 60_000
export const CHALLENGE_TRIES = 5

/** A code of the application, or a recovery code; blanks and dashes do not count. */
export const factorCode = z.string().check(z.minLength(1, 'Un code est requis'), z.maxLength(64))
const currentPassword = z
  .string()
  .check(z.minLength(1, 'Le mot de passe actuel est requis'), z.maxLength(PASSWORD_INPUT_MAX))

/** Second factor of one's own account: since when it is asked for (null: it is not), and the recovery codes that are left. */
export const secondFactor = z.object({ enabledAt: z.nullable(instant), codesLeft: z.int() })
export type SecondFactor = z.output<typeof secondFactor>

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
const proof = z.object({ currentPassword, code: factorCode })

export const secondFactorRoutes = {
  own: route({
    method: 'GET',
    path: '/api/SecondFactor/Get',
    access: 'user',
    sessionOnly: true,
    summary: 'Le second facteur de son compte',
    reply: secondFactor,
  }),
  begin: route({
    method: 'POST',
    path: '/api/SecondFactor/Begin',
    access: 'user',
    sessionOnly: true,
    rate: 'authentication',
    summary: 'Préparer son second facteur\u202f: le secret à donner à l’application, montré cette seule fois',
    body: z.object({ currentPassword }),
    reply: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirm: route({
    method: 'POST',
    path: '/api/SecondFactor/Confirm',
    access: 'user',
    sessionOnly: true,
    rate: 'authentication',
    summary: 'Activer son second facteur par un premier code',
    body: z.object({ code: factorCode }),
    reply: recoveryCodes,
  }),
  renewCodes: route({
    method: 'POST',
    path: '/api/SecondFactor/Codes',
    access: 'user',
    sessionOnly: true,
    rate: 'authentication',
    summary: 'Remplacer ses codes de secours',
    body: proof,
    reply: recoveryCodes,
  }),
  remove: route({
    method: 'POST',
    path: '/api/SecondFactor/Remove',
    access: 'user',
    sessionOnly: true,
    rate: 'authentication',
    summary: 'Retirer son second facteur',
    body: proof,
  }),
  removeOf: route({
    method: 'DELETE',
    path: '/api/SecondFactor/User/:id',
    access: 'user_write',
    sessionOnly: true,
    summary: "Retirer le second facteur d'un autre compte",
    params: idParams,
  }),
} as const
