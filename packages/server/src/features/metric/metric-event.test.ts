import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'

const HOUR = 3_600_000
const T0 = Date.UTC(2026, 10, 20)
const iso = (ms: number): string => new Date(ms).toISOString()

describe.each(DIALECTS)('events around metrics, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let siteId: number
  let hostId: number
  let scannerId: number
  let metricIds: number[]
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    siteId = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    hostId = (await admin.make('/api/Host/Create', { name: 'srv-1', address: '192.0.2.1', siteId })).id
    const metrics = (await admin.call('GET', `/api/Metric/Get?host=${hostId}`)).body
    metricIds = metrics.map((one: { id: number }) => one.id)
    scannerId = metrics[0].scannerId
    await test.database.db.deleteFrom('audit').execute()
  })
  afterAll(() => test.close())

  const events = async (query: Record<string, string> = {}, by = admin) => {
    const asked = { ids: metricIds.join(), from: iso(T0), to: iso(T0 + 24 * HOUR), ...query }
    return by.call('GET', `/api/Metric/Event?${new URLSearchParams(asked)}`)
  }
  const incident = (key: string, openedMs: number, closedMs: number | null, metricId = metricIds[0]) =>
    test.database.db
      .insertInto('incident')
      .values({
        ...{ event_key: key, metric_id: metricId ?? null, host_id: hostId, site_id: siteId },
        ...{ severity_rank: 1, worst_rank: 0, information: key, opened_at: openedMs, closed_at: closedMs },
        ...{ acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null },
      })
      .execute()
  const kinds = (body: { events: { kind: string; text: string }[] }, kind: string) =>
    body.events.filter(one => one.kind === kind)

  it('tells the incidents that touch the period, with their worst severity, the one that lasts included', async () => {
    await incident('before', T0 - 2 * HOUR, T0 - HOUR)
    await incident('over the start', T0 - HOUR, T0 + HOUR)
    await incident('lasts', T0 + 2 * HOUR, null)
    await incident('after', T0 + 24 * HOUR, null)
    const { status, body } = await events()
    expect([status, body.truncated]).toEqual([200, false])
    expect(kinds(body, 'incident')).toMatchObject([
      { text: 'over the start', to: iso(T0 + HOUR), lasts: false, severity: 'error', metricIds: [metricIds[0]] },
      { text: 'lasts', to: null, lasts: true },
    ])
    expect(kinds((await events({ ids: String(metricIds[1]) })).body, 'incident')).toEqual([])
  })

  it('tells the maintenances as they took place, of what they covered only', async () => {
    const run = (comment: string, hosts: string, metrics: string) =>
      test.database.db
        .insertInto('maintenance_run')
        .values({
          ...{ maintenance_id: null, comment, occurrence_at: T0, started_at: T0 + HOUR, until: T0 + 2 * HOUR },
          ...{ ended_at: T0 + 2 * HOUR, ended_by: null, host_count: 1, metric_count: 1, hosts, metrics },
          ...{ bad_at_start: '', report: null },
        })
        .execute()
    await run('the host', `${hostId}`, '')
    await run('one metric', '', `${metricIds[1]}`)
    await run('others', `${hostId + 1}-${hostId + 90}`, '')
    expect(kinds((await events()).body, 'maintenance')).toMatchObject([
      { text: 'the host', object: 'host', metricIds, to: iso(T0 + 2 * HOUR), maintenanceId: null },
      { text: 'one metric', object: 'metric', metricIds: [metricIds[1]] },
    ])
  })

  it('tells what was written on the metric, its host and its site, where it is about', async () => {
    const write = (kind: string, id: number | undefined, text: string, from: number | null, to: number | null) =>
      admin.make('/api/Comment/Create', {
        ...{ kind, id, text, from: from === null ? null : iso(from), to: to === null ? null : iso(to) },
      })
    await write('metric', metricIds[0], 'a range', T0 + HOUR, T0 + 3 * HOUR)
    await write('host', hostId, 'a point', T0 + 2 * HOUR, null)
    await write('site', siteId, 'elsewhere', T0 - 9 * HOUR, T0 - 8 * HOUR)
    const found = kinds((await events()).body, 'comment')
    expect(found).toMatchObject([
      { text: 'a range', object: 'metric', from: iso(T0 + HOUR), to: iso(T0 + 3 * HOUR) },
      { text: 'a point', object: 'host', objectName: 'srv-1', metricIds, to: null },
    ])
    const now = Date.now()
    await write('site', siteId, 'about no time', null, null)
    const late = await events({ from: iso(now - HOUR), to: iso(now + HOUR) })
    expect(kinds(late.body, 'comment')).toMatchObject([{ text: 'about no time', object: 'site' }])
  })

  it('tells who changed the metric, its scanner or its host, to who may read the journal alone', async () => {
    const host = (await admin.call('GET', `/api/Host/Get/${hostId}`)).body
    await admin.call('PUT', `/api/Host/Update/${hostId}`, { ...host, tags: ['wan'] })
    const period = { from: iso(Date.now() - HOUR), to: iso(Date.now() + HOUR) }
    const changes = kinds((await events(period)).body, 'change')
    expect(changes).toMatchObject([{ object: 'host', objectId: hostId, author: 'admin', metricIds }])
    const scanner = (await admin.call('GET', `/api/Scanner/Get/${scannerId}`)).body
    await admin.call('PUT', `/api/Scanner/Update/${scannerId}`, { ...scanner, name: 'Autre ping' })
    expect(kinds((await events(period)).body, 'change')).toHaveLength(2)
    await test.user([], { login: 'marie' })
    const marie = await test.signIn('marie', PASSWORD)
    expect(kinds((await events(period, marie)).body, 'change')).toEqual([])
    expect(kinds((await events({}, marie)).body, 'incident')).toHaveLength(2)
  })

  it('gives no more than 300 of a kind, the newest, and says that there were more', async () => {
    for (let index = 0; index < 301; index++)
      await incident(`many ${index}`, T0 + 4 * HOUR + index, T0 + 5 * HOUR, metricIds[1])
    const { body } = await events({ ids: String(metricIds[1]) })
    expect([kinds(body, 'incident').length, body.truncated]).toEqual([300, true])
    expect(kinds(body, 'incident')[0]?.text).toBe('many 1')
  })

  it('refuses in French what is no period, and says nothing of metrics that are not', async () => {
    const wrong: Record<string, string>[] = [{ from: 'hier' }, { to: iso(T0 - HOUR) }, { ids: '0' }, { ids: '' }]
    for (const query of wrong) {
      const { status, body } = await events(query)
      expect([query, status, typeof body.title]).toEqual([query, 400, 'string'])
    }
    expect((await events({ ids: '999999' })).body).toEqual({ events: [], truncated: false })
  })
})
