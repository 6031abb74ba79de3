import type { DatatableRequest } from '@narval/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import { FIRST_PAGE } from './datatable.ts'
import { createKeptPages, type Held, type MemoryList, pageInMemory, textColumn } from './memory-list.ts'

interface Thing {
  readonly id: number
  readonly name: string
  heat: number
}
const LIST: MemoryList<Thing> = {
  columns: new Map([
    ['name', textColumn<Thing>(thing => thing.name)],
    ['heat', { sort: (thing: Thing) => thing.heat }],
  ]),
  filters: new Map([['hot', () => (thing: Thing) => thing.heat > 10]]),
  live: new Set(['heat', 'hot']),
  order: [],
}
const ASKED = { name: '', searchable: true, orderable: true, search: { value: '', regex: false } }
const COLUMNS = [
  { ...ASKED, data: 'name' },
  { ...ASKED, data: 'heat' },
]
const request = (more: Partial<DatatableRequest>): DatatableRequest => ({ ...FIRST_PAGE, columns: COLUMNS, ...more })

describe('pages that are kept', () => {
  let things: Thing[]
  let looked: number
  let version: number
  let held: Held<Thing>
  beforeEach(() => {
    things = ['fer', 'or', 'cuivre'].map((name, index) => ({ id: index + 1, name, heat: index }))
    looked = 0
    version = 1
    const visible = () => {
      looked += 1
      return true
    }
    held = { list: LIST, all: things, visible, kept: { pages: createKeptPages(() => version), viewer: '1' } }
  })
  const ask = (more: Partial<DatatableRequest>, of = held) => {
    looked = 0
    return pageInMemory(of, request(more)).page.map(({ name }) => name)
  }
  const search = { value: 'r', regex: false }

  it('the same question is answered from what was found, whatever its draw, until there is a new version', () => {
    expect(ask({ search, draw: 1 })).toEqual(['fer', 'or', 'cuivre'])
    things.pop()
    expect(ask({ search, draw: 2 })).toEqual(['fer', 'or', 'cuivre'])
    expect(looked).toBe(0)
    version += 1
    expect(ask({ search, draw: 3 })).toEqual(['fer', 'or'])
    expect(looked).toBe(2)
  })

  it('another page, search, order, column or viewer is another question', () => {
    const others: Partial<DatatableRequest>[] = [
      {},
      { search },
      { start: 1 },
      { length: 1 },
      { order: [{ column: 0, dir: 'asc' }] },
      { order: [{ column: 0, dir: 'desc' }] },
      { columns: [{ ...ASKED, data: 'name', search }] },
    ]
    for (const other of others) {
      ask(other)
      expect(looked).toBe(3)
    }
    if (held.kept === undefined) throw new Error('nothing kept')
    ask({ search }, { ...held, kept: { ...held.kept, viewer: '2' } })
    expect(looked).toBe(3)
  })

  it('what changes by itself is looked at each time: sorted by, or filtered', () => {
    for (const live of [{ order: [{ column: 1, dir: 'desc' as const }] }, { filters: { hot: true } }]) {
      ask(live)
      for (const thing of things) thing.heat = 20 - thing.heat
      ask(live)
      expect(looked).toBe(3)
    }
    expect(ask({ order: [{ column: 1, dir: 'desc' }] })).toEqual(['cuivre', 'or', 'fer'])
  })

  it('keeps at most 500 of them', () => {
    for (let start = 0; start <= 500; start++) ask({ start })
    ask({ start: 500 })
    expect(looked).toBe(0)
    ask({ start: 0 })
    expect(looked).toBe(3)
  })
})
