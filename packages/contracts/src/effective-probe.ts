import * as z from 'zod/mini'
import { idValue } from './schema.ts'

/** The probe in force of a site or a host and what chose it: the host, a site (`originId`), or none of them: the local probe. */
export const effectiveProbe = z.object({
  id: idValue,
  name: z.string(),
  origin: z.enum(['host', 'site', 'platform']),
  originName: z.string(),
  originId: z.nullable(idValue),
})
