import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { ProbeCheck } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAuthority, type TestCertificate } from '../testing/certificates.ts'
import { checkContext, createTestServers, runCheck } from '../testing/check-kit.ts'
import { itSurvives } from '../testing/hostile.ts'
import { freePort } from '../testing/ports.ts'
import { findProgram } from '../testing/programs.ts'
import { createTestService, isRoot, type TestService } from '../testing/service.ts'

const CANARY = 'canari-7d2e41'
const LOGIN = { credential: { kind: 'mail', username: 'supervision', password: CANARY } } as const
const WRONG = { credential: { ...LOGIN.credential, password: `${CANARY}-faux` } } as const
const NAMES = { 'mail.test': ['127.0.0.1'], 'autre.test': ['127.0.0.1'] }

const run = (parameters: Record<string, unknown>, more: Partial<ProbeCheck> = {}) =>
  runCheck('smtp', parameters, { address: 'mail.test', timeoutMs: 10_000, ...more }, checkContext(NAMES))
/** Everything that leaves the probe of an outcome. */
const told = (outcome: Awaited<ReturnType<typeof run>>): string =>
  JSON.stringify([outcome.values, outcome.failure, outcome.details?.()])

/** What is asked of Exim: it takes mail for one domain, and signs one account in once the connection is encrypted. */
const configuration = (folder: string, ports: Ports, good: TestCertificate, old: TestCertificate): string => `
primary_hostname = mail.test
smtp_banner = mail.test ESMTP
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${ports.plain} : ${ports.tls} : ${ports.expired}
tls_on_connect_ports = ${ports.tls} : ${ports.expired}
tls_advertise_hosts = *
tls_certificate = \${if eq{$received_port}{${ports.expired}}{${old.certFile}}{${good.certFile}}}
tls_privatekey = \${if eq{$received_port}{${ports.expired}}{${old.keyFile}}{${good.keyFile}}}
acl_smtp_rcpt = rcpt
begin acl
rcpt:
  accept domains = exemple.test
  deny message = relay not permitted
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{supervision}}{eq{$auth3}{${CANARY}}}}}
  server_advertise_condition = \${if and{{def:tls_in_cipher}{eq{$received_port}{${ports.plain}}}}}
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = \${if and{{eq{$auth1}{supervision}}{eq{$auth2}{${CANARY}}}}}
  server_advertise_condition = \${if def:tls_in_cipher}
`
type Ports = Readonly<Record<'plain' | 'tls' | 'expired', number>>

const exim = findProgram('exim4')

describe.skipIf(exim === null || !isRoot)('smtp, against Exim (needs exim4-daemon-light and root)', () => {
  let service: TestService
  const authority = createAuthority()
  const trusted = getCACertificates()
  const trust = (): void => setDefaultCACertificates([...trusted, readFileSync(authority.caFile, 'utf8')])
  const ports = { plain: 0, tls: 0, expired: 0 }
  beforeAll(async () => {
    service = createTestService('exim')
    const { folder } = service
    for (const key of ['plain', 'tls', 'expired'] as const) ports[key] = await freePort()
    // Exim answers as a user of its own, who must read its keys and write its logs.
    const open = (path: string): void => chmodSync(path, 0o777)
    for (const path of ['', 'spool', 'log']) {
      mkdirSync(join(folder, path), { recursive: true })
      open(join(folder, path))
    }
    const [good, old] = [authority.issue('DNS:mail.test', 90), authority.issue('DNS:mail.test', -1)]
    for (const file of [dirname(authority.caFile), good.keyFile, old.keyFile]) chmodSync(file, 0o755)
    writeFileSync(join(folder, 'conf'), configuration(folder, ports, good, old))
    await service.start(exim ?? '', ['-bdf', '-C', join(folder, 'conf')], Object.values(ports))
    trust()
  })
  afterAll(async () => {
    setDefaultCACertificates(trusted)
    await service.stop()
    authority.remove()
  })

  it('measures each stage in clear: connection, greeting, EHLO', async () => {
    const outcome = await run({ port: ports.plain, greeting: 'mail.test' })
    expect(outcome.failure).toBeNull()
    expect(Object.keys(outcome.values)).toEqual(['connect_time', 'greeting_time', 'hello_time'])
    expect(outcome.details?.()[0]?.text).toMatch(/← 220 mail\.test.*\n→ EHLO \[127\.0\.0\.1\]\n← 250-/)
  })

  it.each([
    ['STARTTLS and PLAIN', 'starttls', 'plain'],
    ['TLS and LOGIN', 'tls', 'tls'],
  ] as const)(
    'signs in by %s, tells how long the certificate lasts, and tells the password nowhere',
    async (_, security, port) => {
      const parameters = { port: ports[port], security, authentication: 'host' }
      const outcome = await run(parameters, LOGIN)
      expect(outcome.failure).toBeNull()
      expect(outcome.values.login_time).toBeGreaterThan(0)
      expect((outcome.values.expires_in ?? 0) / 86_400).toBeCloseTo(90, 0)
      const refused = await run(parameters, WRONG)
      expect(refused.failure).toMatchObject({
        code: 'credentials',
        message: expect.stringMatching(/^Identifiants refusés\u202f: 535 /),
      })
      expect(told(outcome) + told(refused)).not.toMatch(/canari|AGNhbmFy|Y2FuYXJp/)
    },
  )

  it('a recipient is accepted or refused as expected, without a message', async () => {
    const own = { port: ports.plain, recipient: 'root@exemple.test' }
    const accepted = await run(own)
    expect(accepted.failure).toBeNull()
    expect(accepted.values.recipient_time).toBeGreaterThan(0)
    expect((await run({ ...own, recipient: 'a@ailleurs.test', recipientExpected: 'refused' })).failure).toBeNull()
    expect((await run({ ...own, recipient: 'a@ailleurs.test' })).failure).toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(/^destinataire a@ailleurs\.test non accepté\u202f: 550 /),
    })
    expect((await run({ ...own, recipientExpected: 'refused' })).failure?.message).toContain('qu’il devrait refuser')
  })

  it('an expired certificate, an unknown authority, another name: said, and let through when not verified', async () => {
    const old = { port: ports.expired, security: 'tls' }
    expect((await run(old)).failure).toEqual({ code: 'tls', message: 'certificat expiré depuis 1 jour' })
    expect((await run({ ...old, verifyTls: false })).failure).toBeNull()
    const other = await run({ port: ports.tls, security: 'tls' }, { address: 'autre.test' })
    expect(other.failure).toEqual({ code: 'tls', message: 'le certificat n’est pas au nom de autre.test' })
    setDefaultCACertificates(trusted)
    expect((await run({ port: ports.tls, security: 'tls' })).failure?.message).toBe(
      'certificat émis par une autorité inconnue',
    )
    trust()
  })

  it('the wrong kind of encryption is said: TLS on a port in clear, nothing in clear on a port of TLS', async () => {
    expect((await run({ port: ports.plain, security: 'tls' })).failure).toMatchObject({ code: 'tls' })
    const silent = await run({ port: ports.tls }, { timeoutMs: 500 })
    expect(silent.failure).toEqual({ code: 'timeout', message: 'délai dépassé après 500 ms, en attendant l’accueil' })
    expect((await run({ port: ports.expired, security: 'starttls' }, { timeoutMs: 500 })).failure?.code).toBe('timeout')
  })
})

