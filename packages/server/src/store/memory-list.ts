import { type DatatableReply, type DatatableRequest, fold } from '@narval/contracts'
import type { Viewer } from '../http/caller.ts'
import { invalid } from '../http/refusal.ts'
import type { Database } from './database.ts'
import { type FilterValue, type ListSpec, lengthOf, runDatatable } from './datatable.ts'
import { fetchByIds } from './fetch.ts'
import { comparing, inOrder, type SortKey } from './in-order.ts'
import { pageOf } from './page-of.ts'
import { type Standing, scopeKey, seesHost } from './visible.ts'

export type Test<T> = (one: T) => boolean

/** A column as memory has it; by what is left out the database alone can sort or search. */
export interface MemoryColumn<T> {
  /** Null comes last, whatever the direction. */
  readonly sort?: (one: T) => string | number | null
  /** Text that is searched, folded. */
  readonly search?: (one: T) => string | null
}

/** A list over what is in memory anyway: the same columns and filters as its `ListSpec`, or some of them. */
export interface MemoryList<T extends { readonly id: number }> {
  readonly columns: ReadonlyMap<string, MemoryColumn<T>>
  /** Throws a refusal when the value is not one it knows. */
  readonly filters: ReadonlyMap<string, (value: FilterValue) => Test<T>>
  /** Where the request has none: names of columns; the id comes last in any case. */
  readonly order: readonly (readonly [column: string, dir: 'asc' | 'desc'])[]
  /** Names of columns and filters that change by themselves, from one second to the next: what asks for them is never kept. */
  readonly live: ReadonlySet<string>
}

/** What a list is about: all of them, and which of them one may see. */
export interface Held<T extends { readonly id: number }> {
  readonly list: MemoryList<T>
  readonly all: Iterable<T>
  readonly visible: Test<T>
  /** Pages found before, and for whom; for lists whose own order is not live. */
  readonly kept?: { readonly pages: KeptPages<T>; readonly viewer: string }
}

export interface MemoryPage<T> {
  readonly total: number
  readonly filtered: number
  readonly page: readonly T[]
}

/** Everything that a request matches, in its order. */
interface Matched<T> {
  readonly total: number
  readonly found: readonly T[]
}

export interface KeptPages<T> {
  /** The page kept under this key, or the one that is found now. */
  page(key: string, find: () => MemoryPage<T>): MemoryPage<T>
  /** The same of all that matches: whoever scrolls far asks for one page of it after the other. */
  all(key: string, find: () => Matched<T>): Matched<T>
}

/** More different pages than this are not remembered: the oldest goes. */
const MAX_KEPT = 500
/** The same of whole lists, of which each may be a reference for every metric. */
const MAX_KEPT_WHOLE = 4
/** Pages that end beyond this are taken from the whole list in order. */
const FAR = 2_000

/** Such a list for each viewer: what one may see, its pages kept apart from others'. */
export const createVisibleLists = <T extends { readonly id: number }>(
  list: MemoryList<T>,
  version: () => number,
  all: () => Iterable<T>,
  hostOf: (one: T) => Standing,
): ((viewer: Viewer) => Held<T>) => {
  const pages = createKeptPages<T>(version)
  return viewer => {
    const sees = seesHost(viewer)
    return { list, all: all(), visible: one => sees(hostOf(one)), kept: { pages, viewer: scopeKey(viewer) } }
  }
}

/** Pages that many ask for, or one again and again, are found once for each version of what they are made from. */
export const createKeptPages = <T>(version: () => number): KeptPages<T> => ({
  page: createKept<MemoryPage<T>>(version, MAX_KEPT),
  all: createKept<Matched<T>>(version, MAX_KEPT_WHOLE),
})

const createKept = <V>(version: () => number, max: number) => {
  const kept = new Map<string, V>()
  let at = version()
  return (key: string, find: () => V): V => {
    if (at !== version()) {
      at = version()
      kept.clear()
    }
    const held = kept.get(key)
    if (held !== undefined) return held
    const found = find()
    kept.set(key, found)
    if (kept.size > max) kept.delete(kept.keys().next().value ?? key)
    return found
  }
}

