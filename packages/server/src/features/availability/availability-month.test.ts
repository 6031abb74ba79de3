import { describe, expect, it } from 'vitest'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'
import { useAvailability } from '../../testing/test-availability.ts'

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

describe.each(DIALECTS)('months of availability, on %s', dialect => {
  const { get, later, makeHost, makeSite, forgetHistory, ...app } = useAvailability(dialect, paris(4, '12:00'))

  /** The month of `availability-month.test.ts`, as the database has it. */
  const writeMonth = async (hostId: number): Promise<void> => {
    const db = app.db()
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
        { started_at: paris(29, '04:00'), seen_at: app.clock().now() },
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
    const site = await makeSite('Lyon', 'LYO', { openingHours: OFFICE })
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
      const site = await makeSite(code, code, { openingHours: hours, ...over })
      return makeHost(site.id, `srv-${code}`)
    }
    const hosts = [
      await made('any', {}),
      await made('closed', { holidays: [] }),
      await made('morning', { holidays: [{ from: '09:00', to: '12:00' }] }),
      await made('abroad', { holidays: [], country: 'Belgique' }),
    ]
    await later(100 * 24 * HOUR)
    const db = app.db()
    const may = (day: number, time: string): number =>
      Date.parse(`2026-05-${String(day).padStart(2, '0')}T${time}:00+02:00`)
    await forgetHistory()
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
    const site = await makeSite('Lyon', 'LYO', { openingHours: OFFICE })
    const host = await makeHost(site.id, 'srv-1')
    await later(30 * 24 * HOUR)
    await writeMonth(host.id)
    const db = app.db()
    const [metric] = (await app.admin().call('GET', `/api/Metric/Get?host=${host.id}`)).body
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
      const headers = { authorization: `Bearer ${app.admin().token}`, accept: 'text/csv' }
      return (await app.test().app.http.inject({ method: 'GET', url: `/api/Availability/${path}`, headers })).body
    }
    const [head, line] = (await file(`Get?${MARCH}`)).split('\r\n')
    expect(head).toContain('Disponibilité (%);Disponible (s)')
    expect(line).toContain(
      ';srv-1;Lyon;;1;95,671;722700;30000;2700;5400;11400;16200;1584000;302400;5;24600;6540;144540',
    )
    const lines = (await file(`Host/${host.id}?${MARCH}`)).trimEnd().split('\r\n')
    expect(lines).toHaveLength(of.intervals.length + 1)
  })
})
