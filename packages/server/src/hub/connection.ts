import { admitCall, type CallQueue, closeCalls, createCallQueue, tickCalls } from './calls.ts'
import type { Frame } from './frame.ts'
import { encodeHandshakeError, HANDSHAKE_ACCEPTED, handshakeFault } from './handshake.ts'
import { HUB_TIMES, type HubLimits } from './hub-limits.ts'
import type { HubConnection, HubIdentity, HubMethod } from './hub-method.ts'
import { decodeMessage, encodeClose, type Invocation, PING_FRAME } from './message.ts'
import { createRecordBuffer, type RecordBuffer, splitRecords } from './record.ts'
import type { Transport } from './transport.ts'

/** One hub at work: its methods, and who follows which of its streams. */
export interface Hub {
  readonly path: string
  readonly methods: ReadonlyMap<string, HubMethod>
  readonly streams: Map<string, Set<Connection>>
}

export interface HubLog {
  debug(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What all connections share. */
export interface ConnectionContext {
  readonly limits: HubLimits
  readonly log: HubLog
  /** The hubs' own time in ms: as exact as the tick, and still while the machine sleeps. */
  nowMs: number
  /** Called once, when nothing of the connection is left. */
  readonly forget: (connection: Connection) => void
  /** Called once, when the connection stops being its user's (its last bytes may still be on their way). */
  readonly release: (connection: Connection) => void
}

/** `negotiated`: an id without transport. `ended`: only its last bytes are left to deliver. */
export type Phase = 'negotiated' | 'handshake' | 'open' | 'ended' | 'gone'

export interface Connection {
  readonly id: string
  /** Secret: whoever shows it, with a token of the same user, acts on the connection. */
  readonly token: string
  readonly hub: Hub
  readonly identity: HubIdentity
  readonly context: ConnectionContext
  readonly received: RecordBuffer
  phase: Phase
  phaseSinceMs: number
  transport: Transport | null
  sentMs: number
  /** When the client was last heard; null until its first ping. */
  heardMs: number | null
  /** Messages it may still send before the next tick. */
  allowance: number
  streams: Set<string> | null
  calls: CallQueue | null
}

/** A connection that was given an id and waits for its transport. */
export function createConnection(
  ids: Pick<Connection, 'id' | 'token'>,
  hub: Hub,
  identity: HubIdentity,
  context: ConnectionContext,
): Connection {
  return {
    ...ids,
    hub,
    identity,
    context,
    received: createRecordBuffer(),
    phase: 'negotiated',
    phaseSinceMs: context.nowMs,
    transport: null,
    sentMs: context.nowMs,
    heardMs: null,
    allowance: context.limits.messageBurst,
    streams: null,
    calls: null,
  }
}

/** Gives a negotiated connection its way to the client; the handshake must follow within 15 s. */
export function attachTransport(connection: Connection, transport: Transport): void {
  connection.transport = transport
  enter(connection, 'handshake')
}

/** Takes bytes of the client as they come. What breaks the protocol ends this connection and no other. */
export function receiveBytes(connection: Connection, bytes: Uint8Array): void {
  if (isOver(connection)) return
  const { records, oversize } = splitRecords(connection.received, bytes, connection.context.limits.messageBytes)
  for (const record of records) {
    receiveRecord(connection, record)
    if (isOver(connection)) return
  }
  if (oversize) failConnection(connection, 'A message is too large.')
}

function receiveRecord(connection: Connection, record: Uint8Array): void {
  connection.allowance -= 1
  if (connection.allowance < 0) failConnection(connection, 'Too many messages.')
  else if (connection.phase === 'handshake') receiveHandshake(connection, record)
  else receiveMessage(connection, record)
}

function receiveMessage(connection: Connection, record: Uint8Array): void {
  const message = decodeMessage(record)
  if (connection.heardMs !== null || message.kind === 'ping') connection.heardMs = connection.context.nowMs
  if (message.kind === 'fault') failConnection(connection, message.reason)
  else if (message.kind === 'close') endConnection(connection)
  else if (message.kind === 'invocation') receiveCall(connection, message, record.length)
}

function receiveCall(connection: Connection, invocation: Invocation, bytes: number): void {
  connection.calls ??= createCallQueue({
    caller: asCaller(connection),
    methods: connection.hub.methods,
    maxWaitingBytes: connection.context.limits.pendingCallBytes,
    nowMs: () => connection.context.nowMs,
    answer: frame => sendFrame(connection, frame),
    report: (target, error) =>
      connection.context.log.error({ ...logFields(connection), target, err: error }, 'hub: a method failed'),
  })
  if (!admitCall(connection.calls, invocation, bytes)) failConnection(connection, 'Too many calls are waiting.')
}

const asCaller = (connection: Connection): HubConnection => ({
  id: connection.id,
  identity: connection.identity,
  join: stream => joinStream(connection, stream),
  leave: stream => leaveStream(connection, stream),
})

function receiveHandshake(connection: Connection, record: Uint8Array): void {
  const fault = handshakeFault(record)
  if (fault !== null) {
    failConnection(connection, fault)
    return
  }
  enter(connection, 'open')
  sendFrame(connection, HANDSHAKE_ACCEPTED)
}

/** Sends one record. A reader that is more than the allowed backlog behind is dropped (R22). */
export function sendFrame(connection: Connection, frame: Frame): void {
  const { transport, context } = connection
  if (transport === null || isOver(connection)) return
  transport.send(frame)
  connection.sentMs = context.nowMs
  if (transport.backlogBytes() <= context.limits.backlogBytes) return
  context.log.warn(logFields(connection), 'hub: slow reader dropped')
  dropConnection(connection)
}

/** Ends a connection that broke a rule, telling it which. */
export function failConnection(connection: Connection, reason: string): void {
  if (isOver(connection)) return
  connection.context.log.debug({ ...logFields(connection), reason }, 'hub: connection refused')
  sendFrame(connection, connection.phase === 'handshake' ? encodeHandshakeError(reason) : encodeClose(reason))
  endConnection(connection)
}

/** Ends a connection through no fault of its client, which is invited to come back. */
export function closeConnection(connection: Connection): void {
  if (connection.phase === 'open') sendFrame(connection, encodeClose())
  endConnection(connection)
}

/** Ends a connection at once: what it was not sent yet is lost. */
export function dropConnection(connection: Connection): void {
  leaveUser(connection, 'ended')
  if (connection.transport === null) connectionGone(connection)
  else connection.transport.drop()
}

/** To be called by the transport's owner when the transport is over, for whatever reason. */
export function connectionGone(connection: Connection): void {
  if (connection.phase === 'gone') return
  leaveUser(connection, 'gone')
  connection.context.forget(connection)
}

function endConnection(connection: Connection): void {
  if (isOver(connection)) return
  leaveUser(connection, 'ended')
  if (connection.transport === null) connectionGone(connection)
  else connection.transport.end()
}

function leaveUser(connection: Connection, phase: 'ended' | 'gone'): void {
  const already = isOver(connection)
  enter(connection, phase)
  if (already) return
  for (const stream of connection.streams ?? []) leaveStream(connection, stream)
  if (connection.calls !== null) closeCalls(connection.calls)
  connection.context.release(connection)
}

/** Follows the clock: silence, keep-alive, time limits, allowance. To be called about once a second. */
export function tickConnection(connection: Connection): void {
  const { transport, context } = connection
  const inPhaseMs = context.nowMs - connection.phaseSinceMs
  transport?.tick(context.nowMs)
  switch (connection.phase) {
    case 'negotiated':
      if (inPhaseMs >= HUB_TIMES.unusedIdMs) endConnection(connection)
      return
    case 'handshake':
      if (inPhaseMs >= HUB_TIMES.handshakeMs) failConnection(connection, 'Handshake was canceled.')
      return
    case 'open':
      tickOpen(connection)
      return
    case 'ended':
      if (inPhaseMs < HUB_TIMES.lingerMs || transport?.kind === 'longPolling') return
      transport?.drop()
      connectionGone(connection)
      return
    case 'gone':
      return
  }
}

function tickOpen(connection: Connection): void {
  const { limits, nowMs } = connection.context
  connection.allowance = Math.min(limits.messageBurst, connection.allowance + limits.messagesPerSecond)
  if (connection.calls !== null) tickCalls(connection.calls)
  if (connection.transport?.kind === 'longPolling') return
  if (connection.heardMs !== null && nowMs - connection.heardMs >= HUB_TIMES.silenceMs) closeConnection(connection)
  else if (nowMs - connection.sentMs >= HUB_TIMES.keepAliveMs) sendFrame(connection, PING_FRAME)
}

/** See `HubConnection.join`. */
export function joinStream(connection: Connection, stream: string): boolean {
  const { limits } = connection.context
  if (connection.phase !== 'open' || stream === '' || stream.length > limits.streamNameChars) return false
  connection.streams ??= new Set()
  if (connection.streams.has(stream)) return true
  if (connection.streams.size >= limits.streamsPerConnection) return false
  connection.streams.add(stream)
  const members = connection.hub.streams.get(stream)
  if (members === undefined) connection.hub.streams.set(stream, new Set([connection]))
  else members.add(connection)
  return true
}

export function leaveStream(connection: Connection, stream: string): void {
  connection.streams?.delete(stream)
  const members = connection.hub.streams.get(stream)
  members?.delete(connection)
  if (members?.size === 0) connection.hub.streams.delete(stream)
}

export const isOver = (connection: Connection): boolean => connection.phase === 'ended' || connection.phase === 'gone'

export const logFields = (connection: Connection): object => ({
  hub: connection.hub.path,
  connection: connection.id,
  user: connection.identity.userId,
  transport: connection.transport?.kind,
})

function enter(connection: Connection, phase: Phase): void {
  if (connection.phase === phase || connection.phase === 'gone') return
  connection.phase = phase
  connection.phaseSinceMs = connection.context.nowMs
}
