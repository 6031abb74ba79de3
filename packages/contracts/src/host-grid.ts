import * as z from 'zod/mini'
import { idValue, instant } from './schema.ts'
import { HOST_STATES } from './state.ts'

const index = z.int().check(z.minimum(0))
const named = z.object({ id: idValue, name: z.string() })

/**
 * Every host in a few bytes, by columns of equal length in the order of names: 10,000 hosts stay under 500 kB. Sites,
 * types, states and severities are told by their place in a list.
 */
export const hostGrid = z.object({
  at: instant,
  sites: z.array(named),
  types: z.array(named),
  id: z.array(idValue),
  name: z.array(z.string()),
  /** Place in `sites`. */
  site: z.array(index),
  /** Place in `types`; null: none. */
  type: z.array(z.nullable(index)),
  /** Place in `HOST_STATES`. */
  state: z.array(index.check(z.maximum(HOST_STATES.length - 1))),
  /** Place in `SEVERITIES`. */
  severity: z.array(index.check(z.maximum(3))),
  /** Whole seconds that the state had lasted at `at`. */
  age: z.array(z.int()),
  /** Ids of those in maintenance. */
  inMaintenance: z.array(idValue),
  /** Ids of those whose problems are all taken care of. */
  acknowledged: z.array(idValue),
})
export type HostGrid = z.output<typeof hostGrid>
