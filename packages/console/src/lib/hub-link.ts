import { HUB_RETRY_MS } from '@narval/contracts'

/** States of a real-time connection (spec §4). */
export type HubState = 'Disconnected' | 'Connecting' | 'Connected' | 'Disconnecting' | 'Reconnecting'

/** What is used of a SignalR connection. */
export interface Wire {
  start(): Promise<void>
  stop(): Promise<void>
  invoke(method: string, ...args: unknown[]): Promise<unknown>
  onclose(run: () => void): void
  onreconnecting(run: () => void): void
  onreconnected(run: () => void): void
}

export interface HubLinkDeps<Payload> {
  /** Makes a connection that is not started and hands each event to `deliver`. */
  readonly open: (deliver: (payload: Payload) => void) => Promise<Wire>
  readonly join: string
  readonly leave: string
  readonly after: (delayMs: number, run: () => void) => () => void
}

/** One hub for the whole console: connects while somebody listens and somebody is signed in. */
export interface HubLink<Payload> {
  /** Listens to a stream, joined as long as one listener holds it. The answer releases it. */
  hold(stream: string, handler: (payload: Payload) => void): () => void
  /** Runs after each join, `again` when the connection had been lost: what changed before it was not heard. */
  onJoined(run: (again: boolean) => void): () => void
  /** Signed in or not. */
  allow(allowed: boolean): void
  state(): HubState
  subscribe(listener: () => void): () => void
}

/** A page that leaves and another that comes share the connection. */
const LINGER_MS = 10_000

export const createHubLink = <Payload>(deps: HubLinkDeps<Payload>): HubLink<Payload> => {
  const streams = new Map<string, Set<(payload: Payload) => void>>()
  const joined = new Set<string>()
  const joinedListeners = new Set<(again: boolean) => void>()
  const listeners = new Set<() => void>()
  let state: HubState = 'Disconnected'
  let allowed = false
  let lost = false
  let wire: Wire | null = null
  /** Tells a start that was overtaken by a stop or by another start. */
  let epoch = 0
  let cancelRetry: () => void = () => {}
  let cancelLinger: () => void = () => {}

  const set = (next: HubState): void => {
    if (next === state) return
    state = next
    for (const listener of [...listeners]) listener()
  }

  const deliver = (payload: Payload): void => {
    const handlers = new Set([...streams.values()].flatMap(set => [...set]))
    for (const handler of handlers) handler(payload)
  }

  const wanted = (): boolean => allowed && streams.size > 0

  const retryLater = (run: () => void): void => {
    cancelRetry()
    cancelRetry = deps.after(HUB_RETRY_MS, run)
  }

  /** Joins what is held and not joined; « Connected » only once all of it is heard. */
  const joinAll = async (of: Wire): Promise<void> => {
    try {
      for (const stream of [...streams.keys()].filter(one => !joined.has(one))) {
        await of.invoke(deps.join, stream)
        if (wire !== of) return
        joined.add(stream)
      }
    } catch {
      if (wire === of) retryLater(() => void joinAll(of))
      return
    }
    if (wire !== of) return
    set('Connected')
    const again = lost
    lost = false
    for (const run of [...joinedListeners]) run(again)
  }

  const watch = (of: Wire): void => {
    of.onreconnecting(() => {
      if (wire !== of) return
      lost = true
      joined.clear()
      set('Reconnecting')
    })
    of.onreconnected(() => {
      if (wire === of) void joinAll(of)
    })
    of.onclose(() => {
      if (wire !== of) return
      wire = null
      lost = true
      joined.clear()
      set('Disconnected')
      retryLater(connect)
    })
  }

  const connect = (): void => {
    if (wire !== null || !wanted() || state === 'Connecting') return
    set('Connecting')
    epoch += 1
    void begin(epoch)
  }

  const begin = async (mine: number): Promise<void> => {
    try {
      const made = await deps.open(deliver)
      if (mine !== epoch) return
      wire = made
      watch(made)
      await made.start()
      if (wire === made) await joinAll(made)
    } catch {
      if (mine !== epoch) return
      wire = null
      lost = true
      set('Disconnected')
      retryLater(connect)
    }
  }

  const disconnect = async (): Promise<void> => {
    cancelRetry()
    epoch += 1
    const mine = epoch
    const old = wire
    wire = null
    joined.clear()
    if (old !== null) {
      set('Disconnecting')
      await old.stop().catch(() => {})
    }
    if (mine !== epoch) return
    set('Disconnected')
    connect()
  }

  const release = (stream: string, handler: (payload: Payload) => void): void => {
    const handlers = streams.get(stream)
    handlers?.delete(handler)
    if (handlers === undefined || handlers.size > 0) return
    streams.delete(stream)
    if (wire !== null && joined.delete(stream)) wire.invoke(deps.leave, stream).catch(() => {})
    if (streams.size > 0) return
    cancelLinger()
    cancelLinger = deps.after(LINGER_MS, () => {
      if (streams.size === 0) void disconnect()
    })
  }

  return {
    hold(stream, handler) {
      const handlers = streams.get(stream) ?? new Set()
      handlers.add(handler)
      streams.set(stream, handlers)
      if (wire !== null && state === 'Connected' && !joined.has(stream)) void joinAll(wire)
      else connect()
      return () => release(stream, handler)
    },
    onJoined(run) {
      joinedListeners.add(run)
      return () => joinedListeners.delete(run)
    },
    allow(next) {
      allowed = next
      if (next) connect()
      else void disconnect()
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