describe('smtp, against servers of the test', () => {
  const servers = createTestServers()
  afterEach(() => servers.close())
  /** Answers each line in turn. */
  const script = (...answers: string[]) => {
    const heard: string[] = []
    const port = servers.tcp(socket => {
      const left = [...answers]
      socket.write(`${left.shift()}\r\n`)
      socket.on('data', chunk => {
        for (const line of String(chunk).split('\r\n').filter(Boolean)) {
          heard.push(line)
          socket.write(`${left.shift() ?? '250 ok'}\r\n`)
        }
      })
    })
    return { port, heard }
  }

  it('credentials never go in clear, nor to a server that offers no TLS', async () => {
    const clear = script('220 a', '250-a\r\n250 AUTH PLAIN LOGIN')
    const first = await run({ port: await clear.port, authentication: 'host' }, LOGIN)
    expect(first.failure).toMatchObject({ code: 'credentials', message: expect.stringContaining('liaison chiffrée') })
    const bare = script('220 a', '250-a\r\n250 AUTH PLAIN')
    const second = await run({ port: await bare.port, security: 'starttls', authentication: 'host' }, LOGIN)
    expect(second.failure).toEqual({ code: 'tls', message: 'le serveur ne propose pas STARTTLS' })
    expect([...clear.heard, ...bare.heard].filter(line => line.startsWith('AUTH'))).toEqual([])
  })

  it('what is slipped in before TLS is refused', async () => {
    const { port } = script('220 a', '250-a\r\n250 STARTTLS', '220 go\r\n250 injected')
    expect((await run({ port: await port, security: 'starttls' })).failure).toMatchObject({
      code: 'protocol',
      message: 'le serveur a parlé avant la négociation TLS\u202f: la liaison n’est pas sûre',
    })
  })

  it('without credentials, and with a name that may not be in a command, nothing is sent', async () => {
    const { port, heard } = script('220 a')
    const none = await run({ port: await port, security: 'tls', authentication: 'host' })
    expect(none.failure).toMatchObject({
      code: 'credentials',
      message: expect.stringContaining('Aucun identifiant de messagerie'),
    })
    const injected = await run({ port: await port, recipient: 'a@b.c>\r\nDATA' })
    expect(injected.failure?.message).toContain('paramètres du contrôle incorrects')
    expect(heard).toEqual([])
  })

  it('a closed server says why it refuses', async () => {
    const busy = script('421 mail.test trop occupé')
    expect((await run({ port: await busy.port })).failure).toEqual({
      code: 'mismatch',
      message: 'accueil refusé\u202f: 421 mail.test trop occupé',
    })
  })

  for (const security of ['none', 'starttls', 'tls'])
    describe(`a check with the encryption ${security}`, () => {
      itSurvives((port, timeoutMs) => run({ port, security }, { timeoutMs }))
    })
})
