import fc from 'fast-check'
import { expect, it } from 'vitest'
import { comparing, inOrder, type SortKey } from './in-order.ts'

interface Item {
  readonly id: number
  readonly name: string | null
  readonly heat: number | null
  readonly sinceMs: number
}
const KEYS: readonly SortKey<Item>[] = [
  { of: item => item.name, sign: 1 },
  { of: item => item.heat, sign: -1 },
  { of: item => item.sinceMs, sign: -1 },
]
const items = fc.uniqueArray(
  fc.record({
    id: fc.nat(),
    name: fc.option(fc.constantFrom('', 'a', 'b', 'é', 'ab')),
    heat: fc.option(fc.integer({ min: -2, max: 2 })),
    sinceMs: fc.integer({ min: 0, max: 9 }),
  }),
  { selector: item => item.id, maxLength: 200 },
)

it('orders as a comparison of each two does, nulls last both ways, ids where all else is alike', () => {
  fc.assert(
    fc.property(items, fc.subarray([...KEYS], { minLength: 0 }), (all, keys) => {
      expect(inOrder(all, keys)).toEqual(all.toSorted(comparing(keys)))
    }),
  )
})

it('nulls are last, whatever the direction', () => {
  const all = [null, 1, 2].map((heat, id) => ({ id, name: null, heat, sinceMs: 0 }))
  const by = (sign: 1 | -1) => inOrder(all, [{ of: (item: Item) => item.heat, sign }]).map(item => item.heat)
  expect([by(1), by(-1)]).toEqual([
    [1, 2, null],
    [2, 1, null],
  ])
})

it('keys of which each tells everything apart are still right when their product is past exact numbers', () => {
  const all = Array.from({ length: 20_000 }, (_, id) => ({
    id,
    name: String((id * 7_919) % 20_000),
    heat: (id * 31) % 19_997,
    sinceMs: (id * 17) % 20_011,
  }))
  const keys = KEYS.toReversed()
  expect(inOrder(all, keys)).toEqual(all.toSorted(comparing(keys)))
  const alike: readonly SortKey<Item>[] = [{ of: item => Math.floor(item.sinceMs / 2), sign: 1 }, ...KEYS]
  expect(inOrder(all, alike)).toEqual(all.toSorted(comparing(alike)))
})
