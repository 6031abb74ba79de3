import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pageOf } from './page-of.ts'

interface Item {
  readonly key: number
  readonly id: number
}
const order = (a: Item, b: Item): number => a.key - b.key || a.id - b.id
const pageOfAll = (all: readonly Item[], start: number, length: number): Item[] => {
  const page = pageOf(start, length, order)
  for (const one of all) page.offer(one)
  return page.take()
}

it('gives what a whole sort has there, whatever the page and the ties', () => {
  const items = fc.array(fc.record({ key: fc.integer({ min: 0, max: 9 }), id: fc.nat() }), { maxLength: 300 })
  fc.assert(
    fc.property(items, fc.nat({ max: 320 }), fc.nat({ max: 60 }), (all, start, count) => {
      expect(pageOfAll(all, start, count)).toEqual(all.toSorted(order).slice(start, start + count))
    }),
  )
})
