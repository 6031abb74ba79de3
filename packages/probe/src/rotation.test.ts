import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerText, PROBE_HEADERS, rotateBody, rotationText, signedText } from '@narval/contracts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Identity, loadIdentity, saveIdentity } from './identity.ts'
import { createKeyRing, rotateKey } from './rotation.ts'
import { createSession } from './session.ts'
import type { Wire } from './wire.ts'

const server = generateKeyPairSync('ed25519')
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

let folder: string
let enrolled: Identity & { readonly enrolled: NonNullable<Identity['enrolled']> }
/** The server's side: one key that counts; it may lose answers to Rotate, or refuse them. */
let accepted: string
let losing = 0
let refusing = false
let signatures: string[] = []
const signal = new AbortController().signal

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'narval-rotation-'))
  const serverKey = server.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  enrolled = { ...loadIdentity(folder), enrolled: { probe: 7, serverKey } }
  saveIdentity(folder, enrolled)
  accepted = enrolled.publicKey
  losing = 0
  refusing = false
  signatures = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const isBy = (publicKey: string, text: string, signature: string): boolean =>
  verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' }),
    Buffer.from(signature, 'base64'),
  )

const wire: Wire = {
  endpoint: () => null,
  close: () => undefined,
  call: async ({ method, path, headers, body }) => {
    const header = (name: string): string => headers[name] ?? ''
    const text = signedText(method, path, header(PROBE_HEADERS.date), header(PROBE_HEADERS.nonce), sha256(body ?? ''))
    const isKnown = isBy(accepted, text, header(PROBE_HEADERS.signature))
    signatures.push(isKnown ? 'good' : 'bad')
    let status = isKnown ? 204 : 401
    if (isKnown && path === '/api/Probe/Rotate') {
      const { publicKey, proof } = rotateBody.parse(JSON.parse(String(body)))
      const isProved = publicKey === accepted || isBy(publicKey, rotationText(7, accepted, publicKey), proof)
      if (refusing || !isProved) status = 409
      else accepted = publicKey
      if (losing > 0) {
        losing -= 1
        return { kind: 'failed', reason: 'perdu' }
      }
    }
    const signature = sign(
      null,
      Buffer.from(answerText(header(PROBE_HEADERS.nonce), status, sha256(''))),
      server.privateKey,
    )
    const answered = { [PROBE_HEADERS.serverSignature]: signature.toString('base64') }
    return { kind: 'answer', status, headers: answered, body: Buffer.alloc(0) }
  },
}
const start = () => {
  const kept = loadIdentity(folder)
  const identity = { ...kept, enrolled: enrolled.enrolled }
  const ring = createKeyRing(folder, identity)
  const session = createSession({ wire, identity, ring, nowMs: Date.now })
  return { session, ring, call: () => session.call('GET', '/api/Probe/Orders', null, 1_000, signal) }
}

it('a new key is on disk before the server is asked, signs once it is taken, and the old one is then forgotten', async () => {
  const { session, ring, call } = start()
  expect(await rotateKey(session, ring, 7, signal, 0)).toBeNull()
  expect(loadIdentity(folder)).toMatchObject({ publicKey: enrolled.publicKey, next: { publicKey: accepted } })
  expect(await call()).toMatchObject({ status: 204 })
  expect(loadIdentity(folder)).toMatchObject({ publicKey: accepted, next: null })
  expect(accepted).not.toBe(enrolled.publicKey)
  // The old key was never shown again.
  expect(signatures).toEqual(['good', 'good'])
})

it('an answer that is lost, once or for good, locks nobody out: the other key is tried', async () => {
  losing = 1
  const first = start()
  expect(await rotateKey(first.session, first.ring, 7, signal, 0)).toBeNull()
  expect(await first.call()).toMatchObject({ status: 204 })
  const before = accepted
  losing = 3
  const second = start()
  expect(await rotateKey(second.session, second.ring, 7, signal, 0)).toBe('perdu')
  expect(accepted).not.toBe(before)
  // As if it had been killed there.
  expect(await start().call()).toMatchObject({ status: 204 })
  expect(loadIdentity(folder)).toMatchObject({ publicKey: accepted, next: null })
})

it('a server that took nothing is still spoken to with the old key, and the same new one is offered the next time', async () => {
  refusing = true
  const { session, ring, call } = start()
  expect(await rotateKey(session, ring, 7, signal, 0)).toMatch(/409/)
  const { next } = loadIdentity(folder)
  expect(await call()).toMatchObject({ status: 204 })
  refusing = false
  const again = start()
  expect(await rotateKey(again.session, again.ring, 7, signal, 0)).toBeNull()
  expect(accepted).toBe(next?.publicKey)
})

it('a refusal with a single key is a refusal, asked once', async () => {
  accepted = server.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  expect(await start().call()).toMatchObject({ status: 401 })
  expect(signatures).toEqual(['bad'])
})
