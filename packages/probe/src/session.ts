import { createHash, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import { answerText, PROBE_HEADERS, signedText } from '@narval/contracts'
import { parseRetryAfter } from './backoff.ts'
import { fr } from './fr.ts'
import { type Identity, serverKeyObject } from './identity.ts'
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

export interface SessionOptions {
  readonly wire: Wire
  readonly identity: Identity & { readonly enrolled: NonNullable<Identity['enrolled']> }
  /** Wall clock, epoch ms. */
  readonly nowMs: () => number
}

export const createSession = ({ wire, identity, nowMs }: SessionOptions): Session => {
  const serverKey = serverKeyObject(identity.enrolled.serverKey)
  return {
    call: async (method, path, text, timeLimitMs, signal) => {
      const body = text === null ? null : Buffer.from(text)
      const nonce = randomBytes(16).toString('hex')
      const headers = signedHeaders(identity, method, path, body, nonce, nowMs())
      const answer = await wire.call({ method, path, headers, body, timeLimitMs }, signal)
      if (answer.kind === 'failed') return answer
      const { status } = answer
      const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], nowMs())
      const skewMs = skewOf(answer.headers.date, nowMs())
      const signature = answer.headers[PROBE_HEADERS.serverSignature]
      if (typeof signature !== 'string') return { kind: 'unsigned', status, retryAfterMs, skewMs }
      if (!isSignedBy(serverKey, signature, nonce, status, answer.body)) {
        return { kind: 'impostor' }
      }
      return { kind: 'signed', status, body: answer.body, retryAfterMs, skewMs }
    },
  }
}

const sha256 = (body: Buffer | null): string =>
  createHash('sha256')
    .update(body ?? '')
    .digest('hex')

const signedHeaders = (
  identity: SessionOptions['identity'],
  method: string,
  path: string,
  body: Buffer | null,
  nonce: string,
  nowMs: number,
): Record<string, string> => {
  const date = String(Math.round(nowMs))
  const text = signedText(method, path, date, nonce, sha256(body))
  return {
    accept: 'application/json',
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    [PROBE_HEADERS.probe]: String(identity.enrolled.probe),
    [PROBE_HEADERS.date]: date,
    [PROBE_HEADERS.nonce]: nonce,
    [PROBE_HEADERS.signature]: sign(null, Buffer.from(text), identity.privateKey).toString('base64'),
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
