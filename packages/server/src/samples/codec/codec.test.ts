import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ChunkCorrupt } from './bits.ts'
import { decodeSamples, encodeSamples, type SampleSink } from './sample-chunk.ts'

const emptySink = (): SampleSink => ({ at: new Float64Array(4), value: new Float64Array(4), length: 0 })

function roundTrip(at: readonly number[], value: readonly number[]): { at: number[]; value: number[]; bytes: number } {
  const bytes = encodeSamples(Float64Array.from(at), Float64Array.from(value), at.length)
  const sink = emptySink()
  decodeSamples(bytes, sink)
  return {
    at: [...sink.at.subarray(0, sink.length)],
    value: [...sink.value.subarray(0, sink.length)],
    bytes: bytes.length,
  }
}

/** A small reproducible generator: the figures below must not change from run to run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
const gaussian = (random: () => number): number => {
  let sum = 0
  for (let i = 0; i < 12; i++) sum += random()
  return sum - 6
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const decimal = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([m, e]) => m / 10 ** e)
const awkward = fc.constantFrom(
  -0,
  0,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  0.1 + 0.2,
  1 / 3,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  1e22,
  1e-15,
  4503599627370497,
)
const millis = fc.oneof(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.maxSafeInteger())

describe('the chunk codec', () => {
  test('every finite double and every whole millisecond comes back to the bit', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(millis, fc.oneof(finite, decimal, awkward)), { maxLength: 300 }), samples => {
        const at = samples.map(([t]) => t)
        const value = samples.map(([, v]) => v)
        const back = roundTrip(at, value)
        expect(back.at.every((t, i) => Object.is(t, at[i]))).toBe(true)
        expect(back.value.every((v, i) => Object.is(v, value[i]))).toBe(true)
        expect(back.at.length).toBe(at.length)
      }),
      { numRuns: 1500 },
    )
  })

  test('mostly decimals with a few odd ones keep the odd ones exact', () => {
    fc.assert(
      fc.property(
        fc.array(decimal, { minLength: 100, maxLength: 400 }),
        fc.array(fc.oneof(finite, awkward), { maxLength: 4 }),
        (values, odd) => {
          odd.forEach((v, i) => {
            values[i * 20 + 3] = v
          })
          const back = roundTrip(
            values.map((_, i) => 1_700_000_000_000 + i * 60_000),
            values,
          )
          expect(back.value.every((v, i) => Object.is(v, values[i]))).toBe(true)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('neighbouring doubles of wide range come back to the bit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 0n, max: 0x7fefffffffffffffn }), { minLength: 1, maxLength: 100 }),
        bits => {
          const values = [...new Float64Array(BigUint64Array.from(bits).buffer)]
          const back = roundTrip(
            values.map((_, i) => i),
            values,
          )
          expect(back.value.every((v, i) => Object.is(v, values[i]))).toBe(true)
        },
      ),
    )
  })

  test('a day of a gauge that wanders with three decimals takes at most 1.45 bytes a sample, two hours 1.65', () => {
    const random = seeded(7)
    let level = 40
    const value: number[] = []
    for (let i = 0; i < 1440; i++) {
      level += gaussian(random) * 0.28
      value.push(Number(level.toFixed(3)))
    }
    const at = value.map((_, i) => 1_700_006_400_000 + i * 60_000)
    expect(roundTrip(at, value).bytes / 1440).toBeLessThan(1.45)
    expect(roundTrip(at.slice(0, 120), value.slice(0, 120)).bytes / 120).toBeLessThan(1.65)
  })

  test('a counter with increments of up to 90 million takes at most 3.6 bytes a sample', () => {
    const random = seeded(9)
    let total = 123_456_789_012
    const value: number[] = []
    for (let i = 0; i < 1440; i++) {
      total += Math.floor(random() * 9e7)
      value.push(total)
    }
    const back = roundTrip(
      value.map((_, i) => 1_700_006_400_000 + i * 60_000),
      value,
    )
    expect(back.bytes / 1440).toBeLessThan(3.6)
  })

  test('an unchanging state costs next to nothing', () => {
    const at = Array.from({ length: 1440 }, (_, i) => 1_700_006_400_000 + i * 60_000)
    expect(
      roundTrip(
        at,
        at.map(() => 1),
      ).bytes,
    ).toBeLessThan(80)
  })

  test('R06 hostile bytes give a clear error or samples, never a hang or another failure', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
        try {
          decodeSamples(bytes, emptySink())
        } catch (error) {
          expect(error).toBeInstanceOf(ChunkCorrupt)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('R06 a truncated chunk is refused', () => {
    const at = Float64Array.from({ length: 50 }, (_, i) => i * 1000)
    const bytes = encodeSamples(
      at,
      at.map(v => Math.sqrt(v)),
      50,
    )
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeSamples(bytes.subarray(0, length), emptySink())).toThrow(ChunkCorrupt)
    }
  })

  test('R06 a chunk with empty bytes after its end is refused, be it of short decimals or of doubles', () => {
    const at = Float64Array.from({ length: 50 }, (_, i) => i * 1000)
    const random = seeded(5)
    for (const value of [at.map(() => Math.floor(random() * 900) / 10), at.map(v => Math.sqrt(v))]) {
      const bytes = Uint8Array.from(encodeSamples(at, value, 50))
      for (const more of [1, 2, 4])
        expect(() => decodeSamples(Uint8Array.from([...bytes, ...new Uint8Array(more)]), emptySink())).toThrow(
          ChunkCorrupt,
        )
    }
  })

  test('numbers of all sizes among one another come back, be they counted at once or bit by bit', () => {
    const random = seeded(3)
    const value = Array.from({ length: 2_000 }, (_, i) => Math.floor(random() * 2 ** ((i * 7) % 50)))
    const at = value.map((_, i) => i)
    expect(roundTrip(at, value)).toMatchObject({ at, value })
  })
})
