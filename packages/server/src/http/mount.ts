import {
  ALL_ROUTES,
  type BodyOf,
  CLAIM_TEXTS,
  CSRF_COOKIE,
  CSRF_COOKIE_TLS,
  CSRF_HEADER,
  DISPLAY_TOKEN_PREFIX,
  type FieldError,
  fieldErrors,
  grants,
  isWide,
  type ParamsOf,
  PROBE_HEADERS,
  PUSH_BODY_MAX,
  type QueryOf,
  type ReplyOf,
  type Route,
  type Schema,
} from '@narval/contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type DisplayCaller,
  type DisplayGuard,
  type ProbeCaller,
  type ProbeGuard,
  type SessionGuard,
  sessionOf,
  type Viewer,
  where,
} from './caller.ts'
import type { Csrf } from './csrf.ts'
import { Exported, type ExportFormat, exportFormat } from './exported.ts'
import { originFacts, originVerdict } from './origin.ts'
import type { RateLimiter } from './rate-limit.ts'
import { admitFile } from './raw-body.ts'
import { forbidden, invalid, type Refusal, tooMany, unauthenticated } from './refusal.ts'
import { fromSource } from './source.ts'

/** What a handler receives: everything parsed, the caller verified. */
export interface Input<R extends Route> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** Address of the client, as the proxy settings allow to know it. */
  readonly address: string
  /** The file that `Accept` asks for instead of JSON, where the route gives one; null for JSON. */
  readonly format: ExportFormat | null
  /** Aborted when the client goes away: long polls end with it. */
  readonly signal: AbortSignal
  /** Binds the XSRF cookie of the answer to the session that the call opens or renews. */
  readonly bindSession: (sessionId: number) => void
}
type Answer<R extends Route> = ReplyOf<R> | Exported | Promise<ReplyOf<R> | Exported>

/** A route with the function that answers it. */
export interface Mounted {
  readonly route: Route
  readonly handle: (
    input: RawInput,
    viewer: Viewer | null,
    probe: ProbeCaller | null,
    display: DisplayCaller | null,
  ) => unknown
  /** What else must hold before a file is received; it throws a refusal. */
  readonly admit?: (query: unknown, viewer: Viewer) => void
}

/** Answers a route of signed-in accounts; `admit` refuses a file by its query before a byte of it is read. */
export const on = <R extends Route>(
  route: R,
  handle: (input: Input<R>, viewer: Viewer) => Answer<R>,
  admit?: (query: QueryOf<R>, viewer: Viewer) => void,
): Mounted => ({
  route,
  ...(admit === undefined ? {} : { admit: (query, viewer) => admit(narrowedQuery<R>(query), viewer) }),
  handle: (input, viewer) => {
    if (viewer === null) throw unauthenticated()
    return handle(narrowed<R>(input), viewer)
  },
})

/** Answers a route that is open to anybody. */
export const onOpen = <R extends Route>(route: R, handle: (input: Input<R>) => Answer<R>): Mounted => ({
  route,
  handle: input => handle(narrowed<R>(input)),
})

/** Answers a route of the wall: for an account, or for a screen that has nothing but its token. */
export const onDisplay = <R extends Route>(
  route: R,
  handle: (input: Input<R>, who: Viewer | DisplayCaller) => Answer<R>,
): Mounted => ({
  route,
  handle: (input, viewer, _probe, display) => {
    const who = viewer ?? display
    if (who === null) throw unauthenticated()
    return handle(narrowed<R>(input), who)
  },
})

/** Answers a route of probes. */
export const onProbe = <R extends Route>(
  route: R,
  handle: (input: Input<R>, probe: ProbeCaller) => Answer<R>,
): Mounted => ({
  route,
  handle: (input, _viewer, probe) => {
    if (probe === null) throw unauthenticated()
    return handle(narrowed<R>(input), probe)
  },
})

/** The casts: `mountAll` parses the input with the schemas of the very route it is mounted for. */
const narrowed = <R extends Route>(input: RawInput): Input<R> => input as Input<R>
const narrowedQuery = <R extends Route>(query: unknown): QueryOf<R> => query as QueryOf<R>

interface RawInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly address: string
  readonly format: ExportFormat | null
  readonly signal: AbortSignal
  readonly bindSession: (sessionId: number) => void
}

