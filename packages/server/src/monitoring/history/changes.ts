import { HOST_STATES, type HostStateName } from '@narval/contracts'
import { isFlapping, severityRank, type UnknownCause } from '@narval/engine'
import { type HostEntry, isActive, type MetricEntry } from '../fleet/model.ts'
import type { Effects } from '../judge-metric.ts'
import type { HostChangeRow, MetricChangeRow } from './history.store.ts'
import type { Rank } from './hour-ledger.ts'
import type { Known } from './known.ts'

/** A metric as the history has it: 0 for one that does not count, else its rank and one. */
export const codeOf = (rank: Rank): number => (rank === null ? 0 : rank + 1)
export const rankOf = (code: number): Rank => (code === 0 ? null : code - 1)
/** What a metric counts as now. */
export const rankNow = (metric: MetricEntry): Rank =>
  isActive(metric) ? severityRank(metric.state.hardSeverity) : null

/** The same of a host: its state and whether its life test flaps. */
export const hostCode = (host: HostEntry): number => codeOfHost(host.state, flaps(host))
const codeOfHost = (state: HostStateName, flapping: boolean): number =>
  1 + 2 * HOST_STATES.indexOf(state) + Number(flapping)
export const flaps = ({ life }: HostEntry): boolean => life !== null && isFlapping(life.state.flapping)

export const metricRow = (
  metricId: number,
  atMs: number,
  before: Rank,
  after: Rank,
  cause: UnknownCause | null,
): MetricChangeRow => ({
  ...{ metric_id: metricId, at: atMs, before_rank: before, severity_rank: after },
  cause: after === null ? null : cause,
})
export const hostRow = (hostId: number, atMs: number, state: HostStateName, flapping: boolean): HostChangeRow => ({
  ...{ host_id: hostId, at: atMs, state, flapping: flapping ? 1 : 0 },
})

/** A change that is being written, and what it does to the hours. */
export interface Move {
  readonly id: number
  readonly hostId: number
  readonly siteId: number
  readonly before: Rank
  readonly after: Rank
  readonly atMs: number
}

/** Rows of an evaluation's confirmed changes, those of one millisecond as one. `exists`: a deletion may have crossed it. */
export const changesOf = (effects: Effects, exists: ReadonlySet<number>, known: Known) => {
  const rows: MetricChangeRow[] = []
  const moves: Move[] = []
  const last = new Map<number, MetricChangeRow>()
  for (const { metric, severity, cause, atMs } of effects.changes) {
    const { id, scanner } = metric
    if (!exists.has(id)) continue
    const after = severityRank(severity)
    const held = last.get(id)
    const before = held === undefined ? rankOf(known.metric(id)) : held.severity_rank
    moves.push({ id, hostId: scanner.host.id, siteId: scanner.host.site.id, before, after, atMs })
    if (held?.at === atMs) {
      Object.assign(held, { severity_rank: after, cause })
      continue
    }
    const row = metricRow(id, atMs, before, after, cause)
    rows.push(row)
    last.set(id, row)
  }
  return { rows, moves }
}

/** The same of hosts: as their life tests say, then what else made them what they are now (`hosts`). */
export const hostChangesOf = (effects: Effects, hosts: Iterable<HostEntry>, known: Known, nowMs: number) => {
  const rows = new Map<string, HostChangeRow>()
  const codes = new Map<number, number>()
  const last = new Map<number, number>()
  const say = (host: HostEntry, atMs: number, state: HostStateName, flapping: boolean): void => {
    const code = codeOfHost(state, flapping)
    if ((codes.get(host.id) ?? known.host(host.id)) === code) return
    // Never before what was said last: its order is that of time.
    const at = Math.max(atMs, last.get(host.id) ?? 0)
    rows.set(`${host.id} ${at}`, hostRow(host.id, at, state, flapping))
    codes.set(host.id, code)
    last.set(host.id, at)
  }
  for (const { host, atMs, state, flapping } of effects.lives) if (host.enabled) say(host, atMs, state, flapping)
  for (const host of hosts) say(host, nowMs, host.state, flaps(host))
  return { rows: [...rows.values()], hosts: codes }
}