/** A column that is searched as it is sorted. */
export const textColumn = <T>(search: (one: T) => string | null): MemoryColumn<T> => ({ sort: search, search })

/** One page by DataTables' protocol. @throws Refusal for columns, filters and values that do not exist. */
export const pageInMemory = <T extends { readonly id: number }>(
  held: Held<T>,
  request: DatatableRequest,
): MemoryPage<T> => {
  const { start } = request
  const length = lengthOf(request)
  if (start + length > FAR) {
    const { total, found } = matchedInMemory(held, request)
    return { total, filtered: found.length, page: found.slice(start, start + length) }
  }
  const { kept } = held
  if (kept === undefined || isLive(held.list, request)) return findPage(held, request)
  const { draw: _, ...asked } = request
  return kept.pages.page(`${kept.viewer} ${JSON.stringify(asked)}`, () => findPage(held, request))
}

const findPage = <T extends { readonly id: number }>(held: Held<T>, request: DatatableRequest): MemoryPage<T> => {
  const page = pageOf(request.start, lengthOf(request), comparing(keysOf(held.list, request)))
  const { total, filtered } = eachMatch(held, request, page.offer)
  return { total, filtered, page: page.take() }
}

/** All that matches, whatever the page. @throws Refusal as `pageInMemory`. */
export const matchedInMemory = <T extends { readonly id: number }>(
  held: Held<T>,
  request: DatatableRequest,
): Matched<T> => {
  const find = (): Matched<T> => {
    const matches: T[] = []
    const { total } = eachMatch(held, request, one => void matches.push(one))
    return { total, found: inOrder(matches, keysOf(held.list, request)) }
  }
  const { kept } = held
  if (kept === undefined || isLive(held.list, request)) return find()
  const { draw: _, start: __, length: ___, ...asked } = request
  return kept.pages.all(`${kept.viewer} ${JSON.stringify(asked)}`, find)
}

const eachMatch = <T extends { readonly id: number }>(
  { list, all, visible }: Held<T>,
  request: DatatableRequest,
  take: (one: T) => void,
) => {
  const tests = testsOf(list, request)
  let [total, filtered] = [0, 0]
  for (const one of all) {
    if (!visible(one)) continue
    total += 1
    if (!tests.every(test => test(one))) continue
    filtered += 1
    take(one)
  }
  return { total, filtered }
}

/** The ids of all that a request matches, in its order; null where memory does not know all that is asked. */
export type HeldIds = (spec: ListSpec, request: DatatableRequest) => readonly number[] | null

export const heldIds =
  <T extends { readonly id: number }>(held: Held<T>): HeldIds =>
  (spec, request) =>
    isKnown(held.list, spec, request) ? matchedInMemory(held, request).found.map(one => one.id) : null

/**
 * The list as `runDatatable` gives it, counted, sorted and searched in memory where memory knows all that is asked: a
 * search of every row in the database held the event loop for 100 ms at 50,000 of them.
 */
export const runHeld = async <Row extends { id: number }, T extends { readonly id: number }>(
  database: Database,
  spec: ListSpec,
  held: Held<T>,
  request: DatatableRequest,
): Promise<DatatableReply<Row>> => {
  if (!isKnown(held.list, spec, request)) return runDatatable<Row>(database, spec, request)
  const { total, filtered, page } = pageInMemory(held, request)
  const data = await fetchByIds<Row>(
    database.db,
    spec,
    page.map(one => one.id),
  )
  return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data }
}

