import {
  accountRoutes,
  type BodyInput,
  CSRF_COOKIE,
  CSRF_COOKIE_TLS,
  CSRF_HEADER,
  type ParamsInput,
  type Problem,
  parameterRoutes,
  problem,
  type QueryInput,
  type ReplyOf,
  type Route,
} from '@narval/contracts'
import { fr } from '../i18n/fr.ts'

type Scalar = string | number | boolean | undefined
/** What a call takes, by its route; ids may be numbers. */
export interface CallInput<R extends Route> {
  readonly params?: { readonly [K in keyof ParamsInput<R>]: string | number }
  readonly query?: { readonly [K in keyof QueryInput<R>]: Scalar }
  readonly body?: BodyInput<R>
  readonly signal?: AbortSignal
  /** Longest wait for the whole answer; 30 s unless told. */
  readonly timeoutMs?: number
  /** The form of the answer; JSON unless told. */
  readonly accept?: string
}

/** A call that was refused, or had no answer (`status` 0). `problem` always holds sentences that can be shown. */
export class ApiError extends Error {
  readonly status: number
  readonly statusText: string
  readonly problem: Problem

  constructor(status: number, statusText: string, detail: Problem) {
    super(detail.errors.join(' ') || detail.detail || detail.title)
    this.name = 'ApiError'
    this.status = status
    this.statusText = statusText
    this.problem = detail
  }
}

const CALL_TIMEOUT_MS = 30_000

/** The network and the cookies, so that tests bring their own. */
export interface Transport {
  readonly fetch: typeof fetch
  readonly cookie: () => string
}

/** One HTTP call of a route, with a token or without; no renewal, see `call` for that. Throws `ApiError`. */
export const request = async <R extends Route>(
  transport: Transport,
  route: R,
  input: CallInput<R>,
  token: string | null,
): Promise<ReplyOf<R>> => readReply(route, await answerOf(transport, route, input, token))

/** The same for an answer that is a file: see `accept`. Throws `ApiError`. */
export const requestFile = async <R extends Route>(
  transport: Transport,
  route: R,
  input: CallInput<R>,
  token: string | null,
): Promise<Blob> => {
  const response = await answerOf(transport, route, input, token)
  if (!response.ok) throw new ApiError(response.status, response.statusText, await problemOf(response))
  try {
    return await response.blob()
  } catch {
    // Cut in the middle: a file that is not whole is none.
    throw unanswered(false)
  }
}

const answerOf = async <R extends Route>(
  transport: Transport,
  route: R,
  input: CallInput<R>,
  token: string | null,
): Promise<Response> => {
  if (route.csrf && csrfToken(transport) === null) await fetchCsrfCookie(transport, token)
  const first = await send(transport, route, input, token)
  // A cookie of another session, or signed by an earlier key of the server, is replaced by a GET: ask once, then say it again.
  if (first.status === 403 && route.csrf) {
    const before = csrfToken(transport)
    await fetchCsrfCookie(transport, token)
    if (csrfToken(transport) !== before) return send(transport, route, input, token)
  }
  return first
}

const send = async <R extends Route>(
  transport: Transport,
  route: R,
  input: CallInput<R>,
  token: string | null,
): Promise<Response> => {
  const headers = new Headers({ accept: input.accept ?? 'application/json' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const csrf = csrfToken(transport)
  if (route.method !== 'GET' && csrf !== null) headers.set(CSRF_HEADER, csrf)
  const body = bodyOf(route, input)
  if (body !== undefined)
    headers.set('content-type', route.rawLimit === null ? 'application/json' : 'application/octet-stream')
  const limit = AbortSignal.timeout(input.timeoutMs ?? CALL_TIMEOUT_MS)
  try {
    return await transport.fetch(urlOf(route, input), {
      method: route.method,
      headers,
      signal: input.signal === undefined ? limit : AbortSignal.any([input.signal, limit]),
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body === undefined ? {} : { body }),
    })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw unanswered(limit.aborted)
  }
}

/** Logout's payload is `null` (spec §7); other calls without a body send none. */
const bodyOf = <R extends Route>(route: R, input: CallInput<R>): string | Uint8Array<ArrayBuffer> | undefined => {
  if (input.body instanceof Uint8Array) return new Uint8Array(input.body)
  if (input.body !== undefined) return JSON.stringify(input.body)
  return route.method === 'POST' && route.body === null ? 'null' : undefined
}

/** The address of a call. */
export const urlOf = <R extends Route>(route: R, input: Pick<CallInput<R>, 'params' | 'query'>): string => {
  const params = new Map(Object.entries<string | number>(input.params ?? {}))
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params.get(name) ?? '')))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries<Scalar>(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

const readReply = async <R extends Route>(route: R, response: Response): Promise<ReplyOf<R>> => {
  if (!response.ok) throw new ApiError(response.status, response.statusText, await problemOf(response))
  if (route.reply === null) return replyAs<R>(undefined)
  const parsed = route.reply.safeParse(await json(response))
  if (!parsed.success)
    throw new ApiError(response.status, response.statusText, plainProblem(response.status, fr.api.unreadable))
  return replyAs<R>(parsed.data)
}

/** The one cast: the value was just parsed by this very route's schema, or the route answers nothing. */
const replyAs = <R extends Route>(value: unknown): ReplyOf<R> => value as ReplyOf<R>

/** What an answer says; null where that is no JSON. An answer that is cut in the middle is none, whatever its status. */
const json = async (response: Response): Promise<unknown> => {
  const text = await response.text().catch(() => {
    throw unanswered(false)
  })
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const problemOf = async (response: Response): Promise<Problem> => {
  const parsed = problem.safeParse(await json(response))
  return parsed.success ? parsed.data : plainProblem(response.status, fr.api.status(response.status))
}

const plainProblem = (status: number, sentence: string): Problem => ({
  status,
  title: sentence,
  detail: sentence,
  errors: [sentence],
})

const unanswered = (late: boolean): ApiError =>
  new ApiError(0, '', plainProblem(0, late ? fr.api.timeout : fr.api.unreachable))

const csrfToken = (transport: Transport): string | null => {
  const pairs = transport.cookie().split('; ')
  for (const name of [CSRF_COOKIE_TLS, CSRF_COOKIE]) {
    const pair = pairs.find(one => one.startsWith(`${name}=`))
    if (pair !== undefined) return decodeURIComponent(pair.slice(name.length + 1))
  }
  return null
}

/** Any GET sets the cookie, for the session whose token it shows; these are small. What goes wrong shows at the call itself. */
const fetchCsrfCookie = async (transport: Transport, token: string | null): Promise<void> => {
  const route = token === null ? parameterRoutes.public : accountRoutes.ownClaims
  try {
    await transport.fetch(route.path, {
      ...(token === null ? {} : { headers: { authorization: `Bearer ${token}` } }),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
  } catch {
    return
  }
}
