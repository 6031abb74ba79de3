import * as z from 'zod/mini'
import { SITE_CLAIMS } from './claims.ts'
import './messages.ts'
import { type Access, route, type Schema } from './route.ts'

/** DataTables' server-side protocol. `length` is capped; -1 means the cap. */
export const DATATABLE_MAX_LENGTH = 1_000
export const DATATABLE_DEFAULT_LENGTH = 25
const count = z.int().check(z.minimum(0), z.maximum(1_000_000_000))
const text = z.string().check(z.maxLength(200))
const searchOf = z.object({ value: z._default(text, ''), regex: z._default(z.union([z.boolean(), z.string()]), false) })
const scalar = z.union([z.string().check(z.maxLength(200)), z.number(), z.boolean()])

export const datatableRequest = z.object({
  draw: z._default(z.int(), 0),
  start: z._default(count, 0),
  length: z._default(z.int().check(z.minimum(-1), z.maximum(1_000_000_000)), DATATABLE_DEFAULT_LENGTH),
  search: z._default(searchOf, { value: '', regex: false }),
  order: z._default(
    z
      .array(z.object({ column: z.int().check(z.minimum(0), z.maximum(99)), dir: z.enum(['asc', 'desc']) }))
      .check(z.maxLength(10)),
    [],
  ),
  columns: z._default(
    z
      .array(
        z.object({
          /** Null, or empty: a column of the page's own (buttons, a box to tick), which nothing here knows. */
          data: z.pipe(
            z.nullable(text),
            z.transform(name => name ?? ''),
          ),
          name: z._default(text, ''),
          searchable: z._default(z.boolean(), true),
          orderable: z._default(z.boolean(), true),
          search: z._default(searchOf, { value: '', regex: false }),
        }),
      )
      .check(z.maxLength(100)),
    [],
  ),
  /** Ours: filters by name; each list says which it knows, others get 400. */
  filters: z._default(
    z.record(z.string().check(z.maxLength(64)), z.union([scalar, z.array(scalar).check(z.maxLength(1_000))])),
    {},
  ),
})
export type DatatableRequest = z.output<typeof datatableRequest>
export type DatatableInput = z.input<typeof datatableRequest>

export interface DatatableReply<T> {
  readonly draw: number
  readonly recordsTotal: number
  readonly recordsFiltered: number
  readonly data: T[]
}

export const datatableReply = <S extends Schema>(row: S) =>
  z.object({ draw: z.int(), recordsTotal: z.int(), recordsFiltered: z.int(), data: z.array(row) })

/** The GET (first page, default order) and PUT of a list. */
export const datatableRoutes = <S extends Schema>(controller: string, access: Access, summary: string, row: S) => {
  const reply = datatableReply(row)
  return {
    get: route({ method: 'GET', path: `/api/${controller}`, access, summary: `${summary} : première page`, reply }),
    put: route({
      method: 'PUT',
      path: `/api/${controller}`,
      access,
      rate: 'read',
      summary: `${summary} : recherche, tri et pages`,
      body: datatableRequest,
      reply,
    }),
  }
}

/** Select2's ajax protocol. */
export const select2Query = z.object({
  term: z.optional(text),
  page: z.optional(
    z.pipe(z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'Numéro de page incorrect')), z.transform(Number)),
  ),
})
export const select2Reply = z.object({
  results: z.array(z.object({ id: z.int(), text: z.string() })),
  pagination: z.object({ more: z.boolean() }),
})
/** The same of what one may change: what is offered is where one holds the claim. */
export const select2QueryFor = z.extend(select2Query, { claim: z.optional(z.enum(SITE_CLAIMS)) })
export type Select2QueryFor = z.output<typeof select2QueryFor>
export const SELECT2_PAGE = 30

export const select2Route = (path: `/api/${string}`, summary: string) =>
  route({ method: 'GET', path, access: 'user', summary, query: select2Query, reply: select2Reply })
/** The same with `claim`. */
export const select2RouteFor = (path: `/api/${string}`, summary: string) =>
  route({ method: 'GET', path, access: 'user', summary, query: select2QueryFor, reply: select2Reply })
