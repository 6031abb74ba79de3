import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCheck } from '../testing/check-kit.ts'
import { freeUdpPort } from '../testing/ports.ts'
import { findProgram } from '../testing/programs.ts'
import { udpServer } from '../testing/udp.ts'

const dnsmasq = findProgram('dnsmasq')

describe.skipIf(dnsmasq === null)('dns, against dnsmasq', () => {
  let port = 0
  let server: ChildProcess
  const folder = mkdtempSync(join(tmpdir(), 'narval-dns-'))
  const zone = [
    'host-record=www.exemple.test,192.0.2.10,2001:db8::10',
    'cname=alias.exemple.test,www.exemple.test',
    'mx-host=exemple.test,mail.exemple.test,10',
    'txt-record=exemple.test,"v=spf1 -all"',
    'srv-host=_ldap._tcp.exemple.test,ldap.exemple.test,389,5,7',
    'auth-zone=exemple.test,192.0.2.0/24,2001:db8::/64',
    'auth-server=ns.exemple.test,lo',
    'auth-soa=2026112101,root.exemple.test',
    'local=/test/',
  ]

  beforeAll(async () => {
    port = await freeUdpPort()
    const file = join(folder, 'dnsmasq.conf')
    const own = ['no-resolv', 'no-hosts', 'no-daemon', 'bind-interfaces', 'listen-address=127.0.0.1', `port=${port}`]
    writeFileSync(file, [...own, `pid-file=${join(folder, 'pid')}`, 'user=root', ...zone].join('\n'))
    server = spawn(dnsmasq ?? '', [`--conf-file=${file}`], { stdio: 'ignore' })
    await vi.waitFor(async () => expect((await ask({ name: 'www.exemple.test' })).failure).toBeNull(), 10_000)
  })
  afterAll(() => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = (parameters: Record<string, unknown>) => runCheck('dns', { port, ...parameters })

  it('measures the answer and counts its records', async () => {
    const outcome = await ask({ name: 'www.exemple.test', expected: ['192.0.2.10'], exact: true })
    expect(outcome).toMatchObject({ failure: null, values: { records: 1 } })
    expect(outcome.values.answer_time).toBeGreaterThan(0)
    expect(outcome.details?.()).toEqual([{ label: 'Enregistrements A de www.exemple.test', text: '192.0.2.10' }])
  })

  it.each([
    ['AAAA', 'www.exemple.test', '2001:db8::10'],
    ['CNAME', 'alias.exemple.test', 'WWW.exemple.test.'],
    ['MX', 'exemple.test', '10 mail.exemple.test'],
    ['TXT', 'exemple.test', 'v=spf1 -all'],
    ['SRV', '_ldap._tcp.exemple.test', '5 7 389 ldap.exemple.test'],
    ['PTR', '192.0.2.10', 'www.exemple.test'],
    ['PTR', '2001:db8::10', 'www.exemple.test'],
  ])('reads %s records', async (type, name, expected) => {
    expect((await ask({ name, type, expected: [expected] })).failure).toBeNull()
  })

  it('gives the serial number of a zone', async () => {
    expect(await ask({ name: 'exemple.test', type: 'SOA' })).toMatchObject({
      failure: null,
      values: { soa_serial: 2026112101 },
    })
  })

  it('says what is missing, and what was not expected', async () => {
    expect((await ask({ name: 'www.exemple.test', expected: ['192.0.2.99'] })).failure).toEqual({
      code: 'mismatch',
      message: 'réponse attendue absente : 192.0.2.99 (reçu : 192.0.2.10)',
    })
    expect((await ask({ name: 'www.exemple.test', type: 'A', expected: [], exact: true })).failure?.message).toBe(
      'réponse qui n’est pas attendue : 192.0.2.10',
    )
  })

  it('says that a name does not exist, or has no such record', async () => {
    expect((await ask({ name: 'rien.exemple.test' })).failure?.message).toBe(
      'le serveur répond que le nom rien.exemple.test n’existe pas',
    )
    expect((await ask({ name: 'exemple.test', type: 'SRV' })).failure?.message).toBe(
      'le nom exemple.test n’a pas d’enregistrement SRV',
    )
  })
})

describe('dns, against hostile servers', () => {
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close()
  })
  const hostile = (answer: (question: Buffer) => Buffer | null) => udpServer(sockets, answer)
  const ask = (port: number) => runCheck('dns', { name: 'www.exemple.test', port }, { timeoutMs: 500 })
  /** The question with the bits and counts of an answer, and what follows it. */
  const answered = (question: Buffer, flags: number, answers: number, rest: Buffer): Buffer => {
    const head = Buffer.from(question)
    head.writeUInt16BE(flags, 2)
    head.writeUInt16BE(answers, 6)
    return Buffer.concat([head, rest])
  }

  it('one that says nothing is given up at the time limit', async () => {
    const startedMs = performance.now()
    const outcome = await ask(await hostile(() => null))
    expect(outcome.failure).toEqual({ code: 'timeout', message: 'le serveur de noms n’a pas répondu en 500 ms' })
    expect(performance.now() - startedMs).toBeLessThan(1_500)
  })

  it('a name that points at itself does not hold it', async () => {
    // A compression pointer at its own place (offset 12 is the question's name; 34 is the answer's).
    const loop = await hostile(question =>
      answered(question, 0x8180, 1, Buffer.from([0xc0, question.length, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 1, 2, 3, 4])),
    )
    expect((await ask(loop)).failure?.code).toMatch(/protocol|timeout/)
  })

  it.each([
    ['refuses', 0x8185, 'refused', 'le serveur de noms refuse la question (REFUSED)'],
    ['fails', 0x8182, 'protocol', 'le serveur de noms dit ne pas pouvoir répondre (SERVFAIL)'],
    ['does not know how', 0x8184, 'protocol', 'le serveur de noms ne connaît pas ce genre de question (NOTIMP)'],
  ])('one that %s is quoted in words', async (_, flags, code, message) => {
    const port = await hostile(question => answered(question, flags, 0, Buffer.alloc(0)))
    expect((await ask(port)).failure).toEqual({ code, message })
  })

  it('answers cut short, of garbage, or of 60 kB harm nothing', async () => {
    for (const answer of [
      (question: Buffer) => answered(question, 0x8180, 5_000, Buffer.alloc(0)),
      (question: Buffer) => Buffer.concat([question.subarray(0, 2), Buffer.alloc(300, 0xff)]),
      (question: Buffer) => answered(question, 0x8180, 1, Buffer.alloc(60_000, 0xc0)),
    ]) {
      const outcome = await ask(await hostile(answer))
      expect(outcome.failure?.code).toMatch(/protocol|timeout/)
    }
  })

  it('nobody there is said', async () => {
    expect((await ask(await freeUdpPort())).failure?.code).toMatch(/refused|timeout/)
  })

  it('S47: a name server on a denied address is not asked', async () => {
    const outcome = await runCheck('dns', { name: 'www.exemple.test' }, { address: '169.254.169.254' })
    expect(outcome.failure?.code).toBe('denied')
  })
})
