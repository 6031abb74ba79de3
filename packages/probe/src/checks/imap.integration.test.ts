import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { ProbeCheck } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { encodeMailbox } from '../services/mailbox-name.ts'
import { createAuthority } from '../testing/certificates.ts'
import { checkContext, createTestServers, runCheck } from '../testing/check-kit.ts'
import { itSurvives } from '../testing/hostile.ts'
import { freePort } from '../testing/ports.ts'
import { findProgram } from '../testing/programs.ts'
import { createTestService, isRoot, type TestService } from '../testing/service.ts'

/** With what a quoted string of IMAP could not hold as it is. */
const CANARY = 'canari-"é\\5b20'
const LOGIN = { credential: { kind: 'mail', username: 'supervision', password: CANARY } } as const
const WRONG = { credential: { ...LOGIN.credential, password: `${CANARY}-faux` } } as const
const run = (parameters: Record<string, unknown>, more: Partial<ProbeCheck> = {}) =>
  runCheck(
    'imap',
    parameters,
    { address: 'mail.test', timeoutMs: 15_000, ...more },
    checkContext({ 'mail.test': ['127.0.0.1'] }),
  )

/** Mail is not read as root. */
const NOBODY = 65_534
const dovecot = findProgram('dovecot')
describe.skipIf(dovecot === null || !isRoot)('imap, against Dovecot (needs dovecot-imapd and root)', () => {
  let service: TestService
  const authority = createAuthority()
  const trusted = getCACertificates()
  const ports = { plain: 0, tls: 0 }
  beforeAll(async () => {
    service = createTestService('dovecot')
    const { folder } = service
    chmodSync(folder, 0o755)
    ports.plain = await freePort()
    ports.tls = await freePort()
    const { certFile, keyFile } = authority.issue('DNS:mail.test', 90)
    const inbox = join(folder, 'mail', 'cur')
    for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(folder, 'mail', name), { recursive: true })
    writeFileSync(join(inbox, '1.a.mail:2,S'), 'Subject: lu\n\nlu\n')
    for (const n of [2, 3]) writeFileSync(join(inbox, `${n}.a.mail:2,`), 'Subject: non lu\n\nnon lu\n')
    for (const path of ['mail', 'mail/cur', 'mail/new', 'mail/tmp']) chownSync(join(folder, path), NOBODY, NOBODY)
    writeFileSync(join(folder, 'users'), `supervision:{PLAIN}${CANARY}\n`)
    const listener = (name: string, port: number, ssl: string) =>
      `inet_listener ${name} {\n address = 127.0.0.1\n port = ${port}\n ssl = ${ssl}\n }`
    const conf = `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
first_valid_uid = 1
mail_location = maildir:${folder}/mail
ssl = yes
ssl_cert = <${certFile}
ssl_key = <${keyFile}
auth_mechanisms = plain
passdb {
 driver = passwd-file
 args = scheme=PLAIN username_format=%u ${folder}/users
}
userdb {
 driver = static
 args = uid=${NOBODY} gid=${NOBODY} home=${folder}
}
service imap-login {
 ${listener('imap', ports.plain, 'no')}
 ${listener('imaps', ports.tls, 'yes')}
}
`
    writeFileSync(join(folder, 'conf'), conf)
    await service.start(dovecot ?? '', ['-F', '-c', join(folder, 'conf')], Object.values(ports))
    setDefaultCACertificates([...trusted, readFileSync(authority.caFile, 'utf8')])
  })
  afterAll(async () => {
    setDefaultCACertificates(trusted)
    await service.stop()
    authority.remove()
  })

  it('measures each stage: connection, TLS, greeting, capabilities', async () => {
    const outcome = await run({ port: ports.tls })
    expect(outcome.failure).toBeNull()
    const stages = ['connect_time', 'tls_time', 'expires_in', 'greeting_time', 'capability_time']
    expect(Object.keys(outcome.values)).toEqual(stages)
  })

  it.each([
    ['STARTTLS', 'starttls', 'plain'],
    ['TLS', 'tls', 'tls'],
  ] as const)('signs in by %s and counts the messages, read and unread', async (_, security, port) => {
    const parameters = { port: ports[port], security, authentication: 'host', mailbox: 'INBOX' }
    const outcome = await run(parameters, LOGIN)
    expect(outcome.failure).toBeNull()
    expect(outcome.values).toMatchObject({ messages: 3, unseen: 2 })
    expect(outcome.values.login_time).toBeGreaterThan(0)
    expect(JSON.stringify([outcome, outcome.details?.()])).not.toMatch(/canari|Y2FuYXJp|AGNhbmFy/)
  })

  it('a wrong password and an unknown mailbox are said', async () => {
    const parameters = { port: ports.tls, authentication: 'host', mailbox: 'Dossier é' }
    const wrong = await run(parameters, WRONG)
    expect(wrong.failure).toMatchObject({
      code: 'credentials',
      message: expect.stringMatching(/^Identifiants refusés\u202f: NO /),
    })
    expect(JSON.stringify([wrong, wrong.details?.()])).not.toMatch(/canari|Y2FuYXJp|AGNhbmFy/)
    const unknown = await run(parameters, LOGIN)
    expect(unknown.failure).toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(/^dossier «\u202fDossier é\u202f» introuvable ou refusé\u202f: NO /),
    })
  })

  it('a certificate in another name is said', async () => {
    expect((await run({ port: ports.tls }, { address: '127.0.0.1' })).failure).toEqual({
      code: 'tls',
      message: 'le certificat n’est pas au nom de 127.0.0.1',
    })
  })
})

describe('imap, against servers of the test', () => {
  const servers = createTestServers()
  afterEach(() => servers.close())

  it('credentials never go in clear', async () => {
    const heard: string[] = []
    const port = await servers.tcp(socket => {
      socket.write('* OK prêt\r\n')
      socket.on('data', chunk => {
        heard.push(String(chunk))
        socket.write(`* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n${String(chunk).split(' ')[0]} OK fait\r\n`)
      })
    })
    const outcome = await run({ port, security: 'none', authentication: 'host' }, LOGIN)
    expect(outcome.failure).toMatchObject({
      code: 'credentials',
      message: expect.stringContaining('liaison chiffrée'),
    })
    expect(heard).toEqual(['n1 CAPABILITY\r\n'])
  })

  it('writes the names of mailboxes as IMAP does (RFC 3501, 5.1.3)', () => {
    expect(encodeMailbox('~peter/mail/台北/日本語')).toBe('~peter/mail/&U,BTFw-/&ZeVnLIqe-')
    expect(encodeMailbox('Éléments envoyés & archives')).toBe('&AMk-l&AOk-ments envoy&AOk-s &- archives')
  })

  for (const security of ['none', 'starttls', 'tls'])
    describe(`a check with the encryption ${security}`, () => {
      itSurvives((port, timeoutMs) => run({ port, security }, { timeoutMs }))
    })
})
