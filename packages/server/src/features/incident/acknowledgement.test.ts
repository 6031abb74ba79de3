import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

const HOUR_MS = 3_600_000
/** Sign-ins of tests last longer. */
const SOON_MS = 300_000
const START_MS = Date.parse('2026-11-20T08:00:00Z')

describe.each(DIALECTS)('acknowledging, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let siteId: number
  let hostId: number
  let tcp: number

  beforeEach(async () => {
    nowMs = START_MS
    test = await createTestApp({ dialect, now: () => nowMs })
    admin = await test.admin()
    probe = await enrolTestProbe(test, () => nowMs)
    siteId = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    hostId = (await admin.make('/api/Host/Create', { name: 'srv-1', address: '192.0.2.1', siteId })).id
    tcp = (await admin.make('/api/Scanner/Create', { name: 'SSH', kind: 'tcp', hostId, parameters: { port: 22 } })).id
    await measure(1)
    const metric = await metricOf()
    const thresholds = { warningHigh: 100, errorHigh: 500 }
    const body = { name: metric.name, thresholds, attempts: 1, updatedAt: metric.updatedAt }
    expect((await admin.call('PUT', `/api/Metric/Update/${metric.id}`, body)).status).toBe(200)
  })
  afterEach(() => test.close())

  const measure = async (value: number) => {
    nowMs += 60_000
    expect(await probe.post([{ scanner: tcp, values: { connect_time: value } }])).toBe(204)
    await test.app.monitoring.evaluation.idle()
  }
  const metricOf = async () =>
    (await admin.call('GET', `/api/Scanner/Get/Metric?id=${tcp}`)).body.find(
      (one: { key: string }) => one.key === 'connect_time',
    )
  const open = async (): Promise<Answered> => (await admin.call('GET', '/api/Incident/Get?open=true')).body[0]
  const act = (what: string, body?: unknown, caller = admin) =>
    open().then(({ id }) => caller.call('POST', `/api/Incident/${what}/${id}`, body))
  const timeline = async (id: number): Promise<string[]> =>
    (
      await test.database.db
        .selectFrom('incident_event')
        .select('kind')
        .where('incident_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(row => row.kind)
  const counted = async (): Promise<number> => (await admin.call('GET', '/api/Dashboard/Get/Main')).body.acknowledged
  const entry = async () => test.app.monitoring.model.metrics.get((await metricOf()).id)

  it('a plan says how long it would last by the rules of each, the shortest and the longest; not where the end is said', async () => {
    await measure(200)
    const { id } = await open()
    const plan = async (ids: readonly number[], body: object = {}) => {
      const change = { acknowledge: { comment: '-', ...body } }
      return (await admin.call('POST', '/api/Incident/Bulk', { ids, change, plan: true })).body.hours
    }
    expect(await plan([id])).toEqual({ least: 24, most: 24 })
    await admin.call('PUT', `/api/RuleSetting/site/${siteId}`, { values: { acknowledgeHours: 4 } })
    expect(await plan([id])).toEqual({ least: 4, most: 4 })
    expect(await plan([id], { until: null })).toBeNull()
    const values = { event_key: 'probe', kind: 'probe', probe_id: null, severity_rank: 0, information: '' }
    await test.database.db
      .insertInto('incident')
      .values({ ...values, worst_rank: 0, opened_at: nowMs })
      .execute()
    const other = await test.database.db.selectFrom('incident').select('id').where('id', '<>', id).executeTakeFirst()
    expect(await plan([id, other?.id ?? 0])).toEqual({ least: 4, most: 24 })
  })

  it('asks for a comment, ends 24 h later, and says who did it where it is listed', async () => {
    await measure(200)
    expect((await act('Acknowledge', { comment: ' ' })).status).toBe(400)
    expect((await act('Acknowledge', { comment: 'Vu' })).body).toMatchObject({
      acknowledgedBy: 'admin',
      acknowledgedComment: 'Vu',
      acknowledgedSticky: false,
      acknowledgedUntil: new Date(nowMs + 24 * HOUR_MS).toISOString(),
    })
    expect([await counted(), (await entry())?.acknowledged]).toEqual([1, true])
    const audited = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'incident-update')
      .orderBy('id')
      .execute()
    expect(audited).toMatchObject([{ actor: 'admin', detail: expect.stringContaining('Vu') }])
  })

  it.each([
    { sticky: false, values: [600], kept: false },
    { sticky: true, values: [600], kept: true },
    { sticky: true, values: [600, 200], kept: true },
    { sticky: false, values: [250, 300], kept: true },
  ])('sticky $sticky through $values: kept $kept', async ({ sticky, values, kept }) => {
    await measure(200)
    const { id } = await open()
    await act('Acknowledge', { comment: 'Vu', sticky })
    for (const value of values) await measure(value)
    expect((await open()).acknowledgedBy).toBe(kept ? 'admin' : null)
    expect([(await entry())?.acknowledged, await counted()]).toEqual([kept, kept ? 1 : 0])
    expect((await timeline(id)).includes('acknowledgement-cleared')).toBe(!kept)
  })

  it('while an incident flaps, a change of severity leaves it', async () => {
    await measure(200)
    const { id } = await open()
    await act('Acknowledge', { comment: 'Vu' })
    await test.database.db.updateTable('incident').set({ flapping: 1 }).where('id', '=', id).execute()
    await measure(600)
    expect((await open()).acknowledgedBy).toBe('admin')
  })

  it('recovery ends it: the next problem is nobody’s', async () => {
    await measure(200)
    await act('Acknowledge', { comment: 'Vu', sticky: true, until: null })
    await measure(1)
    nowMs += SOON_MS
    await measure(200)
    expect([(await entry())?.acknowledged, (await open()).acknowledgedBy, await counted()]).toEqual([false, null, 0])
  })

  it('ends at its time by itself, with its line, and the problem is unhandled again', async () => {
    await measure(200)
    const { id } = await open()
    const until = new Date(nowMs + SOON_MS).toISOString()
    await act('Acknowledge', { comment: 'Vu', until })
    nowMs += SOON_MS - 1
    await test.app.monitoring.acknowledgements.pass()
    expect((await open()).acknowledgedBy).toBe('admin')
    nowMs += 1
    await test.app.monitoring.acknowledgements.pass()
    expect((await open()).acknowledgedBy).toBeNull()
    expect((await timeline(id)).at(-1)).toBe('acknowledgement-expired')
    expect((await entry())?.acknowledged).toBe(false)
    await test.app.monitoring.acknowledgements.pass()
    expect((await timeline(id)).filter(kind => kind === 'acknowledgement-expired')).toHaveLength(1)
  })

  it('ends also when its time passed while the server was down: at the start', async () => {
    await measure(200)
    const { id } = await open()
    await act('Acknowledge', { comment: 'Vu', until: new Date(nowMs + SOON_MS).toISOString() })
    test.app.monitoring.acknowledgements.stop()
    nowMs += SOON_MS + 1_000
    await test.app.monitoring.reload()
    await test.app.monitoring.acknowledgements.start()
    expect((await open()).acknowledgedBy).toBeNull()
    expect((await timeline(id)).at(-1)).toBe('acknowledgement-expired')
  })

  it('refuses an end that is past, an account that is not, and an incident that is over', async () => {
    await measure(200)
    const { id } = await open()
    const past = { comment: 'Vu', until: new Date(nowMs).toISOString() }
    expect((await act('Acknowledge', past)).status).toBe(400)
    expect((await act('Own', { owner: 'personne' })).status).toBe(400)
    await measure(1)
    const answer = await admin.call('POST', `/api/Incident/Acknowledge/${id}`, { comment: 'Vu' })
    expect([answer.status, answer.body.errors]).toEqual([409, ['Cet incident est terminé.']])
  })

  it('an incident is taken on, given to another and given back, each with its line', async () => {
    await test.user(['incident_write'], { login: 'marie' })
    await measure(200)
    const { id } = await open()
    expect((await act('Own', { owner: 'admin' })).body.owner).toBe('admin')
    expect((await act('Own', { owner: 'MARIE' })).body.owner).toBe('marie')
    expect((await act('Own', { owner: null })).body.owner).toBeNull()
    const rows = await test.database.db
      .selectFrom('incident_event')
      .select('text')
      .where('incident_id', '=', id)
      .where('kind', '=', 'owned')
      .orderBy('id')
      .execute()
    expect(rows.map(row => row.text)).toEqual(['Pris en charge.', 'Confié à marie.', 'Retiré à marie.'])
  })

  it('two people at once: both are on the timeline, one of them holds it', async () => {
    await test.user(['incident_write'], { login: 'marie' })
    const marie = await test.signIn('marie', PASSWORD)
    await measure(200)
    const { id } = await open()
    const answers = await Promise.all([
      act('Acknowledge', { comment: 'A' }),
      act('Acknowledge', { comment: 'B' }, marie),
    ])
    expect(answers.map(answer => answer.status)).toEqual([200, 200])
    expect((await timeline(id)).filter(kind => kind === 'acknowledged')).toHaveLength(2)
    const { acknowledgedBy, acknowledgedComment } = await open()
    expect([
      ['admin', 'A'],
      ['marie', 'B'],
    ]).toContainEqual([acknowledgedBy, acknowledgedComment])
  })

  it('tells the others who are signed in what was done, to which, with a link; never who did it', async () => {
    await test.user(['incident_write'], { login: 'marie' })
    const marie = await test.signIn('marie', PASSWORD)
    await measure(200)
    const { id } = await open()
    const publish = vi.spyOn(test.app.hubs, 'publish')
    const body = { of: 'incident', ids: [id], change: { own: { owner: 'marie' } } }
    expect((await marie.call('POST', '/api/Incident/Bulk', body)).body.changed).toBe(1)
    const call = publish.mock.calls.find(([path]) => path === '/Hub/Communication')
    expect(call?.[3]).toMatchObject([
      {
        type: 'Info',
        message: expect.stringMatching(/^Claire Legoff a pris en charge srv-1\u202f: /),
        link: `/dashboard/live-view/incident/${id}`,
      },
    ])
    const me = (await marie.call('GET', '/api/Account/Get')).body.idUser
    const other = (await admin.call('GET', '/api/Account/Get')).body.idUser
    expect([call?.[4]?.(me), call?.[4]?.(other)]).toEqual([false, true])
  })

  it('asks for incident_write', async () => {
    const reader = await test.user([])
    await measure(200)
    const refused = [
      await act('Acknowledge', { comment: 'Vu' }, reader),
      await act('Own', { owner: 'admin' }, reader),
      await reader.call('POST', '/api/Incident/Bulk', { of: 'host', ids: [hostId], change: { unacknowledge: true } }),
      await reader.call('POST', '/api/Incident/Check', { of: 'host', ids: [hostId] }),
    ]
    expect(refused.map(answer => answer.status)).toEqual([403, 403, 403, 403])
    expect((await open()).acknowledgedBy).toBeNull()
  })

  it('of a host, a site, a metric or a filter, all open incidents are meant; a plan changes nothing', async () => {
    await measure(200)
    const metric = (await metricOf()).id
    const bulk = async (target: object, plan = false) =>
      (
        await admin.call('POST', '/api/Incident/Bulk', {
          ...target,
          change: { acknowledge: { comment: 'Lot' } },
          plan,
        })
      ).body
    expect(await bulk({ of: 'host', ids: [hostId] }, true)).toMatchObject({ matched: 1, changed: 1 })
    expect((await open()).acknowledgedBy).toBeNull()
    for (const target of [
      { of: 'host', ids: [hostId] },
      { of: 'host', filter: {} },
      { of: 'site', ids: [siteId] },
      { of: 'metric', ids: [metric] },
      { of: 'problem', filter: { filters: { view: 'problems' } } },
      { of: 'incident', filter: {} },
    ]) {
      await act('Unacknowledge')
      expect([target, await bulk(target)]).toMatchObject([target, { matched: 1, changed: 1, refused: 0 }])
      expect((await open()).acknowledgedComment).toBe('Lot')
    }
    expect(
      (await admin.call('POST', '/api/Incident/Bulk', { of: 'host', change: { unacknowledge: true } })).status,
    ).toBe(400)
  })

  it('« Vérifier maintenant » tells the probe which scanners, and says how many', async () => {
    const revision = (await probe.orders()).configuration?.revision ?? ''
    const waiting = probe.orders(`after=0&revision=${revision}`)
    const answer = await admin.call('POST', '/api/Incident/Check', { of: 'site', ids: [siteId] })
    expect(answer.body).toEqual({ scanners: 2, probes: 1 })
    expect((await waiting).orders).toMatchObject([{ kind: 'recheck', scanners: expect.arrayContaining([tcp]) }])
  })

  it('more than 500 checks at once are refused in words', async () => {
    const { db } = test.database
    const host = await db.selectFrom('scanner').selectAll().where('id', '=', tcp).executeTakeFirstOrThrow()
    const { id: _, ...columns } = host
    const rows = Array.from({ length: 500 }, (_one, index) => ({
      ...columns,
      name: `s${index}`,
      name_folded: `s${index}`,
    }))
    for (let start = 0; start < rows.length; start += 100)
      await db
        .insertInto('scanner')
        .values(rows.slice(start, start + 100))
        .execute()
    await test.app.monitoring.reload()
    const answer = await admin.call('POST', '/api/Incident/Check', { of: 'host', ids: [hostId] })
    expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.stringContaining('Au plus 500')])
  })

  it('10,000 incidents by one filter: each acknowledged, audited and on its timeline, in one answer', async () => {
    const { db } = test.database
    const count = 10_000
    const scanner = await db
      .selectFrom('metric')
      .selectAll()
      .where('id', '=', (await metricOf()).id)
      .executeTakeFirstOrThrow()
    const { id: _, ...columns } = scanner
    for (let start = 0; start < count; start += 500) {
      const keys = Array.from({ length: 500 }, (_one, index) => `bulk_${start + index}`)
      const metrics = await db
        .insertInto('metric')
        .values(keys.map(key => ({ ...columns, key, name: key, name_folded: key })))
        .returning('id')
        .execute()
      await db
        .insertInto('incident')
        .values(
          metrics.map(({ id }) => ({
            ...{ event_key: `bulk:${id}`, metric_id: id, host_id: hostId, site_id: siteId, severity_rank: 0 },
            ...{ information: '', opened_at: nowMs, closed_at: null, acknowledged_by: null, acknowledged_at: null },
            acknowledged_comment: null,
          })),
        )
        .execute()
    }
    const body = { of: 'host', filter: {}, change: { acknowledge: { comment: 'Coupure' }, own: undefined } }
    const answer = await admin.call('POST', '/api/Incident/Bulk', body)
    expect(answer.body).toMatchObject({ matched: count, changed: count, refused: 0 })
    const left = await admin.call('POST', '/api/Incident/Bulk', { ...body, plan: true })
    expect(left.body.matched).toBe(count)
    const lines = await db
      .selectFrom('incident_event')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('kind', '=', 'acknowledged')
      .executeTakeFirstOrThrow()
    const audited = await db
      .selectFrom('audit')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('action', '=', 'incident-update')
      .executeTakeFirstOrThrow()
    expect([Number(lines.n), Number(audited.n)]).toEqual([count, count])
  }, 60_000)
})
