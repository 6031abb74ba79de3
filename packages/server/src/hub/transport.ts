import type { ServerResponse } from 'node:http'
import type { Frame } from './frame.ts'

/** The way to one client. Nothing here throws or waits; the end is told once through `onEnd`. */
interface AnyTransport {
  send(frame: Frame): void
  /** Bytes accepted by `send` that the client has not taken yet. */
  backlogBytes(): number
  /** Ends once what was sent is delivered. */
  end(): void
  /** Ends at once. */
  drop(): void
  /** Called about once a second with the hubs' time. */
  tick(nowMs: number): void
}

/** A transport that keeps one way open to the client. */
export interface PushTransport extends AnyTransport {
  readonly kind: 'webSocket' | 'serverSentEvents'
}

/** A transport that keeps what is sent until the client asks for it. */
export interface LongPollingTransport extends AnyTransport {
  readonly kind: 'longPolling'
  /** Takes over one poll; its reply must be hijacked. `headers` go on its answer. */
  poll(response: ServerResponse, headers: Readonly<Record<string, string>>, nowMs: number): void
}

export type Transport = PushTransport | LongPollingTransport

export interface TransportEvents {
  readonly onBytes: (bytes: Uint8Array) => void
  readonly onEnd: () => void
}
