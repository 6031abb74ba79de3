import { describe, expect, it } from 'vitest'
import { socketAddress } from './echo-socket.ts'
import { parseFping } from './fping.ts'
import { COOKIE_BYTES, checksum, type Family, ICMP_HEADER, readIcmp, writeEcho } from './packet.ts'

const echo = (family: Family, size = 56): Buffer => {
  const packet = Buffer.alloc(1500)
  packet.fill(0xab, ICMP_HEADER, ICMP_HEADER + COOKIE_BYTES)
  return packet.subarray(0, writeEcho(packet, family, 0x1234, 0x5678, size))
}
/** An IPv4 or IPv6 header in front of a payload. */
const ip = (family: Family, payload: Buffer): Buffer => {
  const header = Buffer.alloc(family === 4 ? 24 : 40)
  if (family === 4) {
    header[0] = 0x46
    header[9] = 1
  } else header[6] = 58
  return Buffer.concat([header, payload])
}
const error = (type: number, code: number, quoted: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type, code, 0, 0, 0, 0, 0, 0]), quoted])

it('an IPv4 request bears a checksum that verifies, of even and odd lengths', () => {
  for (const size of [16, 17, 56, 1472]) expect(checksum(echo(4, size), ICMP_HEADER + size)).toBe(0)
})

describe('reading', () => {
  it.each([4, 6] as const)('IPv%i: a reply gives where its cookie is, also behind IP options', family => {
    const reply = echo(family)
    reply[0] = family === 4 ? 0 : 129
    expect(readIcmp(reply, 0, reply.length, family, false)).toEqual({ kind: 'reply', cookieAt: 8 })
    if (family === 4) {
      const raw = ip(4, reply)
      expect(readIcmp(raw, 0, raw.length, 4, true)).toEqual({ kind: 'reply', cookieAt: 32 })
    }
  })

  it.each([
    [4, 3, 1, 'host'],
    [4, 3, 13, 'prohibited'],
    [4, 11, 0, 'ttl'],
    [6, 1, 0, 'network'],
    [6, 3, 0, 'ttl'],
    [6, 2, 0, 'tooBig'],
  ] as const)('IPv%i: an error of type %i code %i quotes our echo: %s', (family, type, code, name) => {
    const bytes = error(type, code, ip(family, echo(family)))
    const received = readIcmp(bytes, 0, bytes.length, family, false)
    expect(received).toMatchObject({ kind: 'error', error: name, identifier: 0x1234, sequence: 0x5678 })
    const short = bytes.subarray(0, bytes.length - 56)
    expect(readIcmp(short, 0, short.length, family, false)).toMatchObject({ cookieAt: -1, sequence: 0x5678 })
  })

  it('rule 14: cut and foreign packets are nothing, and no length makes it fail', () => {
    const samples = [echo(4), error(3, 1, ip(4, echo(4))), error(1, 0, ip(6, echo(6))), Buffer.alloc(200, 0xff)]
    for (const bytes of samples) {
      for (let length = 0; length <= bytes.length; length += 1) {
        for (const family of [4, 6] as const) {
          readIcmp(bytes.subarray(0, length), 0, length, family, true)
          readIcmp(bytes.subarray(0, length), 0, length, family, false)
        }
      }
    }
    expect(readIcmp(echo(4), 0, 64, 4, false)).toBeNull()
    expect(readIcmp(echo(4), 0, 12, 4, false)).toBeNull()
  })
})

it('addresses are laid out as the kernel wants them', () => {
  expect(socketAddress('10.1.2.3').bytes.toString('hex')).toBe('020000000a0102030000000000000000')
  expect(socketAddress('2001:db8::1:2').bytes.toString('hex')).toBe(
    '0a0000000000000020010db8000000000000000000010002' + '00000000',
  )
  expect(socketAddress('::1').bytes.toString('hex', 8, 24)).toBe(`${'0'.repeat(31)}1`)
})

it('what fping says is read; anything else is nothing', () => {
  expect(parseFping('127.0.0.1 : 0.05 - 0.03\n', 3)).toEqual({
    sent: 3,
    rttsMs: [0.05, 0.03],
    error: null,
    sendError: null,
  })
  expect(parseFping('10.0.0.1 : - -\n', 2)?.rttsMs).toEqual([])
  expect(parseFping('fping: can not create socket (must run as root?)', 2)).toBeNull()
})
