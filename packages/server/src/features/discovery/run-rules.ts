import { type AddressInterval, type DiscoveredPart, holdsAddress } from '@narval/contracts'
import { keyOf } from './finding.store.ts'
import { texts } from './texts.ts'

/** What was asked of a probe, and what it told so far. */
export interface RunSoFar {
  readonly intervals: readonly AddressInterval[]
  readonly total: number
  readonly found: ReadonlySet<string>
  readonly part: number
  readonly done: number
}

/** What a probe may not tell (S57): addresses outside of what was asked, twice, or more of them than there are. */
export const lieOf = (run: RunSoFar, part: DiscoveredPart): string | null => {
  if (part.part !== run.part + 1) return texts.disorder
  if (part.done < run.done || part.done > run.total) return texts.wrongCount
  const keys = new Set<string>()
  for (const { address } of part.found) {
    const key = keyOf(address)
    if (key === '' || !holdsAddress(run.intervals, address)) return texts.outside
    if (run.found.has(key) || keys.has(key)) return texts.twice
    keys.add(key)
  }
  return null
}

interface ProbeFacts {
  readonly id: number
  readonly name: string
  readonly approval: string
  readonly local: number
}

/** Why a run can not be; null when it can. */
export const troubleOf = (
  probe: ProbeFacts | null,
  intervals: readonly AddressInterval[],
  isOnline: (probeId: number) => boolean,
): string | null => {
  if (probe === null) return texts.noProbe
  if (probe.approval !== 'approved') return texts.notApproved(probe.name)
  if (!isOnline(probe.id)) return texts.offline(probe.name)
  const loopback = intervals.some(({ family, from }) => family === 4 && from >> 24n === 127n)
  return loopback && probe.local !== 1 ? texts.loopback : null
}
