import { createFrame, type Frame } from './frame.ts'

/** Numbers of the JSON protocol (HubProtocol.md of dotnet/aspnetcore). */
const TYPE = { invocation: 1, completion: 3, streamInvocation: 4, ping: 6, close: 7 } as const

export interface Invocation {
  readonly kind: 'invocation'
  readonly target: string
  readonly args: readonly unknown[]
  /** Null when the caller expects no answer. */
  readonly invocationId: string | null
  /** A call for a stream of results, which no hub offers. */
  readonly streamed: boolean
}

export type ClientMessage =
  | Invocation
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'fault'; readonly reason: string }

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The JSON object in a record, or null when the bytes are no UTF-8, no JSON or no object. */
export function decodeJsonObject(record: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(strictUtf8.decode(record))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Reads one record sent by a client after its handshake. Unknown properties and types are ignored; never throws. */
export function decodeMessage(record: Uint8Array): ClientMessage {
  const value = decodeJsonObject(record)
  if (value === null) return fault('A message is a JSON object in UTF-8.')
  switch (value.type) {
    case TYPE.invocation:
    case TYPE.streamInvocation:
      return decodeInvocation(value, value.type === TYPE.streamInvocation)
    case TYPE.ping:
      return { kind: 'ping' }
    case TYPE.close:
      return { kind: 'close' }
    default:
      return typeof value.type === 'number' ? { kind: 'ignored' } : fault('A message has a numeric type.')
  }
}

function decodeInvocation(value: Readonly<Record<string, unknown>>, streamed: boolean): ClientMessage {
  const { target, arguments: args, invocationId = null } = value
  if (typeof target !== 'string') return fault('An invocation has a target.')
  if (!Array.isArray(args)) return fault('The arguments of an invocation are an array.')
  if (invocationId !== null && typeof invocationId !== 'string') return fault('An invocationId is a string.')
  return { kind: 'invocation', target, args, invocationId: invocationId === '' ? null : invocationId, streamed }
}

const fault = (reason: string): ClientMessage => ({ kind: 'fault', reason })

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Keep-alive, the same for everybody. */
export const PING_FRAME: Frame = createFrame(JSON.stringify({ type: TYPE.ping }))

/** An event pushed to clients: no invocationId, so no answer is expected. Throws on arguments that JSON can't hold. */
export const encodePush = (target: string, args: readonly unknown[]): Frame =>
  createFrame(JSON.stringify({ type: TYPE.invocation, target, arguments: args }))

/** The answer of a call that ended well; an undefined result is left out. Throws on a result that JSON can't hold. */
export const encodeResult = (invocationId: string, result: unknown): Frame =>
  createFrame(JSON.stringify({ type: TYPE.completion, invocationId, result }))

export const encodeFailure = (invocationId: string, error: string): Frame =>
  createFrame(JSON.stringify({ type: TYPE.completion, invocationId, error }))

/** The last message of a connection. The client comes back only because of `allowReconnect`. */
export const encodeClose = (error?: string): Frame =>
  createFrame(JSON.stringify({ type: TYPE.close, error, allowReconnect: true }))
