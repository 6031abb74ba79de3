import { datatableRequest as requestSchema } from '@narval/contracts'
import { describe, expect, test } from 'vitest'
import {
  datatableRequest,
  isNarrowed,
  nextSort,
  readTableState,
  type TableShape,
  writeTableState,
} from './datatable-state.ts'

const shape: TableShape = {
  columns: [{ id: 'severity' }, { id: 'name' }, { id: 'counts', sortable: false }],
  filters: [
    { name: 'severity', accepts: value => ['error', 'warning'].includes(value) },
    { name: 'siteId', accepts: value => /^\d+$/.test(value) },
  ],
  alsoSearched: ['city'],
  thenBy: 'name',
  defaultSort: { column: 'severity', dir: 'asc' },
}
const read = (query: string) => readTableState(new URLSearchParams(query), shape)
const write = (query: string, state: ReturnType<typeof read>) =>
  writeTableState(new URLSearchParams(query), state, shape).toString()

describe('the state of a list in the URL', () => {
  test('without parameters it is the default page, and the default writes nothing', () => {
    const state = read('')
    expect(state).toEqual({ search: '', sort: shape.defaultSort, page: 1, length: 25, filters: {} })
    expect(write('', state)).toBe('')
  })

  test('what is written is read again unchanged', () => {
    const state = {
      search: 'Orléans & « 1,5 »',
      sort: { column: 'name', dir: 'desc' } as const,
      page: 4,
      length: 100,
      filters: { severity: ['error', 'warning'], siteId: ['12'] },
    }
    expect(readTableState(writeTableState(new URLSearchParams(), state, shape), shape)).toEqual(state)
  })

  test('unknown columns, unsortable columns, wrong pages, lengths and filters are left out', () => {
    expect(read('sort=password&page=-3&length=7&role=admin&severity=,grave,&siteId=abc')).toEqual(read(''))
    expect(read('sort=-counts&page=1e9&length=100000')).toEqual(read(''))
  })

  test("other parameters of the page's address stay", () => {
    expect(write('tab=hosts&q=old', { ...read(''), search: 'lyon' })).toBe('tab=hosts&q=lyon')
  })

  test('a header goes ascending, descending, then back to the default order', () => {
    const first = nextSort(shape.defaultSort, 'name', shape)
    expect(first).toEqual({ column: 'name', dir: 'asc' })
    const second = nextSort(first, 'name', shape)
    expect(second).toEqual({ column: 'name', dir: 'desc' })
    expect(nextSort(second, 'name', shape)).toEqual(shape.defaultSort)
    expect(nextSort({ column: 'severity', dir: 'desc' }, 'severity', shape)).toEqual({ column: 'severity', dir: 'asc' })
  })

  test('a search or a filter narrows, a page or an order does not', () => {
    expect(isNarrowed(read('page=2&sort=name'))).toBe(false)
    expect(isNarrowed(read('q=a'))).toBe(true)
    expect(isNarrowed(read('siteId=1'))).toBe(true)
  })
})

describe('the request of a list', () => {
  test('is one that the contract accepts, with the sorted column by its place', () => {
    const request = datatableRequest(read('q=lyon&sort=-name&page=3&length=50&severity=error'), shape, { siteId: 7 })
    expect(requestSchema.safeParse(request).success).toBe(true)
    expect(request).toMatchObject({
      start: 100,
      length: 50,
      search: { value: 'lyon' },
      order: [{ column: 1, dir: 'desc' }],
      filters: { severity: 'error', siteId: 7 },
    })
  })

  test('names only columns that the server can sort or search', () => {
    const names = datatableRequest(read(''), shape).columns?.map(column => column.data)
    expect(names).toEqual(['severity', 'name', 'city'])
  })

  test('rows that the sorted column leaves equal come by name', () => {
    expect(datatableRequest(read('sort=-severity'), shape).order).toEqual([
      { column: 0, dir: 'desc' },
      { column: 1, dir: 'asc' },
    ])
  })

  test('several values of a filter are a list, one is itself', () => {
    expect(datatableRequest(read('severity=error,warning'), shape).filters).toEqual({ severity: ['error', 'warning'] })
  })
})
