import type { Generated } from 'kysely'
import type { Bit } from './row.ts'

/** A confirmed severity that a metric took on; what came before is the row before it. */
interface MetricChangeTable {
  metric_id: number
  /** Server's clock. */
  at: number
  /** Null: it counts no more (disabled, or its scanner or host is). */
  severity_rank: number | null
  /** Of an unknown one. */
  cause: string | null
  /** What it was before; null: it did not count. */
  before_rank: number | null
}

/** A state that a host took on. */
interface HostChangeTable {
  host_id: number
  at: number
  state: string
  /** Its life test flaps. */
  flapping: Bit
}

/** What a probe told afterwards of a time of which nothing was known: runs of one outcome in a row, by the probe's clock. */
interface HostLateTable {
  host_id: number
  from_at: number
  until_at: number
  /** Its life test succeeded. */
  good: Bit
  /** Of one that did not: when its first runs failed, separated by commas, as many as confirm it at most. */
  failures: Generated<string>
  /** When those were enough; null: they never were. */
  confirmed_at: number | null
}

/** Metric-time of an hour that is over by confirmed severity, in ms. */
interface StatusHourTable {
  site_id: number
  /** Start of the hour. */
  at: number
  error_ms: number
  warning_ms: number
  unknown_ms: number
  ok_ms: number
}

/** From a start of the server to the last time that it was known to run: between two of them nothing was judged. */
interface ServerRunTable {
  id: Generated<number>
  started_at: number
  seen_at: number
}

export interface StateHistoryTables {
  metric_change: MetricChangeTable
  host_change: HostChangeTable
  host_late: HostLateTable
  status_hour: StatusHourTable
  server_run: ServerRunTable
}
