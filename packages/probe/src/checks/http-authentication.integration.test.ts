import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckCredential, ProbeCheck } from '@narval/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { createResolver } from '../resolver.ts'
import { createVetting } from '../vetting.ts'
import { createStopper } from './check.ts'
import { createRegistry } from './registry.ts'

const servers: (Server | HttpServer)[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise(resolve => server.close(resolve))
})
const listen = async (server: Server | HttpServer): Promise<number> => {
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return address.port
}
const web = (handler: RequestListener): Promise<number> => listen(createHttpServer(handler))

const USER = { kind: 'http', username: 'supervision', password: 'motdepasse é:' } as const
const BASIC = `Basic ${Buffer.from('supervision:motdepasse é:').toString('base64')}`
/** Names that lead somewhere else than the equipment, or to it by another name. */
const NAMES: Readonly<Record<string, string>> = {
  'intranet.test': '127.0.0.1',
  'ailleurs.test': '127.0.0.2',
  'srv.test': '127.0.0.1',
}

const run = (parameters: Record<string, unknown>, credential?: CheckCredential, more: Partial<ProbeCheck> = {}) => {
  const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
  const lookup = async (name: string) => [NAMES[name] ?? '127.0.0.3']
  return createRegistry().http.run(
    {
      scanner: 1,
      kind: 'http',
      address: '127.0.0.1',
      intervalMs: 60_000,
      retryIntervalMs: 20_000,
      attempts: 3,
      timeoutMs: 2_000,
      parameters: { authentication: 'host', ...parameters },
      ...(credential === undefined ? {} : { credential }),
      loopback: true,
      ...more,
    },
    {
      onStop: createStopper().onStop,
      vetting,
      resolver: createResolver(vetting, () => performance.now(), lookup),
      pinger: null,
      fping: null,
      nowMs: () => performance.now(),
    },
  )
}

describe('Basic authentication with the credentials of the equipment', () => {
  it('is sent to it, accents and colons included; without being asked for, nothing is', async () => {
    const heard: (string | undefined)[] = []
    const port = await web((request, response) => {
      heard.push(request.headers.authorization)
      response.writeHead(request.headers.authorization === BASIC ? 200 : 401).end()
    })
    const url = `http://{address}:${port}/`
    expect((await run({ url }, USER)).failure).toBeNull()
    expect((await run({ url: `http://intranet.test:${port}/` }, USER)).failure).toBeNull()
    expect((await run({ url }, USER, { address: 'srv.test' })).failure).toBeNull()
    const without = await run({ url, authentication: 'none' }, USER)
    expect(without.failure).toEqual({ code: 'mismatch', message: 'code de réponse 401, attendu 200-399' })
    expect(heard).toEqual([BASIC, BASIC, BASIC, undefined])
  })

  it.each([401, 403])('%i says that they are refused, unless it is what is expected', async status => {
    const port = await web((_, response) => response.writeHead(status).end())
    const url = `http://{address}:${port}/`
    const { failure, values } = await run({ url }, USER)
    expect(failure).toEqual({ code: 'credentials', message: `Identifiants refusés (code de réponse ${status})` })
    expect(values.status_code).toBe(status)
    expect((await run({ url, status: String(status) }, USER)).failure).toBeNull()
  })

  it('S59: missing or unreadable, the check is not started: no request, no empty password, and why is said', async () => {
    const heard: string[] = []
    const port = await web((request, response) => {
      heard.push(request.url ?? '')
      response.end()
    })
    const url = `http://{address}:${port}/`
    const missing = 'Aucun identifiant HTTP : l’équipement n’en a pas et n’en hérite pas.'
    expect((await run({ url })).failure?.message).toBe(missing)
    expect((await run({ url }, { kind: 'none', reason: 'missing' })).failure?.message).toBe(missing)
    expect((await run({ url }, { kind: 'none', reason: 'unreadable' })).failure).toEqual({
      code: 'credentials',
      message: 'Identifiants illisibles : la clé des secrets manque ou n’est pas la bonne.',
    })
    expect(heard).toEqual([])
  })

  it('S50: past a redirect they go to the same origin only; another one that wants some is said', async () => {
    const heard: string[] = []
    const other = await web((request, response) => {
      heard.push(`other ${request.headers.authorization ?? ''}`)
      response.writeHead(401).end()
    })
    const port = await web((request, response) => {
      heard.push(`${request.url} ${request.headers.authorization ?? ''}`)
      if (request.url === '/same') response.writeHead(302, { location: '/end' }).end()
      else if (request.url === '/other') response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end()
      else response.end()
    })
    expect((await run({ url: `http://{address}:${port}/same` }, USER)).failure).toBeNull()
    const withheld = await run({ url: `http://{address}:${port}/other` }, USER)
    expect(withheld.failure?.message).toContain('après une redirection')
    expect(heard).toEqual([`/same ${BASIC}`, `/end ${BASIC}`, `/other ${BASIC}`, 'other '])
  })

  it('S50: they are for the equipment alone: an address that leads elsewhere is not even asked', async () => {
    const heard: string[] = []
    const port = await web((request, response) => {
      heard.push(request.headers.authorization ?? '')
      response.end()
    })
    for (const name of ['ailleurs.test', '127.0.0.2'])
      expect((await run({ url: `http://${name}:${port}/` }, USER)).failure).toMatchObject({
        code: 'denied',
        message: expect.stringContaining(name),
      })
    const elsewhere = await run({ url: `http://{address}:${port}/` }, USER, { address: '::1' })
    expect(elsewhere.failure).not.toBeNull()
    expect(heard).toEqual([])
  })

  it('a server whose certificate does not verify hears none of them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'narval-tls-'))
    const [key, cert] = [join(folder, 'k.pem'), join(folder, 'c.pem')]
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert, '-subj', '/CN=site.test'], { stdio: 'ignore' })
    const heard: (string | undefined)[] = []
    const port = await listen(
      createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (asked, response) => {
        heard.push(asked.headers.authorization)
        response.end()
      }),
    )
    rmSync(folder, { recursive: true })
    for (let round = 0; round < 20; round += 1)
      expect((await run({ url: `https://127.0.0.1:${port}/` }, USER)).failure?.code).toBe('tls')
    expect(heard).toEqual([])
    expect((await run({ url: `https://127.0.0.1:${port}/`, verifyTls: false }, USER)).failure).toBeNull()
    expect(heard).toEqual([BASIC])
  })
})
