import { OPINION_VERDICTS } from '@narval/engine'
import * as z from 'zod/mini'
import { testOutcome } from './probe-wire.ts'
import { route } from './route.ts'
import { idText, idValue, instant, nullableId } from './schema.ts'

/** What another probe found of a host whose life test began to fail. */
export const secondOpinion = z.object({
  id: idValue,
  at: instant,
  probeId: idValue,
  probeName: z.string(),
  /** Whether the host answers that probe, or fails for it too. */
  verdict: z.enum(OPINION_VERDICTS),
  /** French sentence of the failure; '' when the host answers. */
  message: z.string(),
})
export type SecondOpinion = z.output<typeof secondOpinion>
/** Opinions that one answer gives, newest first. */
export const OPINIONS_MAX = 20

/** A check run once by another probe than its own, for a person: nothing of it is kept. */
export const opinionReply = z.object({
  probeId: idValue,
  probeName: z.string(),
  at: instant,
  durationMs: z.number(),
  failure: testOutcome.shape.failure,
  values: testOutcome.shape.values,
  details: testOutcome.shape.details,
})
export type OpinionReply = z.output<typeof opinionReply>

export const opinionRoutes = {
  ofHost: route({
    method: 'GET',
    path: '/api/Host/Get/Opinion',
    access: 'user',
    summary: 'Seconds avis demandés sur un équipement, du plus récent au plus ancien (20 au plus)',
    query: z.object({ id: idText }),
    reply: z.array(secondOpinion),
  }),
  ask: route({
    method: 'POST',
    path: '/api/Scanner/Opinion',
    access: 'incident_write',
    rate: 'heavy',
    summary: 'Faire exécuter aussitôt le contrôle d’un scanner par une autre sonde',
    /** `probeId` null: the next of the group, else a probe of the host's site or of one above. */
    body: z.object({ scannerId: idValue, probeId: z._default(nullableId, null) }),
    reply: opinionReply,
  }),
} as const