export interface MountOptions {
  readonly sessions: SessionGuard
  readonly probes: ProbeGuard
  readonly displays: DisplayGuard
  readonly csrf: Csrf
  readonly limiter: RateLimiter
  /** Reached by https: cookies are `Secure`, and named so that only this host can have set them (S30). */
  readonly secure: boolean
  /** Origins besides the request's own host whose pages are ours: the public address behind a proxy. */
  readonly allowedOrigins: readonly string[]
  /** Tests check each reply against its schema; production does not pay for it. */
  readonly checkReplies: boolean
}

/** Mounts every route of the contracts. A route without handler, or mounted twice, keeps the server from starting (rule 9). */
export const mountAll = (app: FastifyInstance, mounted: readonly Mounted[], options: MountOptions): void => {
  const missing = ALL_ROUTES.filter(route => mounted.filter(one => one.route === route).length !== 1)
  if (missing.length > 0) {
    throw new Error(
      `routes not mounted exactly once: ${missing.map(route => `${route.method} ${route.path}`).join(', ')}`,
    )
  }
  for (const one of mounted) mount(app, one, options)
}

const LARGE_BODY = 2 * 1024 * 1024 + 65_536
const SMALL_BODY = 256 * 1024
const bodyLimitOf = ({ rawLimit, rate }: Route): number =>
  rawLimit ?? (rate === 'ingest' ? LARGE_BODY : rate === 'push' ? PUSH_BODY_MAX : SMALL_BODY)

const mount = (app: FastifyInstance, { route, handle, admit: admitQuery }: Mounted, options: MountOptions): void => {
  const known = new WeakMap<FastifyRequest, Caller>()
  const callerOf = async (request: FastifyRequest): Promise<Caller> => {
    const caller = await identify(route, request, options)
    authorise(route, request, caller, options)
    return caller.viewer === null ? caller : { ...caller, viewer: where(caller.viewer, route.access) }
  }
  // Who sends a file is known, and allowed to, before a byte of it is read.
  const admit = async (request: FastifyRequest, reply: FastifyReply, limit: number): Promise<void> => {
    const caller = await callerOf(request)
    known.set(request, caller)
    if (caller.viewer !== null) admitQuery?.(parse(route.query, request.query), caller.viewer)
    admitFile(request, reply, limit)
  }
  const { rawLimit } = route
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: bodyLimitOf(route),
    exposeHeadRoute: false,
    config: { raw: rawLimit !== null },
    ...(rawLimit === null ? {} : { onRequest: (request, reply) => admit(request, reply, rawLimit) }),
    ...(route.access === 'probe' ? { onSend: signAnswer(options) } : {}),
    handler: async (request, reply) => {
      const caller = known.get(request) ?? (await callerOf(request))
      const input = {
        params: parse(route.params, request.params),
        query: parse(route.query, request.query),
        body: parse(route.body, request.body ?? undefined),
        address: request.ip,
        format: exportFormat(request.headers.accept),
        signal: signalOf(reply),
        bindSession: (sessionId: number) => offerCsrfCookie(request, reply, sessionId, options),
      }
      // A screen that has no session has none to protect.
      if (route.method === 'GET' && caller.display === null)
        offerCsrfCookie(request, reply, caller.viewer?.sessionId ?? 'any', options)
      const answer = await fromSource(request.ip, () => handle(input, caller.viewer, caller.probe, caller.display))
      return send(route, reply, answer, options)
    },
  })
}

const NONCE = /^[A-Za-z0-9_-]{16,64}$/
/** Whatever is answered to a probe is signed over its nonce, refusals too: it obeys nobody else. */
const signAnswer =
  (options: MountOptions) => async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const nonce = request.headers[PROBE_HEADERS.nonce]
    if (typeof nonce !== 'string' || !NONCE.test(nonce)) return
    const body = typeof payload === 'string' ? payload : ''
    reply.header(PROBE_HEADERS.serverSignature, options.probes.sign(nonce, reply.statusCode, Buffer.from(body)))
  }

interface Caller {
  readonly viewer: Viewer | null
  readonly probe: ProbeCaller | null
  readonly display: DisplayCaller | null
}
const NOBODY: Caller = { viewer: null, probe: null, display: null }

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{1,8192})$/

const identify = async (route: Route, request: FastifyRequest, options: MountOptions): Promise<Caller> => {
  if (route.access === 'open') return NOBODY
  if (route.access === 'probe') {
    const body = request.rawBody ?? new Uint8Array()
    const probe = await options.probes.authenticate({
      method: request.method,
      path: request.url,
      headers: request.headers,
      body,
      address: request.ip,
    })
    return { ...NOBODY, probe }
  }
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return NOBODY
  // Looked at where the wall asks, and nowhere else: it is worth nothing to any other route.
  if (token.startsWith(DISPLAY_TOKEN_PREFIX)) {
    if (route.access !== 'display') return NOBODY
    return { ...NOBODY, display: await options.displays.authenticate(token, request.ip) }
  }
  return { ...NOBODY, viewer: await options.sessions.authenticate(token) }
}

