import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, unavailable } from './refusal.ts'

/** Types under which a file may be sent. */
export const RAW_TYPES = ['text/csv', 'application/octet-stream'] as const
/** Files received at once: each is held whole while it comes in. */
const AT_ONCE = 4

/** Files as bytes, for routes that take one; others go on taking nothing but JSON. */
export const addRawParser = (http: FastifyInstance): void => {
  http.addContentTypeParser([...RAW_TYPES], { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.routeOptions.config.raw === true) done(null, body)
    else done(new Refusal('unsupported-type', ['Le corps de la demande doit être du JSON (application/json).']))
  })
}

const receiving = new WeakMap<FastifyInstance, Set<FastifyRequest>>()

/** Refuses a file that says it is too large, or of another type, before it is read; and one more than are taken at once. */
export const admitFile = (request: FastifyRequest, reply: FastifyReply, limit: number): void => {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (!RAW_TYPES.some(known => known === type))
    throw new Refusal('unsupported-type', [`Le fichier doit être envoyé en ${RAW_TYPES.join(' ou ')}.`])
  if (Number(request.headers['content-length'] ?? 0) > limit)
    throw new Refusal('too-large', [`Le fichier dépasse ${limit / 1_048_576} Mo.`])
  const under = receiving.get(request.server) ?? new Set()
  receiving.set(request.server, under)
  if (under.size >= AT_ONCE) throw unavailable('Plusieurs fichiers sont déjà en cours de réception.', 5_000)
  under.add(request)
  reply.raw.once('close', () => under.delete(request))
}
