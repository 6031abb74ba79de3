import type { Severity, SeverityCounts } from '@narval/engine'
import type { AlertMessage } from './platform.ts'
import type { ActiveMaintenance, HostStateName, MetricLive } from './state.ts'

/** Hubs (spec §7), their stream methods and what they push. `global` is the stream of everything; others are ids. */
export const HUBS = {
  communication: {
    path: '/Hub/Communication',
    join: 'JoinCommunicationStream',
    leave: 'LeaveCommunicationStream',
    event: 'alert',
  },
  host: { path: '/Hub/Host', join: 'JoinHostStream', leave: 'LeaveHostStream', event: 'changed' },
  metric: { path: '/Hub/Metric', join: 'JoinMetricStream', leave: 'LeaveMetricStream', event: 'changed' },
  site: { path: '/Hub/Site', join: 'JoinSiteStream', leave: 'LeaveSiteStream', event: 'changed' },
  service: { path: '/Hub/Service', join: 'JoinServiceStream', leave: 'LeaveServiceStream', event: 'changed' },
} as const
export type HubName = keyof typeof HUBS
export const GLOBAL_STREAM = 'global'
/** Streams of the metric hub that carry one host's metrics: `host:12`. */
export const hostStream = (hostId: number): string => `host:${hostId}`

/** Stream of the service hub for walls: says only that something may have changed, and at least every `HUB_BEAT_MS`. */
export const DISPLAY_STREAM = 'display'
/** The service hub's `global` stream says this often that the server runs: a console that misses two says so. */
export const HUB_BEAT_MS = 2_000

/** Stream of the communication hub that carries what concerns one account alone; it is followed with `global`. */
export const accountStream = (accountId: number): string => `account:${accountId}`

/** Delays of the client's own reconnection, then ours after a failed start or a close (spec §9). */
export const HUB_RECONNECT_DELAYS_MS = [0, 2_000, 10_000, 30_000] as const
export const HUB_RETRY_MS = 3_000
export const HUB_SERVER_TIMEOUT_MS = 30_000
export const HUB_KEEP_ALIVE_MS = 15_000

/** Arguments of the `alert` event. */
export type AlertEvent = AlertMessage

/** `changed` of /Hub/Metric: states and values that changed; `entities` when something else of them did (ask again).
 * A host's stream says `entities`, were they none, when something of its metrics or scanners did. */
export interface MetricChanged {
  readonly metrics: readonly (MetricLive & { readonly hostId: number; readonly siteId: number })[]
  readonly entities?: readonly number[]
  /** Incidents of which something changed: ask again. */
  readonly incidents?: readonly number[]
  /** Metrics and incidents on which something was written. */
  readonly commented?: { readonly metrics?: readonly number[]; readonly incidents?: readonly number[] }
}
/** `changed` of /Hub/Host. */
export interface HostChanged {
  readonly hosts: readonly {
    readonly id: number
    readonly siteId: number
    readonly state: HostStateName
    readonly severity: Severity
    readonly since: string
    readonly counts: SeverityCounts
    readonly inMaintenance: boolean
    readonly maintenance: ActiveMaintenance
  }[]
  readonly entities?: readonly number[]
  /** Hosts on which something was written. */
  readonly commented?: readonly number[]
  /** Monitoring models created, changed or deleted. */
  readonly models?: readonly number[]
}
/** `changed` of /Hub/Site. */
export interface SiteChanged {
  readonly sites: readonly { readonly id: number; readonly severity: Severity; readonly counts: SeverityCounts }[]
  readonly entities?: readonly number[]
  /** Sites on which something was written. */
  readonly commented?: readonly number[]
}
/** `changed` of /Hub/Service: the counters of the dashboard, and the state of probes. */
export interface ServiceChanged {
  readonly severities?: SeverityCounts
  readonly hosts?: SeverityCounts
  readonly soft?: number
  readonly acknowledged?: number
  readonly inMaintenance?: number
  readonly probesOffline?: number
  readonly probes?: readonly number[]
  /** Maintenances of which something changed: ask again. */
  readonly maintenances?: readonly number[]
  /** Deliveries were queued, sent or given up: ask again. At most once a second. */
  readonly deliveries?: true
  /** The log has grown: ask again. On its own stream alone, at most twice a second. */
  readonly log?: true
  /** Something was written in the log book, or a hand-over note signed or read: ask again. */
  readonly logBook?: true
  /** Services changed their state: ask again. On its own stream alone, at most once a second. */
  readonly services?: true
  /** What the account that hears it may do, or where, may be otherwise: ask again. */
  readonly account?: true
  readonly at: string
}
