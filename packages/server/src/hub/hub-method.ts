/** Whose connection it is, as its access token said. `expiresMs` is the end of that token, in epoch milliseconds. */
export interface HubIdentity {
  readonly userId: number
  readonly sessionId: number
  readonly expiresMs: number
}

/** What a hub method sees of the connection that calls it. */
export interface HubConnection {
  /** Public: it may be logged. */
  readonly id: string
  readonly identity: HubIdentity
  /** False when the connection follows too many streams, is over, or the name is empty or too long. */
  join(stream: string): boolean
  leave(stream: string): void
}

/** Returned by a method that will not do what it is asked (wrong arguments, unknown or forbidden stream). */
export const REFUSED: unique symbol = Symbol('refused')

/** What clients may call. The arguments are what the client sent, unchecked. A throw is logged; the client sees a refusal. */
export type HubMethod = (connection: HubConnection, args: readonly unknown[]) => unknown
