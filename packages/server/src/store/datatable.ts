import {
  DATATABLE_MAX_LENGTH,
  type DatatableReply,
  type DatatableRequest,
  datatableRequest,
  fold,
  SELECT2_PAGE,
} from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../http/refusal.ts'
import type { Database, Db } from './database.ts'

/** How a column of a list sorts and, when it is searched by text, its folded column. */
export interface ListColumn {
  readonly sort: RawBuilder<unknown>
  readonly search?: RawBuilder<unknown>
  /** The same for a column that only its own search looks at, where `alsoFinds` sees to the general one. */
  readonly searchAlone?: RawBuilder<unknown>
}
export type FilterValue = string | number | boolean | readonly (string | number | boolean)[]

/** A list as SQL fragments: identifiers come from constants, every value is bound. */
export interface ListSpec {
  readonly select: RawBuilder<unknown>
  readonly from: RawBuilder<unknown>
  /** What the viewer may see; the total counts the same rows. */
  readonly visible: RawBuilder<boolean>
  readonly columns: Readonly<Record<string, ListColumn>>
  /** Throws a refusal when the value is not one it knows. */
  readonly filters: Readonly<Record<string, (value: FilterValue) => RawBuilder<boolean>>>
  /** What else the search of the list finds a row by. */
  readonly alsoFinds?: (term: string) => RawBuilder<boolean>
  readonly order: RawBuilder<unknown>
  /** Unique last key, so that pages neither repeat nor skip rows. */
  readonly tie: RawBuilder<unknown>
  /** `select` costs much: only the rows of the page are read by it, once their ids are known. No order may use its names. */
  readonly isDear?: true
}

/** The first page in the default order: what the GET of a list answers. */
export const FIRST_PAGE: DatatableRequest = datatableRequest.parse({})

const escapeLike = (term: string): string => term.replace(/[\\%_]/g, character => `\\${character}`)
/** Matches a folded column against a text typed by a person. */
export const containsFolded = (column: RawBuilder<unknown>, term: string): RawBuilder<boolean> =>
  // PostgreSQL knows no such character, so that no text has it.
  term.includes('\u0000') ? sql<boolean>`1 = 0` : contains(column, term)
const contains = (column: RawBuilder<unknown>, term: string): RawBuilder<boolean> =>
  sql<boolean>`${column} like ${`%${escapeLike(fold(term))}%`} escape '\\'`
const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`
const any = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`

/**
 * Runs DataTables' server-side protocol over a list. Unknown columns and filters are refused with 400; `length` is capped;
 * `regex: true` is treated as text.
 * @returns the page with both counts; rows as the database gives them.
 */
export const runDatatable = async <Row>(
  database: Database,
  spec: ListSpec,
  request: DatatableRequest,
): Promise<DatatableReply<Row>> => {
  const conditions = conditionsOf(spec, request)
  const where = all([spec.visible, ...conditions])
  const length = lengthOf(request)
  const total = await count(database, spec, spec.visible)
  const filtered = conditions.length === 0 ? total : await count(database, spec, where, total)
  const order = sql`${orderOf(spec, request)}, ${spec.tie}`
  const page = sql`${spec.from} where ${where} order by ${order} limit ${length} offset ${request.start}`
  const data = length === 0 ? [] : await rowsOf<Row>(database, spec, page, order)
  return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data }
}

