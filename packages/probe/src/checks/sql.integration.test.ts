import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { ProbeCheck } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAuthority, type TestAuthority } from '../testing/certificates.ts'
import { checkContext, createTestServers, runCheck } from '../testing/check-kit.ts'
import { itSurvives } from '../testing/hostile.ts'
import { createTestService, type TestService } from '../testing/service.ts'
import { SQL_PASSWORD, SQL_SERVERS } from '../testing/sql-servers.ts'

const LOGIN = { credential: { kind: 'sql', username: 'supervision', password: SQL_PASSWORD } } as const
const WRONG = { credential: { ...LOGIN.credential, password: `${SQL_PASSWORD}-faux` } } as const
const NAMES = { 'base.test': ['127.0.0.1'] }
const run = (parameters: Record<string, unknown>, more: Partial<ProbeCheck> = {}) =>
  runCheck('sql', parameters, { address: 'base.test', timeoutMs: 15_000, ...LOGIN, ...more }, checkContext(NAMES))
type Outcome = Awaited<ReturnType<typeof run>>
const told = (outcome: Outcome): string => JSON.stringify([outcome, outcome.details?.()])

describe.each(SQL_SERVERS)('sql, against $name', ({ dialect, missing, start, writing, slow, endless }) => {
  describe.skipIf(missing)('as a real server', () => {
    let service: TestService
    let authority: TestAuthority
    let port = 0
    const trusted = getCACertificates()
    const database = dialect === 'mysql' ? 'shop' : 'postgres'
    const ask = (parameters: Record<string, unknown>, more: Partial<ProbeCheck> = {}) =>
      run({ dialect, port, database, ...parameters }, more)
    beforeAll(async () => {
      service = createTestService('sql')
      authority = createAuthority()
      port = await start(service, authority)
      setDefaultCACertificates([...trusted, readFileSync(authority.caFile, 'utf8')])
    })
    afterAll(async () => {
      setDefaultCACertificates(trusted)
      await service.stop()
      authority.remove()
    })

    it('without a query measures the connection and the opening of a session', async () => {
      const outcome = await ask({})
      expect(outcome.failure).toBeNull()
      expect(Object.keys(outcome.values)).toEqual(['connect_time', 'login_time'])
    })

    it('the first value of a query is measured, its rows counted, its result shown', async () => {
      const outcome = await ask({ query: 'SELECT count(*) AS total, state FROM orders GROUP BY state ORDER BY state;' })
      expect(outcome.failure).toBeNull()
      expect(outcome.values).toMatchObject({ value: 10, rows: 3 })
      expect(outcome.details?.()[0]?.text).toBe('total | state\n10 | 0\n10 | 1\n10 | 2\n3 lignes')
      const text = await ask({ query: "select 'prêt'", expected: 'prêt' })
      expect([text.failure, text.values.value, text.values.rows]).toEqual([null, undefined, 1])
      expect((await ask({ query: "select 'arrêté'", expected: 'prêt' })).failure).toEqual({
        code: 'mismatch',
        message: 'valeur «\u202farrêté\u202f», attendue «\u202fprêt\u202f»',
      })
      expect((await ask({ query: 'select id from orders where id < 0', expected: 'x' })).failure?.message).toBe(
        'la requête ne rend aucune ligne',
      )
    })

    it('over TLS the certificate is verified before the password is sent, and its end told', async () => {
      const outcome = await ask({ security: 'tls', query: 'select 1' })
      expect(outcome.failure).toBeNull()
      expect((outcome.values.expires_in ?? 0) / 86_400).toBeCloseTo(90, 0)
      expect(outcome.values.tls_time).toBeGreaterThan(0)
      const other = await ask({ security: 'tls' }, { address: '127.0.0.1' })
      expect(other.failure).toEqual({ code: 'tls', message: 'le certificat n’est pas au nom de 127.0.0.1' })
      expect((await ask({ security: 'tls', verifyTls: false }, { address: '127.0.0.1' })).failure).toBeNull()
      setDefaultCACertificates(trusted)
      expect((await ask({ security: 'tls' })).failure).toEqual({
        code: 'tls',
        message: 'certificat émis par une autorité inconnue',
      })
      setDefaultCACertificates([...trusted, readFileSync(authority.caFile, 'utf8')])
    })

    it('a wrong password, an unknown database, a fault of syntax are each said; the password is told nowhere', async () => {
      const wrong = await ask({ security: 'tls' }, WRONG)
      expect(wrong.failure).toMatchObject({
        code: 'credentials',
        message: expect.stringMatching(/^Identifiants refusés\u202f: /),
      })
      expect((await ask({}, WRONG)).failure?.code).toBe('credentials')
      const unknown = await ask({ database: 'nulle_part' })
      expect(unknown.failure).toMatchObject({
        code: 'mismatch',
        message: expect.stringMatching(/^base «\u202fnulle_part\u202f» introuvable ou refusée/),
      })
      const syntax = await ask({ query: 'select from from' })
      expect(syntax.failure).toMatchObject({ message: expect.stringMatching(/^requête refusée\u202f: /) })
      const repeated = await ask({ query: `select '${SQL_PASSWORD.replace("'", "''")}'`, expected: 'x' })
      expect(repeated.failure?.message).toBe('valeur «\u202f••••\u202f», attendue «\u202fx\u202f»')
      for (const outcome of [wrong, unknown, syntax, repeated]) expect(told(outcome)).not.toContain('canari')
    })

    it('nothing is written, whatever the statement begins with, and a second statement is refused', async () => {
      const count = async (): Promise<number | undefined> =>
        (await ask({ query: 'select count(*) from orders' })).values.value
      const before = await count()
      const answer = await ask({ query: writing })
      if (dialect === 'postgresql')
        expect(answer.failure?.message).toMatch(/^requête refusée, elle écrit\u202f: .*read-only/)
      const second = await ask({ query: 'select 1; insert into orders (state) values (9)' })
      expect(second.failure?.message).toMatch(/^requête refusée\u202f: /)
      for (const query of [
        'insert into orders (state) values (9)',
        'drop table orders',
        "select 1 into outfile '/tmp/x'",
      ])
        expect((await ask({ query })).failure?.message).toMatch(/^paramètres du contrôle incorrects/)
      expect(await count()).toBe(before)
    })

    it('a query that lasts ends at the time limit, on the server too; rows without end are cut', async () => {
      const startedMs = performance.now()
      const late = await ask({ query: slow }, { timeoutMs: 1_500 })
      expect(performance.now() - startedMs).toBeLessThan(3_500)
      expect(late.failure).toMatchObject({
        code: 'timeout',
        message: expect.stringMatching(/fin du délai|pendant la requête/),
      })
      // The server is not left at work: nothing runs there any more but what asks.
      const running =
        dialect === 'mysql'
          ? "select count(*) from information_schema.processlist where info like '%sleep(30)%' and info not like '%processlist%'"
          : "select count(*) from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()"
      await expect.poll(async () => (await ask({ query: running })).values.value, { timeout: 5_000 }).toBe(0)
      const many = await ask({ query: endless })
      expect(many.failure).toMatchObject({
        code: 'protocol',
        message: 'réponse interrompue\u202f: plus de 1024 Kio reçus',
      })
    })
  })
})

