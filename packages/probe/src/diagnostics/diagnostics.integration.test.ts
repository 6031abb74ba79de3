import { createServer } from 'node:http'
import { DIAGNOSTIC_MAX_LENGTH, type DiagnosticTask, WALK_MAX_VALUES } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CheckContext } from '../checks/check.ts'
import { systemClock } from '../clock.ts'
import { openPinger, type Pinger } from '../icmp/pinger.ts'
import { checkContext, createTestServers } from '../testing/check-kit.ts'
import { SNMPD, type Snmpd, snmpCredential, startSnmpd } from '../testing/snmpd.ts'
import { createDiagnosticDesk, type DiagnoseOrder } from './diagnostic-desk.ts'

let pinger: Pinger | null = null
const servers = createTestServers()
beforeAll(async () => {
  pinger = await openPinger()
})
afterEach(() => servers.close())
afterAll(() => pinger?.close())

let made = 0
const orderOf = (task: DiagnosticTask, more: Partial<DiagnoseOrder> = {}): DiagnoseOrder => {
  made += 1
  return { id: `d${made}`, kind: 'diagnose', deadlineMs: 0, limitMs: 10_000, loopback: true, task, ...more }
}
const deskOf = (context: CheckContext = checkContext({ ici: ['127.0.0.1'] }, { pinger })) =>
  createDiagnosticDesk({ clock: systemClock(), context })
const run = async (task: DiagnosticTask, more: Partial<DiagnoseOrder> = {}) => {
  const outcome = await deskOf().run(orderOf(task, more))
  if (outcome?.kind !== 'diagnosed') throw new Error(JSON.stringify(outcome))
  return outcome
}
const httpTask = (port: number, more: object = {}): DiagnosticTask => ({
  ...{ kind: 'http', url: `http://ici:${port}/`, method: 'GET', verifyTls: true, followRedirects: true, body: true },
  ...more,
})

describe('from the probe', () => {
  it('a ping tells each echo with its time, then their sum', async context => {
    if (pinger?.means[4] == null) return context.skip('no ICMP socket on this machine')
    const { text, failure } = await run({ kind: 'ping', address: 'ici', count: 3 })
    expect(failure).toBeNull()
    expect(text.split('\n')[0]).toBe('Ping de ici (127.0.0.1)')
    expect(text.match(/^écho {2}\d +\d+,\d+ ms$/gm)).toHaveLength(3)
    expect(text).toContain('3 envoyés, 3 reçus, 0\u202f% de perte')
  })

  it('a route tells each hop with its time and ends at its target', async () => {
    const { text, failure } = await run({ kind: 'traceroute', address: '127.0.0.1' })
    expect(failure).toBeNull()
    expect(text).toMatch(/^ 1 {2}127\.0\.0\.1.* \d+,\d+ ms$/m)
    expect(text).toContain('Destination atteinte en 1 saut')
  })

  it('an HTTP request tells status, headers, times and first bytes; markup and marks of direction stay text', async () => {
    const page = '<script>alert(1)</script>\u202eabc\u0007'
    const port = await servers.listen(
      createServer((_, response) => response.writeHead(503, { 'x-essai': 'oui' }).end(page)),
    )
    const { text, failure } = await run(httpTask(port))
    expect(failure).toBeNull()
    expect(text).toContain('Réponse 503')
    expect(text).toContain('x-essai: oui')
    expect(text).toMatch(/premier octet +\d+,\d+ ms/)
    expect(text).toContain('<script>alert(1)</script>·abc·')
    // S50: not to those who may not see it.
    const hidden = await run(httpTask(port, { body: false }))
    expect(hidden.text).toContain('x-essai: oui')
    expect(hidden.text).not.toContain('script')
  })

  it('a failure is said in French: nobody listens, a name that is not, no credentials', async () => {
    const port = await servers.tcp(() => undefined)
    await servers.close()
    expect((await run(httpTask(port))).failure).toMatch(/refusée/)
    expect((await run({ kind: 'ping', address: 'nulle-part', count: 1 })).failure).toMatch(/nulle-part/)
    expect((await run({ kind: 'snmp', address: 'ici', oid: '1.3.6.1' })).failure).toMatch(/identifiant SNMP/)
  })
})

