import { HOST_STATES, type HostState, type HostStatus } from './host-state.ts'
import { addTally, EMPTY_TALLY, isSameTally, type MetricTally, removeTally } from './metric-tally.ts'
import { moveSeverity, NO_COUNTS, type Severity, type SeverityCounts, sumCounts, worstOfCounts } from './severity.ts'

/** Hosts of a site, or of all sites, and their metrics; hosts that are disabled count in `states` only. */
export interface HostTally {
  readonly states: Readonly<Record<HostState, number>>
  /** Hosts by severity. */
  readonly hosts: SeverityCounts
  readonly metrics: MetricTally
}
export const EMPTY_HOST_TALLY: HostTally = {
  states: { down: 0, unreachable: 0, unknown: 0, pending: 0, available: 0, disabled: 0 },
  hosts: NO_COUNTS,
  metrics: EMPTY_TALLY,
}

/** What a roll-up reads of a host. */
export type TalliedHost = Pick<HostStatus, 'state' | 'severity' | 'tally'>

/** One host's change (null: it did not exist, or does no more), in constant time whatever the number of hosts. */
export const tallyHost = (tally: HostTally, before: TalliedHost | null, after: TalliedHost | null): HostTally => {
  if (before === after) return tally
  const states = moveState(tally.states, before?.state ?? null, after?.state ?? null)
  const hosts = moveSeverity(tally.hosts, countedSeverity(before), countedSeverity(after))
  const metrics = moveTally(tally.metrics, countedTally(before), countedTally(after))
  return states === tally.states && hosts === tally.hosts && metrics === tally.metrics
    ? tally
    : { states, hosts, metrics }
}

const isCounted = (host: TalliedHost | null): host is TalliedHost => host !== null && host.state !== 'disabled'
const countedSeverity = (host: TalliedHost | null): Severity | null => (isCounted(host) ? host.severity : null)
const countedTally = (host: TalliedHost | null): MetricTally => (isCounted(host) ? host.tally : EMPTY_TALLY)

const moveState = (states: HostTally['states'], from: HostState | null, to: HostState | null): HostTally['states'] => {
  if (from === to) return states
  const next = { ...states }
  if (from !== null) {
    if (next[from] <= 0) throw new RangeError(`No ${from} host left to remove`)
    next[from] -= 1
  }
  if (to !== null) next[to] += 1
  return next
}

const moveTally = (total: MetricTally, from: MetricTally, to: MetricTally): MetricTally =>
  isSameTally(from, to) ? total : addTally(removeTally(total, from), to)

/** Two roll-ups together: a site with the sites below it. */
export const sumHostTallies = (a: HostTally, b: HostTally): HostTally => {
  const states = { ...a.states }
  for (const state of HOST_STATES) states[state] += b.states[state]
  return { states, hosts: sumCounts(a.hosts, b.hosts), metrics: addTally(a.metrics, b.metrics) }
}

/** Severity of a site: the worst of its hosts; `ok` when it has none that is monitored. */
export const siteSeverity = (tally: HostTally): Severity => worstOfCounts(tally.hosts) ?? 'ok'
