import * as z from 'zod/mini'
import { idValue, instant } from './schema.ts'

/** A probe of the same group that runs, since then, what another one is in charge of. */
export const standIn = z.object({ id: idValue, name: z.string(), since: instant })
