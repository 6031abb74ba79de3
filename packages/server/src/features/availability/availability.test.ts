import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock, type TestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** What the clocks of Paris show: an hour ahead of UTC, two from the 29th of March at 02:00 (then 03:00) on. */
const paris = (day: number, time: string): number => {
  const wall = Date.UTC(2026, 2, day, Number(time.slice(0, 2)), Number(time.slice(3)))
  return wall - HOUR < Date.UTC(2026, 2, 29, 1) ? wall - HOUR : wall - 2 * HOUR
}
const bit = (value: number | undefined): 0 | 1 => (value === 1 ? 1 : 0)
const FROM = '2026-02-28T23:00:00Z'
const TO = '2026-03-31T22:00:00Z'
const MARCH = `from=${FROM}&to=${TO}`
const GOOD = { rtt_avg: 1, rtt_min: 1, rtt_max: 1, jitter: 0, loss_ratio: 0 }

describe.each(DIALECTS)('availability, on %s', dialect => {
  let test: TestApp
  let clock: TestClock
  let admin: Caller
  beforeEach(async () => {
    clock = createTestClock(paris(4, '12:00'))
    test = await createTestApp({ dialect, now: clock.now })
    admin = await test.admin()
  })
  afterEach(() => test.close())

  const get = async (path: string, caller: Caller = admin) =>
    (await caller.call('GET', `/api/Availability/${path}`)).body
  const later = async (ms: number): Promise<void> => {
    clock.forward(ms)
    admin = await test.admin()
  }
  const makeHost = async (siteId: number, name: string, over: object = {}): Promise<Answered> =>
    admin.make('/api/Host/Create', { name, address: '192.0.2.1', siteId, ...over })
  const makeSite = (name: string, code: string, openingHours: object[] = []): Promise<Answered> =>
    admin.make('/api/Site/Create', { name, code, openingHours })

  /** The month of `availability-month.test.ts`, as the database has it. */
  const writeMonth = async (hostId: number): Promise<void> => {
    const { db } = test.database
    const changes = [
      [4, '12:00', 'pending'],
      [4, '12:10', 'available'],
      [10, '10:15', 'down'],
      [10, '13:00', 'available'],
      [13, '17:30', 'down'],
      [16, '08:20', 'available'],
      [18, '09:00', 'unreachable'],
      [18, '09:45', 'available'],
      [19, '14:00', 'available', 1],
      [19, '14:30', 'down', 1],
      [19, '14:40', 'available', 1],
      [19, '15:30', 'available'],
      [20, '08:00', 'unknown'],
      [20, '14:00', 'available'],
      [29, '04:30', 'down'],
      [29, '05:00', 'available'],
    ] as const
    await db.deleteFrom('host_change').where('host_id', '=', hostId).execute()
    await db
      .insertInto('host_change')
      .values(
        changes.map(([day, at, state, flapping]) => ({
          host_id: hostId,
          at: paris(day, at),
          state,
          flapping: bit(flapping),
        })),
      )
      .execute()
    const late = [
      [20, '08:00', '10:00', 1],
      [20, '10:00', '10:30', 0],
      [20, '12:00', '15:00', 1],
      [24, '09:00', '10:00', 0],
      [29, '03:30', '04:00', 1],
    ] as const
    await db
      .insertInto('host_late')
      .values(
        late.map(([day, from, to, good]) => ({
          ...{ host_id: hostId, from_at: paris(day, from), until_at: paris(day, to), good },
          confirmed_at: good === 1 ? null : paris(day, from),
        })),
      )
      .execute()
    await db.deleteFrom('server_run').execute()
    await db
      .insertInto('server_run')
      .values([
        { started_at: paris(1, '00:00'), seen_at: paris(29, '01:00') },
        { started_at: paris(29, '04:00'), seen_at: clock.now() },
      ])
      .execute()
    for (const [from, to, day] of [
      ['08:00', '11:00', 10],
      ['10:00', '12:30', 10],
      ['00:00', '23:00', 14],
    ] as const)
      await db
        .insertInto('maintenance_run')
        .values({
          ...{ maintenance_id: null, comment: `Travaux ${from}`, occurrence_at: paris(day, from) },
          ...{ started_at: paris(day, from), until: paris(day, to), ended_at: paris(day, to), ended_by: null },
          ...{ host_count: 1, metric_count: 0, hosts: String(hostId), metrics: '', bad_at_start: '', report: null },
        })
        .execute()
  }
  const OFFICE = [
    { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
    { days: [7], from: '00:00', to: '06:00' },
  ]

  it('March 2026 in Paris comes to the figures computed by hand, with each choice of what counts', async () => {
    const site = await makeSite('Lyon', 'LYO', OFFICE)
    const host = await makeHost(site.id, 'srv-1')
    await later(30 * 24 * HOUR)
    await writeMonth(host.id)
    const [row] = await get(`Get?${MARCH}`)
    expect(row).toEqual({
      ...{ id: host.id, name: 'srv-1', siteId: site.id, siteName: 'Lyon', typeId: null, typeName: null, hosts: 1 },
      ...{ availableMs: 12_045 * MINUTE, downMs: 500 * MINUTE, unreachableMs: 45 * MINUTE },
      ...{ flappingMs: 90 * MINUTE, unknownMs: 190 * MINUTE, maintenanceMs: 270 * MINUTE },
      ...{ outOfServiceMs: 440 * HOUR, notMonitoredMs: 84 * HOUR, outages: 5, longestOutageMs: 410 * MINUTE },
      ...{ ratio: 0.95671, mttrMs: 109 * MINUTE, mtbfMs: 2_409 * MINUTE },
    })
    const ratioOf = async (rules: string) => (await get(`Summary?${MARCH}&${rules}`)).total.ratio
    expect(await ratioOf('maintenance=available')).toBe(0.95762)
    expect(await ratioOf('maintenance=ignored')).toBe(0.94712)
    expect(await ratioOf('unreachable=apart')).toBe(0.96014)
    expect(await ratioOf('unknown=down')).toBe(0.94248)
    expect((await get(`Summary?${MARCH}&hours=all`)).total).toMatchObject({ outOfServiceMs: 0, outages: 5 })
  })

  it('May 2026 comes to what is computed by hand, 1 and 8 May closed, or open in the morning', async () => {
    const hours = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }]
    const made = async (code: string, over: object) => {
      const site = await admin.make('/api/Site/Create', { name: code, code, openingHours: hours, ...over })
      return makeHost(site.id, `srv-${code}`)
    }
    const hosts = [
      await made('any', {}),
      await made('closed', { holidays: [] }),
      await made('morning', { holidays: [{ from: '09:00', to: '12:00' }] }),
      await made('abroad', { holidays: [], country: 'Belgique' }),
    ]
    await later(100 * 24 * HOUR)
    const { db } = test.database
    const may = (day: number, time: string): number =>
      Date.parse(`2026-05-${String(day).padStart(2, '0')}T${time}:00+02:00`)
    await db.deleteFrom('host_change').execute()
    await db
      .insertInto('host_change')
      .values(
        hosts.flatMap(host =>
          [
            // Down from Thursday 30 April 17:30 to Monday 4 May 08:30, and on 8 May from 08:00 to 11:00.
            [may(1, '00:00') - 6.5 * HOUR, 'down'],
            [may(4, '08:30'), 'available'],
            [may(8, '08:00'), 'down'],
            [may(8, '11:00'), 'available'],
          ].map(([at, state]) => ({ host_id: host.id, at: Number(at), state: String(state), flapping: bit(0) })),
        ),
      )
      .execute()
    await db.deleteFrom('server_run').execute()
    const period = `from=${new Date(may(1, '00:00')).toISOString()}&to=${new Date(may(31, '24:00')).toISOString()}`
    const rows = await get(`Get?${period}`)
    const figuresOf = (code: string) => {
      const { downMs, availableMs, outOfServiceMs, outages, ratio } = rows.find(
        (row: Answered) => row.name === `srv-${code}`,
      )
      return [downMs / HOUR, availableMs / HOUR, outOfServiceMs / HOUR, outages, ratio]
    }
    // 744 h, 210 of them in service: down all of Friday 1, half an hour of Monday 4, three hours of Friday 8.
    expect(figuresOf('any')).toEqual([13.5, 196.5, 534, 2, 0.93571])
    // Without the 40 h of 1, 8, 14 and 25 May.
    expect(figuresOf('closed')).toEqual([0.5, 169.5, 574, 1, 0.99705])
    // With the three hours of each: 1 May 09:00 – 12:00, 8 May 09:00 – 11:00.
    expect(figuresOf('morning')).toEqual([5.5, 176.5, 562, 2, 0.96978])
    expect(figuresOf('abroad')).toEqual(figuresOf('any'))
  })

  it('opens down to its intervals, each with what it leads to, and both are files as well', async () => {
    const site = await makeSite('Lyon', 'LYO', OFFICE)
    const host = await makeHost(site.id, 'srv-1')
    await later(30 * 24 * HOUR)
    await writeMonth(host.id)
    const { db } = test.database
    const [metric] = (await admin.call('GET', `/api/Metric/Get?host=${host.id}`)).body
    const incident = await db
      .insertInto('incident')
      .values({
        ...{ event_key: 'x', metric_id: metric.id, host_id: host.id, site_id: site.id, severity_rank: 3 },
        ...{ information: '', opened_at: paris(16, '08:00'), closed_at: paris(16, '08:20') },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const of = await get(`Host/${host.id}?${MARCH}`)
    expect([of.from, of.to, of.intervalCount]).toEqual([
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
      of.intervals.length,
    ])
    for (const [index, interval] of of.intervals.entries())
      expect(interval.from).toBe(index === 0 ? of.from : of.intervals[index - 1].to)
    expect(of.intervals.at(-1).to).toBe(of.to)
    const at = (ms: number) => of.intervals.find((one: Answered) => Date.parse(one.to) > ms)
    expect(at(paris(16, '08:05'))).toMatchObject({ reason: 'down', incident: { id: incident.id } })
    expect(at(paris(10, '10:30'))).toMatchObject({
      ...{ reason: 'maintenance', state: 'down' },
      maintenances: [
        { id: null, comment: 'Travaux 08:00' },
        { id: null, comment: 'Travaux 10:00' },
      ],
    })
    expect(at(paris(20, '10:10'))).toMatchObject({ reason: 'down', source: 'late', incident: null })
    expect(at(paris(29, '01:30'))).toMatchObject({ reason: 'unknown', source: 'stopped' })
    const file = async (path: string): Promise<string> => {
      const headers = { authorization: `Bearer ${admin.token}`, accept: 'text/csv' }
      return (await test.app.http.inject({ method: 'GET', url: `/api/Availability/${path}`, headers })).body
    }
    const [head, line] = (await file(`Get?${MARCH}`)).split('\r\n')
    expect(head).toContain('Disponibilité (%);Disponible (s)')
    expect(line).toContain(
      ';srv-1;Lyon;;1;95,671;722700;30000;2700;5400;11400;16200;1584000;302400;5;24600;6540;144540',
    )
    const lines = (await file(`Host/${host.id}?${MARCH}`)).trimEnd().split('\r\n')
    expect(lines).toHaveLength(of.intervals.length + 1)
  })

  it('a site and a type are the times of their equipment added up; lists are sorted, searched and paged', async () => {
    const { id: typeId } = await admin.make('/api/Host/CreateType', { name: 'Serveur d’essai', icon: 'server' })
    const [lyon, nice] = [await makeSite('Lyon', 'LYO'), await makeSite('Nice', 'NIC')]
    const hosts = [
      await makeHost(lyon.id, 'srv-1', { typeId }),
      await makeHost(lyon.id, 'srv-2'),
      await makeHost(nice.id, 'srv-3', { typeId }),
    ]
    const start = clock.now()
    await later(10 * HOUR)
    const { db } = test.database
    await db.deleteFrom('host_change').execute()
    const change = (host: Answered, at: number, state: string) => ({
      host_id: host.id,
      at,
      state,
      flapping: 0 as const,
    })
    await db
      .insertInto('host_change')
      .values([
        ...hosts.map(host => change(host, start, 'available')),
        change(hosts[1], start + 8 * HOUR, 'down'),
        change(hosts[2], start + 9 * HOUR, 'down'),
      ])
      .execute()
    await db.deleteFrom('server_run').execute()
    const period = `from=${new Date(start).toISOString()}&to=${new Date(start + 10 * HOUR).toISOString()}`
    const rows = async (query: string) =>
      (await get(`Get?${period}&${query}`)).map((row: Answered) => [row.name, row.hosts, row.ratio, row.outages])
    expect(await rows('by=host')).toEqual([
      ['srv-2', 1, 0.8, 1],
      ['srv-3', 1, 0.9, 1],
      ['srv-1', 1, 1, 0],
    ])
    expect(await rows('by=site')).toEqual([
      ['Lyon', 2, 0.9, 1],
      ['Nice', 1, 0.9, 1],
    ])
    expect(await rows('by=type')).toEqual([
      ['Sans type', 1, 0.8, 1],
      ['Serveur d’essai', 2, 0.95, 1],
    ])
    expect(await rows(`by=host&site=${lyon.id}&type=${typeId}`)).toEqual([['srv-1', 1, 1, 0]])
    expect(await rows('by=host&type=0')).toEqual([['srv-2', 1, 0.8, 1]])
    expect(await rows(`by=host&host=${hosts[0].id},${hosts[2].id}&site=${nice.id}`)).toEqual([['srv-3', 1, 0.9, 1]])
    expect((await get(`Summary?${period}&site=${lyon.id}`)).total).toMatchObject({
      hosts: 2,
      ratio: 0.9,
      downMs: 2 * HOUR,
    })
    const filters = { from: new Date(start).toISOString(), to: new Date(start + 10 * HOUR).toISOString() }
    const page = await admin.call('PUT', '/api/AvailabilityDatatable', {
      ...{ draw: 7, start: 1, length: 1, filters: { ...filters, by: 'host', site: lyon.id } },
      columns: [{ data: 'name' }, { data: 'downMs' }],
      order: [{ column: 1, dir: 'desc' }],
    })
    expect(page.body).toMatchObject({ draw: 7, recordsTotal: 2, recordsFiltered: 2, data: [{ name: 'srv-1' }] })
    const found = await admin.call('PUT', '/api/AvailabilityDatatable', {
      ...{ filters, search: { value: 'NICE' }, columns: [{ data: 'name' }, { data: 'siteName' }] },
    })
    expect(found.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 1, data: [{ name: 'srv-3' }] })
  })

  it('what a probe tells afterwards fills what was unknown, once, pages nobody and overrides nothing', async () => {
    const site = await makeSite('Lyon', 'LYO')
    const host = await makeHost(site.id, 'srv-1')
    const [{ id: scanner }] = (await admin.call('GET', `/api/Scanner/Get?host=${host.id}`)).body
    const probe = await enrolTestProbe(test, clock.now)
    const { evaluation } = test.app.monitoring
    await probe.post([{ scanner, values: GOOD }])
    await evaluation.idle()
    const start = clock.now()
    const { db } = test.database
    clock.forward(3 * HOUR)
    await db
      .insertInto('host_change')
      .values([
        { host_id: host.id, at: start + HOUR, state: 'unknown', flapping: 0 },
        { host_id: host.id, at: start + 2 * HOUR, state: 'available', flapping: 0 },
      ])
      .execute()
    // Of 40 minutes of that hour, 10 failed; and of a time that is known.
    const refused = { code: 'refused', message: 'connexion refusée' } as const
    const run = (minute: number, failure: typeof refused | null = null) => ({
      ...{ scanner, at: start + minute * MINUTE, failure, values: failure === null ? GOOD : {} },
    })
    const told = [
      run(10, refused),
      ...Array.from({ length: 40 }, (_, index) => run(60 + index, index >= 20 && index < 30 ? refused : null)),
    ]
    for (const sequence of [1, 1]) {
      expect(await probe.post(told, { lane: 'backlog', sequence })).toBe(204)
      await evaluation.idle()
    }
    // In the live lane, but as old: the same.
    await probe.post([run(170)])
    await evaluation.idle()
    const rows = await db.selectFrom('host_late').selectAll().orderBy('from_at').execute()
    expect(rows.map(row => [(row.from_at - start) / MINUTE, (row.until_at - start) / MINUTE, row.good])).toEqual([
      [10, 11, 0],
      [60, 80, 1],
      [80, 90, 0],
      [90, 100, 1],
      [170, 171, 1],
    ])
    expect((await db.selectFrom('incident').select('id').execute()).length).toBe(0)
    admin = await test.admin()
    const period = `from=${new Date(start).toISOString()}&to=${new Date(start + 3 * HOUR).toISOString()}`
    expect((await get(`Summary?${period}`)).total).toMatchObject({
      // Of the ten minutes that failed the first two were attempts: what was good is believed until the third.
      ...{ availableMs: 152 * MINUTE, downMs: 8 * MINUTE, unknownMs: 20 * MINUTE, outages: 1 },
    })
  })

  it('what was down before a silence is down at its first late failure, where the period begins in the silence too', async () => {
    const site = await makeSite('Lyon', 'LYO')
    const host = await makeHost(site.id, 'srv-1')
    const start = clock.now()
    await later(5 * HOUR)
    const { db } = test.database
    const change = (hours: number, state: string) => ({
      ...{ host_id: host.id, at: start + hours * HOUR, state, flapping: bit(0) },
    })
    await db.deleteFrom('host_change').execute()
    const changes = [change(0, 'down'), change(0.5, 'unknown'), change(1, 'unknown'), change(3, 'available')]
    await db.insertInto('host_change').values(changes).execute()
    await db.deleteFrom('server_run').execute()
    // Two failures, where the rule asks for three.
    await db
      .insertInto('host_late')
      .values({
        host_id: host.id,
        from_at: start + 2 * HOUR,
        until_at: start + 2.5 * HOUR,
        good: 0,
        confirmed_at: null,
      })
      .execute()
    const downOf = async (from: number, to: number): Promise<number> => {
      const at = (hours: number) => new Date(start + hours * HOUR).toISOString()
      return (await get(`Summary?from=${at(from)}&to=${at(to)}`)).total.downMs / HOUR
    }
    expect([await downOf(0, 4), await downOf(0, 1.5), await downOf(1.5, 4), await downOf(2.25, 4)]).toEqual([
      ...[1, 0.5, 0.5, 0.25],
    ])
  })

  it('is read by whoever is signed in; what cannot be is refused in French', async () => {
    const site = await makeSite('Lyon', 'LYO')
    const host = await makeHost(site.id, 'srv-1')
    const reader = await test.user([])
    expect((await get('Get', reader)).map((row: Answered) => row.id)).toEqual([host.id])
    expect((await test.anonymous().call('GET', '/api/Availability/Get')).status).toBe(401)
    const refused = async (path: string) => {
      const { status, body } = await reader.call('GET', `/api/Availability/${path}`)
      return [status, body.errors?.[0]]
    }
    expect(await refused('Get?from=hier')).toEqual([400, 'from\u202f: Une date ISO 8601 en UTC est attendue.'])
    expect(await refused(`Get?from=${TO}&to=${FROM}`)).toEqual([400, 'La fin de la période doit suivre son début.'])
    expect(await refused(`Get?from=2024-01-01T00:00:00Z&to=${FROM}`)).toEqual([
      400,
      'Une période dure au plus 400 jours.',
    ])
    expect(await refused('Summary?from=2031-01-01T00:00:00Z&to=2031-01-02T00:00:00Z')).toEqual([
      400,
      'Cette période n’a pas encore commencé.',
    ])
    expect((await refused('Get?by=probe'))[0]).toBe(400)
    expect((await refused('Get?site=a'))[0]).toBe(400)
    expect((await refused(`Host/${host.id}?maintenance=non`))[0]).toBe(400)
    expect(await refused('Host/999999')).toEqual([404, 'Cet équipement n’existe pas.'])
    const list = async (filters: object) => (await reader.call('PUT', '/api/AvailabilityDatatable', { filters })).status
    expect([await list({ color: 1 }), await list({ by: 'x' }), await list({ by: ['host'] })]).toEqual([400, 400, 400])
  })
})
