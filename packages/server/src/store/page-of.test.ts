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
  // Both ways: those kept in order, and those of which only the ends of the page are put in their place.
  const length = fc.oneof(fc.nat({ max: 60 }), fc.constant(5_000))
  fc.assert(
    fc.property(items, fc.nat({ max: 320 }), length, (all, start, count) => {
      expect(pageOfAll(all, start, count)).toEqual(all.toSorted(order).slice(start, start + count))
    }),
  )
})

it.each([
  ['sorted', (index: number) => index],
  ['the other way round', (index: number) => -index],
  ['all the same', () => 0],
  ['up and down again', (index: number) => Math.min(index, 30_000 - index)],
  ['a saw', (index: number) => index % 7],
])('a page from the middle of 30,000 is right when they come %s', (_, keyOf) => {
  const all = Array.from({ length: 30_000 }, (_, index) => ({ key: keyOf(index), id: index }))
  expect(pageOfAll(all, 14_990, 25)).toEqual(all.toSorted(order).slice(14_990, 15_015))
})