describe.each(['postgresql', 'mysql'] as const)('sql, %s against servers of the test', dialect => {
  const servers = createTestServers()
  afterEach(() => servers.close())

  if (dialect === 'postgresql') {
    it('the password is not given in clear to a server that asks for it so, however it cuts its message', async () => {
      const heard: Buffer[] = []
      const port = await servers.tcp((socket: Socket) => {
        socket.on('data', chunk => heard.push(chunk))
        const asked = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])
        socket.once('data', () => {
          socket.write(asked.subarray(0, 4))
          setTimeout(() => socket.write(asked.subarray(4)), 20)
        })
      })
      const outcome = await run({ dialect, port })
      expect(outcome.failure).toMatchObject({ code: 'credentials', message: expect.stringContaining('en clair') })
      expect(Buffer.concat(heard).toString()).not.toContain('canari')
    })

    it('an iteration count that would hold a processor for minutes is refused', async () => {
      const message = (kind: string, body: Buffer): Buffer => {
        const head = Buffer.alloc(5)
        head.write(kind)
        head.writeUInt32BE(body.length + 4, 1)
        return Buffer.concat([head, body])
      }
      const port = await servers.tcp(socket => {
        socket.once('data', () => {
          socket.write(message('R', Buffer.from('\0\0\0\x0aSCRAM-SHA-256\0\0', 'latin1')))
          socket.once('data', chunk => {
            const nonce = /r=([^,\0]+)/.exec(String(chunk))?.[1] ?? ''
            const first = `r=${nonce}abc,s=${Buffer.alloc(16).toString('base64')},i=2000000000`
            socket.write(message('R', Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from(first)])))
          })
        })
      })
      const startedMs = performance.now()
      expect((await run({ dialect, port }, { timeoutMs: 3_000 })).failure?.code).toBe('credentials')
      expect(performance.now() - startedMs).toBeLessThan(1_500)
    })
  } else {
    it('a server that asks for a file of the probe, or for the password in clear, gets neither', async () => {
      const heard: Buffer[] = []
      const greeting = Buffer.concat([
        Buffer.from([10]),
        Buffer.from('8.0.0\0'),
        Buffer.from([1, 0, 0, 0]),
        Buffer.from('12345678\0'),
        Buffer.from([0xff, 0xf7, 0x21, 2, 0, 0xff, 0x81, 21]),
        Buffer.alloc(10),
        Buffer.from('123456789012\0mysql_native_password\0'),
      ])
      const framed = (sequence: number, body: Buffer): Buffer =>
        Buffer.concat([Buffer.from([body.length, 0, 0, sequence]), body])
      const port = await servers.tcp(socket => {
        socket.write(framed(0, greeting))
        socket.once('data', chunk => {
          heard.push(chunk)
          socket.write(framed(2, Buffer.from('\xfemysql_clear_password\0', 'latin1')))
          socket.on('data', more => heard.push(more))
        })
      })
      const outcome = await run({ dialect, port }, { timeoutMs: 2_000 })
      expect(outcome.failure?.code).toBe('credentials')
      expect(Buffer.concat(heard).toString()).not.toContain('canari')
      const files = await servers.tcp(socket => {
        socket.write(framed(0, greeting))
        socket.once('data', () => {
          socket.write(framed(2, Buffer.from([0, 0, 0, 2, 0, 0, 0])))
          socket.on('data', more => {
            heard.push(more)
            socket.write(framed(1, Buffer.from('\xfb/etc/passwd', 'latin1')))
          })
        })
      })
      expect((await run({ dialect, port: files, query: 'select 1' }, { timeoutMs: 2_000 })).failure).not.toBeNull()
      expect(Buffer.concat(heard).toString()).not.toContain('root:')
    })
  }

  it('random bytes in place of an answer, before and after the session is open, never end the process', async () => {
    const OPEN = Buffer.from('520000000800000000' + '5a0000000549', 'hex')
    let turn = 0
    const port = await servers.tcp(socket => {
      turn += 1
      const noise = createHash('sha512').update(String(turn)).digest()
      // The kinds of messages that the driver knows, each with a length that does not fit it.
      const bytes = Buffer.concat(
        [...'RKZSEDCTNtnGHW123sI'].map((kind, at) =>
          Buffer.concat([Buffer.from(kind), Buffer.from([0, 0, 0, 4 + ((noise[at] ?? 0) % 12)]), noise.subarray(at)]),
        ),
      )
      const said = turn % 2 === 0 ? bytes.subarray((noise[63] ?? 0) % 200) : Buffer.concat([OPEN, bytes])
      if (dialect === 'mysql') socket.write(Buffer.concat([Buffer.from([40, 0, 0, 0, 10]), noise, bytes]))
      else socket.once('data', () => socket.write(said, () => socket.end()))
    })
    for (let round = 0; round < 60; round += 1) {
      const { failure } = await run({ dialect, port, query: 'select 1' }, { timeoutMs: 200 })
      expect(failure?.message).toMatch(/incompréhensible|délai|connexion|refusé/)
    }
    expect(turn).toBe(60)
  })

  for (const security of ['none', 'tls'])
    describe(`a check with the encryption ${security}`, () => {
      itSurvives((port, timeoutMs) => run({ dialect, port, security }, { timeoutMs }))
    })
})
