import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveConsole } from './console-files.ts'

let app: FastifyInstance
const folder = mkdtempSync(join(tmpdir(), 'narval-console-'))

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">')
  writeFileSync(join(folder, 'assets/index-abcdefgh.js'), 'export {}')
  mkdirSync(join(folder, 'assets/avatar'))
  writeFileSync(join(folder, 'assets/avatar/narval.svg'), '<svg/>')
  symlinkSync(join(folder, 'index.html'), join(folder, 'assets/link-abcdefgh.js'))
  mkdirSync(join(folder, 'guide/controles'), { recursive: true })
  writeFileSync(join(folder, 'guide/index.html'), '<h1>Le guide</h1>')
  writeFileSync(join(folder, 'guide/404.html'), '<h1>Page introuvable</h1>')
  writeFileSync(join(folder, 'guide/controles/http.html'), '<h1>HTTP</h1>')
  writeFileSync(join(folder, 'guide/guide.js'), '0')
  symlinkSync(join(folder, 'index.html'), join(folder, 'guide/link.html'))
  app = fastify()
  await serveConsole(app, folder)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
const get = (url: string) => app.inject({ method: 'GET', url })

describe('the console’s files', () => {
  it('S25: every page of the console, / included, has its own nonce, a strict policy, and is never stored', async () => {
    const nonces = new Set<string>()
    for (const path of ['/', '/login', '/host/12?range=7j']) {
      const page = await get(path)
      const policy = String(page.headers['content-security-policy'])
      const nonce = /content="([\w-]{20,})"/.exec(page.body)?.[1] ?? ''
      expect([path, page.statusCode, page.headers['cache-control']]).toEqual([path, 200, 'no-store'])
      expect(policy).toContain(`'nonce-${nonce}'`)
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('unsafe')
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(3)
  })

  it('the reference of the API is a page of the console; whatever else is unknown under /api stays a 404 problem', async () => {
    for (const path of ['/api/docs', '/api/docs/', '/api/docs?q=site']) {
      const page = await get(path)
      expect([path, page.statusCode, page.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(String(page.headers['content-security-policy'])).toContain("default-src 'none'")
    }
    for (const path of [
      '/api',
      '/api/',
      '/api/Docs/x',
      '/api/docs/x',
      '/api/docs.json',
      '/api/documentation',
      '/api/docs%2f',
    ]) {
      const answer = await get(path)
      expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([
        path,
        404,
        'application/problem+json; charset=utf-8',
      ])
    }
    expect((await app.inject({ method: 'POST', url: '/api/docs' })).statusCode).toBe(404)
  })

  it('any other address that a person opens is a page, also one that looks like a file; a program that asks for it gets 404', async () => {
    const open = (url: string) => app.inject({ method: 'GET', url, headers: { accept: 'text/html,*/*;q=0.8' } })
    expect((await open('/nulle.part')).headers['content-type']).toContain('text/html')
    expect((await get('/nulle.part')).statusCode).toBe(404)
    for (const path of ['/api/none.html', '/assets/none.html', '/Hub/none.html'])
      expect((await open(path)).statusCode).toBe(404)
  })

  it('assets are kept for ever; what is missing, or outside of them, answers 404 as a problem (S40)', async () => {
    expect((await get('/assets/index-abcdefgh.js')).headers['cache-control']).toContain('immutable')
    expect((await get('/assets/avatar/narval.svg')).statusCode).toBe(200)
    for (const path of [
      '/assets/none.js',
      '/assets/link-abcdefgh.js',
      '/assets/avatar',
      '/assets/avatar/../../index.html',
      '/assets/avatar/%2e%2e%2f%2e%2e%2findex.html',
      '/assets//etc/passwd',
      '/assets/../index.html',
      '/assets/%2e%2e/index.html',
      '/assets/..%5cindex.html',
      '/api/None',
      '/x.env',
      '/assets/%00',
    ]) {
      const answer = await get(path)
      expect([path, answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([path, true])
    }
  })

  it('the guide answers under /guide/ with pages and a policy of its own, and is asked for anew', async () => {
    for (const [path, text] of [
      ['/guide/', 'Le guide'],
      ['/guide/index.html', 'Le guide'],
      ['/guide/controles/http.html?x=1', 'HTTP'],
    ]) {
      const page = await get(String(path))
      const policy = String(page.headers['content-security-policy'])
      expect([path, page.statusCode, page.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(page.body).toBe(`<h1>${text}</h1>`)
      expect(page.headers['cache-control']).toBe('no-cache')
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("style-src 'self';")
      expect(policy).not.toMatch(/nonce|unsafe|connect-src/)
    }
    const bare = await get('/guide')
    expect([bare.statusCode, bare.headers.location]).toEqual([308, '/guide/'])
    expect((await get('/guide/guide.js')).headers['content-type']).toContain('javascript')
    const again = await app.inject({
      url: '/guide/',
      headers: { 'if-none-match': String((await get('/guide/')).headers.etag) },
    })
    expect(again.statusCode).toBe(304)
  })

  it('what the guide has not got is its own page that says so, never the console nor a file from outside', async () => {
    for (const path of [
      '/guide/rien',
      '/guide/rien.html',
      '/guide/link.html',
      '/guide/controles/',
      '/guide/x/..%2f..',
    ]) {
      const page = await get(path)
      expect([path, page.statusCode]).toEqual([path, expect.toSatisfy((code: number) => code === 404 || code === 403)])
      expect([path, page.body.includes('csp-nonce')]).toEqual([path, false])
    }
    expect((await get('/guide/rien')).body).toContain('Page introuvable')
    expect((await get('/guides')).body).toContain('csp-nonce')
  })
})
