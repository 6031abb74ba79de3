import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CheckKind } from '@narval/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { syslog } from '../checks/syslog.ts'
import { trap } from '../checks/trap.ts'
import { createLog } from '../log.ts'
import { checkContext, checkFor } from '../testing/check-kit.ts'
import { findProgram } from '../testing/programs.ts'
import { snmpCredential } from '../testing/snmpd.ts'
import { createReception, type Reception, type ReceptionOptions } from './reception.ts'

const run = promisify(execFile)
const SNMPTRAP = findProgram('snmptrap')
const SNMPINFORM = findProgram('snmpinform')
const LOGGER = findProgram('logger')
/** Of net-snmp: its state goes to a folder of the test. */
const client = (program: string | null, args: readonly string[], folder: string) =>
  run(program ?? '', args, {
    env: { PATH: process.env.PATH ?? '', SNMP_PERSISTENT_DIR: folder, MIBS: '' },
    timeout: 15_000,
  })

const opened: Reception[] = []
const folders: string[] = []
const sockets: Socket[] = []
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'narval-reception-'))
  folders.push(made)
  return made
}
const urgent: number[] = []
const start = async (more: Partial<ReceptionOptions> = {}): Promise<Reception> => {
  const reception = await createReception({
    ...{ trapPort: 0, syslogPort: 0, folder: folder(), seed: 'test', log: createLog('silent') },
    resolver: checkContext({ 'sw1.test': ['127.0.0.1'] }).resolver,
    ...{ nowMs: () => performance.now(), wallMs: () => Date.now(), onUrgent: scanner => void urgent.push(scanner) },
    ...more,
  })
  opened.push(reception)
  return reception
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(opened.splice(0).map(one => one.close()))
  for (const one of folders.splice(0)) rmSync(one, { recursive: true })
  urgent.length = 0
})

const scanner = (id: number, kind: CheckKind, parameters: object, more: object = {}) =>
  checkFor(kind, { ...parameters }, { scanner: id, ...more })
