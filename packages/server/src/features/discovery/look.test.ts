import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShippedModels } from '../../shipped-models.ts'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'
import { discoveryKit, found, snmp } from './testing-discovery.ts'

describe.each(DIALECTS)('a look at one address on %s', dialect => {
  const kit = discoveryKit()
  beforeAll(async () => {
    await kit.open(dialect)
    await createShippedModels(kit.test.database, kit.clock.now())
  })
  afterAll(() => kit.test.close())

  const ask = (body: object): Promise<Answered> => kit.admin.call('POST', '/api/Discovery/Look', body)
  const hosts = async (): Promise<number> => (await kit.admin.call('GET', '/api/Host/Get')).body.length

  it('says what answers, what it is and what would supervise it, by the site’s credential, and keeps nothing', async () => {
    await kit.orders()
    await kit.admin.call('PUT', `/api/Credential/Site/${kit.siteId}`, {
      ...{ kind: 'snmp', settings: { version: 'v2c', community: 'secret-de-lyon' } },
    })
    const asked = ask({ address: '10.9.0.1', siteId: kit.siteId })
    const order = await kit.discoverOrder()
    expect(order.task).toMatchObject({ intervals: [{ from: '10.9.0.1', to: '10.9.0.1' }], loopback: true })
    expect(order.credential).toMatchObject({ community: 'secret-de-lyon' })
    const router = found('10.9.0.1', {
      ...{ rttMs: 0.4, openPorts: [22, 80] },
      snmp: snmp({ sysName: 'rtr-lyon', sysDescr: 'VyOS router', forwards: true }),
    })
    expect((await kit.part(order.id, 1, { done: 0, found: [router] })).status).toBe(204)
    expect((await kit.part(order.id, 2, { last: true, done: 1 })).status).toBe(204)
    const { status, body } = await asked
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ answered: true, address: '10.9.0.1', name: 'rtr-lyon', rttMs: 0.4, openPorts: [22, 80], role: 'router' },
      proposal: { typeName: 'Routeur', monitoringModels: [{ name: 'Routeur' }] },
      ...{ host: null, notes: [], probe: { name: 'Sonde d’essai' } },
    })
    expect(await hosts()).toBe(0)
    expect((await kit.admin.call('GET', '/api/Discovery/Range/Get')).body).toEqual([])
    expect((await kit.part(order.id, 3, { last: true })).status).toBe(409)
  })

  it('a name is the probe’s to find, and stays the name; what does not answer is said with the reason', async () => {
    const named = ask({ address: 'www.exemple.fr' })
    const order = await kit.discoverOrder()
    expect([order.task.intervals, order.task.name]).toEqual([[], 'www.exemple.fr'])
    await kit.part(order.id, 1, { last: true, done: 1, found: [found('192.0.2.7', { openPorts: [443] })] })
    expect((await named).body).toMatchObject({
      ...{ address: '192.0.2.7', name: 'www.exemple.fr', role: 'web-service' },
      proposal: { typeName: 'Service web' },
    })
    const nobody = ask({ address: 'nulle-part.exemple.fr' })
    const failure = { state: 'failed', message: 'nom inconnu' } as const
    await kit.part((await kit.discoverOrder()).id, 1, { last: true, failure })
    expect((await nobody).body).toMatchObject({
      ...{ answered: false, address: 'nulle-part.exemple.fr', name: 'nulle-part.exemple.fr', role: 'unknown' },
      ...{ notes: ['nom inconnu'], proposal: { typeId: null, monitoringModels: [] } },
    })
  })

  it('an address that shows pages is watched by its page: a certificate bears names, and no model is made to fail at once', async () => {
    const proposed = async (address: string, openPorts: number[]) => {
      const asked = ask({ address })
      await kit.part((await kit.discoverOrder()).id, 1, {
        last: true,
        done: 1,
        found: [found('10.9.0.9', { openPorts })],
      })
      const { monitoringModels, page } = (await asked).body.proposal
      return [monitoringModels.map(({ name }: Answered) => name), page]
    }
    expect(await proposed('10.9.0.9', [80])).toEqual([[], 'http://{address}/'])
    expect(await proposed('10.9.0.9', [22, 80, 443])).toEqual([[], 'https://{address}/'])
    expect(await proposed('intranet.exemple.fr', [8080])).toEqual([[], 'http://{address}:8080/'])
    expect(await proposed('intranet.exemple.fr', [80, 443])).toEqual([['Service web'], null])
    expect(await proposed('10.9.0.9', [5432])).toEqual([['Base de données'], null])
  })

  it('an address that is a host already is told, and is not suggested', async () => {
    const suggested = async () =>
      (await kit.admin.call('GET', '/api/Discovery/Look')).body.map((one: Answered) => one.address)
    expect(await suggested()).toContain('127.0.0.1')
    await kit.make('/api/Host/Create', { name: 'moi', address: '127.0.0.1', siteId: kit.siteId })
    expect(await suggested()).not.toContain('127.0.0.1')
    const asked = ask({ address: '127.0.0.1' })
    await kit.part((await kit.discoverOrder()).id, 1, { last: true, done: 1, found: [found('127.0.0.1')] })
    expect((await asked).body.host).toMatchObject({ name: 'moi' })
  })

  it('S57: a probe that tells of another address, or twice, is refused, and so is what it said', async () => {
    const asked = ask({ address: '10.9.0.2' })
    const order = await kit.discoverOrder()
    expect((await kit.part(order.id, 1, { found: [found('10.9.0.3')] })).status).toBe(403)
    await kit.part(order.id, 1, { last: true, done: 1 })
    expect((await asked).body.answered).toBe(false)
  })

  it('a busy probe, a site that is not, an address that is none, or a missing right are refused in French', async () => {
    const busy = ask({ address: '10.9.0.4' })
    const outcome = { kind: 'refused', message: 'occupée' }
    const order = await kit.discoverOrder()
    await kit.probe.call('POST', '/api/Probe/Answer', { order: order.id, outcome })
    expect(await busy).toMatchObject({ status: 409, body: { errors: [expect.stringContaining('essayez de nouveau')] } })
    expect((await ask({ address: '10.9.0.4', siteId: 999 })).status).toBe(400)
    expect((await ask({ address: 'pas une adresse' })).body.fields).toHaveProperty('address')
    const reader = await kit.test.user(['host_write'])
    expect((await reader.call('POST', '/api/Discovery/Look', { address: '10.9.0.4' })).status).toBe(403)
  })
})
