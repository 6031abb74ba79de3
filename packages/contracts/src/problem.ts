import * as z from 'zod/mini'
import { secondFactorChallenge } from './second-factor-challenge.ts'

/** RFC 9457 problem details, with the list of sentences that the console joins by spaces (spec §8). */
export const problem = z.object({
  status: z.int(),
  title: z.string(),
  detail: z.string(),
  errors: z.array(z.string()),
  /** Field path → sentence, so that a form can put each beside its field. */
  fields: z.optional(z.record(z.string(), z.string())),
  /** The newer version of what an update was based on (409). */
  current: z.optional(z.unknown()),
  /** The password was right: a code of the second factor has to come with this (401 of a sign-in). */
  challenge: z.optional(secondFactorChallenge),
  /** Reference of an unknown fault, also in the server's log. */
  reference: z.optional(z.string()),
})
export type Problem = z.output<typeof problem>
export const PROBLEM_TYPE = 'application/problem+json'
