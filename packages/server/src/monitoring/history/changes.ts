import { HOST_STATES, type HostStateName } from '@narval/contracts'
import { isFlapping, severityRank, type UnknownCause } from '@narval/engine'
import { batches } from '../../store/batches.ts'
import type { Turn } from '../../turns.ts'
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

/** Changes that are looked at between two turns of the event loop. */
const AT_ONCE = 256

/** Rows of an evaluation's confirmed changes, those of one millisecond as one. `exists`: a deletion may have crossed it. */
export const changesOf = async (effects: Effects, exists: ReadonlySet<number>, known: Known, turn: Turn) => {
  const rows: MetricChangeRow[] = []
  const moves: Move[] = []
  const last = new Map<number, MetricChangeRow>()
  const say = ({ metric, severity, cause, atMs }: Effects['changes'][number]): void => {
    const { id, scanner } = metric
    if (!exists.has(id)) return
    const after = severityRank(severity)
    const held = last.get(id)
    const before = held === undefined ? rankOf(known.metric(id)) : held.severity_rank
    moves.push({ id, hostId: scanner.host.id, siteId: scanner.host.site.id, before, after, atMs })
    if (held?.at === atMs) {
      Object.assign(held, { severity_rank: after, cause })
      return
    }
    const row = metricRow(id, atMs, before, after, cause)
    rows.push(row)
    last.set(id, row)
  }
  for (const some of batches(effects.changes, AT_ONCE)) {
    for (const change of some) say(change)
    await turn()
  }
  return { rows, moves }
}

/** The same of hosts: as their life tests say, then what else made them what they are now (`hosts`). */
export const hostChangesOf = async (
  effects: Effects,
  hosts: readonly HostEntry[],
  known: Known,
  nowMs: number,
  turn: Turn,
) => {
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
  for (const some of batches(effects.lives, AT_ONCE)) {
    for (const { host, atMs, state, flapping } of some) if (host.enabled) say(host, atMs, state, flapping)
    await turn()
  }
  for (const some of batches(hosts, AT_ONCE)) {
    for (const host of some) say(host, nowMs, host.state, flaps(host))
    await turn()
  }
  return { rows: [...rows.values()], hosts: codes }
}
