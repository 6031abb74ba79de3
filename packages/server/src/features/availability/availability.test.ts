import { describe, expect, it } from 'vitest'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'
import { useAvailability } from '../../testing/test-availability.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const bit = (value: number | undefined): 0 | 1 => (value === 1 ? 1 : 0)
const FROM = '2026-02-28T23:00:00Z'
const TO = '2026-03-31T22:00:00Z'
const GOOD = { rtt_avg: 1, rtt_min: 1, rtt_max: 1, jitter: 0, loss_ratio: 0 }

describe.each(DIALECTS)('availability, on %s', dialect => {
  const { get, later, makeHost, makeSite, forgetHistory, ...app } = useAvailability(
    dialect,
    Date.parse('2026-03-04T11:00:00Z'),
  )

  it('a site and a type are the times of their equipment added up; lists are sorted, searched and paged', async () => {
    const { id: typeId } = await app.admin().make('/api/Host/CreateType', { name: 'Serveur d’essai', icon: 'server' })
    const [lyon, nice] = [await makeSite('Lyon', 'LYO'), await makeSite('Nice', 'NIC')]
    const hosts = [
      await makeHost(lyon.id, 'srv-1', { typeId }),
      await makeHost(lyon.id, 'srv-2'),
      await makeHost(nice.id, 'srv-3', { typeId }),
    ]
    const start = app.clock().now()
    await later(10 * HOUR)
    const db = app.db()
    await forgetHistory()
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
    const page = await app.admin().call('PUT', '/api/AvailabilityDatatable', {
      ...{ draw: 7, start: 1, length: 1, filters: { ...filters, by: 'host', site: lyon.id } },
      columns: [{ data: 'name' }, { data: 'downMs' }],
      order: [{ column: 1, dir: 'desc' }],
    })
    expect(page.body).toMatchObject({ draw: 7, recordsTotal: 2, recordsFiltered: 2, data: [{ name: 'srv-1' }] })
    const found = await app.admin().call('PUT', '/api/AvailabilityDatatable', {
      ...{ filters, search: { value: 'NICE' }, columns: [{ data: 'name' }, { data: 'siteName' }] },
    })
    expect(found.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 1, data: [{ name: 'srv-3' }] })
  })

  it('what a probe tells afterwards fills what was unknown, once, pages nobody and overrides nothing', async () => {
    const site = await makeSite('Lyon', 'LYO')
    const host = await makeHost(site.id, 'srv-1')
    const [{ id: scanner }] = (await app.admin().call('GET', `/api/Scanner/Get?host=${host.id}`)).body
    const probe = await enrolTestProbe(app.test(), app.clock().now)
    const { evaluation } = app.test().app.monitoring
    await probe.post([{ scanner, values: GOOD }])
    await evaluation.idle()
    const start = app.clock().now()
    const db = app.db()
    app.clock().forward(3 * HOUR)
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
    await later(0)
    const period = `from=${new Date(start).toISOString()}&to=${new Date(start + 3 * HOUR).toISOString()}`
    expect((await get(`Summary?${period}`)).total).toMatchObject({
      // Of the ten minutes that failed the first two were attempts: what was good is believed until the third.
      ...{ availableMs: 152 * MINUTE, downMs: 8 * MINUTE, unknownMs: 20 * MINUTE, outages: 1 },
    })
  })

  it('what was down before a silence is down at its first late failure, where the period begins in the silence too', async () => {
    const site = await makeSite('Lyon', 'LYO')
    const host = await makeHost(site.id, 'srv-1')
    const start = app.clock().now()
    await later(5 * HOUR)
    const db = app.db()
    const change = (hours: number, state: string) => ({
      ...{ host_id: host.id, at: start + hours * HOUR, state, flapping: bit(0) },
    })
    await forgetHistory()
    const changes = [change(0, 'down'), change(0.5, 'unknown'), change(1, 'unknown'), change(3, 'available')]
    await db.insertInto('host_change').values(changes).execute()
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
    const reader = await app.test().user([])
    expect((await get('Get', reader)).map((row: Answered) => row.id)).toEqual([host.id])
    expect((await app.test().anonymous().call('GET', '/api/Availability/Get')).status).toBe(401)
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
