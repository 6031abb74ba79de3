import { readFileSync } from 'node:fs'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Database } from '../store/database.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { sendProblem } from './problem.ts'
import { addRawParser } from './raw-body.ts'
import { invalid } from './refusal.ts'

export interface HttpDeps {
  readonly log: Logger
  readonly trustProxy?: boolean
  readonly tls?: { readonly certificate: string; readonly key: string } | null
}

/** Fastify as Narval uses it: bodies kept raw for what is signed, no address that can't be read, nothing cut under way. */
export const createHttp = (deps: HttpDeps): FastifyInstance => {
  const options = {
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: deps.trustProxy ?? false,
    routerOptions: { caseSensitive: false, maxParamLength: 200 },
    requestTimeout: 60_000,
    // An address that can not be read reaches neither routes nor hooks.
    frameworkErrors: (_error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
      void sendProblem(reply.headers(SECURITY_HEADERS), invalid(["L'adresse demandée n'est pas lisible."])),
    // Not cut while a call is under way: `closeWhenAnswered` sees to the end.
    forceCloseConnections: false,
    ...(deps.tls == null
      ? {}
      : { https: { cert: readFileSync(deps.tls.certificate), key: readFileSync(deps.tls.key) } }),
  }
  // The one cast: with `https` or not, what we use of the instance is the same.
  const http = fastify(options) as unknown as FastifyInstance
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.rawBody = body
    if (body.length === 0) done(null, undefined)
    else parseJson(request, body.toString('utf8'), done)
  })
  addRawParser(http)
  return http
}

/** Open and bare: is the process there, and does everything that an answer needs work (R28). */
export const mountHealth = (http: FastifyInstance, database: Database, isReady: () => boolean): void => {
  http.get('/health/live', async () => ({ status: 'live' }))
  http.get('/health/ready', async (_request, reply) => {
    const works =
      isReady() &&
      (await database.db
        .selectFrom('position')
        .select('name')
        .limit(1)
        .execute()
        .then(
          () => true,
          () => false,
        ))
    return reply.status(works ? 200 : 503).send({ status: works ? 'ready' : 'not-ready' })
  })
}
