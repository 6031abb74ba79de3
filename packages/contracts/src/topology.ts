import * as z from 'zod/mini'
import { PROBE_STATES } from './probe.ts'
import { route } from './route.ts'
import { idText, idValue, instant } from './schema.ts'
import { HOST_STATES, severity } from './state.ts'

/** Equipment that one answer tells of at most. */
export const TOPOLOGY_MAX = 5_000

/** A host as a node: what it hangs on, among those told, and the probe that runs its life test. */
export const topologyHost = z.object({
  id: idValue,
  name: z.string(),
  siteId: idValue,
  typeName: z.nullable(z.string()),
  state: z.enum(HOST_STATES),
  severity,
  since: instant,
  inMaintenance: z.boolean(),
  parents: z.array(idValue),
  probeId: z.nullable(idValue),
})
export type TopologyHost = z.output<typeof topologyHost>

export const topologyProbe = z.object({ id: idValue, name: z.string(), state: z.enum(PROBE_STATES) })
export type TopologyProbe = z.output<typeof topologyProbe>

/** Those that others hang on come before them; with a site, what its equipment is reached through comes along. */
export const topology = z.object({
  hosts: z.array(topologyHost),
  probes: z.array(topologyProbe),
  /** Sites of these hosts. */
  sites: z.array(z.object({ id: idValue, name: z.string() })),
  /** How many hosts there are in all; more than told where they are over `TOPOLOGY_MAX`. */
  total: z.int(),
  at: instant,
})
export type Topology = z.output<typeof topology>

export const topologyRoutes = {
  get: route({
    method: 'GET',
    path: '/api/Dashboard/Get/Topology',
    access: 'user',
    summary: 'Équipements et ce dont ils dépendent, pour un schéma',
    query: z.object({ site: z.optional(idText) }),
    reply: topology,
  }),
} as const