const authorise = (route: Route, request: FastifyRequest, caller: Caller, options: MountOptions): void => {
  const who =
    caller.viewer !== null
      ? caller.viewer.credential
      : caller.probe !== null
        ? `probe ${caller.probe.probeId}`
        : caller.display !== null
          ? `display ${caller.display.displayId}`
          : `address ${request.ip}`
  const waitMs = options.limiter.take(route.rate, who)
  if (waitMs > 0) throw tooMany(waitMs)
  if (route.access === 'probe') {
    if (caller.probe === null) throw unauthenticated()
    return
  }
  if (route.access !== 'open' && caller.display === null) requireClaim(route, caller.viewer)
  if (caller.viewer !== null) requireReach(route, caller.viewer)
  if (route.sessionOnly && caller.viewer !== null) sessionOf(caller.viewer)
  // A browser never adds an API token by itself: nothing to forge.
  const isToken = caller.viewer !== null && caller.viewer.sessionId === null
  if (route.csrf && !isToken) requireSameOrigin(request, caller.viewer?.sessionId ?? 'any', options)
}

const requireClaim = (route: Route, viewer: Viewer | null): void => {
  if (viewer === null) throw unauthenticated()
  if (route.access === 'self') return
  if (viewer.firstConnection) throw forbidden('Il faut d’abord réinitialiser votre mot de passe.')
  if (route.access === 'user' || route.access === 'display') return
  if (route.access === 'open' || route.access === 'probe') return
  if (!grants(viewer.claims, route.access))
    throw forbidden(`Cette action demande le droit « ${CLAIM_TEXTS[route.access].label} ».`)
}

/** What is everybody's is not for who does not see everything. */
const requireReach = (route: Route, viewer: Viewer): void => {
  if (isWide(route) && where(viewer, route.access).place !== null)
    throw forbidden('Cette action concerne toute la plateforme : votre compte est limité à une partie.')
}

const cookieName = (options: MountOptions): string => (options.secure ? CSRF_COOKIE_TLS : CSRF_COOKIE)

const requireSameOrigin = (request: FastifyRequest, sessionId: number | 'any', options: MountOptions): void => {
  const header = request.headers[CSRF_HEADER]
  const cookie = request.cookies[cookieName(options)]
  const accepted = options.csrf.accepts(cookie, typeof header === 'string' ? header : undefined, sessionId)
  const verdict = originVerdict(originFacts(request.headers, request.host), options.allowedOrigins)
  if (!accepted || verdict === 'foreign')
    throw forbidden('La demande ne vient pas de la console (jeton XSRF absent ou incorrect).')
}

/** Gives the cookie unless the browser already has one that will do for this session. */
const offerCsrfCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  sessionId: number | 'any',
  options: MountOptions,
): void => {
  if (options.csrf.valid(request.cookies[cookieName(options)], sessionId)) return
  reply.setCookie(cookieName(options), options.csrf.issue(sessionId === 'any' ? null : sessionId), {
    path: '/',
    sameSite: 'strict',
    secure: options.secure,
    httpOnly: false,
  })
}

const parse = (schema: Schema | null, value: unknown): unknown => {
  if (schema === null) return null
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refusalOf(fieldErrors(parsed.error))
}

/** One sentence a field, the field named unless the sentence stands for the whole body. */
const refusalOf = (errors: readonly FieldError[]): Refusal =>
  invalid(
    errors.map(({ field, message }) => (field === '' ? `${message}.` : `${field} : ${message}.`)),
    Object.fromEntries(errors.filter(({ field }) => field !== '').map(({ field, message }) => [field, message])),
  )

const signalOf = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

const send = (route: Route, reply: FastifyReply, answer: unknown, options: MountOptions): FastifyReply => {
  if (answer instanceof Exported) return reply.status(200).headers(answer.headers).send(answer.stream())
  if (options.checkReplies && route.reply !== null) route.reply.parse(JSON.parse(JSON.stringify(answer)))
  const body = route.reply === null ? '' : JSON.stringify(answer)
  reply.status(route.status)
  return route.reply === null ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}