/** Whether memory can sort, search and filter by all that is named; what nobody knows is left to the database, which refuses it. */
const isKnown = <T extends { readonly id: number }>(
  list: MemoryList<T>,
  spec: ListSpec,
  request: DatatableRequest,
): boolean => {
  const isSearched = (name: string): boolean =>
    Object.hasOwn(spec.columns, name) && spec.columns[name]?.search !== undefined
  const canSearch = (name: string): boolean => !isSearched(name) || list.columns.get(name)?.search !== undefined
  const canSort = (name: string | undefined): boolean =>
    name !== undefined && list.columns.get(name)?.sort !== undefined
  const names = request.columns.flatMap(column => (column.data === '' ? [] : column.data))
  const isWide = spec.alsoFinds !== undefined && request.search.value.trim() !== ''
  return (
    !isWide &&
    names.every(name => list.columns.has(name)) &&
    (names.length > 0 ? names : Object.keys(spec.columns)).every(canSearch) &&
    request.order.every(({ column }) => canSort(request.columns[column]?.data)) &&
    Object.keys(request.filters).every(name => list.filters.has(name))
  )
}

/** Whether the answer may be another one without the fleet having been read again. */
const isLive = <T extends { readonly id: number }>(list: MemoryList<T>, request: DatatableRequest): boolean => {
  const isLiveText = (name: string): boolean => list.live.has(name) && list.columns.get(name)?.search !== undefined
  const isTyped = request.search.value.trim() !== ''
  const names = request.columns.length === 0 ? [...list.columns.keys()] : request.columns.map(column => column.data)
  return (
    Object.keys(request.filters).some(name => list.live.has(name)) ||
    request.order.some(({ column }) => list.live.has(request.columns[column]?.data ?? '')) ||
    request.columns.some(({ data, search }) => search.value.trim() !== '' && isLiveText(data)) ||
    (isTyped && names.some(isLiveText))
  )
}

const columnOf = <T extends { readonly id: number }>(list: MemoryList<T>, name: string): MemoryColumn<T> => {
  const column = list.columns.get(name)
  if (column === undefined) throw invalid([`La colonne « ${name.slice(0, 64)} » n'existe pas.`])
  return column
}

/** Neighbours often have the very same text (a site, a scanner): then it is not searched again. */
const contains = <T>(search: (one: T) => string | null, term: string): Test<T> => {
  let text: string | null = null
  let isFound = false
  return one => {
    const own = search(one)
    if (own !== text) {
      text = own
      isFound = own?.includes(term) === true
    }
    return isFound
  }
}

const testsOf = <T extends { readonly id: number }>(list: MemoryList<T>, request: DatatableRequest): Test<T>[] => {
  const tests: Test<T>[] = []
  for (const [name, value] of Object.entries(request.filters)) {
    const filter = list.filters.get(name)
    if (filter === undefined) throw invalid([`Le filtre « ${name} » n'existe pas.`])
    tests.push(filter(value))
  }
  const own = request.columns.filter(column => column.data !== '')
  for (const { data, search } of own) {
    const column = columnOf(list, data)
    const typed = search.value.trim()
    if (typed !== '' && column.search !== undefined) tests.push(contains(column.search, fold(typed)))
  }
  const typed = request.search.value.trim()
  if (typed === '') return tests
  const names =
    request.columns.length === 0 ? [...list.columns.keys()] : own.flatMap(one => (one.searchable ? one.data : []))
  const targets = names.flatMap(name => {
    const { search } = columnOf(list, name)
    return search === undefined ? [] : [contains(search, fold(typed))]
  })
  return [...tests, one => targets.some(target => target(one))]
}

const keysOf = <T extends { readonly id: number }>(list: MemoryList<T>, request: DatatableRequest): SortKey<T>[] => {
  const asked = request.order.map(({ column, dir }) => ({ dir, column, name: request.columns[column]?.data ?? '' }))
  const own = list.order.map(([name, dir], column) => ({ dir, column, name }))
  return (asked.length > 0 ? asked : own).map(({ dir, column, name }) => {
    const of = name === '' ? undefined : columnOf(list, name).sort
    if (of === undefined) throw invalid([`La colonne de tri n° ${column} n'existe pas.`])
    return { of, sign: dir === 'asc' ? 1 : -1 }
  })
}
