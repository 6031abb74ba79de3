import { randomBytes } from 'node:crypto'
import { enrollReply, PROBE_HEADERS, PROBE_PROTOCOL } from '@narval/contracts'
import { parseRetryAfter } from './backoff.ts'
import { errorCode } from './failure.ts'
import { fr } from './fr.ts'
import { type Identity, keyFingerprint, saveIdentity, serverKeyObject } from './identity.ts'
import { sentenceOf } from './session.ts'
import type { Wire } from './wire.ts'

/** `secret.fingerprint`: what a person copies from the console. */
const CODE = /^[^\s.]{8,160}\.[0-9a-f]{16}$/
export const isEnrolmentCode = (code: string): boolean => CODE.test(code)
export const fingerprintOfCode = (code: string): string => code.slice(code.lastIndexOf('.') + 1)

export type Enrolment =
  | {
      readonly kind: 'enrolled'
      readonly identity: Identity & { readonly enrolled: NonNullable<Identity['enrolled']> }
    }
  /** Trying again may help. */
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterMs: number | null }
  /** A person must do something. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface EnrolmentRequest {
  readonly folder: string
  readonly identity: Identity
  readonly code: string
  readonly name: string
  readonly version: string
}

const ENROL_TIME_LIMIT_MS = 15_000

/** One attempt. The key that the server gives is believed only when the code carries its fingerprint (S58). */
export const enrol = async (wire: Wire, request: EnrolmentRequest, signal: AbortSignal): Promise<Enrolment> => {
  const { code, name, version, identity } = request
  const body = JSON.stringify({ protocol: PROBE_PROTOCOL, code, name, version, publicKey: identity.publicKey })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    [PROBE_HEADERS.nonce]: randomBytes(16).toString('hex'),
  }
  const answer = await wire.call(
    { method: 'POST', path: '/api/Probe/Enroll', headers, body: Buffer.from(body), timeLimitMs: ENROL_TIME_LIMIT_MS },
    signal,
  )
  if (answer.kind === 'failed') return { kind: 'retry', reason: answer.reason, retryAfterMs: null }
  if (answer.status >= 200 && answer.status < 300) return accept(request, answer.body)
  const reason = sentenceOf(answer.status, answer.body)
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 429) {
    return { kind: 'refused', reason: fr.faults.enrolRefused(reason) }
  }
  return { kind: 'retry', reason, retryAfterMs: parseRetryAfter(answer.headers['retry-after'], Date.now()) }
}

const accept = ({ folder, identity, code }: EnrolmentRequest, body: Buffer): Enrolment => {
  const reply = enrollReply.safeParse(parseJson(body))
  if (!reply.success) return { kind: 'retry', reason: fr.link.badReply, retryAfterMs: null }
  const { probe, serverKey } = reply.data
  if (keyFingerprint(serverKey) !== fingerprintOfCode(code)) return { kind: 'refused', reason: fr.faults.wrongKey }
  try {
    serverKeyObject(serverKey)
  } catch (error) {
    return { kind: 'refused', reason: `${fr.faults.wrongKey} (${errorCode(error)})` }
  }
  const enrolled = { ...identity, enrolled: { probe, serverKey } }
  saveIdentity(folder, enrolled)
  return { kind: 'enrolled', identity: enrolled }
}

/** Undefined when the text is not JSON. */
export const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
