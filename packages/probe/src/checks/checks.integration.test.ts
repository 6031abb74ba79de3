import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECKS, type CheckKind, metricDefinition, type ProbeCheck } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CheckOutcome } from '../failure.ts'
import { findFping, runFping } from '../icmp/fping.ts'
import { openPinger, type Pinger } from '../icmp/pinger.ts'
import { createResolver, type Lookup } from '../resolver.ts'
import { createVetting } from '../vetting.ts'
import { type CheckContext, createStopper } from './check.ts'
import { createRegistry } from './registry.ts'

let pinger: Pinger | null
const servers: (Server | HttpServer)[] = []
const sockets = new Set<Socket>()
const stopper = createStopper()
const registry = createRegistry()

beforeAll(async () => {
  pinger = await openPinger()
})
afterAll(() => pinger?.close())
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) await new Promise(resolve => server.close(resolve))
})

const context = (names: Record<string, string[]> = {}, with_: Partial<CheckContext> = {}): CheckContext => {
  const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
  const lookup: Lookup = async name => {
    const addresses = names[name]
    if (addresses === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
    return addresses
  }
  const resolver = createResolver(vetting, () => performance.now(), lookup)
  return { onStop: stopper.onStop, vetting, resolver, pinger, fping: null, nowMs: () => performance.now(), ...with_ }
}
const run = (kind: CheckKind, parameters: Record<string, unknown>, more: Partial<ProbeCheck> = {}, given = context()) =>
  registry[kind].run(
    {
      scanner: 1,
      kind,
      address: '127.0.0.1',
      intervalMs: 60_000,
      retryIntervalMs: 20_000,
      attempts: 3,
      timeoutMs: 2_000,
      parameters,
      loopback: true,
      ...more,
    },
    given,
  )
const listen = async (server: Server | HttpServer, host = '127.0.0.1'): Promise<number> => {
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const address = server.address()
  return portOf(address)
}
const portOf = (address: AddressInfo | string | null): number => {
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return address.port
}
const web = (handler: RequestListener): Promise<number> => listen(createHttpServer(handler))

/** What every result must satisfy, whatever the check. */
const expectKnownMetrics = (kind: CheckKind, outcome: CheckOutcome): void => {
  for (const [key, value] of Object.entries(outcome.values)) {
    expect(metricDefinition(kind, key), key).not.toBeNull()
    expect(Number.isFinite(value)).toBe(true)
  }
}

describe('tcp', () => {
  it('measures the time to connect', async () => {
    const port = await listen(createServer())
    const outcome = await run('tcp', { port })
    expect(outcome.failure).toBeNull()
    expect(outcome.values.connect_time).toBeGreaterThan(0)
    expectKnownMetrics('tcp', outcome)
  })

  it('a closed port is refused, in words', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise(resolve => server.close(resolve))
    const outcome = await run('tcp', { port })
    expect(outcome.failure).toEqual({ code: 'refused', message: `connexion refusée par 127.0.0.1, port ${port}` })
  })

  it('a banner is awaited and compared', async () => {
    const port = await listen(
      createServer(socket => {
        socket.write('220 mail')
        setImmediate(() => socket.write('.example ESMTP\r\n'))
      }),
    )
    expect((await run('tcp', { port, banner: 'mail.example' })).failure).toBeNull()
    const silent = await listen(createServer())
    const outcome = await run('tcp', { port: silent, banner: 'SSH' }, { timeoutMs: 200 })
    expect(outcome.failure?.code).toBe('mismatch')
    expect(outcome.values.connect_time).toBeGreaterThan(0)
    const other = await listen(createServer(socket => socket.end('HTTP')))
    expect((await run('tcp', { port: other, banner: 'SSH' })).failure?.code).toBe('mismatch')
  })

  it('S48: a name that resolves to a denied address is not connected', async () => {
    let connections = 0
    const port = await listen(
      createServer(() => {
        connections += 1
      }),
    )
    const given = context({ 'a.test': ['127.0.0.1'] })
    const outcome = await run('tcp', { port }, { address: 'a.test', loopback: false }, given)
    expect(outcome.failure?.code).toBe('denied')
    expect(connections).toBe(0)
  })

  it('an unknown name, and wrong parameters, are said in French', async () => {
    expect((await run('tcp', { port: 1 }, { address: 'nulle-part.test' })).failure).toEqual({
      code: 'dns',
      message: 'nom introuvable\u202f: nulle-part.test',
    })
    expect((await run('tcp', { port: 'x' })).failure?.message).toContain('paramètres du contrôle incorrects')
  })
})