const rowsOf = async <Row>(
  { db }: Database,
  spec: ListSpec,
  page: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<Row[]> => {
  if (spec.isDear !== true) return (await sql<Row>`select ${spec.select} from ${page}`.execute(db)).rows
  const found = await sql<{ id: number }>`select ${spec.tie} as id from ${page}`.execute(db)
  if (found.rows.length === 0) return []
  const ids = sql.join(found.rows.map(row => row.id))
  const answer =
    await sql<Row>`select ${spec.select} from ${spec.from} where ${spec.tie} in (${ids}) order by ${order}`.execute(db)
  return answer.rows
}

/** What a request asks of a list, whatever its page. */
export const matchOf = (spec: ListSpec, request: DatatableRequest) => ({
  where: all([spec.visible, ...conditionsOf(spec, request)]),
  order: orderOf(spec, request),
})

/** Rows of the page that is asked: -1 means the cap. */
export const lengthOf = ({ length }: DatatableRequest): number =>
  length === -1 ? DATATABLE_MAX_LENGTH : Math.min(length, DATATABLE_MAX_LENGTH)

const count = (database: Database, spec: ListSpec, where: RawBuilder<boolean>, among?: number): Promise<number> =>
  database.counts.of(sql<{ n: number }>`select count(*) as n from ${spec.from} where ${where}`, among)

const columnOf = (spec: ListSpec, name: string): ListColumn => {
  const column = Object.hasOwn(spec.columns, name) ? spec.columns[name] : undefined
  if (column === undefined) throw invalid([`La colonne « ${name.slice(0, 64)} » n'existe pas.`])
  return column
}

const conditionsOf = (spec: ListSpec, request: DatatableRequest): RawBuilder<boolean>[] => {
  const conditions: RawBuilder<boolean>[] = []
  const searched =
    request.columns.length === 0
      ? Object.keys(spec.columns)
      : request.columns.filter(c => c.searchable && c.data !== '').map(c => c.data)
  const term = request.search.value.trim()
  if (term !== '') {
    const targets = searched.flatMap(name => columnOf(spec, name).search ?? [])
    const found = targets.map(target => containsFolded(target, term))
    if (spec.alsoFinds !== undefined) found.push(spec.alsoFinds(term))
    conditions.push(found.length === 0 ? sql<boolean>`1 = 0` : any(found))
  }
  for (const column of request.columns) {
    if (column.data === '') continue
    const { search, searchAlone = search } = columnOf(spec, column.data)
    const own = column.search.value.trim()
    if (own !== '' && searchAlone !== undefined) conditions.push(containsFolded(searchAlone, own))
  }
  for (const [name, value] of Object.entries(request.filters)) {
    const filter = Object.hasOwn(spec.filters, name) ? spec.filters[name] : undefined
    if (filter === undefined) throw invalid([`Le filtre « ${name} » n'existe pas.`])
    conditions.push(filter(value))
  }
  return conditions
}

const orderOf = (spec: ListSpec, request: DatatableRequest): RawBuilder<unknown> => {
  if (request.order.length === 0) return spec.order
  const parts = request.order.map(({ column, dir }) => {
    const asked = request.columns[column]
    if (asked === undefined || asked.data === '') throw invalid([`La colonne de tri n° ${column} n'existe pas.`])
    const { sort } = columnOf(spec, asked.data)
    return dir === 'asc' ? sql`${sort} asc nulls last` : sql`${sort} desc nulls last`
  })
  return sql.join(parts)
}

/** The ids of a filter: one number, or several. */
export const idsOf = (value: FilterValue): number[] => {
  const ids = (Array.isArray(value) ? value : [value]).map(Number)
  if (ids.length === 0 || ids.length > 1_000 || ids.some(id => !Number.isSafeInteger(id) || id < 1))
    throw invalid(['Identifiant incorrect.'])
  return ids
}

/** A filter that memory alone knows: it goes with what memory can sort and search by. */
export const memoryFilter = (): RawBuilder<boolean> => {
  throw invalid(['Ce filtre ne se combine pas avec ce tri ou cette recherche.'])
}

/** A filter on an id. */
export const idFilter =
  (column: RawBuilder<unknown>) =>
  (value: FilterValue): RawBuilder<boolean> =>
    sql<boolean>`${column} in (${sql.join(idsOf(value))})`

/** What the words of a filter stand for, of a closed set. */
export const wordsOf = <T extends string | number>(value: FilterValue, words: ReadonlyMap<string, T>): T[] => {
  const wanted = (Array.isArray(value) ? value : [value]).map(word => words.get(String(word)))
  const known = wanted.filter(word => word !== undefined)
  if (known.length !== wanted.length || known.length === 0)
    throw invalid([`Valeur de filtre inconnue ; attendu : ${[...words.keys()].join(', ')}.`])
  return known
}

/** A filter on words of a closed set, each with what it stands for in the column. */
export const wordFilter =
  (column: RawBuilder<unknown>, words: ReadonlyMap<string, string | number>) =>
  (value: FilterValue): RawBuilder<boolean> =>
    sql<boolean>`${column} in (${sql.join(wordsOf(value, words))})`

const FLAGS = new Map([
  ['true', 1],
  ['false', 0],
])
/** Whether a filter says yes. @throws Refusal where it says neither yes nor no, or both. */
export const flagOf = (value: FilterValue): boolean => {
  const [flag, ...more] = wordsOf(value, FLAGS)
  if (more.length > 0) throw invalid(['Une seule valeur de filtre est attendue : true ou false.'])
  return flag === 1
}

export const flagFilter =
  (column: RawBuilder<unknown>) =>
  (value: FilterValue): RawBuilder<boolean> =>
    sql<boolean>`${column} = ${flagOf(value) ? 1 : 0}`

export interface Select2Reply {
  readonly results: { id: number; text: string }[]
  readonly pagination: { more: boolean }
}

/** Select2's ajax protocol over a table with a name and its folded form. */
export const runSelect2 = async (
  db: Db,
  from: RawBuilder<unknown>,
  visible: RawBuilder<boolean>,
  query: { term?: string | undefined; page?: number | undefined },
): Promise<Select2Reply> => {
  const where =
    query.term === undefined || query.term.trim() === ''
      ? visible
      : all([visible, containsFolded(sql.ref('name_folded'), query.term)])
  const offset = ((query.page ?? 1) - 1) * SELECT2_PAGE
  const answer = await sql<{ id: number; text: string }>`select id, name as text from ${from} where ${where}
    order by name_folded, id limit ${SELECT2_PAGE + 1} offset ${offset}`.execute(db)
  return { results: answer.rows.slice(0, SELECT2_PAGE), pagination: { more: answer.rows.length > SELECT2_PAGE } }
}
