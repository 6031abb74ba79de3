import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readTarget } from './access.ts'
import { type Admission, type AdmissionOptions, admit } from './admission.ts'
import type { Hub } from './connection.ts'
import { type HubReply, type HubRequest, negotiate, receive, remove, send } from './endpoint.ts'
import type { HubIdentity } from './hub-method.ts'
import type { Registry } from './registry.ts'

export interface HttpMount {
  readonly hubs: Iterable<Hub>
  readonly registry: Registry
  readonly admission: AdmissionOptions
  readonly seen: (identity: HubIdentity) => void
  /** Security headers of replies that skip the application's `onSend`. */
  readonly securityHeaders: Readonly<Record<string, string>>
}

type Answer = (registry: Registry, request: HubRequest) => HubReply
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const ON_NEGOTIATE = new Map<string, Answer>([['POST', negotiate]])
const ON_HUB = new Map<string, Answer>([
  ['GET', receive],
  ['POST', send],
  ['DELETE', remove],
])

/** Mounts the HTTP side of the hubs. Their requests are never logged: the query may hold a token. */
export function mountHubs(app: FastifyInstance, mount: HttpMount): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const admissions = new WeakMap<FastifyRequest, Admission>()
    scope.addHook('onRequest', async (request, reply) => {
      const params = readTarget(request.raw.url)?.params ?? new URLSearchParams()
      const admission = await admit(mount.admission, request.method, request.headers, params)
      reply.headers(admission.headers)
      if (!admission.admitted) return reply.code(admission.status).send()
      mount.seen(admission.identity)
      admissions.set(request, admission)
    })
    const serve = (url: string, hub: Hub, answers: ReadonlyMap<string, Answer>) =>
      scope.route({
        method: METHODS,
        url,
        exposeHeadRoute: false,
        logLevel: 'silent',
        bodyLimit: mount.registry.context.limits.bodyBytes,
        handler: (request, reply) => answerRequest(mount, hub, answers, admissions.get(request), request, reply),
      })
    for (const hub of mount.hubs) {
      serve(hub.path, hub, ON_HUB)
      serve(`${hub.path}/negotiate`, hub, ON_NEGOTIATE)
      serve(`${hub.path}/*`, hub, new Map())
    }
  })
}

function answerRequest(
  mount: HttpMount,
  hub: Hub,
  answers: ReadonlyMap<string, Answer>,
  admission: Admission | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (!admission?.admitted) return reply.code(401).send()
  if (answers.size === 0) return reply.code(404).send()
  const answer = answers.get(request.method)
  if (answer === undefined)
    return reply
      .code(405)
      .header('allow', [...answers.keys(), 'OPTIONS'].join(', '))
      .send()
  const answered = answer(mount.registry, {
    hub,
    identity: admission.identity,
    params: readTarget(request.raw.url)?.params ?? new URLSearchParams(),
    accept: request.headers.accept ?? '',
    body: request.body instanceof Uint8Array ? request.body : new Uint8Array(),
    headers: { ...mount.securityHeaders, ...admission.headers },
    hijack: () => {
      reply.hijack()
      return reply.raw
    },
  })
  return answered === 'taken' ? reply : sendReply(reply, answered)
}

function sendReply(
  reply: FastifyReply,
  { status, json, text, headers = {} }: Exclude<HubReply, 'taken'>,
): FastifyReply {
  reply.code(status).headers({ ...headers, 'cache-control': 'no-store' })
  if (json !== undefined) return reply.type('application/json; charset=utf-8').send(JSON.stringify(json))
  return text === undefined ? reply.send() : reply.type('text/plain; charset=utf-8').send(text)
}
