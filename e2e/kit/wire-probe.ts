import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import {
  type CheckResult,
  enrollReply,
  PROBE_HEADERS,
  PROBE_PROTOCOL,
  probeRoutes,
  signedText,
} from '@narval/contracts'
import type { ApiClient } from './client.ts'

export interface WireProbe {
  readonly id: number
  /**
   * Posts a batch of the live lane under this sequence; the status, 0 when there was no answer. With `deaf` the answer
   * is never read: the connection is cut as soon as the request has left.
   */
  post(sequence: number, results: readonly CheckResult[], options?: { deaf?: boolean }): Promise<number>
  /** Asks for its orders from now on as a real one does: however slow the machine, it is not offline. */
  keepCalling(): void
  /** Method, path, headers and body of such a batch, for a test that sends them in its own way. */
  signed(sequence: number, results: readonly CheckResult[]): SignedPost
}

export interface SignedPost {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const PATH = probeRoutes.results.path
/** A quarter of the minute after which a silent probe is offline. */
const CALL_EVERY_MS = 15_000
/** Calls without an answer after which nobody is there any more: its server was stopped for good. */
const CALLS_IN_VAIN = 8

/** A probe reduced to its wire: enrolled by a code, signing with a key of its own over real HTTP. */
export const enrolWireProbe = async (
  url: string,
  code: string,
  { name = 'Sonde d’essai', version = '1' }: { readonly name?: string; readonly version?: string } = {},
): Promise<WireProbe> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const enrolled = await fetch(`${url}${probeRoutes.enroll.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      protocol: PROBE_PROTOCOL,
      code,
      name,
      version,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    }),
  })
  const { probe } = enrollReply.parse(await enrolled.json())
  const bootId = randomBytes(16).toString('hex')
  const headersOf = (method: string, path: string, body: string): Record<string, string> => {
    const nonce = randomBytes(16).toString('base64url')
    const date = String(Date.now())
    const text = signedText(method, path, date, nonce, createHash('sha256').update(body).digest('hex'))
    return {
      [PROBE_HEADERS.probe]: String(probe),
      [PROBE_HEADERS.date]: date,
      [PROBE_HEADERS.nonce]: nonce,
      [PROBE_HEADERS.signature]: sign(null, Buffer.from(text), privateKey).toString('base64'),
    }
  }
  const signed: WireProbe['signed'] = (sequence, results) => {
    const body = JSON.stringify({ bootId, lane: 'live', sequence, sentAt: Date.now(), results })
    return { path: PATH, body, headers: { 'content-type': 'application/json', ...headersOf('POST', PATH, body) } }
  }
  const call = async (): Promise<boolean> => {
    const path = `${probeRoutes.orders.path}?wait=0`
    const signal = AbortSignal.timeout(CALL_EVERY_MS)
    const answer = await fetch(`${url}${path}`, { headers: headersOf('GET', path, ''), signal }).catch(() => null)
    await answer?.body?.cancel()
    return answer?.ok === true
  }
  return {
    id: probe,
    signed,
    keepCalling() {
      let vain = 0
      const timer = setInterval(async () => {
        vain = (await call()) ? 0 : vain + 1
        if (vain === CALLS_IN_VAIN) clearInterval(timer)
      }, CALL_EVERY_MS)
      timer.unref()
    },
    async post(sequence, results, { deaf = false } = {}) {
      const { headers, body } = signed(sequence, results)
      const leaving = new AbortController()
      const answer = fetch(`${url}${PATH}`, {
        method: 'POST',
        body,
        headers,
        signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(20_000)]),
      }).then(
        response => response.status,
        () => 0,
      )
      // A few milliseconds: long enough for the server to have the request, too short to be sure of the answer.
      if (deaf) setTimeout(() => leaving.abort(), 3)
      return deaf ? answer.then(() => 0) : answer
    },
  }
}

/** Enrols a wire-level probe, approves it, and keeps it online. */
export const approvedWireProbe = async (url: string, api: ApiClient): Promise<WireProbe> => {
  const { code } = await api.call(probeRoutes.code)
  const probe = await enrolWireProbe(url, code)
  await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
  probe.keepCalling()
  return probe
}
