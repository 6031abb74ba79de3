import * as z from 'zod/mini'
import { METRIC_TYPES, UNITS } from './check-definition.ts'
import { datatableRoutes } from './datatable.ts'
import { hostGrid } from './host-grid.ts'
import { stateWords, thresholds } from './metric.ts'
import { route } from './route.ts'
import { idValue, instant } from './schema.ts'
import { metricLive, severityCounts } from './state.ts'
import { statusSite } from './status.ts'

/** The tiles of the live view: metrics by hard severity, hosts by severity. */
export const dashboardMain = z.object({
  severities: severityCounts,
  hosts: severityCounts,
  acknowledged: z.int(),
  inMaintenance: z.int(),
  probesOffline: z.int(),
  probes: z.int(),
  /** Metrics in a soft state: seen bad, not yet confirmed. */
  soft: z.int(),
  at: instant,
})
export type DashboardMain = z.output<typeof dashboardMain>

export const dashboardStatus = z.array(statusSite)

/** Views of the problem list, in the order of its control. */
export const PROBLEM_VIEWS = ['unhandled', 'problems', 'all'] as const
export type ProblemView = (typeof PROBLEM_VIEWS)[number]

/** One row of the live view: a metric, its state and its open incident. */
export const problemRow = z.object({
  ...metricLive.shape,
  name: z.string(),
  key: z.string(),
  unit: z.enum(UNITS),
  type: z.enum(METRIC_TYPES),
  states: stateWords,
  thresholds,
  hostId: idValue,
  hostName: z.string(),
  siteId: idValue,
  siteName: z.string(),
  probeName: z.nullable(z.string()),
  incidentId: z.nullable(idValue),
  acknowledgedBy: z.nullable(z.string()),
  acknowledgedComment: z.nullable(z.string()),
})
export type ProblemRow = z.output<typeof problemRow>

export const dashboardRoutes = {
  main: route({
    method: 'GET',
    path: '/api/Dashboard/Get/Main',
    access: 'user',
    summary: 'Compteurs du tableau de bord',
    reply: dashboardMain,
  }),
  status: route({
    method: 'GET',
    path: '/api/Dashboard/Get/Status',
    access: 'user',
    summary: 'Compteurs par site et sévérité',
    reply: dashboardStatus,
  }),
  hosts: route({
    method: 'GET',
    path: '/api/Dashboard/Get/Host',
    access: 'user',
    summary: 'Grille de tous les équipements',
    reply: hostGrid,
  }),
  datatable: datatableRoutes('DashboardDatatable', 'user', 'Problèmes', problemRow),
} as const
