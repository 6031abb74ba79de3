import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMib, encoded } from '../testing/snmp-agent.ts'
import { BerError, berElement, berInteger, berOid, berReader, TAG, unsigned } from './ber.ts'
import { communityDialect } from './community.ts'
import { compareOids, suffixOf } from './oid.ts'
import { PDU } from './pdu.ts'
import { usmDialect } from './usm.ts'

const subIdentifier = fc.integer({ min: 0, max: 0xffff_ffff })
const anyOid = fc
  .tuple(fc.constantFrom('1.3', '2.100', '0.39'), fc.array(subIdentifier, { minLength: 1, maxLength: 20 }))
  .map(([root, rest]) => `${root}.${rest.join('.')}`)

describe('BER', () => {
  it('integers and OIDs come back as they were', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), value => {
        expect(berReader(berInteger(value)).integer()).toBe(value)
      }),
    )
    fc.assert(
      fc.property(anyOid, oid => {
        expect(berReader(berOid(oid)).oid()).toBe(oid)
      }),
    )
  })

  it('counters whose leading zero was forgotten are no negative numbers; those of 64 bits keep their size', () => {
    expect(unsigned(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toBe(4_294_967_295)
    expect(unsigned(Buffer.from('00ffffffffffffffff', 'hex'))).toBe(2 ** 64)
    expect(() => unsigned(Buffer.alloc(10))).toThrow(BerError)
  })

  it.each([
    ['a length beyond the packet', '30 82 ff ff 02 01 00'],
    ['an indefinite length', '30 80 02 01 00 00 00'],
    ['a length of 120 bytes', `30 f8 ${'01'.repeat(120)}`],
    ['an integer without bytes', '30 02 02 00'],
    ['an integer of 10 bytes', `30 0c 02 0a ${'7f'.repeat(10)}`],
    ['nothing', ''],
  ])('%s is refused', (_, hex) => {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
    expect(() => berReader(bytes).enter(TAG.sequence).integer()).toThrow(BerError)
  })

  it('an OID without end, too long, or with numbers beyond 32 bits is refused', () => {
    const oid = (content: Buffer) => () => berReader(berElement(TAG.oid, content)).oid()
    expect(oid(Buffer.from([0x2b, 0x86]))).toThrow(BerError)
    expect(oid(Buffer.alloc(2_000, 1))).toThrow(BerError)
    expect(oid(Buffer.from([0x2b, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]))).toThrow(BerError)
    expect(oid(Buffer.alloc(0))).toThrow(BerError)
  })
})

describe('what an agent may send', () => {
  const question = { tag: PDU.get, requestId: 7, oids: ['1.3.6.1.2.1.1.5.0'] } as const
  const auth = { protocol: 'SHA256', password: Buffer.from('auth-password') } as const
  const priv = { protocol: 'AES128', password: Buffer.from('priv-password') } as const
  const dialects = [
    communityDialect('v2c', 'public'),
    usmDialect({ name: 'u', contextName: '', auth: null, priv: null }, '192.0.2.1 161', () => 0),
    usmDialect({ name: 'u', contextName: '', auth, priv }, '192.0.2.2 161', () => 0),
  ]
  const mustBeContained = (bytes: Buffer): void => {
    for (const dialect of dialects) {
      dialect.encode(question, 0)
      try {
        dialect.decode(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(BerError)
      }
    }
  }

  it('any bytes whatever are at most a BerError, never another fault', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), bytes => mustBeContained(Buffer.from(bytes))))
  })

  it('an answer of which any byte was changed is contained too', () => {
    const mib = createMib()
    mib.set('1.3.6.1.2.1.1.5.0', encoded.text('commutateur'))
    const answer = mib.answer(communityDialect('v2c', 'public').encode(question, 0)) ?? Buffer.alloc(0)
    expect(communityDialect('v2c', 'public').decode(answer)).toMatchObject({ kind: 'answer' })
    for (let at = 0; at < answer.length; at += 1)
      for (const change of [1, 0x7f, 0x80, 0xff]) {
        const bytes = Buffer.from(answer)
        bytes[at] = (bytes[at] ?? 0) ^ change
        mustBeContained(bytes)
      }
  })
})

describe('OIDs', () => {
  it('are compared by their numbers, not by their letters', () => {
    expect(compareOids('1.3.6.9', '1.3.6.10')).toBeLessThan(0)
    expect(compareOids('1.3.6.16384', '1.3.6.16383')).toBeGreaterThan(0)
    expect(compareOids('1.3.6', '1.3.6.0')).toBeLessThan(0)
    expect(compareOids('1.3.6.1', '1.3.6.1')).toBe(0)
  })

  it('are below a root only past a point', () => {
    expect(suffixOf('1.3.6.1.22.5', '1.3.6.1.2')).toBe(null)
    expect(suffixOf('1.3.6.1.2.5.7', '1.3.6.1.2')).toBe('5.7')
    expect(suffixOf('1.3.6.1.2', '1.3.6.1.2')).toBe(null)
  })
})
