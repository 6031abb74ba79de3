import * as z from 'zod/mini'
import { PASSWORD_INPUT_MAX, passwordUpdateBody } from './password.ts'
import { route } from './route.ts'
import { factorCode } from './second-factor.ts'

const deviceText = z._default(z.string().check(z.maxLength(512)), '')
const flag = z._default(z.boolean(), false)
/** Per-device identifier, generated once and kept in local storage (spec §3). */
export const deviceUuid = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'Identifiant de poste incorrect'))

/** The 14 fields of spec §3. */
export const loginBody = z.object({
  login: z.string().check(z.minLength(1, 'Un nom de compte est requis'), z.maxLength(100)),
  password: z.string().check(z.minLength(1, 'Un mot de passe est requis'), z.maxLength(PASSWORD_INPUT_MAX)),
  uuid: deviceUuid,
  browser: deviceText,
  browserVersion: deviceText,
  device: deviceText,
  deviceType: deviceText,
  orientation: deviceText,
  os: deviceText,
  osVersion: deviceText,
  userAgent: deviceText,
  isMobile: flag,
  isTablet: flag,
  isDesktopDevice: flag,
})
export type LoginBody = z.output<typeof loginBody>

const token = z.string().check(z.minLength(1), z.maxLength(8_192))
export const tokens = z.object({ token: z.string(), refreshToken: z.string() })
export type Tokens = z.output<typeof tokens>
/** The second step of a sign-in whose refusal gave a `challenge`. */
export const secondFactorAnswer = z.object({ challenge: token, uuid: deviceUuid, code: factorCode })
export type SecondFactorAnswer = z.output<typeof secondFactorAnswer>
export const refreshBody = z.object({ accessToken: token, refreshToken: token, uuid: deviceUuid })

/** Lifetime of an access token, and how long before its end the console refreshes it (spec §9). */
export const ACCESS_TOKEN_MS = 10 * 60_000
export const REFRESH_BEFORE_EXPIRY_MS = 60_000
/** A refresh token used again within this time gets the same successor. */
export const REFRESH_GRACE_MS = 10_000
export const CSRF_COOKIE = 'XSRF-TOKEN'
/** The same on https, where the browser can promise that no other host has set it. */
export const CSRF_COOKIE_TLS = `__Host-${CSRF_COOKIE}`
export const CSRF_HEADER = 'x-xsrf-token'

export const authenticationRoutes = {
  login: route({
    method: 'POST',
    path: '/api/Authentication/Login',
    access: 'open',
    rate: 'authentication',
    summary: 'Se connecter',
    body: loginBody,
    reply: tokens,
  }),
  secondFactor: route({
    method: 'POST',
    path: '/api/Authentication/SecondFactor',
    access: 'open',
    rate: 'authentication',
    summary: 'Se connecter : donner le code que la connexion a demandé',
    body: secondFactorAnswer,
    reply: tokens,
  }),
  refresh: route({
    method: 'POST',
    path: '/api/Authentication/Refresh',
    access: 'open',
    rate: 'authentication',
    summary: 'Renouveler les jetons',
    body: refreshBody,
    reply: tokens,
  }),
  logout: route({
    method: 'POST',
    path: '/api/Authentication/Logout',
    access: 'self',
    sessionOnly: true,
    summary: 'Se déconnecter',
  }),
  passwordUpdate: route({
    method: 'PUT',
    path: '/api/Account/Password/Update',
    access: 'self',
    sessionOnly: true,
    rate: 'authentication',
    summary: 'Changer son mot de passe',
    body: passwordUpdateBody,
  }),
} as const
