import * as z from 'zod/mini'

/** What a code of the second factor has to come with, from the same device: it opens nothing by itself. */
export const secondFactorChallenge = z.object({ token: z.string(), expiresAt: z.iso.datetime() })
export type SecondFactorChallenge = z.output<typeof secondFactorChallenge>
