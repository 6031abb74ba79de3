import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { ProbeCheck } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resultText } from '../services/ldap-words.ts'
import { createAuthority } from '../testing/certificates.ts'
import { checkContext, createTestServers, runCheck } from '../testing/check-kit.ts'
import { itSurvives } from '../testing/hostile.ts'
import { freePort } from '../testing/ports.ts'
import { findProgram } from '../testing/programs.ts'
import { createTestService, type TestService } from '../testing/service.ts'

const CANARY = 'canari-é-8c11'
const DN = 'cn=supervision,dc=exemple,dc=test'
const LOGIN = { credential: { kind: 'ldap', username: DN, password: CANARY } } as const
const WRONG = { credential: { ...LOGIN.credential, password: `${CANARY}-faux` } } as const
const run = (parameters: Record<string, unknown>, more: Partial<ProbeCheck> = {}) =>
  runCheck(
    'ldap',
    parameters,
    { address: 'annuaire.test', timeoutMs: 10_000, ...more },
    checkContext({ 'annuaire.test': ['127.0.0.1'] }),
  )
const PEOPLE = 60

const slapd = findProgram('slapd')
const slapadd = findProgram('slapadd')
describe.skipIf(slapd === null || slapadd === null)('ldap, against OpenLDAP (needs slapd)', () => {
  let service: TestService
  const authority = createAuthority()
  const trusted = getCACertificates()
  const ports = { plain: 0, tls: 0 }
  beforeAll(async () => {
    service = createTestService('slapd')
    const { folder } = service
    ports.plain = await freePort()
    ports.tls = await freePort()
    const { certFile, keyFile } = authority.issue('DNS:annuaire.test', 90)
    mkdirSync(join(folder, 'db'))
    const conf = [
      ...['core', 'cosine', 'inetorgperson'].map(name => `include /etc/ldap/schema/${name}.schema`),
      'modulepath /usr/lib/ldap\nmoduleload back_mdb',
      `TLSCertificateFile ${certFile}\nTLSCertificateKeyFile ${keyFile}\nTLSCACertificateFile ${authority.caFile}`,
      `database mdb\nsuffix "dc=exemple,dc=test"\ndirectory ${folder}/db`,
      'limits anonymous size=20\naccess to attrs=userPassword by * auth\naccess to * by * read',
    ]
    writeFileSync(join(folder, 'conf'), `${conf.join('\n')}\n`)
    const password = Buffer.from(CANARY).toString('base64')
    const people = Array.from(
      { length: PEOPLE },
      (_, n) => `dn: cn=p${n},dc=exemple,dc=test\nobjectClass: person\ncn: p${n}\nsn: p${n}\n`,
    )
    const entries = [
      'dn: dc=exemple,dc=test\nobjectClass: dcObject\nobjectClass: organization\ndc: exemple\no: Exemple\n',
      `dn: ${DN}\nobjectClass: person\ncn: supervision\nsn: supervision\nuserPassword:: ${password}\n`,
      ...people,
    ]
    writeFileSync(join(folder, 'ldif'), entries.join('\n'))
    execFileSync(slapadd ?? '', ['-f', join(folder, 'conf'), '-l', join(folder, 'ldif')], { stdio: 'ignore' })
    const urls = `ldap://127.0.0.1:${ports.plain}/ ldaps://127.0.0.1:${ports.tls}/`
    await service.start(slapd ?? '', ['-d', '0', '-h', urls, '-f', join(folder, 'conf')], Object.values(ports))
    setDefaultCACertificates([...trusted, readFileSync(authority.caFile, 'utf8')])
  })
  afterAll(async () => {
    setDefaultCACertificates(trusted)
    await service.stop()
    authority.remove()
  })

  it('binds anonymously, and without a base searches nothing', async () => {
    const outcome = await run({ port: ports.plain })
    expect(outcome.failure).toBeNull()
    expect(Object.keys(outcome.values)).toEqual(['connect_time', 'bind_time'])
  })

  it.each([
    ['clear', 'none', 'plain'],
    ['STARTTLS', 'starttls', 'plain'],
    ['LDAPS', 'tls', 'tls'],
  ] as const)('signs in over %s and counts the entries of a search', async (_, security, port) => {
    const search = { base: 'dc=exemple,dc=test', filter: '(&(objectClass=person)(!(cn=supervision)))' }
    const outcome = await run({ port: ports[port], security, authentication: 'host', ...search }, LOGIN)
    expect(outcome.failure).toBeNull()
    expect(outcome.values.entries).toBe(PEOPLE)
    if (security !== 'none') expect((outcome.values.expires_in ?? 0) / 86_400).toBeCloseTo(90, 0)
    expect(JSON.stringify([outcome, outcome.details?.()])).not.toMatch(/canari|Y2FuYXJp/)
    const one = await run({ port: ports[port], security, base: DN, scope: 'base' })
    expect(one.values.entries).toBe(1)
  })

  it('a limit of the directory is no failure: what came is counted, and the details say that there is more', async () => {
    const outcome = await run({ port: ports.plain, base: 'dc=exemple,dc=test' })
    expect([outcome.failure, outcome.values.entries]).toEqual([null, 20])
    expect(outcome.details?.()[0]?.text).toContain('limite atteinte')
  })

  it('wrong credentials, base, filter and name of the certificate are each said in words', async () => {
    const wrong = await run({ port: ports.tls, security: 'tls', authentication: 'host' }, WRONG)
    expect(wrong.failure).toEqual({
      code: 'credentials',
      message: 'Identifiants refusés\u202f: nom ou mot de passe refusé (code 49)',
    })
    expect(JSON.stringify([wrong, wrong.details?.()])).not.toMatch(/canari|Y2FuYXJp/)
    expect((await run({ port: ports.plain, base: 'dc=ailleurs,dc=test' })).failure).toMatchObject({
      code: 'mismatch',
      message: 'recherche refusée\u202f: base de recherche introuvable (code 32)',
    })
    expect((await run({ port: ports.plain, filter: '(cn=\\zz)' })).failure?.message).toBe(
      'filtre LDAP incorrect\u202f: (cn=\\zz)',
    )
    for (const filter of ['(&(cn=*)', 'cn=*', '(a=b)(c=d)', ')('])
      expect((await run({ port: ports.plain, filter })).failure?.message).toContain('Un filtre s’écrit')
    const other = await run({ port: ports.plain, security: 'starttls' }, { address: '127.0.0.1' })
    expect(other.failure).toEqual({ code: 'tls', message: 'le certificat n’est pas au nom de 127.0.0.1' })
    expect((await run({ port: ports.plain, authentication: 'host' })).failure?.code).toBe('credentials')
  })
})

