import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'
import { discoveryKit, found, snmp } from './testing-discovery.ts'

describe.each(DIALECTS)('runs of discoveries on %s', dialect => {
  const kit = discoveryKit()
  beforeAll(() => kit.open(dialect))
  afterAll(() => kit.test.close())

  it('a range is refused field by field, in French, and saved as it was written', async () => {
    const refusal = async (over: object) => {
      const body = { name: 'x', siteId: kit.siteId, ranges: '10.0.0.0/24', ...over }
      const answer = await kit.admin.call('POST', '/api/Discovery/Range/Create', body)
      expect(answer.status).toBe(400)
      return answer.body.fields
    }
    expect((await refusal({ ranges: '10.0.0.300' })).ranges).toContain('10.0.0.300')
    expect((await refusal({ ranges: '10.0.0.0/8' })).ranges).toContain('trop large')
    expect((await refusal({ ranges: '10.0.0.0/16, 10.1.0.0/16' })).ranges).toContain('au total')
    expect((await refusal({ exclusions: '10.0.0.0-10.0.0.255' })).exclusions).toContain('aucune adresse')
    expect((await refusal({ methods: ['reverse_dns'] })).methods).toContain('ping')
    expect((await refusal({ methods: ['ping', 'lldp'] })).methods).toContain('SNMP')
    expect((await refusal({ ports: [] })).ports).toContain('port')
    expect((await refusal({ siteId: 9_999 })).siteId).toContain('site')
    const kept = await kit.range({
      ranges: '10.200.0.0/28',
      exclusions: '10.200.0.3-5',
      recurrence: 'daily',
      atHour: 3,
    })
    expect(kept).toMatchObject({
      addresses: 11,
      runsOn: 'Sonde d’essai',
      nextRun: '2026-11-21T02:00:00.000Z',
      lastRun: null,
    })
    const twin = await kit.admin.call('POST', '/api/Discovery/Range/Create', {
      name: kept.name.toUpperCase(),
      siteId: kit.siteId,
      ranges: '10.0.0.1',
    })
    expect(twin.status).toBe(409)
  })

  it('the order says what to go through and how, with the credential of the site, and a run ends with its counts', async () => {
    await kit.admin.call('PUT', `/api/Credential/Site/${kit.siteId}`, {
      kind: 'snmp',
      settings: { version: 'v2c', community: 'secret-de-lyon' },
    })
    const range = await kit.range({ exclusions: '10.2.0.3', rate: 50 })
    const { order, run } = await kit.start(range.id)
    expect(run).toMatchObject({ state: 'waiting', total: 13, startedBy: 'admin' })
    expect(order.task).toMatchObject({
      intervals: [
        { from: '10.2.0.1', to: '10.2.0.2' },
        { from: '10.2.0.4', to: '10.2.0.14' },
      ],
      rate: 50,
      loopback: true,
      methods: ['ping', 'reverse_dns', 'ports', 'snmp', 'lldp'],
    })
    expect(order.credential).toMatchObject({ kind: 'snmp', community: 'secret-de-lyon', port: 161 })
    expect((await kit.part(order.id, 1, { done: 4, found: [found('10.2.0.4')] })).status).toBe(204)
    expect((await kit.runs(range.id))[0]).toMatchObject({
      state: 'running',
      done: 4,
      found: 1,
      added: 1,
      endedAt: null,
    })
    // Its answer was lost: it comes again, and changes nothing.
    expect((await kit.part(order.id, 1, { done: 4, found: [found('10.2.0.4')] })).status).toBe(204)
    expect((await kit.part(order.id, 2, { done: 13, last: true, notes: ['pas de ping'] })).status).toBe(204)
    expect((await kit.runs(range.id))[0]).toMatchObject({
      state: 'done',
      done: 13,
      found: 1,
      added: 1,
      notes: ['pas de ping'],
      error: '',
    })
    // What comes after the end tells the probe that nobody waits for it.
    expect((await kit.part(order.id, 3)).status).toBe(409)
    const list = (await kit.admin.call('GET', '/api/Discovery/Range/Get')).body
    expect(list.find((one: { id: number }) => one.id === range.id).findings).toEqual({
      new: 1,
      changed: 0,
      vanished: 0,
      known: 0,
      ignored: 0,
    })
  })

  it('no order of a discovery reaches another probe, nor does another probe’s answer count (S57)', async () => {
    const range = await kit.range()
    const { order } = await kit.start(range.id)
    const other = await enrolTestProbe(kit.test, kit.clock.now)
    expect((await other.orders()).orders).toEqual([])
    const outcome = {
      kind: 'discovered',
      part: 1,
      last: true,
      done: 0,
      found: [],
      notes: [],
      failure: null,
      gateway: null,
    }
    expect((await other.call('POST', '/api/Probe/Answer', { order: order.id, outcome })).status).toBe(409)
    expect((await kit.runs(range.id))[0].state).toBe('waiting')
    await kit.part(order.id, 1, { last: true })
  })

  it.each([
    ['an address outside of the range', { found: [found('10.99.0.1')] }, 'pas de la plage'],
    ['an address that is excluded', { found: [found('excluded')] }, 'pas de la plage'],
    ['one address twice', { found: [found('1'), found('1')] }, 'deux fois'],
    ['more addresses than there are', { done: 15 }, 'plus d’adresses'],
    ['a part that does not follow', { part: 3 }, 'désordre'],
  ])('a probe that tells %s is refused, and the run fails in words (S57)', async (_, lie, words) => {
    const range = await kit.range()
    const base = range.ranges.replace('0.0/28', '0.')
    const real = (text: string): string =>
      text.startsWith('10.') ? text : text === 'excluded' ? '10.99.0.9' : `${base}${text}`
    const { order } = await kit.start(range.id)
    const { part: number = 1, ...more } = { part: 1, ...lie }
    const all = 'found' in more ? { found: more.found.map(one => ({ ...one, address: real(one.address) })) } : more
    const answer = await kit.part(order.id, number, all)
    expect(answer.status).toBe(403)
    expect((await kit.runs(range.id))[0]).toMatchObject({ state: 'failed', error: expect.stringContaining(words) })
    expect(await kit.findings(range.id)).toEqual([])
    expect((await kit.orders()).map(({ kind }) => kind)).toContain('cancel')
  })

  it.each([
    ['too many addresses in a part', { found: Array.from({ length: 51 }, (_, n) => found(`10.1.0.${n}`)) }],
    ['text that is too long', { found: [found('10.1.0.1', { dnsName: 'x'.repeat(5_000) })] }],
    ['a wrong MAC address', { found: [found('10.1.0.1', { mac: '<script>' })] }],
    ['a wrong object identifier', { found: [found('10.1.0.1', { snmp: snmp({ sysObjectId: '1.3.<b>' }) })] }],
    ['ports that are none', { found: [found('10.1.0.1', { openPorts: [0] })] }],
  ])('%s is refused before it is looked at: 400', async (_, lie) => {
    const range = await kit.range()
    const { order } = await kit.start(range.id)
    expect((await kit.part(order.id, 1, lie)).status).toBe(400)
    await kit.part(order.id, 1, { last: true })
  })

  it('what devices write is kept as clean text: no control, no direction, markup as it is', async () => {
    const range = await kit.range()
    const base = range.ranges.replace('0/28', '')
    const evil = 'a\u0000\u001b[2J\u202eb <img src=x onerror=alert(1)>'
    await kit.run(range.id, [
      found(`${base}1`, {
        dnsName: evil,
        snmp: snmp({ sysName: evil, sysDescr: evil }),
        neighbours: [{ localPort: evil, chassis: evil, port: evil, name: evil, addresses: [] }],
      }),
    ])
    const one = await kit.finding(range.id, `${base}1`)
    expect(one.name).toBe('a [2J b <img src=x onerror=alert(1)>')
    expect(JSON.stringify(one)).not.toMatch(/\\u0000|\\u001b|\u202e/)
  })

  it('one run at a time on each probe: the next one waits for its end, a second one of the same range is refused', async () => {
    const [first, second] = [await kit.range(), await kit.range()]
    const { order } = await kit.start(first.id)
    expect((await kit.admin.call('POST', `/api/Discovery/Run/${first.id}`)).status).toBe(409)
    expect((await kit.admin.call('POST', `/api/Discovery/Run/${second.id}`)).body.state).toBe('waiting')
    expect(await kit.orders()).toEqual([])
    await kit.part(order.id, 1, { last: true, done: 14 })
    const next = await kit.discoverOrder()
    expect(next.task.intervals[0]?.from).toBe(second.ranges.replace('0/28', '1'))
    await kit.part(next.id, 1, { last: true, done: 14 })
    expect((await kit.runs(second.id))[0].state).toBe('done')
  })

  it('a run that is cancelled tells the probe, keeps what was found, and makes nothing vanish', async () => {
    const range = await kit.range()
    const base = range.ranges.replace('0/28', '')
    await kit.run(range.id, [found(`${base}1`), found(`${base}2`)])
    const { order, run } = await kit.start(range.id)
    await kit.part(order.id, 1, { done: 1, found: [found(`${base}1`)] })
    const cancelled = await kit.admin.call('POST', `/api/Discovery/Run/Cancel/${run.id}`)
    expect(cancelled.body).toMatchObject({ state: 'cancelled', error: expect.stringContaining('admin') })
    expect(await kit.orders()).toEqual([expect.objectContaining({ kind: 'cancel', order: order.id })])
    expect((await kit.findings(range.id)).map((one: { state: string }) => one.state)).toEqual(['new', 'new'])
    expect((await kit.admin.call('POST', `/api/Discovery/Run/Cancel/${run.id}`)).status).toBe(409)
  })

  it('a probe that is silent for a minute has interrupted its run; one that never began is told as such; both can be started again', async () => {
    const [begun, never] = [await kit.range(), await kit.range()]
    const { order } = await kit.start(begun.id)
    await kit.part(order.id, 1, { done: 3 })
    for (let n = 0; n < 13; n += 1) await kit.test.app.discovery.tick()
    expect((await kit.runs(begun.id))[0]).toMatchObject({
      state: 'interrupted',
      error: expect.stringContaining('minute'),
    })
    expect((await kit.part(order.id, 2)).status).toBe(409)
    await kit.start(never.id)
    for (let n = 0; n < 13; n += 1) await kit.test.app.discovery.tick()
    expect((await kit.runs(never.id))[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('commencé') })
    expect((await kit.run(begun.id, [], { done: 14 })).state).toBe('done')
  })

  it('a probe that restarts is not given a run again that it had begun', async () => {
    const range = await kit.range()
    const { order } = await kit.start(range.id)
    expect((await kit.probe.orders()).orders.map(({ id }) => id)).toContain(order.id)
    await kit.part(order.id, 1, { done: 1 })
    expect((await kit.probe.orders()).orders.map(({ id }) => id)).not.toContain(order.id)
    await kit.part(order.id, 2, {
      last: true,
      done: 1,
      failure: { state: 'interrupted', message: 'la sonde s’est arrêtée' },
    })
    expect((await kit.runs(range.id))[0]).toMatchObject({ state: 'interrupted', error: 'la sonde s’est arrêtée' })
  })

  it('what was under way when the server ended is interrupted at its next start', async () => {
    const range = await kit.range()
    const { order } = await kit.start(range.id)
    await kit.part(order.id, 1, { done: 1 })
    // What a start does, on the rows that a killed server leaves.
    await kit.test.app.discovery.runs.book.interruptAll('Le serveur s’est arrêté.')
    expect((await kit.runs(range.id))[0]).toMatchObject({ state: 'interrupted', error: 'Le serveur s’est arrêté.' })
    await kit.part(order.id, 2, { last: true, done: 1 })
  })

  it('a recurrent range starts at its hour, once, and says why when its probe is away', async () => {
    const range = await kit.range({ recurrence: 'weekly', weekday: 6, atHour: 4 })
    expect(range.nextRun).toBe('2026-11-21T03:00:00.000Z')
    kit.clock.forward(24 * 3_600_000)
    await kit.probe.orders()
    await kit.test.app.discovery.tick()
    const admin = await kit.test.admin()
    const runs = async () => (await admin.call('GET', `/api/Discovery/Run/Get?range=${range.id}`)).body
    expect((await runs())[0]).toMatchObject({ startedBy: null, state: 'waiting' })
    expect((await admin.call('GET', `/api/Discovery/Range/Get/${range.id}`)).body.nextRun).toBe(
      '2026-11-28T03:00:00.000Z',
    )
    await kit.test.app.discovery.tick()
    expect(await runs()).toHaveLength(1)
  })

  it('reading asks for scanner_read, changing for scanner_write, making hosts for host_write', async () => {
    const [reader, nobody, maker] = [
      await kit.test.user(['scanner_read']),
      await kit.test.user([]),
      await kit.test.user(['host_write']),
    ]
    expect((await reader.call('GET', '/api/Discovery/Range/Get')).status).toBe(200)
    expect((await reader.call('PUT', '/api/DiscoveryDatatable', {})).status).toBe(200)
    expect((await nobody.call('GET', '/api/Discovery/Range/Get')).status).toBe(403)
    expect((await reader.call('POST', '/api/Discovery/Run/1')).status).toBe(403)
    expect((await reader.call('POST', '/api/Discovery/Finding/Approve', { items: [{ findingId: 1 }] })).status).toBe(
      403,
    )
    expect((await maker.call('POST', '/api/Discovery/Run/1')).status).toBe(403)
    expect(
      (await maker.call('POST', '/api/Discovery/Finding/Approve', { items: [{ findingId: 999_999 }], plan: true })).body
        .refused,
    ).toHaveLength(1)
  })
})
