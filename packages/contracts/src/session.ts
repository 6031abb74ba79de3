import * as z from 'zod/mini'
import { claimEntry } from './account.ts'
import { CLAIMS } from './claims.ts'
import { route } from './route.ts'
import { idParams, idText, idValue, instant, requiredLine } from './schema.ts'

/** A sign-in of one's own, with what its login request said of the device (spec §3). */
export const accountSession = z.object({
  id: idValue,
  /** The session that asks. */
  current: z.boolean(),
  browser: z.string(),
  browserVersion: z.string(),
  device: z.string(),
  deviceType: z.string(),
  orientation: z.string(),
  os: z.string(),
  osVersion: z.string(),
  userAgent: z.string(),
  isMobile: z.boolean(),
  isTablet: z.boolean(),
  isDesktopDevice: z.boolean(),
  address: z.string(),
  createdAt: instant,
  lastUsedAt: instant,
  expiresAt: instant,
})
export type AccountSession = z.output<typeof accountSession>

export const sessionRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Session/Get',
    access: 'user',
    summary: 'Ses sessions ouvertes',
    reply: z.array(accountSession),
  }),
  end: route({
    method: 'DELETE',
    path: '/api/Session/Delete/:id',
    access: 'user',
    sessionOnly: true,
    summary: 'Fermer une de ses sessions',
    params: idParams,
  }),
  endOthers: route({
    method: 'DELETE',
    path: '/api/Session/Delete',
    access: 'user',
    sessionOnly: true,
    summary: 'Fermer ses autres sessions',
  }),
  ofAccount: route({
    method: 'GET',
    path: '/api/Session/User/:id',
    access: 'user_read',
    summary: "Les sessions ouvertes d'un compte",
    params: idParams,
    reply: z.array(accountSession),
  }),
  endOfAccount: route({
    method: 'DELETE',
    path: '/api/Session/User/:id',
    access: 'user_write',
    summary: "Fermer les sessions d'un compte, ou une seule",
    params: idParams,
    query: z.object({ session: z.optional(idText) }),
  }),
} as const

/** What every API token begins with, so that it is recognised where it should not be. */
export const API_TOKEN_PREFIX = 'narval_'
/** Longest life of an API token, and how many one account may hold. */
export const API_TOKEN_MAX_DAYS = 365
export const API_TOKENS_MAX = 50

export const apiToken = z.object({
  id: idValue,
  name: z.string(),
  /** Those of its claims that the account still holds. */
  claims: z.array(z.object({ claim: z.string() })),
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: z.nullable(instant),
})
export type ApiToken = z.output<typeof apiToken>

export const apiTokenRoutes = {
  list: route({
    method: 'GET',
    path: '/api/ApiToken/Get',
    access: 'user',
    summary: 'Ses jetons d’API',
    reply: z.array(apiToken),
  }),
  create: route({
    method: 'POST',
    path: '/api/ApiToken/Create',
    access: 'user',
    sessionOnly: true,
    rate: 'authentication',
    summary: 'Créer un jeton d’API, montré cette seule fois',
    body: z.object({
      name: requiredLine(64),
      claims: z._default(z.array(claimEntry).check(z.maxLength(CLAIMS.length)), []),
      days: z._default(z.int().check(z.minimum(1), z.maximum(API_TOKEN_MAX_DAYS)), 90),
    }),
    status: 201,
    reply: z.object({ ...apiToken.shape, token: z.string() }),
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/ApiToken/Delete/:id',
    access: 'user',
    sessionOnly: true,
    summary: 'Révoquer un jeton d’API',
    params: idParams,
  }),
} as const