describe('ldap, against servers of the test', () => {
  const servers = createTestServers()
  afterEach(() => servers.close())
  const bindAnswer = Buffer.from('300c02010161070a010004000400', 'hex')

  it('a search that never ends is ended by the time limit or by its bytes, entries being counted only', async () => {
    const entry = Buffer.from('300802010264030401613000', 'hex')
    const port = await servers.tcp(socket => {
      socket.once('data', () => {
        socket.write(bindAnswer)
        const many = Buffer.concat(Array.from({ length: 4_000 }, () => entry.subarray(0, 10)))
        const go = (): void => {
          if (!socket.destroyed) socket.write(many, go)
        }
        socket.once('data', go)
      })
    })
    // Long before the time is over, on a slow machine too.
    const { failure } = await run({ port, base: 'dc=x' }, { timeoutMs: 30_000 })
    expect(failure).toEqual({ code: 'protocol', message: 'réponse interrompue\u202f: plus de 4096 Kio reçus' })
  })

  it('a message that says it is of two gigabytes is not waited for', async () => {
    const port = await servers.tcp(socket => socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff])))
    expect((await run({ port })).failure).toEqual({
      code: 'protocol',
      message: 'réponse interrompue\u202f: un message de plus de 256 Kio',
    })
  })

  it('a server that repeats the password in its refusal does not get it shown', async () => {
    const said = Buffer.from(`wrong: ${CANARY}`)
    const body = Buffer.concat([Buffer.from([0x0a, 1, 49, 4, 0, 4, said.length]), said])
    const message = Buffer.concat([Buffer.from([2, 1, 1, 0x61, body.length]), body])
    const port = await servers.tcp(socket => {
      socket.once('data', () => socket.write(Buffer.concat([Buffer.from([0x30, message.length]), message])))
    })
    const outcome = await run({ port, authentication: 'host' }, LOGIN)
    expect(outcome.failure?.message).toBe(
      'Identifiants refusés\u202f: nom ou mot de passe refusé (code 49)\u202f: wrong: ••••',
    )
    expect(JSON.stringify([outcome, outcome.details?.()])).not.toContain('canari')
  })

  it('says what Active Directory means by its numbers', () => {
    const said = '80090308: LdapErr: DSID-0C090447, comment: AcceptSecurityContext error, data 775, v4563'
    expect(resultText(49, said)).toMatch(/^nom ou mot de passe refusé \(compte verrouillé, code 49\)/)
  })

  for (const security of ['none', 'starttls', 'tls'])
    describe(`a check with the encryption ${security}`, () => {
      itSurvives((port, timeoutMs) => run({ port, security }, { timeoutMs }))
    })
})
