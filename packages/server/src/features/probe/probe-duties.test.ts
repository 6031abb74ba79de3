import type { AnswerBody, ProbeOrder } from '@narval/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock, type TestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

describe.each(DIALECTS)('the work of probes, on %s', dialect => {
  let clock: TestClock
  let test: TestApp
  let admin: Caller
  let local: TestProbe
  let lyon: TestProbe
  beforeEach(async () => {
    clock = createTestClock()
    test = await createTestApp({ dialect, now: clock.now })
    admin = await test.admin()
    local = await enrolTestProbe(test, clock.now)
    lyon = await probeOf('Sonde de Lyon')
  })
  afterEach(() => test.close())

  const probeOf = async (name: string): Promise<TestProbe> => {
    const { code } = (await admin.call('POST', '/api/Probe/Code')).body
    const probe = await enrolTestProbe(test, clock.now, { code, name })
    await admin.call('POST', `/api/Probe/Approve/${probe.id}`)
    await probe.orders()
    return probe
  }
  const audited = async (action: string): Promise<Answered[]> =>
    (await test.database.db.selectFrom('audit').selectAll().where('action', '=', action).orderBy('id').execute()).map(
      ({ actor, object, detail }) => ({ actor, object, ...JSON.parse(detail) }),
    )
  const runs = async (probe: TestProbe): Promise<string[]> =>
    ((await probe.orders()).configuration?.checks ?? []).map(check => check.address).toSorted()

  /** One site that chose Lyon, one host that did, one scanner that did, and a host left to the local probe. */
  const fleet = async () => {
    const chosen = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO', probeId: lyon.id })
    const free = await admin.make('/api/Site/Create', { name: 'Paris', code: 'PAR' })
    const host = (name: string, address: string, siteId: number, more: object = {}) =>
      admin.make('/api/Host/Create', { name, address, siteId, ...more })
    const followed = await host('suit-son-site', '192.0.2.1', chosen.id)
    const own = await host('choisit', '192.0.2.2', free.id, { probeId: lyon.id })
    const left = await host('laissé', '192.0.2.3', free.id)
    const scanner = { name: 'SSH', kind: 'tcp', hostId: left.id, probeId: lyon.id, parameters: { port: 22 } }
    await admin.make('/api/Scanner/Create', scanner)
    return { followed, own, left, chosen }
  }

  it('goes to another probe at once, planned first, with a line of audit for each object', async () => {
    const { own, chosen } = await fleet()
    const nantes = await probeOf('Sonde de Nantes')
    const duties = { sites: 1, hosts: 2, scanners: 1, discoveryRanges: 0 }
    const plan = await admin.call('POST', `/api/Probe/Move/${lyon.id}`, { to: nantes.id, plan: true })
    expect(plan.body).toEqual({ moved: false, duties })
    expect(await runs(lyon)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    const moved = await admin.call('POST', `/api/Probe/Move/${lyon.id}`, { to: nantes.id })
    expect(moved.body).toEqual({ moved: true, duties })
    expect(await runs(lyon)).toEqual([])
    expect(await runs(nantes)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    expect((await admin.call('GET', `/api/Host/Get/${own.id}`)).body.probeId).toBe(nantes.id)
    expect((await admin.call('GET', `/api/Site/Get/${chosen.id}`)).body.probeId).toBe(nantes.id)
    const change = { probeId: { before: lyon.id, after: nantes.id } }
    for (const kind of ['site', 'host', 'scanner'])
      expect(await audited(`${kind}-update`)).toMatchObject([{ actor: 'admin', changes: change }])
    expect(await audited('probe-move')).toMatchObject([
      { object: `probe ${lyon.id}`, to: { id: nantes.id, name: 'Sonde de Nantes' }, ...duties },
    ])
  })

  it('of chosen hosts alone moves with them, also those that the local probe has because nobody chose', async () => {
    const { followed, left } = await fleet()
    const nantes = await probeOf('Sonde de Nantes')
    const one = await admin.call('POST', `/api/Probe/Move/${lyon.id}`, { to: nantes.id, hostIds: [followed.id] })
    expect(one.body.duties).toEqual({ sites: 0, hosts: 1, scanners: 0, discoveryRanges: 0 })
    expect([await runs(nantes), await runs(lyon)]).toEqual([['192.0.2.1'], ['192.0.2.2', '192.0.2.3']])
    const own = await admin.make('/api/Host/Create', { name: 'ici', address: '127.0.0.1', siteId: left.siteId })
    const all = await admin.call('POST', `/api/Probe/Move/${local.id}`, { to: nantes.id })
    expect(all.body.duties.hosts).toBe(1)
    expect(await runs(nantes)).toEqual(['192.0.2.1', '192.0.2.3'])
    // A probe's own machine is nobody else's to watch.
    expect((await admin.call('GET', `/api/Host/Get/${own.id}`)).body.probeId).toBeNull()
  })

  it('goes to no probe that is not there, waits or is revoked, and asks for the rights on what changes', async () => {
    await fleet()
    const waiting = await enrolTestProbe(test, clock.now, {
      code: (await admin.call('POST', '/api/Probe/Code')).body.code,
    })
    const move = (caller: Caller, to: number) => caller.call('POST', `/api/Probe/Move/${lyon.id}`, { to })
    expect((await move(admin, waiting.id)).status).toBe(409)
    expect((await move(admin, 9_999)).body.fields).toEqual({ to: 'Cette sonde n’existe pas.' })
    expect((await move(admin, lyon.id)).status).toBe(400)
    expect((await move(await test.user(['probe_write']), local.id)).status).toBe(403)
    expect((await move(await test.user(['probe_write', 'host_write']), local.id)).status).toBe(403)
    expect(await runs(lyon)).toHaveLength(3)
  })

  it('of a deleted probe is left to the site’s or the local one; only a revoked probe is deleted', async () => {
    await fleet()
    expect((await admin.call('DELETE', `/api/Probe/Delete/${lyon.id}`)).status).toBe(409)
    expect((await admin.call('DELETE', `/api/Probe/Delete/${local.id}`)).status).toBe(409)
    await admin.call('POST', `/api/Probe/Revoke/${lyon.id}`)
    const plan = await admin.call('DELETE', `/api/Probe/Delete/${lyon.id}?plan=true`)
    expect(plan.body).toEqual({ deleted: false, duties: { sites: 1, hosts: 1, scanners: 1, discoveryRanges: 0 } })
    expect((await admin.call('DELETE', `/api/Probe/Delete/${lyon.id}`)).body.deleted).toBe(true)
    expect((await admin.call('GET', `/api/Probe/Get/${lyon.id}`)).status).toBe(404)
    expect(await runs(local)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.3'])
    expect((await lyon.call('GET', '/api/Probe/Orders?wait=0')).status).toBe(401)
    expect(await audited('probe-delete')).toMatchObject([
      { actor: 'admin', name: 'Sonde de Lyon', changes: { name: { before: 'Sonde de Lyon', after: null } } },
    ])
  })

  it('a probe that is renamed or goes to a site is audited with before and after; approving and codes too', async () => {
    const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    const { updatedAt } = (await admin.call('GET', `/api/Probe/Get/${lyon.id}`)).body
    const body = { name: 'Sonde du Rhône', siteId: site.id, updatedAt }
    expect((await admin.call('PUT', `/api/Probe/Update/${lyon.id}`, body)).status).toBe(200)
    expect((await admin.call('PUT', `/api/Probe/Update/${lyon.id}`, body)).status).toBe(409)
    expect((await audited('probe-update'))[0].changes).toEqual({
      name: { before: 'Sonde de Lyon', after: 'Sonde du Rhône' },
      siteId: { before: null, after: site.id },
    })
    expect(await audited('probe-approve')).toMatchObject([
      { name: 'Sonde de Lyon', fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ])
    expect(await audited('probe-code')).toHaveLength(1)
  })

  it('is read by the API: all probes, one, a page of them, and when one of them last changed', async () => {
    const all = (await admin.call('GET', '/api/Probe/Get')).body
    expect(all.map((probe: Answered) => probe.id).toSorted()).toEqual([local.id, lyon.id].toSorted())
    const one = (await admin.call('GET', `/api/Probe/Get/${lyon.id}`)).body
    expect(one).toMatchObject({ name: 'Sonde de Lyon', state: 'online', local: false, siteId: null, hosts: 0 })
    clock.forward(60_000)
    const body = { name: 'Sonde du Rhône', siteId: null, updatedAt: one.updatedAt }
    const { updatedAt } = (await admin.call('PUT', `/api/Probe/Update/${lyon.id}`, body)).body
    expect((await admin.call('GET', '/api/Probe/Get/LastUpdate')).body).toEqual({ lastUpdate: updatedAt })
    expect((await admin.call('GET', '/api/ProbeDatatable')).body).toMatchObject({ recordsTotal: 2 })
    const page = await admin.call('PUT', '/api/ProbeDatatable', { length: 1, search: { value: 'rhone' } })
    expect(page.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 1, data: [{ id: lyon.id }] })
  })

  describe('a diagnostic', () => {
    type Order = Extract<ProbeOrder, { kind: 'diagnose' }>
    /** Asks for one, and plays the probe. */
    const diagnose = async (
      probe: TestProbe,
      body: object,
      play: (order: Order) => AnswerBody['outcome'] | null,
      caller = admin,
    ) => {
      const { after, configuration } = await probe.orders()
      const asked = caller.call('POST', `/api/Probe/Diagnose/${probe.id}`, body)
      const next = probe.orders(`after=${after}&revision=${configuration?.revision ?? ''}`)
      const first = await Promise.race([asked, next])
      if ('status' in first) return first
      const order = first.orders.find(one => one.kind === 'diagnose')
      const outcome = order === undefined ? null : play(order)
      if (order !== undefined && outcome !== null)
        expect((await probe.call('POST', '/api/Probe/Answer', { order: order.id, outcome })).status).toBe(204)
      return asked
    }
    const said = (text: string): AnswerBody['outcome'] => ({ kind: 'diagnosed', durationMs: 12, text, failure: null })

    it('goes to the probe with what was typed, and its lines come back; who asked is audited', async () => {
      const answer = await diagnose(lyon, { kind: 'ping', address: 'rtr.exemple.fr' }, order => {
        expect(order).toMatchObject({ loopback: false, task: { kind: 'ping', address: 'rtr.exemple.fr', count: 5 } })
        return said('écho  1  <b>1,2</b> ms')
      })
      expect(answer).toMatchObject({ status: 200, body: { text: 'écho  1  <b>1,2</b> ms', failure: null } })
      expect(await audited('probe-diagnose')).toMatchObject([{ actor: 'admin', address: 'rtr.exemple.fr' }])
    })

    it('S39: takes no address that a program could read as an option or a command', async () => {
      const bad = ['-c1', '--help', 'a;reboot', '$(id)', '`id`', 'a\nb', 'a b', '|id', '../x', 'a&b', '', '{address}']
      for (const address of bad)
        for (const kind of ['ping', 'traceroute'])
          expect([
            address,
            (await admin.call('POST', `/api/Probe/Diagnose/${lyon.id}`, { kind, address })).status,
          ]).toEqual([address, 400])
      const others = [
        { kind: 'dns', name: '-x' },
        { kind: 'dns', name: 'a', server: ';id' },
        { kind: 'http', url: 'file:///etc/passwd' },
        { kind: 'http', url: 'http://a b' },
        { kind: 'snmp', hostId: 1, oid: '1.3.6;id' },
        { kind: 'shell', address: 'a' },
        { kind: 'ping', address: 'a', command: 'id' },
      ]
      for (const body of others)
        expect((await admin.call('POST', `/api/Probe/Diagnose/${lyon.id}`, body)).status).toBe(400)
    })

    it('S50: shows what a page says only to who may write metrics', async () => {
      const asked: boolean[] = []
      const body = { kind: 'http', url: 'http://www.exemple.fr/' }
      for (const caller of [admin, await test.user(['probe_write'])])
        await diagnose(
          lyon,
          body,
          ({ task }) => {
            if (task.kind === 'http') asked.push(task.body)
            return said('')
          },
          caller,
        )
      expect(asked).toEqual([true, false])
    })

    it('S59: an SNMP walk takes the credentials in force of its host, sealed, from its own probe unless one may move the host', async () => {
      const { own } = await fleet()
      await admin.call('PUT', `/api/Credential/Host/${own.id}`, {
        kind: 'snmp',
        settings: { version: 'v2c', community: 'canari-9c1' },
      })
      const body = { kind: 'snmp', hostId: own.id, oid: '1.3.6.1.2.1.1' }
      const answer = await diagnose(lyon, body, order => {
        expect(order.task).toEqual({ kind: 'snmp', address: '192.0.2.2', oid: '1.3.6.1.2.1.1' })
        // Opened by the test probe alone.
        expect(order.credential).toMatchObject({ kind: 'snmp', community: 'canari-9c1' })
        return said('sysName')
      })
      expect(answer.status).toBe(200)
      await local.orders()
      const reader = await test.user(['probe_write'])
      expect((await reader.call('POST', `/api/Probe/Diagnose/${local.id}`, body)).status).toBe(403)
      expect((await reader.call('POST', `/api/Probe/Diagnose/${lyon.id}`, { ...body, hostId: 9_999 })).status).toBe(400)
      expect(JSON.stringify(await audited('probe-diagnose'))).not.toContain('canari')
    })

    it('is refused on a probe that is silent, beyond two at a time, and to who has not the right', async () => {
      const body = { kind: 'ping', address: '192.0.2.1' }
      expect(
        (await (await test.user(['host_write'])).call('POST', `/api/Probe/Diagnose/${lyon.id}`, body)).status,
      ).toBe(403)
      const { after, configuration } = await lyon.orders()
      const asked = [1, 2].map(() => admin.call('POST', `/api/Probe/Diagnose/${lyon.id}`, body))
      const ids: string[] = []
      for (let seen = after; ids.length < 2; ) {
        const reply = await lyon.orders(`after=${seen}&revision=${configuration?.revision ?? ''}`)
        seen = reply.after
        ids.push(...reply.orders.map(order => order.id))
      }
      expect((await admin.call('POST', `/api/Probe/Diagnose/${lyon.id}`, body)).status).toBe(429)
      for (const order of ids) await lyon.call('POST', '/api/Probe/Answer', { order, outcome: said('') })
      expect((await Promise.all(asked)).map(answer => answer.status)).toEqual([200, 200])
      await admin.call('POST', `/api/Probe/Revoke/${lyon.id}`)
      expect((await admin.call('POST', `/api/Probe/Diagnose/${lyon.id}`, body)).status).toBe(409)
    })
  })
})
