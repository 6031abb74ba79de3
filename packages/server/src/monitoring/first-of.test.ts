import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstOf } from './first-of.ts'

it('gives what a whole sort begins with, whatever the count and the ties', () => {
  const items = fc.array(fc.record({ key: fc.integer({ min: 0, max: 9 }), id: fc.nat() }), { maxLength: 300 })
  const order = (a: { key: number; id: number }, b: { key: number; id: number }) => a.key - b.key || a.id - b.id
  fc.assert(
    fc.property(items, fc.oneof(fc.nat({ max: 60 }), fc.constant(5_000)), (all, count) => {
      const first = firstOf(count, order)
      for (const one of all) first.offer(one)
      expect(first.take()).toEqual(all.toSorted(order).slice(0, count))
    }),
  )
})
