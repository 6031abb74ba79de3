import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAccessTokens } from './access-token.ts'

const KEY = randomBytes(32)
const NOW_MS = Date.parse('2026-03-01T10:00:00Z')
const NOW_S = NOW_MS / 1_000
const tokens = createAccessTokens(KEY, () => NOW_MS)

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const PAYLOAD = { sid: 7, sub: '3', iss: 'narval', aud: 'narval-console', iat: NOW_S, exp: NOW_S + 600 }
const HEADER = { alg: 'HS256', typ: 'at+jwt' }
/** A token made by hand: rightly signed unless told otherwise. */
const craft = (
  over: { header?: object; payload?: object; payloadText?: string; signature?: (input: string) => string } = {},
): string => {
  const payload =
    over.payloadText === undefined
      ? encode({ ...PAYLOAD, ...over.payload })
      : Buffer.from(over.payloadText).toString('base64url')
  const input = `${encode({ ...HEADER, ...over.header })}.${payload}`
  const hmac = (text: string) => createHmac('sha256', KEY).update(text).digest('base64url')
  return `${input}.${(over.signature ?? hmac)(input)}`
}
const rejected = async (token: string) =>
  expect([token.slice(0, 40), await tokens.verify(token)]).toEqual([token.slice(0, 40), null])

describe('an access token', () => {
  it('says whose session it is, for ten minutes', async () => {
    const token = await tokens.issue(3, 7)
    expect(await tokens.verify(token)).toEqual({ userId: 3, sessionId: 7, expiresMs: NOW_MS + 600_000 })
    const later = createAccessTokens(KEY, () => NOW_MS + 600_000)
    expect(await later.verify(token)).toBeNull()
    expect(await later.verify(token, { ignoreExpiry: true })).toMatchObject({ sessionId: 7 })
  })

  it('made by hand with the right key is accepted: the cases below fail for their own reason', async () => {
    expect(await tokens.verify(craft())).toMatchObject({ userId: 3, sessionId: 7 })
  })

  it('S11: another algorithm, or a key named by the token itself, is worth nothing', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await rejected(craft({ header: { alg: 'none' }, signature: () => '' }))
    await rejected(craft({ header: { alg: 'None' }, signature: () => '' }))
    for (const [alg, hash] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const)
      await rejected(
        craft({ header: { alg }, signature: text => createHmac(hash, KEY).update(text).digest('base64url') }),
      )
    await rejected(
      craft({
        header: { alg: 'EdDSA' },
        signature: text => sign(null, Buffer.from(text), privateKey).toString('base64url'),
      }),
    )
    await rejected(
      craft({
        header: { alg: 'RS256' },
        signature: text => sign('sha256', Buffer.from(text), rsa.privateKey).toString('base64url'),
      }),
    )
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    for (const key of [pem, `\n ${pem}`, ''])
      await rejected(craft({ signature: text => createHmac('sha256', key).update(text).digest('base64url') }))
    const other = randomBytes(32)
    const byOther = (text: string) => createHmac('sha256', other).update(text).digest('base64url')
    const named = [
      { kid: '../../../dev/null' },
      { kid: "x' union select 'secret" },
      { jwk: { kty: 'oct', k: other.toString('base64url') } },
      { jku: 'https://evil.test/keys' },
      { x5u: 'https://evil.test/cert' },
      { x5c: ['MIIB'] },
    ]
    for (const header of named) await rejected(craft({ header, signature: byOther }))
    await rejected(craft({ header: { crit: ['exp'], exp: 1 } }))
  })

  it('S12: another exp, nbf, iss, aud or typ is refused', async () => {
    const payloads = [
      { exp: NOW_S },
      { exp: NOW_S - 1 },
      { exp: undefined },
      { exp: 'demain' },
      { nbf: NOW_S + 60 },
      { iss: 'ailleurs' },
      { iss: undefined },
      { aud: 'narval-probe' },
      { aud: undefined },
      { sub: undefined },
      { sid: undefined },
      { sub: 'admin' },
      { sid: '7; drop table session' },
      { sid: 1.5 },
    ]
    for (const payload of payloads) await rejected(craft({ payload }))
    for (const typ of ['JWT', 'refresh+jwt', undefined]) await rejected(craft({ header: { typ } }))
  })

  it('S13: truncated, huge, doubled claims, bad base64: refused, never an error', async () => {
    const good = await tokens.issue(3, 7)
    for (let length = 0; length < good.length; length += 7) await rejected(good.slice(0, length))
    await rejected('x'.repeat(1_000_000))
    await rejected(`${good}.${good}`)
    await rejected(`${good}=`)
    await rejected(good.replace('.', '..'))
    await rejected(craft({ payloadText: '[]' }))
    await rejected(craft({ payloadText: 'null' }))
    await rejected(
      craft({ payloadText: `{"sid":7,"sub":"3","iss":"narval","aud":"narval-console","exp":${NOW_S + 600},"exp":1}` }),
    )
    await rejected(craft({ payloadText: '{"sid":7' }))
  })

  it('S13: 10,000 random changes of one are never accepted', async () => {
    const good = await tokens.issue(3, 7)
    const places = fc.integer({ min: 0, max: good.length - 1 })
    const changes = fc.array(fc.record({ at: places, by: fc.integer({ min: 0, max: 255 }) }), {
      minLength: 1,
      maxLength: 4,
    })
    const check = fc.asyncProperty(changes, async all => {
      const bytes = Buffer.from(good, 'latin1')
      for (const { at, by } of all) bytes[at] = by
      const changed = bytes.toString('latin1')
      if (changed !== good) expect(await tokens.verify(changed)).toBeNull()
    })
    await fc.assert(check, { numRuns: 10_000 })
  })
})
