import { createHash, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import { answerText, PROBE_HEADERS, signedText } from '@narval/contracts'
import { parseRetryAfter } from './backoff.ts'
import { fr } from './fr.ts'
import { type Identity, type KeyPair, serverKeyObject } from './identity.ts'
import type { Wire } from './wire.ts'

/** Calls that are signed by the probe, and answers that are believed only when the pinned key signed them (S56, S58). */
export interface Session {
  readonly call: (
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    timeLimitMs: number,
    signal: AbortSignal,
  ) => Promise<SessionAnswer>
}

export type SessionAnswer =
  /** Signed by the server. */
  | {
      readonly kind: 'signed'
      readonly status: number
      readonly body: Buffer
      readonly retryAfterMs: number | null
      readonly skewMs: number | null
    }
  /** Something answered without signature: a proxy, or the server before it knew us. Nothing of it is believed. */
  | {
      readonly kind: 'unsigned'
      readonly status: number
      readonly retryAfterMs: number | null
      readonly skewMs: number | null
    }
  /** Signed by another key: not our server. */
  | { readonly kind: 'impostor' }
  | { readonly kind: 'failed'; readonly reason: string }

/** The keys that may sign for the probe: two while its key changes. */
export interface KeyRing {
  /** Signs first. */
  readonly current: () => KeyPair
  /** Tried when the server does not know the first. */
  readonly other: () => KeyPair | null
  /** The server believed this key: while two are held, the new one is then the probe's. */
  readonly accepted: (pair: KeyPair) => void
}

export interface SessionOptions {
  readonly wire: Wire
  readonly identity: Identity & { readonly enrolled: NonNullable<Identity['enrolled']> }
  /** Its only key unless said. */
  readonly ring?: KeyRing
  /** Wall clock, epoch ms. */
  readonly nowMs: () => number
}

export const createSession = (options: SessionOptions): Session => {
  const { identity } = options
  const ring: KeyRing = options.ring ?? {
    current: () => identity,
    other: () => identity.next,
    accepted: () => undefined,
  }
  const send = createSender(options)
  return {
    call: async (method, path, text, timeLimitMs, signal) => {
      const body = text === null ? null : Buffer.from(text)
      const call = { method, path, body, timeLimitMs }
      const first = ring.current()
      const answer = await send(call, first, signal)
      if (answer.kind !== 'signed') return answer
      if (answer.status !== 401) {
        ring.accepted(first)
        return answer
      }
      // The key may have changed while the call was under way, or its change was not heard of.
      const now = ring.current()
      const second = now.publicKey === first.publicKey ? ring.other() : now
      if (second === null) return answer
      const again = await send(call, second, signal)
      if (again.kind === 'signed' && again.status !== 401) ring.accepted(second)
      return again
    },
  }
}

interface SignedCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: Buffer | null
  readonly timeLimitMs: number
}

const createSender = ({ wire, identity: { enrolled }, nowMs }: SessionOptions) => {
  const serverKey = serverKeyObject(enrolled.serverKey)
  return async (call: SignedCall, pair: KeyPair, signal: AbortSignal): Promise<SessionAnswer> => {
    const nonce = randomBytes(16).toString('hex')
    const headers = signedHeaders(enrolled.probe, pair, call, nonce, nowMs())
    const answer = await wire.call({ ...call, headers }, signal)
    if (answer.kind === 'failed') return answer
    const { status } = answer
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], nowMs())
    const skewMs = skewOf(answer.headers.date, nowMs())
    const signature = answer.headers[PROBE_HEADERS.serverSignature]
    if (typeof signature !== 'string') return { kind: 'unsigned', status, retryAfterMs, skewMs }
    if (!isSignedBy(serverKey, signature, nonce, status, answer.body)) return { kind: 'impostor' }
    return { kind: 'signed', status, body: answer.body, retryAfterMs, skewMs }
  }
}

const sha256 = (body: Buffer | null): string =>
  createHash('sha256')
    .update(body ?? '')
    .digest('hex')

const signedHeaders = (
  probe: number,
  { privateKey }: KeyPair,
  { method, path, body }: SignedCall,
  nonce: string,
  nowMs: number,
): Record<string, string> => {
  const date = String(Math.round(nowMs))
  const text = signedText(method, path, date, nonce, sha256(body))
  return {
    accept: 'application/json',
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    [PROBE_HEADERS.probe]: String(probe),
    [PROBE_HEADERS.date]: date,
    [PROBE_HEADERS.nonce]: nonce,
    [PROBE_HEADERS.signature]: sign(null, Buffer.from(text), privateKey).toString('base64'),
  }
}

const isSignedBy = (key: KeyObject, signature: string, nonce: string, status: number, body: Buffer): boolean =>
  verify(null, Buffer.from(answerText(nonce, status, sha256(body))), key, Buffer.from(signature, 'base64'))

/** How far our clock is ahead of the server's, by its Date header; only for what is said to people. */
const skewOf = (date: string | undefined, nowMs: number): number | null => {
  const ms = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isFinite(ms) ? nowMs - ms : null
}

/** The sentences of a problem document, for people; the bare status when there is none. */
export const sentenceOf = (status: number, body: Buffer): string => {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    if (typeof parsed === 'object' && parsed !== null) {
      if ('errors' in parsed && Array.isArray(parsed.errors) && parsed.errors.length > 0) {
        return parsed.errors.slice(0, 10).map(String).join(' ').slice(0, 500)
      }
      if ('detail' in parsed && typeof parsed.detail === 'string' && parsed.detail !== '')
        return parsed.detail.slice(0, 500)
    }
  } catch {
    // No problem document.
  }
  return fr.link.status(status)
}