const drain = (reception: Reception, check: ReturnType<typeof scanner>) => {
  const context = checkContext({}, { reception: reception.drain })
  return check.kind === 'trap' ? trap(check, context) : syslog(check, context)
}
/** What was received, once so many messages are there. */
const received = async (reception: Reception, check: ReturnType<typeof scanner>, wanted: number, key = 'messages') => {
  const sum: Record<string, number> = {}
  const events: { severity: string; text: string; source: string }[] = []
  for (let tries = 0; tries < 200; tries += 1) {
    const outcome = await drain(reception, check)
    expect(outcome.failure).toBeNull()
    for (const [name, value] of Object.entries(outcome.values))
      sum[name] = name === 'state' ? value : (sum[name] ?? 0) + value
    events.push(...(outcome.events ?? []))
    if ((sum[key] ?? 0) >= wanted) break
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return { sum, events }
}
const LINK_DOWN = '1.3.6.1.6.3.1.1.5.3'
const RULES = [
  { name: 'Lien coupé', severity: 'error', oid: LINK_DOWN, pattern: 'Gi0/\\d' },
  { name: 'Lien rétabli', severity: 'ok', oid: '1.3.6.1.6.3.1.1.5.4', pattern: '' },
  { name: 'Constructeur', severity: 'warning', oid: '.1.3.6.1.4.1.9', pattern: '' },
]
const IF_NAME = ['1.3.6.1.2.1.2.2.1.2.3', 's', 'Gi0/3 <img src=x onerror=xss()>'] as const

describe.skipIf(SNMPTRAP === null || SNMPINFORM === null)('traps of net-snmp', () => {
  const target = (reception: Reception) => `127.0.0.1:${reception.ports().trap}`

  it('v1 and v2c are opened by the community, told by rules, and make a state that another trap ends', async () => {
    const reception = await start()
    const check = scanner(1, 'trap', { rules: RULES }, { address: 'sw1.test', credential: snmpCredential(161) })
    reception.configure([check])
    await reception.drain(check)
    const state = folder()
    const send = (args: readonly string[]) => client(SNMPTRAP, args, state)
    await send(['-v2c', '-c', 'public', target(reception), '', LINK_DOWN, ...IF_NAME])
    await send([
      '-v1',
      '-c',
      'public',
      target(reception),
      '1.3.6.1.4.1.9.1',
      '10.9.8.7',
      '6',
      '42',
      '',
      '1.3.6.1.4.1.9.2',
      'i',
      '7',
    ])
    const first = await received(reception, check, 2)
    expect(first.sum).toMatchObject({
      messages: 2,
      matched: 2,
      state: 2,
      refused: 0,
      dropped: 0,
      'rule[Lien coupé]': 1,
    })
    expect(first.events).toMatchObject([
      { severity: 'error', source: '127.0.0.1', text: `linkDown (${LINK_DOWN}) · ${IF_NAME[0]} = ${IF_NAME[2]}` },
      { severity: 'warning', text: '1.3.6.1.4.1.9.1.0.42 · agent 10.9.8.7 · 1.3.6.1.4.1.9.2 = 7' },
    ])
    expect(urgent).toEqual([1])
    await send(['-v2c', '-c', 'secret', target(reception), '', LINK_DOWN, ...IF_NAME])
    const refused = await received(reception, check, 1, 'refused')
    expect(refused.sum).toMatchObject({ messages: 0, refused: 1, state: 2 })
    expect(refused.events[0]?.text).toMatch(/1 trap refusé.*communauté/)
    await send(['-v1', '-c', 'public', target(reception), '1.3.6.1.4.1.9.1', '0.0.0.0', '3', '0', ''])
    expect((await received(reception, check, 1)).sum).toMatchObject({ state: 0, 'rule[Lien rétabli]': 1 })
  })

  it('informs are acknowledged in v2c and v3, whatever the protocols; traps of v3 need the right password', async () => {
    const reception = await start()
    const at = target(reception)
    const state = folder()
    const pairs = [
      ['SHA', 'SHA1', 'AES', 'AES128'],
      ['SHA-512', 'SHA512', 'AES-256', 'AES256'],
      ['MD5', 'MD5', 'DES', 'DES'],
    ] as const
    const v2c = scanner(1, 'trap', { rules: RULES, anyCommunity: true })
    reception.configure([v2c])
    await client(SNMPINFORM, ['-v2c', '-c', 'whatever', '-r0', '-t5', at, '', LINK_DOWN, ...IF_NAME], state)
    expect((await received(reception, v2c, 1)).sum).toMatchObject({ state: 2, refused: 0 })
    for (const [auth, authProtocol, priv, privProtocol] of pairs) {
      const password = { authPassword: 'auth-pass-1', privPassword: 'priv-pass-1' }
      const credential = snmpCredential(161, { version: 'v3', user: 'narval', authProtocol, privProtocol, ...password })
      const check = scanner(2, 'trap', { rules: RULES }, { credential })
      reception.configure([check])
      const secured = (pass: string) => [
        '-v3',
        '-u',
        'narval',
        '-l',
        'authPriv',
        '-a',
        auth,
        '-A',
        pass,
        '-x',
        priv,
        '-X',
        'priv-pass-1',
      ]
      await client(SNMPINFORM, [...secured('auth-pass-1'), '-r1', '-t5', at, '', LINK_DOWN, ...IF_NAME], state)
      const sender = ['-e', '0x8000000001020304']
      await client(SNMPTRAP, [...secured('auth-pass-1'), ...sender, at, '', LINK_DOWN, ...IF_NAME], state)
      const { sum } = await received(reception, check, 2)
      expect([auth, sum.matched, sum.refused]).toEqual([auth, 2, 0])
      await client(SNMPTRAP, [...secured('other-pass'), ...sender, at, '', LINK_DOWN, ...IF_NAME], state)
      expect((await received(reception, check, 1, 'refused')).events.at(-1)?.text).toMatch(/authentification incorrect/)
    }
  }, 40_000)
})

describe.skipIf(LOGGER === null)('messages of logger', () => {
  it('come by UDP and TCP, in both standards, to every host of their address and to no other', async () => {
    const reception = await start()
    const rules = [
      { name: 'Échecs', severity: 'error', pattern: 'Failed password', app: 'ssh*', facility: 'auth', level: 'err' },
      { name: 'Tout', severity: 'warning' },
    ]
    const checks = [
      scanner(1, 'syslog', { rules }),
      scanner(2, 'syslog', { rules: [] }, { address: 'sw1.test' }),
      scanner(3, 'syslog', { rules }, { address: '192.0.2.9' }),
    ]
    reception.configure(checks)
    for (const check of checks) await reception.drain(check)
    const base = ['-n', '127.0.0.1', '-P', String(reception.ports().syslog), '-t', 'sshd', '-p', 'auth.err']
    for (const way of [
      ['-d', '--rfc3164'],
      ['-d', '--rfc5424'],
      ['-T', '--octet-count', '--rfc5424'],
      ['-T', '--rfc3164'],
    ])
      await run(LOGGER ?? '', [...base, ...way, '--', `Failed password for root ${way.join('')}`])
    const [own, alike, other] = checks
    if (own === undefined || alike === undefined || other === undefined) throw new Error('checks')
    const { sum, events } = await received(reception, own, 4)
    expect(sum).toMatchObject({ messages: 4, matched: 4, 'rule[Échecs]': 4, 'rule[Tout]': 4, state: 2 })
    expect(events.map(({ source, severity }) => [source, severity])).toEqual(Array(4).fill(['127.0.0.1 sshd', 'error']))
    expect(events[0]?.text).toMatch(/^auth\.err Failed password for root/)
    expect((await drain(reception, alike)).values).toMatchObject({ messages: 4, matched: 0, state: 0 })
    expect((await drain(reception, other)).values).toMatchObject({ messages: 0 })
  })
})

const flood = async (port: number, text: string, count: number, perTick: number): Promise<void> => {
  const socket = createSocket('udp4')
  for (let sent = 0; sent < count; sent += perTick) {
    for (let nth = 0; nth < perTick; nth += 1) socket.send(text, port, '127.0.0.1')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  await new Promise<void>(resolve => socket.close(resolve))
}

describe('what anybody may send', () => {
  it('40,000 messages a second delay nothing else: the loop turns, what is too much is counted as lost', async () => {
    const reception = await start()
    const rules = Array.from({ length: 20 }, (_, nth) => ({
      name: `r${nth}`,
      pattern: `(disk|fan) ${nth} (fail|lost)+`,
    }))
    const check = scanner(1, 'syslog', { rules })
    reception.configure([check])
    await reception.drain(check)
    let turns = 0
    const ticking = setInterval(() => {
      turns += 1
    }, 5)
    await flood(reception.ports().syslog ?? 0, `<14>Jan  1 00:00:00 h app: ${'disk 3 fine '.repeat(30)}`, 80_000, 200)
    clearInterval(ticking)
    const { values } = await drain(reception, check)
    // The sender waits 400 times for the same loop: what else runs gets its turns between.
    expect(turns).toBeGreaterThan(400 / 4)
    expect((values.messages ?? 0) + (values.dropped ?? 0)).toBeGreaterThan(1_000)
    expect(values.dropped).toBeGreaterThan(0)
  }, 30_000)

  it('garbage, 64 kB, endless lines and slow connections are contained; the next message is heard', async () => {
    const reception = await start()
    const traps = scanner(1, 'trap', { rules: [], anyCommunity: true })
    const logs = scanner(2, 'syslog', { rules: [{ name: 'Tout', severity: 'warning' }] })
    reception.configure([traps, logs])
    const { trap: trapPort, syslog: syslogPort } = reception.ports()
    const udp = createSocket('udp4')
    for (const bytes of ['', '\x30', '\x30\x84\xff\xff\xff\xff', '0\x82\x10\x00'.repeat(300), '\xff'.repeat(65_000)])
      for (const port of [trapPort ?? 0, syslogPort ?? 0]) udp.send(Buffer.from(bytes, 'latin1'), port, '127.0.0.1')
    const slow = Array.from({ length: 30 }, () => connect(syslogPort ?? 0, '127.0.0.1').on('error', () => undefined))
    sockets.push(...slow)
    const endless = slow[0]
    await new Promise(resolve => endless?.once('connect', resolve))
    for (let nth = 0; nth < 100; nth += 1) endless?.write('x'.repeat(65_536))
    endless?.write('\n<13>after all that\n')
    for (let tries = 0; tries < 100; tries += 1) {
      const { events } = await drain(reception, logs)
      if (events?.some(({ text }) => text.includes('after all that')) === true) break
      expect(tries).toBeLessThan(99)
      await new Promise(resolve => setTimeout(resolve, 30))
    }
    udp.close()
    expect((await drain(reception, traps)).events?.[0]?.text).toMatch(/messages? illisibles?/)
  })

  it('a state lasts over a kill of the probe; a sender that is no host is only counted; a taken port is said', async () => {
    const at = folder()
    const before = await start({ folder: at })
    const check = scanner(7, 'syslog', { rules: [{ name: 'Tout', severity: 'error' }], holdMinutes: 0 })
    before.configure([check])
    const udp = createSocket('udp4')
    udp.send('<11>disk failed', before.ports().syslog ?? 0, '127.0.0.1')
    for (let tries = 0; urgent.length === 0 && tries < 100; tries += 1)
      await new Promise(resolve => setTimeout(resolve, 20))
    // Killed here: nothing of it is closed or written any more.
    const after = await start({ folder: at, trapPort: null, syslogPort: before.ports().syslog })
    after.configure([check])
    const taken = await drain(after, check)
    expect(taken.failure).toMatchObject({ code: 'denied' })
    expect(taken.failure?.message).toContain('déjà pris par un autre programme')
    const free = await start({ folder: at })
    free.configure([check])
    expect((await drain(free, check)).values).toMatchObject({ state: 2, messages: 0 })
    free.configure([])
    udp.send('<11>x', free.ports().syslog ?? 0, '127.0.0.1')
    const off = await drain(after, scanner(8, 'trap', { anyCommunity: true }))
    expect(off.failure?.message).toBeTruthy()
    for (let tries = 0; tries < 100; tries += 1) {
      const looked = await free.look(check)
      const told = looked.details?.().find(({ label }) => label === 'Expéditeurs inconnus')?.text
      if (told === '1 (127.0.0.1)') break
      expect(tries).toBeLessThan(99)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    udp.close()
  })
})
