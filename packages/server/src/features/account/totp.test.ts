import { expect, it } from 'vitest'
import { base32, fromBase32, hotp, keyUri, stepAt, stepOf } from './totp.ts'

const RFC_SECRET = Buffer.from('12345678901234567890')
const NOW = Date.UTC(2026, 10, 22, 15, 0, 10)

it('RFC 6238, appendix B: the eight digits of SHA-1 at each of its six times', () => {
  const seconds = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000]
  expect(seconds.map(time => hotp(RFC_SECRET, stepAt(time * 1_000), 8))).toEqual([
    '94287082',
    '07081804',
    '14050471',
    '89005924',
    '69279037',
    '65353130',
  ])
})

it('RFC 4226, appendix D: the six digits of the first ten counters', () => {
  expect(Array.from({ length: 10 }, (_, counter) => hotp(RFC_SECRET, counter)).join(' ')).toBe(
    '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489',
  )
})

it('RFC 4648: base32 of every length, there and back', () => {
  const known = { f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' }
  for (const [text, coded] of Object.entries(known)) {
    expect(base32(Buffer.from(text))).toBe(coded)
    expect(fromBase32(coded)?.toString()).toBe(text)
  }
  expect([fromBase32('MZXW1'), fromBase32('mzxw'), fromBase32('')?.length]).toEqual([null, null, 0])
})

it('takes the code of 30 s before and after, none further', () => {
  const found = [-2, -1, 0, 1, 2].map(away => stepOf(RFC_SECRET, hotp(RFC_SECRET, stepAt(NOW) + away), NOW))
  expect(found).toEqual([null, stepAt(NOW) - 1, stepAt(NOW), stepAt(NOW) + 1, null])
  expect([stepOf(RFC_SECRET, '', NOW), stepOf(RFC_SECRET, '12345', NOW), stepOf(RFC_SECRET, '1234567', NOW)]).toEqual([
    null,
    null,
    null,
  ])
})

it('tells the application product, account and secret, whatever their letters', () => {
  expect(keyUri('Réseau : Ouest', 'zoé@site', 'MZXW6')).toBe(
    'otpauth://totp/R%C3%A9seau%20%20%20Ouest:zo%C3%A9%40site?secret=MZXW6&issuer=R%C3%A9seau%20%20%20Ouest&algorithm=SHA1&digits=6&period=30',
  )
})
