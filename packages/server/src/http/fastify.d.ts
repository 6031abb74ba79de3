import '@fastify/cookie'
import 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of a JSON body as they came, over which probes sign. */
    rawBody?: Uint8Array
  }
  interface FastifyContextConfig {
    /** The route takes a file as it is (`Route.rawLimit`). */
    raw?: boolean
  }
}
