import { HOST_STATES, type HostState, SEVERITIES, UNKNOWN_CAUSES } from '@narval/engine'
import * as z from 'zod/mini'
import { idValue, instant } from './schema.ts'

/** How states are written on the wire: severities worst first, hosts, incidents. */
export const severity = z.enum(SEVERITIES)
export const unknownCause = z.nullable(z.enum(UNKNOWN_CAUSES))
export { HOST_STATES }
export type HostStateName = HostState
export const severityCounts = z.object({ error: z.int(), warning: z.int(), unknown: z.int(), ok: z.int() })

/** A maintenance that takes place now, as what it covers shows it. */
export const activeMaintenance = z.nullable(z.object({ id: idValue, until: instant, comment: z.string() }))
export type ActiveMaintenance = z.output<typeof activeMaintenance>

/** The present state of a metric, as lists and hubs carry it. */
export const metricLive = z.object({
  id: idValue,
  value: z.nullable(z.number()),
  at: z.nullable(instant),
  severity,
  kind: z.enum(['soft', 'hard']),
  attempt: z.int(),
  maxAttempts: z.int(),
  cause: unknownCause,
  /** Share of changes of severity among its last results, in percent, while it flaps; null: it does not. */
  flapping: z.nullable(z.int()),
  since: instant,
  information: z.string(),
  inMaintenance: z.boolean(),
  maintenance: activeMaintenance,
})
export type MetricLive = z.output<typeof metricLive>
