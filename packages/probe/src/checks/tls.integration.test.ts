import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { fr } from '../fr.ts'
import { createAuthority } from '../testing/certificates.ts'
import { createTestServers, runCheck } from '../testing/check-kit.ts'
import { freePort } from '../testing/ports.ts'

const DAY_S = 86_400
const authority = createAuthority()
const servers = createTestServers()
const processes: ChildProcess[] = []
afterEach(async () => {
  for (const one of processes.splice(0)) one.kill('SIGKILL')
  await servers.close()
})
afterAll(() => authority.remove())

const good = authority.issue('DNS:service.test,IP:127.0.0.1', 90)
const check = (port: number, parameters: Record<string, unknown> = {}, timeoutMs = 3_000) =>
  runCheck('tls', { port, ...parameters }, { timeoutMs })

/** OpenSSL's own server with these options. */
const openssl = async (certificate: typeof good, ...options: string[]): Promise<number> => {
  const port = await freePort()
  const files = ['-key', certificate.keyFile, '-cert', certificate.certFile, '-cert_chain', authority.caFile]
  processes.push(
    spawn('openssl', ['s_server', '-accept', `127.0.0.1:${port}`, '-quiet', ...files, ...options], { stdio: 'ignore' }),
  )
  await vi.waitFor(async () => expect((await check(port, { verify: false })).values.connect_time).toBeDefined(), 10_000)
  return port
}

describe('tls, against OpenSSL', () => {
  it('measures how long the certificate lasts, and says who issued them', async () => {
    const outcome = await check(await openssl(good), { verify: false })
    expect(outcome.failure).toBeNull()
    expect(outcome.values).toMatchObject({ trusted: 0, version: 13 })
    const { expires_in = 0, handshake_time = 0 } = outcome.values
    expect(expires_in / DAY_S).toBeCloseTo(90, 0)
    expect(handshake_time).toBeGreaterThan(0)
    expect(outcome.details?.()[0]?.text).toMatch(/service 1\n {2}émis par Autorite de test/)
  })

  it('an authority that nobody knows is said, and fails only where the chain is asked for', async () => {
    const port = await openssl(good)
    const outcome = await check(port, { serverName: 'service.test' })
    expect(outcome.failure).toEqual({ code: 'tls', message: 'certificat auto-signé' })
    expect(outcome.values.expires_in).toBeGreaterThan(0)
  })

  it('an expired certificate fails in days, whatever is verified', async () => {
    const expired = authority.issue('DNS:service.test', -1)
    const outcome = await check(await openssl(expired), { verify: false })
    expect(outcome.failure?.message).toBe('certificat expiré depuis 1 jour')
    expect(outcome.values.expires_in).toBeLessThanOrEqual(-DAY_S)
  })

  it('an old version is named and refused', async () => {
    const port = await openssl(good, '-tls1_1', '-cipher', 'DEFAULT:@SECLEVEL=0')
    const outcome = await check(port, { verify: false })
    expect(outcome).toMatchObject({
      values: { version: 11 },
      failure: { code: 'mismatch', message: 'TLS 1.1 négocié, au moins TLS 1.2 attendu' },
    })
    expect((await check(port, { verify: false, minVersion: 'TLSv1' })).failure).toBeNull()
  })
})

/** Speaks as each service does until TLS, then shows the certificate. */
const secured = (socket: Socket): void =>
  void new TLSSocket(socket, { isServer: true, key: good.key, cert: good.cert }).on('error', () => undefined)
const lines = (socket: Socket, greeting: string, answer: (line: string) => string | null): void => {
  if (greeting !== '') socket.write(greeting)
  socket.on('data', function talk(chunk: Buffer) {
    const reply = answer(chunk.toString('latin1').trim())
    if (reply === null) return
    socket.write(reply)
    if (!/STARTTLS|STLS|AUTH/.test(chunk.toString('latin1'))) return
    socket.off('data', talk)
    secured(socket)
  })
}
const onFirst = (socket: Socket, answer: Buffer): void =>
  void socket.once('data', () => {
    socket.write(answer)
    secured(socket)
  })
const LDAP_OK = Buffer.from([0x30, 0x0c, 2, 1, 1, 0x78, 7, 0x0a, 1, 0, 4, 0, 4, 0])

