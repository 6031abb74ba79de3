import * as z from 'zod/mini'
import { dashboardMain, problemRow } from './dashboard.ts'
import { hostGrid } from './host-grid.ts'
import { route } from './route.ts'
import { idParams, idValue, instant, nullableId, requiredLine } from './schema.ts'
import { severity, severityCounts } from './state.ts'

/** What every display token begins with: neither a session's nor an API token. */
export const DISPLAY_TOKEN_PREFIX = 'narvalmur_'
/** Longest life of a display token, and how many there may be. */
export const DISPLAY_TOKEN_MAX_DAYS = 1_095
export const DISPLAY_TOKENS_MAX = 200
/** What a wall shows at most. */
export const WALL_PROBLEMS_MAX = 120
export const WALL_SITES_MAX = 500

/** Views that a wall may show in turn, in the order of their choice. */
export const WALL_VIEWS = ['problems', 'hosts', 'sites'] as const
export type WallView = (typeof WALL_VIEWS)[number]

/** What an unattended screen may read with, named and expiring; see `displayRoutes`. */
export const displayToken = z.object({
  id: idValue,
  name: z.string(),
  /** It shows this site alone; null: all. */
  siteId: nullableId,
  siteName: z.nullable(z.string()),
  createdAt: instant,
  createdBy: z.nullable(z.string()),
  expiresAt: instant,
  lastUsedAt: z.nullable(instant),
  /** From where it was last used; '' before. */
  lastAddress: z.string(),
  /** Screens that show it now. */
  screens: z.int(),
})
export type DisplayToken = z.output<typeof displayToken>

/** A problem as a wall shows it: nothing of what was written about it. */
export const wallProblem = z.pick(problemRow, {
  ...{ id: true, severity: true, kind: true, since: true, value: true, information: true, inMaintenance: true },
  ...{ name: true, key: true, unit: true, type: true, states: true, thresholds: true },
  ...{ hostName: true, siteName: true },
})
export type WallProblem = z.output<typeof wallProblem>

/** All that a wall shows beside the grid of hosts. */
export const wall = z.object({
  ...dashboardMain.shape,
  /** Of the display token; null: an account looks. */
  name: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  product: z.string(),
  /** Problems that nobody has taken care of, worst and newest first. */
  problems: z.object({ total: z.int(), rows: z.array(wallProblem).check(z.maxLength(WALL_PROBLEMS_MAX)) }),
  /** Sites, the worst first; hosts by severity. */
  sites: z.object({
    total: z.int(),
    rows: z
      .array(
        z.object({
          id: idValue,
          name: z.string(),
          severity,
          counts: severityCounts,
          inMaintenance: z.boolean(),
        }),
      )
      .check(z.maxLength(WALL_SITES_MAX)),
  }),
})
export type Wall = z.output<typeof wall>

export const displayRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Display/Get',
    access: 'parameter_write',
    summary: 'Les jetons d’affichage',
    reply: z.array(displayToken),
  }),
  create: route({
    method: 'POST',
    path: '/api/Display/Create',
    access: 'parameter_write',
    sessionOnly: true,
    rate: 'authentication',
    summary: 'Créer un jeton d’affichage, montré cette seule fois',
    body: z.object({
      name: requiredLine(64),
      siteId: z._default(nullableId, null),
      days: z._default(z.int().check(z.minimum(1), z.maximum(DISPLAY_TOKEN_MAX_DAYS)), 365),
    }),
    status: 201,
    reply: z.object({ ...displayToken.shape, token: z.string() }),
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Display/Delete/:id',
    access: 'parameter_write',
    sessionOnly: true,
    summary: 'Révoquer un jeton d’affichage',
    params: idParams,
  }),
  wall: route({
    method: 'GET',
    path: '/api/Display/Wall',
    access: 'display',
    rate: 'heavy',
    summary: 'Compteurs, problèmes et sites d’un écran mural',
    reply: wall,
  }),
  hosts: route({
    method: 'GET',
    path: '/api/Display/Host',
    access: 'display',
    rate: 'heavy',
    summary: 'Grille des équipements d’un écran mural',
    reply: hostGrid,
  }),
} as const
