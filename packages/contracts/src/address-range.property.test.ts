import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressKey,
  countAddresses,
  eachAddress,
  formatAddress,
  holdsAddress,
  parseAddress,
  parseRanges,
  RANGE_MAX_ADDRESSES,
  RANGE_MAX_ENTRIES,
  subtractRanges,
} from './address-range.ts'

const listed = (text: string): string[] => [...eachAddress(parseRanges(text).intervals)]
const errorsOf = (text: string): string => parseRanges(text).errors.join('\n')

/** Addresses of 10.0.0.0/16, so that those of two entries often meet. */
const value = fc.integer({ min: 0, max: 65_535 })
const address = value.map(n => `10.0.${n >> 8}.${n & 255}`)
const fromTo = fc.tuple(value, fc.integer({ min: 0, max: 600 })).map(([from, size]) => {
  const [a, b] = [from, Math.min(65_535, from + size)]
  const text = (n: number) => `10.0.${n >> 8}.${n & 255}`
  return { text: `${text(a)}-${text(b)}`, from: a, to: b }
})

describe('ranges of addresses', () => {
  it('reads lists, networks, from–to and a last octet, and leaves out a network’s own and broadcast addresses', () => {
    expect(listed('10.0.0.0/30')).toEqual(['10.0.0.1', '10.0.0.2'])
    expect(listed('10.0.0.6/31')).toEqual(['10.0.0.6', '10.0.0.7'])
    expect(listed('10.0.0.9/32')).toEqual(['10.0.0.9'])
    expect(listed('10.0.0.254 - 10.0.1.1')).toEqual(['10.0.0.254', '10.0.0.255', '10.0.1.0', '10.0.1.1'])
    expect(listed('10.0.0.3-5; 10.0.0.1\n10.0.0.2')).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.3',
      '10.0.0.4',
      '10.0.0.5',
    ])
    expect(listed('10.0.0.1 à 10.0.0.3')).toHaveLength(3)
    expect(listed('2001:DB8::1-2001:db8::3')).toEqual(['2001:db8::1', '2001:db8::2', '2001:db8::3'])
    expect(countAddresses(parseRanges('10.20.0.0/16').intervals)).toBe(65_534)
  })

  it.each([
    ['10.0.0.300', 'ni une adresse'],
    ['10.0.0.010', 'ni une adresse'],
    ['10.0.0', 'ni une adresse'],
    ['serveur.local', 'ni une adresse'],
    ['10.0.0.0/33', 'de 0 à 32'],
    ['10.0.0.0/', 'de 0 à 32'],
    ['10.0.0.9-10.0.0.3', 'la fin précède'],
    ['10.0.0.1-2001:db8::1', 'même famille'],
    ['::ffff:10.0.0.1', 'ni une adresse'],
    ['fe80::1%eth0', 'ni une adresse'],
    ['10.0.0.0/8', 'trop large'],
    ['0.0.0.0/0', 'trop large'],
    ['2001:db8::/64', 'trop large'],
    ['169.254.1.1', 'lien local'],
    ['224.0.0.5', 'multidiffusion'],
    ['255.255.255.255', 'réservées'],
    ['fe80::1', 'lien local'],
    ['::1', 'réservées'],
    ['0.1.2.3', '0.0.0.0/8'],
  ])('refuses « %s » in words', (text, words) => {
    expect(errorsOf(text)).toContain(words)
    expect(parseRanges(text).intervals).toEqual([])
  })

  it('quotes at most 45 characters of what it refuses, and refuses more entries than it bounds', () => {
    expect(errorsOf('x'.repeat(4_000)).length).toBeLessThan(250)
    expect(errorsOf(Array.from({ length: RANGE_MAX_ENTRIES + 1 }, () => '10.0.0.1').join(','))).toContain(
      String(RANGE_MAX_ENTRIES),
    )
  })

  it('holds each address once, whatever overlaps, in order, and as many as it counts', () => {
    fc.assert(
      fc.property(fc.array(fromTo, { minLength: 1, maxLength: 12 }), ranges => {
        const { intervals, errors } = parseRanges(ranges.map(one => one.text).join(', '))
        const wanted = new Set(
          ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n)),
        )
        const all = [...eachAddress(intervals)]
        expect(errors).toEqual([])
        expect(all.length).toBe(wanted.size)
        expect(new Set(all).size).toBe(all.length)
        expect(countAddresses(intervals)).toBe(all.length)
        expect(all.map(one => addressKey(one))).toEqual(all.map(one => addressKey(one)).toSorted())
      }),
      { numRuns: 60 },
    )
  })

  it('subtracts exactly what is excluded', () => {
    fc.assert(
      fc.property(
        fc.array(fromTo, { minLength: 1, maxLength: 6 }),
        fc.array(fromTo, { maxLength: 6 }),
        fc.array(address, { maxLength: 20 }),
        (ranges, excluded, asked) => {
          const own = parseRanges(ranges.map(one => one.text).join(' ')).intervals
          const without = parseRanges(excluded.map(one => one.text).join(' ')).intervals
          const left = subtractRanges(own, without)
          for (const one of asked)
            expect(holdsAddress(left, one)).toBe(holdsAddress(own, one) && !holdsAddress(without, one))
          expect(countAddresses(left)).toBeLessThanOrEqual(countAddresses(own))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('spells any address one way, and reads it back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }), number => {
        expect(parseAddress(formatAddress(4, number))).toEqual({ family: 4, value: number })
      }),
    )
    fc.assert(
      fc.property(fc.bigInt({ min: 1n << 112n, max: (1n << 128n) - 1n }), number => {
        expect(parseAddress(formatAddress(6, number))).toEqual({ family: 6, value: number })
      }),
    )
  })

  it('never throws nor hangs on any text, and never holds more than it may', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: fc.constantFrom(...'0123456789./-:,abcdef \u202f–%') }), text => {
        for (const interval of parseRanges(text).intervals)
          expect(interval.to - interval.from + 1n).toBeLessThanOrEqual(BigInt(RANGE_MAX_ADDRESSES) * 256n)
      }),
      { numRuns: 500 },
    )
  })
})