describe('tls after some words in clear', () => {
  it.each([
    [
      'smtp',
      (socket: Socket) =>
        lines(socket, '220-mail\r\n220 prêt\r\n', line =>
          line.startsWith('EHLO') ? '250-mail\r\n250-SIZE 1\r\n250 STARTTLS\r\n' : '220 allez\r\n',
        ),
    ],
    ['imap', (socket: Socket) => lines(socket, '* OK prêt\r\n', () => '* CAPABILITY IMAP4rev1\r\na1 OK\r\n')],
    ['pop3', (socket: Socket) => lines(socket, '+OK prêt\r\n', () => '+OK\r\n')],
    ['ftp', (socket: Socket) => lines(socket, '220 prêt\r\n', () => '234 allez\r\n')],
    ['ldap', (socket: Socket) => onFirst(socket, LDAP_OK)],
    ['postgresql', (socket: Socket) => onFirst(socket, Buffer.from('S'))],
  ])('%s', async (startTls, serve) => {
    const outcome = await check(await servers.tcp(serve), { startTls, verify: false })
    expect(outcome.failure).toBeNull()
    expect((outcome.values.expires_in ?? 0) / DAY_S).toBeCloseTo(90, 0)
  })

  it.each([
    ['smtp', (socket: Socket) => lines(socket, '220 prêt\r\n', () => '250 mail\r\n')],
    ['imap', (socket: Socket) => lines(socket, '* OK prêt\r\n', () => 'a1 BAD inconnu\r\n')],
    ['postgresql', (socket: Socket) => void socket.once('data', () => socket.write('N'))],
    [
      'ldap',
      (socket: Socket) =>
        void socket.once('data', () =>
          socket.write(Buffer.from([0x30, 0x0c, 2, 1, 1, 0x78, 7, 0x0a, 1, 2, 4, 0, 4, 0])),
        ),
    ],
  ])('%s that does not offer it is said', async (startTls, serve) => {
    expect((await check(await servers.tcp(serve), { startTls })).failure).toEqual({
      code: 'tls',
      message: 'le service ne propose pas de passer à TLS',
    })
  })

  it('words slipped in before TLS are refused', async () => {
    const port = await servers.tcp(socket => lines(socket, '+OK\r\n', () => '+OK\r\n+OK encore\r\n'))
    expect((await check(port, { startTls: 'pop3' })).failure?.message).toBe(
      'le service parle en clair là où il devrait passer à TLS',
    )
  })

  it('another protocol is quoted without its control characters', async () => {
    const port = await servers.tcp(socket => void socket.write('HTTP/1.1 400\u001b[31m Bad\r\n\r\n'))
    expect((await check(port, { startTls: 'smtp' })).failure).toEqual({
      code: 'protocol',
      message: 'réponse inattendue avant TLS : « HTTP/1.1 400 [31m Bad »',
    })
  })
})

describe('tls, against hostile services', () => {
  it.each([
    ['says nothing', () => undefined],
    ['says one byte a second', (socket: Socket) => void setInterval(() => socket.write('2'), 1_000).unref()],
    [
      'begins TLS and never ends it',
      (socket: Socket) => void socket.once('data', () => socket.write(Buffer.from([22, 3, 3, 0x3f, 0xff, 2]))),
    ],
  ])('one that %s is given up at the time limit', async (_, serve) => {
    for (const startTls of ['none', 'smtp']) {
      const startedMs = performance.now()
      const outcome = await check(await servers.tcp(serve), { startTls }, 400)
      expect(outcome.failure?.code).toBe('timeout')
      expect(outcome.failure?.message).toContain('la négociation TLS ne s’est pas terminée')
      expect(performance.now() - startedMs).toBeLessThan(1_500)
    }
  })

  it('endless words in clear are cut', async () => {
    const port = await servers.tcp(socket => {
      const pour = (): void => void (socket.destroyed || socket.write('220-encore\r\n'.repeat(1_000), pour))
      pour()
    })
    expect((await check(port, { startTls: 'smtp' })).failure?.code).toBe('tls')
  })

  it('garbage instead of TLS, and a connection cut in the middle, are said', async () => {
    const garbage = await servers.tcp(socket => void socket.write('SSH-2.0-OpenSSH\r\n'))
    expect((await check(garbage)).failure).toEqual({
      code: 'tls',
      message: fr.tls.handshake,
    })
    const cut = await servers.tcp(socket => void socket.once('data', () => socket.destroy()))
    expect((await check(cut)).failure?.code).toBe('protocol')
  })

  it('a name of another is refused when the chain is good', async () => {
    // The library is told of our authority by its own means, as an administrator would on the probe's machine.
    const port = await servers.listen(createTlsServer({ key: good.key, cert: good.cert }))
    const outcome = await check(port, { serverName: 'autre.test' })
    expect(outcome.failure?.code).toBe('tls')
    expect(outcome.values.trusted).toBe(0)
  })
})
