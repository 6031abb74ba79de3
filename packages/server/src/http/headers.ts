import type { FastifyInstance } from 'fastify'

/** Said with every answer (S30); the console's pages add their content policy. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
const HSTS = 'max-age=31536000'

export const sayHeaders = (app: FastifyInstance, isTls: boolean): void => {
  app.addHook('onSend', async (request, reply) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value)
    if (isTls) reply.header('strict-transport-security', HSTS)
    if (/^\/api\//i.test(request.url) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
