import * as z from 'zod/mini'
import { PROBE_STATES } from './probe.ts'
import { route } from './route.ts'
import { basedOn, idParams, idValue, requiredLine, stamps } from './schema.ts'
import { standIn } from './stand-in.ts'

/** Probes of one group: beyond this, who stands in for whom is not to be followed by anybody. */
export const PROBE_GROUP_MAX = 50

const fields = {
  name: requiredLine(100),
  /** Probes by rank: the one after a silent one stands in for it, the first after the last. A probe is in one group at most. */
  memberIds: z.array(idValue).check(
    z.maxLength(PROBE_GROUP_MAX),
    z.refine(ids => new Set(ids).size === ids.length, 'Une sonde ne figure qu’une fois dans un groupe'),
  ),
}
export const probeGroupBody = z.object(fields)
export const probeGroupUpdateBody = z.object({ ...fields, ...basedOn })
export type ProbeGroupInput = z.output<typeof probeGroupBody>

export const probeGroup = z.object({
  ...stamps,
  ...fields,
  /** The same, with where each stands now and who runs its scanners; null: itself. */
  members: z.array(
    z.object({
      id: idValue,
      name: z.string(),
      state: z.enum(PROBE_STATES),
      standIn: z.nullable(standIn),
      scanners: z.int(),
    }),
  ),
})
export type ProbeGroup = z.output<typeof probeGroup>

export const probeGroupRoutes = {
  list: route({
    method: 'GET',
    path: '/api/ProbeGroup/Get',
    access: 'probe_write',
    summary: 'Tous les groupes de sondes',
    reply: z.array(probeGroup),
  }),
  get: route({
    method: 'GET',
    path: '/api/ProbeGroup/Get/:id',
    access: 'probe_write',
    summary: 'Un groupe de sondes',
    params: idParams,
    reply: probeGroup,
  }),
  create: route({
    method: 'POST',
    path: '/api/ProbeGroup/Create',
    access: 'probe_write',
    summary: 'Créer un groupe de sondes',
    body: probeGroupBody,
    status: 201,
    reply: probeGroup,
  }),
  update: route({
    method: 'PUT',
    path: '/api/ProbeGroup/Update/:id',
    access: 'probe_write',
    summary: 'Modifier un groupe de sondes',
    params: idParams,
    body: probeGroupUpdateBody,
    reply: probeGroup,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/ProbeGroup/Delete/:id',
    access: 'probe_write',
    summary: 'Supprimer un groupe de sondes : chacune ne fait plus que ses scanners',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
} as const