describe('http', () => {
  it('gives status, size and the time of each stage', async () => {
    const port = await web((_, response) => response.end('bonjour'))
    const given = context({ 'site.test': ['127.0.0.1'] })
    const outcome = await run('http', { url: `http://site.test:${port}/`, contains: 'jour' }, {}, given)
    expect(outcome.failure).toBeNull()
    expect(outcome.values).toMatchObject({ status_code: 200, size: 7 })
    for (const key of ['total_time', 'dns_time', 'connect_time', 'first_byte_time']) {
      expect(outcome.values[key]).toBeGreaterThanOrEqual(0)
    }
    expectKnownMetrics('http', outcome)
  })

  it('a status or a text that is not the expected one fails, with its values', async () => {
    const port = await web((_, response) => response.writeHead(503).end('panne'))
    const wrong = await run('http', { url: `http://{address}:${port}/` })
    expect(wrong.failure).toEqual({ code: 'mismatch', message: 'code de réponse 503, attendu 200-399' })
    expect(wrong.values.status_code).toBe(503)
    const missing = await run('http', { url: `http://{address}:${port}/`, status: '500-599', contains: 'tout va bien' })
    expect(missing.failure?.message).toContain('tout va bien')
  })

  it('S50: an endless body is cut at 1 MiB, a slow one at the time limit, a compressed one is not inflated', async () => {
    const endless = await web((_, response) => {
      const chunk = Buffer.alloc(65_536, 97)
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', write)
      write()
    })
    const cut = await run('http', { url: `http://{address}:${endless}/` })
    expect(cut.failure).toBeNull()
    expect(cut.values.size).toBeLessThan(2 * 1024 * 1024)
    const slow = await web((_, response) => {
      const drip = setInterval(() => response.write('a'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const startedMs = performance.now()
    const late = await run('http', { url: `http://{address}:${slow}/` }, { timeoutMs: 300 })
    expect(late.failure).toEqual({ code: 'timeout', message: 'délai dépassé après 300 ms' })
    expect(performance.now() - startedMs).toBeLessThan(1_000)
    const asked: (string | undefined)[] = []
    const port = await web((request, response) => {
      asked.push(request.headers['accept-encoding']?.toString())
      response.end()
    })
    await run('http', { url: `http://{address}:${port}/` })
    expect(asked).toEqual(['identity'])
  })

  it('redirects are followed up to a bound, without credentials', async () => {
    const heard: string[] = []
    const port = await web((request, response) => {
      heard.push(`${request.url} ${request.headers.authorization ?? ''}`)
      if (request.url === '/a') response.writeHead(302, { location: `http://u:p@127.0.0.1:${port}/b` }).end()
      else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end()
      else response.end('ici')
    })
    expect((await run('http', { url: `http://{address}:${port}/a`, contains: 'ici' })).failure).toBeNull()
    expect(heard).toEqual(['/a ', '/b '])
    expect((await run('http', { url: `http://{address}:${port}/loop` })).failure?.code).toBe('protocol')
    const kept = await run('http', { url: `http://{address}:${port}/a`, followRedirects: false, status: '302' })
    expect(kept.failure).toBeNull()
  })

  it('S48, S49: a redirect to a denied address or scheme is not followed', async () => {
    const heard: string[] = []
    const target = await web((request, response) => {
      heard.push(request.url ?? '')
      response.end()
    })
    const cases = [
      `http://169.254.169.254/x`,
      `http://[fe80::1]/`,
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'javascript:1',
      'ftp://127.0.0.1/',
    ]
    for (const location of cases) {
      const port = await web((_, response) => response.writeHead(302, { location }).end())
      expect((await run('http', { url: `http://{address}:${port}/` })).failure?.code, location).toBe('denied')
    }
    const names = { 'ok.test': ['127.0.0.1'], 'bad.test': ['169.254.169.254', '0.0.0.0'] }
    const port = await web((_, response) => response.writeHead(302, { location: `http://bad.test:${target}/` }).end())
    const outcome = await run('http', { url: `http://ok.test:${port}/` }, {}, context(names))
    expect(outcome.failure?.code).toBe('denied')
    expect(heard).toEqual([])
  })

  it.each(['0x7f000001', '2130706433', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '[::1]', '0.0.0.0'])(
    'S47: %s is loopback in disguise, denied without the right to it',
    async name => {
      const heard: string[] = []
      const port = await web((request, response) => {
        heard.push(request.url ?? '')
        response.end()
      })
      const outcome = await run('http', { url: `http://${name}:${port}/` }, { loopback: false })
      expect(outcome.failure?.code).toBe('denied')
      expect(heard).toEqual([])
    },
  )

  it('S48: a name server that changes its mind does not change where we connect', async () => {
    let asked = 0
    const vetting = createVetting({ loopbackAllowed: true, serverEndpoint: () => null })
    const resolver = createResolver(
      vetting,
      () => 0,
      async () => (asked++ === 0 ? ['127.0.0.1'] : ['169.254.169.254']),
    )
    const port = await web((_, response) => response.end('ici'))
    const given = context({}, { resolver })
    expect((await run('http', { url: `http://a.test:${port}/` }, {}, given)).failure).toBeNull()
    expect((await run('http', { url: `http://a.test:${port}/` }, {}, given)).failure?.code).toBe('denied')
  })

  it('what is no HTTP, and a connection that is cut, are failures in words', async () => {
    const garbage = await listen(createServer(socket => socket.end('SSH-2.0-x\r\n\r\n')))
    expect((await run('http', { url: `http://{address}:${garbage}/` })).failure?.code).toBe('protocol')
    const cut = await listen(createServer(socket => socket.destroy()))
    expect((await run('http', { url: `http://{address}:${cut}/` })).failure?.code).toBe('protocol')
  })
})

describe('https', () => {
  let folder: string
  const certificate = (...options: string[]): { key: Buffer; cert: Buffer } => {
    const [key, cert] = [join(folder, 'k.pem'), join(folder, 'c.pem')]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        '-subj',
        '/CN=site.test',
        ...options,
      ],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(key), cert: readFileSync(cert) }
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'narval-tls-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('a certificate that does not verify fails in words, and passes when it need not verify', async () => {
    const port = await listen(createHttpsServer(certificate('-days', '2'), (_, response) => response.end('ici')))
    const refused = await run('http', { url: `https://127.0.0.1:${port}/` })
    expect(refused.failure).toEqual({ code: 'tls', message: 'certificat auto-signé' })
    const accepted = await run('http', { url: `https://127.0.0.1:${port}/`, verifyTls: false, contains: 'ici' })
    expect(accepted.failure).toBeNull()
    expect(accepted.values.tls_time).toBeGreaterThan(0)
  })

  it('a service that speaks no TLS is said so', async () => {
    const port = await web((_, response) => response.end())
    expect((await run('http', { url: `https://127.0.0.1:${port}/` })).failure?.code).toBe('tls')
  })
})

describe('ping', () => {
  it('asks the address of the version of IP that was chosen, and says when a name has none', async () => {
    const names = { double: ['127.0.0.1', '::1'], seul: ['127.0.0.1'] }
    const of = (family: string, address: string) => run('ping', { count: 1, family }, { address }, context(names))
    for (const family of ['auto', 'ipv4', 'ipv6']) expect((await of(family, 'double')).failure).toBeNull()
    expect((await of('ipv6', 'seul')).failure).toEqual({ code: 'dns', message: 'seul n’a pas d’adresse IPv6' })
  })

  it.each(['127.0.0.1', '::1'])('%s answers every echo', async address => {
    if (pinger?.means[address === '::1' ? 6 : 4] == null) return
    const outcome = await run('ping', { count: 3 }, { address, timeoutMs: 1_000 })
    expect(outcome.failure).toBeNull()
    expect(outcome.values.loss_ratio).toBe(0)
    expect(outcome.values.rtt_avg).toBeGreaterThan(0)
    expect(outcome.values.rtt_avg).toBeLessThan(100)
    expectKnownMetrics('ping', outcome)
  })

  it('many runs at once do not take the echoes of others', async () => {
    if (pinger?.means[4] == null) return
    const runs = Array.from({ length: 500 }, (_, n) =>
      run(
        'ping',
        { count: 2, size: 16 + (n % 1_000) },
        { address: `127.0.${n >> 8}.${n & 255 || 1}`, timeoutMs: 3_000 },
      ),
    )
    for (const outcome of await Promise.all(runs)) expect(outcome.values.loss_ratio).toBe(0)
  })

  it('an address that nobody has fails with its cause, within the time limit', async () => {
    if (pinger?.means[4] == null) return
    const startedMs = performance.now()
    const outcome = await run('ping', { count: 2 }, { address: '198.51.100.1', timeoutMs: 500, loopback: false })
    expect(['timeout', 'unreachable', 'denied']).toContain(outcome.failure?.code)
    expect(outcome.failure?.message).not.toMatch(/E[A-Z]{4,}/)
    expect(performance.now() - startedMs).toBeLessThan(1_500)
  })

  it('where ICMP sockets are denied, fping measures; without it the cause says what to do', async () => {
    const none = context({}, { pinger: null })
    expect((await run('ping', {}, {}, none)).failure?.message).toContain('CAP_NET_RAW')
    const fping = findFping()
    if (fping === null) return
    const plan = { address: '127.0.0.1', count: 2, size: 56, spacingMs: 20, timeoutMs: 1_000 }
    if ((await runFping(fping, plan, stopper.onStop)) === null) return
    const outcome = await run('ping', { count: 2 }, {}, context({}, { pinger: null, fping }))
    expect(outcome.failure).toBeNull()
    expect(outcome.values.loss_ratio).toBe(0)
  })
})

describe('system', () => {
  it('measures this machine: processor, memory, disks', async () => {
    const outcome = await run('system', {})
    expect(outcome.failure).toBeNull()
    expectKnownMetrics('system', outcome)
    for (const key of ['cpu_used_ratio', 'memory_used_ratio', 'load_1m', 'uptime'])
      expect(outcome.values[key]).toBeDefined()
    for (const [key, value] of Object.entries(outcome.values)) {
      if (key.includes('ratio')) expect(value).toBeLessThanOrEqual(1)
      expect(value).toBeGreaterThanOrEqual(0)
    }
    expect(Object.keys(outcome.values).some(key => key.startsWith('disk_used_ratio['))).toBe(true)
    expect(CHECKS.system.metrics.length).toBeGreaterThan(0)
  })
})
