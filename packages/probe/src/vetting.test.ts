import { describe, expect, it } from 'vitest'
import { fr } from './fr.ts'
import { canonicalAddress, createVetting, peerRefusal } from './vetting.ts'

const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
const strict = createVetting({ loopbackAllowed: false, serverEndpoint: () => null })

describe('S47: targets that are refused by default', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:0001',
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
    '2002:7f00:1::',
    '[::1]',
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '169.254.3.4',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    '224.0.0.1',
    '239.255.255.250',
    'ff02::1',
    '255.255.255.255',
    '240.0.0.1',
    '::2:3',
    'not an address',
  ])('%s', address => {
    expect(vetting.refusal(address, { loopback: false })?.code).toBe('denied')
  })

  it.each([
    '10.0.0.1',
    '192.168.1.1',
    '172.16.5.5',
    '8.8.8.8',
    'fd12::1',
    '2001:db8::1',
    '::ffff:10.0.0.1',
    '2002:0a00:1::',
  ])('private and public ranges are where equipment is: %s', address => {
    expect(vetting.refusal(address, { loopback: false })).toBeNull()
  })
})

describe('who a socket is connected to', () => {
  it('has nothing to refuse once it has cut the connection: that is what is said', () => {
    expect(peerRefusal(vetting, {}, { loopback: false })).toEqual({ code: 'protocol', message: fr.reset })
    expect(peerRefusal(vetting, { remoteAddress: '169.254.169.254' }, { loopback: false })?.code).toBe('denied')
    expect(peerRefusal(vetting, { remoteAddress: '10.0.0.1' }, { loopback: false })).toBeNull()
  })
})

describe('loopback', () => {
  it('is open to a check that asks for it on a probe that allows it, and to no other', () => {
    expect(vetting.refusal('127.0.0.1', { loopback: true })).toBeNull()
    expect(vetting.refusal('::1', { loopback: true })).toBeNull()
    expect(strict.refusal('127.0.0.1', { loopback: true })?.message).toContain('NARVAL_PROBE_LOOPBACK')
    expect(vetting.refusal('127.0.0.1', { loopback: false })?.code).toBe('denied')
  })

  it('opens nothing else: metadata stays refused', () => {
    expect(vetting.refusal('169.254.169.254', { loopback: true })?.code).toBe('denied')
  })
})

describe("the server's own port", () => {
  const own = createVetting({ loopbackAllowed: true, serverEndpoint: () => ({ address: '127.0.0.1', port: 8080 }) })

  it('is refused under any of the addresses of this machine', () => {
    expect(own.refusal('127.0.0.1', { loopback: true, port: 8080 })?.code).toBe('denied')
    expect(own.refusal('::1', { loopback: true, port: 8080, path: '/api/x' })?.code).toBe('denied')
    expect(own.refusal('127.0.0.1', { loopback: true, port: 8080, path: '/healthy' })?.code).toBe('denied')
  })

  it('its health page is open to the local probe; other ports and hosts too', () => {
    expect(own.refusal('127.0.0.1', { loopback: true, port: 8080, path: '/health/ready' })).toBeNull()
    expect(own.refusal('127.0.0.1', { loopback: true, port: 81 })).toBeNull()
    expect(own.refusal('10.0.0.1', { loopback: false, port: 8080 })).toBeNull()
  })
})

it('an address has one spelling', () => {
  expect(canonicalAddress('2001:DB8:0:0::1')).toBe('2001:db8::1')
  expect(canonicalAddress('::ffff:0a00:0001')).toBe('10.0.0.1')
  expect(canonicalAddress('0x7f000001')).toBeNull()
})
