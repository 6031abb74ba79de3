import type * as z from 'zod/mini'
import type { Claim } from './claims.ts'

/**
 * Who may call: `open` anybody; `self` any signed-in account, also on its first connection; `user` any signed-in account
 * past it; `display` the same, or an unattended screen by its token; `probe` a request signed by a probe; otherwise the
 * claim that is asked (`admin` always passes).
 */
export type Access = 'open' | 'self' | 'user' | 'display' | 'probe' | Claim

/** How much of it one caller may ask: the server holds the figures of each class. */
export const RATE_CLASSES = ['authentication', 'read', 'write', 'heavy', 'ingest', 'push'] as const
export type RateClass = (typeof RATE_CLASSES)[number]

export type Schema = z.ZodMiniType

/**
 * One HTTP operation. The server mounts it, the console calls it, OpenAPI and the matrix tests enumerate it.
 * `path` has `:id` parameters; `reply: null` answers 204.
 */
export interface Route<
  P extends Schema | null = Schema | null,
  Q extends Schema | null = Schema | null,
  B extends Schema | null = Schema | null,
  R extends Schema | null = Schema | null,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/api/${string}`
  readonly access: Access
  readonly rate: RateClass
  /** French, for the API's reference. */
  readonly summary: string
  readonly status: 200 | 201 | 204
  /** Whether a call that is not GET must carry the XSRF header: not those signed by, or made for, machines. */
  readonly csrf: boolean
  /** Whether an API token is refused: what concerns the account itself, or a session. */
  readonly sessionOnly: boolean
  /** The body is a file as it is, of at most so many bytes, instead of JSON; null for all other routes. */
  readonly rawLimit: number | null
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly reply: R
}

interface RouteInput<P, Q, B, R> {
  readonly method: Route['method']
  readonly path: Route['path']
  readonly access: Access
  readonly rate?: RateClass
  readonly summary: string
  readonly status?: 201
  readonly csrf?: false
  readonly sessionOnly?: true
  readonly rawLimit?: number
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly reply?: R
}

/** Declares a route; the rate class is `read` for GET and `write` otherwise unless said. */
export const route = <
  P extends Schema | null = null,
  Q extends Schema | null = null,
  B extends Schema | null = null,
  R extends Schema | null = null,
>(
  input: RouteInput<P, Q, B, R>,
): Route<P, Q, B, R> => ({
  method: input.method,
  path: input.path,
  access: input.access,
  rate: input.rate ?? (input.method === 'GET' ? 'read' : 'write'),
  summary: input.summary,
  status: input.status ?? (input.reply === undefined || input.reply === null ? 204 : 200),
  csrf: input.csrf ?? (input.method !== 'GET' && input.access !== 'probe'),
  sessionOnly: input.sessionOnly ?? false,
  rawLimit: input.rawLimit ?? null,
  params: orNull(input.params),
  query: orNull(input.query),
  body: orNull(input.body),
  reply: orNull(input.reply),
})

/** The one cast: an absent schema has the type `null` by the defaults of `route`'s parameters. */
const orNull = <T>(value: T | undefined): T => (value ?? null) as T

export type ParamsOf<T extends Route> = T['params'] extends Schema ? z.output<T['params']> : null
export type QueryOf<T extends Route> = T['query'] extends Schema ? z.output<T['query']> : null
export type BodyOf<T extends Route> = T['body'] extends Schema ? z.output<T['body']> : null
/** What a caller may send: before defaults and transforms. */
export type ParamsInput<T extends Route> = T['params'] extends Schema ? z.input<T['params']> : undefined
export type QueryInput<T extends Route> = T['query'] extends Schema ? z.input<T['query']> : undefined
export type BodyInput<T extends Route> = T['body'] extends Schema ? z.input<T['body']> : undefined
export type ReplyOf<T extends Route> = T['reply'] extends Schema ? z.output<T['reply']> : undefined
