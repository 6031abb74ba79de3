import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromRanges, inRanges, toRanges } from './id-ranges.ts'

it('ids as ranges come back as they were, each of them found and no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 }), ids => {
      const text = toRanges(ids)
      expect([...fromRanges(text)]).toEqual(ids.toSorted((a, b) => a - b))
      for (let id = 1; id <= 61; id += 1) expect(inRanges(text, id)).toBe(ids.includes(id))
    }),
  )
})

it('ten thousand ids in a row are one range', () => {
  expect(toRanges(Array.from({ length: 10_000 }, (_, index) => index + 1))).toBe('1-10000')
})
