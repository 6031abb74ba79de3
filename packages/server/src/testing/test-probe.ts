import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import {
  answerText,
  type CheckResult,
  type OrdersReply,
  PROBE_HEADERS,
  PROBE_PROTOCOL,
  signedText,
} from '@narval/contracts'
import type { Answered, TestApp } from './test-app.ts'
import { createTestSealing } from './test-seal.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export interface TestProbe {
  readonly id: number
  /** The key that it enrolled with. */
  readonly publicKey: string
  /** Its signature of a text, in base64. */
  sign(text: string): string
  /** Signs its calls with this key from now on. */
  useKeys(keys: TestKeys): void
  call(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    over?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: Answered }>
  /** Posts results in the live lane with the next sequence (or the one given). */
  post(
    results: readonly Partial<CheckResult>[],
    options?: { sequence?: number; lane?: 'live' | 'backlog' },
  ): Promise<number>
  orders(query?: string): Promise<OrdersReply>
}

/** An Ed25519 pair as a probe has one. */
export const createTestKeys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }
}
export type TestKeys = ReturnType<typeof createTestKeys>

/** What a probe says to be enrolled. */
export const enrolmentOf = (code: string, { publicKey }: Pick<TestKeys, 'publicKey'>, name = 'Sonde d’essai') => ({
  ...{ protocol: PROBE_PROTOCOL, code, name, version: '1', publicKey },
})

/** A probe that speaks the wire with a real Ed25519 key, enrolled and approved as the local one, or with the code given. */
export const enrolTestProbe = async (
  test: TestApp,
  now: () => number = Date.now,
  { code, name }: { code?: string; name?: string } = {},
): Promise<TestProbe> => {
  const keys = createTestKeys()
  const given = code ?? (await test.app.probes.createCode(null, true)).code
  const body = enrolmentOf(given, keys, name)
  const enrolled = await test.app.http.inject({ method: 'POST', url: '/api/Probe/Enroll', payload: body })
  let { privateKey } = keys
  const { probe, serverKey }: { probe: number; serverKey: string } = enrolled.json()
  const pinned = createPublicKey({ key: Buffer.from(serverKey, 'base64'), type: 'spki', format: 'der' })
  const bootId = randomBytes(16).toString('hex')
  const sequences = { live: 0, backlog: 0 }

  const call: TestProbe['call'] = async (method, path, payload, over = {}) => {
    const text = payload === undefined ? '' : JSON.stringify(payload)
    const nonce = randomBytes(16).toString('base64url')
    const date = String(now())
    const answer = await test.app.http.inject({
      method,
      url: path,
      ...(payload === undefined ? {} : { payload: text }),
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        [PROBE_HEADERS.probe]: String(probe),
        [PROBE_HEADERS.date]: date,
        [PROBE_HEADERS.nonce]: nonce,
        [PROBE_HEADERS.signature]: sign(
          null,
          Buffer.from(signedText(method, path, date, nonce, sha256(text))),
          privateKey,
        ).toString('base64'),
        ...over,
      },
    })
    const signature = answer.headers[PROBE_HEADERS.serverSignature]
    if (answer.statusCode < 300 && typeof signature === 'string') {
      const signed = Buffer.from(answerText(nonce, answer.statusCode, sha256(answer.body)))
      if (!verify(null, signed, pinned, Buffer.from(signature, 'base64')))
        throw new Error('the server’s signature does not verify')
    }
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) }
  }

  const sealing = createTestSealing()
  return {
    id: probe,
    publicKey: keys.publicKey,
    sign: text => sign(null, Buffer.from(text), privateKey).toString('base64'),
    useKeys: next => {
      privateKey = next.privateKey
    },
    call,
    async post(results, { lane = 'live', sequence = ++sequences[lane] } = {}) {
      const full = results.map(result => ({
        scanner: 0,
        at: now(),
        durationMs: 1,
        failure: null,
        values: {},
        ...result,
      }))
      return (await call('POST', '/api/Probe/Results', { bootId, lane, sequence, sentAt: now(), results: full })).status
    },
    orders: async (query = 'after=0&revision=&wait=0') => {
      const path = `/api/Probe/Orders?${query}&sealKey=${encodeURIComponent(sealing.key)}`
      return sealing.opened((await call('GET', path)).body, probe)
    },
  }
}
