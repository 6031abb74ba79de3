import * as z from 'zod/mini'

/** What a deletion would take along (`?plan=true`), or what refuses it. */
export const deletionPlan = z.object({
  sites: z.int(),
  hosts: z.int(),
  scanners: z.int(),
  metrics: z.int(),
  comments: z.int(),
})