describe('S47–S50: what a diagnostic is refused and how it ends', () => {
  it('loopback and metadata addresses are refused unless allowed, a redirection to them too, and nothing is asked', async () => {
    let asked = 0
    const port = await servers.listen(
      createServer((_, response) => {
        asked += 1
        response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      }),
    )
    const tasks: DiagnosticTask[] = [
      { kind: 'ping', address: 'ici', count: 1 },
      { kind: 'traceroute', address: '::ffff:127.0.0.1' },
      { kind: 'dns', name: 'exemple.fr', type: 'A', server: '127.0.0.1' },
      httpTask(port),
      { kind: 'ping', address: '169.254.169.254', count: 1 },
      { kind: 'snmp', address: '127.0.0.1', oid: '1.3' },
    ]
    for (const task of tasks) {
      const { failure } = await run(task, { loopback: false, credential: snmpCredential(161) })
      expect([task.kind, failure]).toEqual([task.kind, expect.stringMatching(/refusé|métadonnées|lien-local|boucle/)])
    }
    expect(asked).toBe(0)
    expect((await run(httpTask(port))).failure).toMatch(/169\.254\.169\.254/)
    expect(asked).toBe(1)
  })

  it('an endless page is cut, a silent server ends at its limit, and no more than two run at once', async () => {
    const endless = await servers.listen(
      createServer((_, response) => {
        const more = () => {
          if (!response.destroyed) response.write('é'.repeat(20_000), more)
        }
        more()
      }),
    )
    const { text } = await run(httpTask(endless))
    expect(text.length).toBeLessThanOrEqual(DIAGNOSTIC_MAX_LENGTH)
    expect(text).toContain('(suite non montrée)')
    const silent = await servers.tcp(() => undefined)
    const desk = deskOf()
    const startedMs = performance.now()
    const waiting = [1, 2].map(() => desk.run(orderOf(httpTask(silent), { limitMs: 3_000 })))
    expect(await desk.run(orderOf(httpTask(silent)))).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/déjà en cours/),
    })
    for (const outcome of await Promise.all(waiting))
      expect(outcome).toMatchObject({ kind: 'diagnosed', failure: expect.stringMatching(/délai|terminé/) })
    expect(performance.now() - startedMs).toBeLessThan(4_000)
  })

  it('cancelled, it ends at once and answers nobody; its place is free again', async () => {
    const silent = await servers.tcp(() => undefined)
    const desk = deskOf()
    const order = orderOf(httpTask(silent))
    const waiting = desk.run(order)
    desk.cancel('another')
    desk.cancel(order.id)
    expect(await waiting).toBeNull()
    const ports = await servers.listen(createServer((_, response) => response.end('ok')))
    expect(await desk.run(orderOf(httpTask(ports)))).toMatchObject({ kind: 'diagnosed', failure: null })
  })
})

describe.skipIf(SNMPD === null)('an SNMP walk (snmpd is not installed: skipped)', () => {
  let snmpd: Snmpd
  beforeAll(async () => {
    snmpd = await startSnmpd(['rocommunity public', 'sysName <b>srv</b>', 'sysLocation Baie 3'])
  })
  afterAll(() => snmpd.stop())

  it('tells each value with its OID, and how many', async () => {
    const credential = snmpCredential(snmpd.port)
    const { text, failure } = await run({ kind: 'snmp', address: 'ici', oid: '.1.3.6.1.2.1.1' }, { credential })
    expect(failure).toBeNull()
    expect(text).toContain('1.3.6.1.2.1.1.5.0 = octets: <b>srv</b>')
    expect(text).toMatch(/\d+ valeurs$/)
  })

  it('is bounded, and says that there is more; a wrong community is silence, in words that do not hold it', async () => {
    const all = await run(
      { kind: 'snmp', address: 'ici', oid: '1.3.6.1' },
      { credential: snmpCredential(snmpd.port), limitMs: 30_000 },
    )
    expect(all.failure).toBeNull()
    expect(all.text.match(/^1\.3\.6\.1\./gm)).toHaveLength(WALK_MAX_VALUES)
    expect(all.text).toContain('il y en a d’autres')
    const wrong = snmpCredential(snmpd.port, { community: 'canari-55' })
    const silent = await run({ kind: 'snmp', address: 'ici', oid: '1.3.6.1' }, { credential: wrong, limitMs: 7_000 })
    expect(silent.failure).toMatch(/aucune réponse SNMP/)
    expect(JSON.stringify(silent)).not.toContain('canari')
  })
})
