import type { ProblemView } from '@narval/contracts'
import { type SeverityCounts, totalCounts } from '@narval/engine'

/** Why a list of problems is empty: nothing is supervised, of some nothing is known, or all is well as far as the view goes. */
export type Emptiness = 'nothing' | 'unknown' | Exclude<ProblemView, 'all'>

/** Of what nothing was heard of it is never said that it is well. */
export const emptinessOf = (view: ProblemView, counts: SeverityCounts | undefined): Emptiness => {
  if (view === 'all' || (counts !== undefined && totalCounts(counts) === 0)) return 'nothing'
  return counts === undefined || counts.unknown > 0 ? 'unknown' : view
}
