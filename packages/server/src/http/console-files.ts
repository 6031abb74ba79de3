import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from './problem.ts'
import { Refusal } from './refusal.ts'

const NONCE_MARK = /__CSP_NONCE__/g
/** What the server answers itself: whatever is unknown there is a 404. */
const NO_PAGE = /^\/(api|Hub|health|assets|metrics)(\/|$)/i
/** The one page of the console under the API's addresses: its readable reference. */
const API_REFERENCE = /^\/api\/docs\/?$/

/** The strict policy of the console: nothing inline, nothing from other hosts (S25). */
const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')

/** Regular files under a folder, by their path from it; links are none. */
const filesOf = (folder: string): ReadonlySet<string> =>
  new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )

/**
 * Serves the built console: hashed assets for ever, `index.html` never stored and with a nonce of its own. Any other
 * address that a browser opens is the console's to route; what is neither answers 404.
 */
export const serveConsole = async (app: FastifyInstance, folder: string): Promise<void> => {
  const page = join(folder, 'index.html')
  const isBuilt = existsSync(page)
  const html = isBuilt ? readFileSync(page, 'utf8') : ''
  if (isBuilt) {
    const assets = filesOf(join(folder, 'assets'))
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      index: false,
      dotfiles: 'deny',
      // Only what the build left: no way out of the folder, no link followed (S40).
      allowedPath: path => assets.has(path.replace(/^\//, '')),
      cacheControl: false,
      // The build leaves .br and .gz copies beside the assets.
      preCompressed: true,
      setHeaders: (reply, path) => {
        reply.header(
          'cache-control',
          /-[\w-]{8,}\.\w+(\.(br|gz))?$/.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        )
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    // What looks like a file is a page too when a person opens it: any other address leads to /login (spec §2).
    const looksLikeFile = /\.\w{1,8}$/.test(path) && !/\btext\/html\b/.test(request.headers.accept ?? '')
    const isPage = request.method === 'GET' && (API_REFERENCE.test(path) || (!NO_PAGE.test(path) && !looksLikeFile))
    if (!isPage || !isBuilt) return sendProblem(reply, new Refusal('not-found', ["Cette adresse n'existe pas."]))
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .header('content-security-policy', contentPolicy(nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replace(NONCE_MARK, nonce))
  })
}
