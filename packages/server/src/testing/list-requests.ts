import type { DatatableRequest } from '@narval/contracts'
import fc from 'fast-check'
import { FIRST_PAGE } from '../store/datatable.ts'

/** Any request that a list can be asked, of these columns (null: one of the page's own), texts and filters. */
export const anyRequest = (of: {
  readonly columns: readonly string[]
  readonly texts: readonly string[]
  readonly filters: Readonly<Record<string, fc.Arbitrary<string | number | boolean | number[] | string[]>>>
}): fc.Arbitrary<DatatableRequest> => {
  const value = fc.oneof({ arbitrary: fc.constant(''), weight: 3 }, fc.constantFrom(...of.texts))
  const search = value.map(typed => ({ value: typed, regex: false }))
  const column = fc.record({
    data: fc.constantFrom('', ...of.columns),
    name: fc.constant(''),
    searchable: fc.boolean(),
    orderable: fc.boolean(),
    search: fc.oneof({ arbitrary: fc.constant({ value: '', regex: false }), weight: 4 }, search),
  })
  return fc
    .record({
      columns: fc.oneof(fc.array(column, { maxLength: 0 }), fc.array(column, { minLength: 1, maxLength: 6 })),
      search,
      order: fc.array(
        fc.record({ column: fc.nat({ max: 5 }), dir: fc.constantFrom('asc' as const, 'desc' as const) }),
        {
          maxLength: 3,
        },
      ),
      filters: fc.subarray(Object.entries(of.filters)).chain(chosen => fc.record(Object.fromEntries(chosen))),
      start: fc.nat({ max: 80 }),
      length: fc.constantFrom(-1, 0, 1, 10, 25),
    })
    .map(asked => ({
      ...FIRST_PAGE,
      ...asked,
      // Only what is there can be sorted by; a refusal is tried by itself.
      order: asked.order.filter(({ column: index }) => (asked.columns[index]?.data ?? '') !== ''),
    }))
}
