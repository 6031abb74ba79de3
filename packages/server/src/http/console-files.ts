import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from './problem.ts'
import { Refusal } from './refusal.ts'

const NONCE_MARK = /__CSP_NONCE__/g
/** What the server answers itself: whatever is unknown there is a 404. */
const NO_PAGE = /^\/(api|Hub|health|assets|metrics|guide)(\/|$)/i
/** The guide: pages of its own beside the console, which anyone may read (docs/decisions/0037-guide.md). */
const GUIDE = /^\/guide(\/|$)/
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

/** The guide's pages style nothing inline and call nothing. */
const GUIDE_POLICY = contentPolicy('').replace(" 'nonce-'", '').replace("connect-src 'self'; ", '')

/** Regular files under a folder, by their path from it; links are none. */
const filesOf = (folder: string): ReadonlySet<string> =>
  new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )

/**
 * Serves the built guide under /guide/, each file asked for anew when it changed. Answers the page to show for an address
 * of it that does not exist; null where no guide was built.
 */
const serveGuide = async (app: FastifyInstance, folder: string): Promise<string | null> => {
  if (!existsSync(join(folder, 'index.html'))) return null
  const files = filesOf(folder)
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/guide/',
    decorateReply: false,
    dotfiles: 'deny',
    allowedPath: path => files.has(path === '/' ? 'index.html' : path.replace(/^\//, '')),
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', 'no-cache')
      if (/\.html(\.(br|gz))?$/.test(path)) reply.header('content-security-policy', GUIDE_POLICY)
    },
  })
  app.get('/guide', (_, reply) => reply.redirect('/guide/', 308))
  return readFileSync(join(folder, '404.html'), 'utf8')
}

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
  const missingInGuide = await serveGuide(app, join(folder, 'guide'))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (missingInGuide !== null && GUIDE.test(path) && request.method === 'GET')
      return reply
        .code(404)
        .header('content-security-policy', GUIDE_POLICY)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(missingInGuide)
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
