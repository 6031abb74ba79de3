import { HUB_KEEP_ALIVE_MS, HUB_SERVER_TIMEOUT_MS } from '@narval/contracts'

/** Bounds of what one client may cost. Sizes in bytes, rates in messages a second. */
export interface HubLimits {
  /** One record, separator excluded; more is a protocol error (S54). */
  readonly messageBytes: number
  /** One POST body or one WebSocket frame, which may hold several records. */
  readonly bodyBytes: number
  /** What a slow reader may leave unread before it is dropped (R22). */
  readonly backlogBytes: number
  /** Arguments waiting for earlier calls of the same connection to end. */
  readonly pendingCallBytes: number
  readonly messagesPerSecond: number
  /** What may come at once, for instance a page that joins all its rows. */
  readonly messageBurst: number
  readonly streamsPerConnection: number
  readonly streamNameChars: number
  /** Negotiated ids count as connections. */
  readonly connectionsPerUser: number
  readonly connections: number
}

/** Sources: design of the hub (32 KiB, 1 MB, 512), measured use of the console for the others. */
export const HUB_LIMITS: HubLimits = {
  messageBytes: 32 * 1024,
  bodyBytes: 256 * 1024,
  backlogBytes: 1024 * 1024,
  pendingCallBytes: 1024 * 1024,
  messagesPerSecond: 100,
  messageBurst: 600,
  streamsPerConnection: 512,
  streamNameChars: 128,
  connectionsPerUser: 256,
  connections: 20_000,
}

/** Durations in milliseconds. One shared tick serves all connections, so each may run up to one tick late. */
export const HUB_TIMES = {
  tickMs: 1_000,
  /** A tick that comes later than this means that the machine slept, not that the clients were silent (R24). */
  longestTickMs: 5_000,
  keepAliveMs: HUB_KEEP_ALIVE_MS,
  silenceMs: HUB_SERVER_TIMEOUT_MS,
  handshakeMs: 15_000,
  unusedIdMs: 15_000,
  pollWaitMs: 90_000,
  pollGapMs: 15_000,
  /** Check period + time limit of one check + one tick stay under the 5 s of S52. */
  sessionCheckMs: 2_000,
  sessionAnswerMs: 1_500,
  authenticationMs: 5_000,
  callMs: 10_000,
  /** How long a peer may take to read the last bytes of an ended connection. */
  lingerMs: 5_000,
  shutdownGraceMs: 1_000,
} as const
