import { AVAILABILITY_MAX_METRICS } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { batches } from '../../store/batches.ts'
import { type Answered, type Caller, DIALECTS } from '../../testing/test-app.ts'
import { useAvailability } from '../../testing/test-availability.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Monday 2 March 2026, 00:00 in Paris: as 7 days of winter time. */
const BEGIN = Date.parse('2026-03-01T23:00:00Z')
const WEEK = `from=${new Date(BEGIN).toISOString()}&to=${new Date(BEGIN + 7 * DAY).toISOString()}`
const RANKS = { error: 0, warning: 1, unknown: 2, ok: 3, disabled: null } as const

describe.each(DIALECTS)('availability of metrics, on %s', dialect => {
  const { get, later, makeSite, ...app } = useAvailability(dialect, BEGIN - DAY)

  const makeHost = async (name: string, over: object = {}): Promise<Answered> =>
    app.makeHost((await makeSite(`Site de ${name}`, name, over)).id, name)
  const metricsOf = async (host: Answered): Promise<Answered[]> =>
    (await app.admin().call('GET', `/api/Metric/Get?host=${host.id}`)).body
  /** Hours after the beginning of the week, then what it was from then on. */
  const write = async (
    metric: Answered,
    changes: readonly (readonly [hours: number, severity: keyof typeof RANKS, cause?: string])[],
  ): Promise<void> => {
    const db = app.db()
    await db.deleteFrom('metric_change').where('metric_id', '=', metric.id).execute()
    await db
      .insertInto('metric_change')
      .values(
        changes.map(([hours, severity, cause = null]) => ({
          ...{ metric_id: metric.id, at: BEGIN + hours * HOUR, severity_rank: RANKS[severity], cause },
          before_rank: null,
        })),
      )
      .execute()
  }
  const afterTheWeek = async (): Promise<void> => {
    await later(9 * DAY)
    await app.db().deleteFrom('server_run').execute()
  }

  it('a week comes to what is computed by hand, with each choice of what counts', async () => {
    const host = await makeHost('srv-1', { openingHours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }] })
    const [metric] = (await metricsOf(host)).filter(one => one.key === 'rtt_avg')
    await afterTheWeek()
    await write(metric, [
      [-12, 'ok'],
      // Monday 10:00 – 12:00, then bad until Tuesday 09:00: six hours of Monday, one of Tuesday.
      [10, 'warning'],
      [12, 'error'],
      [33, 'ok'],
      // Wednesday 08:00 – 11:00.
      [56, 'unknown', 'probe-offline'],
      [59, 'ok'],
      // Thursday 13:00 – 15:00, in a maintenance until 14:00.
      [85, 'error'],
      [87, 'ok'],
      // Friday from 16:00 on it is disabled.
      [112, 'disabled'],
    ])
    await app
      .db()
      .insertInto('maintenance_run')
      .values({
        ...{ maintenance_id: null, comment: 'Disque', occurrence_at: BEGIN + 80 * HOUR, report: null },
        ...{ started_at: BEGIN + 80 * HOUR, until: BEGIN + 86 * HOUR, ended_at: BEGIN + 86 * HOUR, ended_by: null },
        ...{ host_count: 0, metric_count: 1, hosts: '', metrics: String(metric.id), bad_at_start: '' },
      })
      .execute()
    const rows = await get(`GetMetric?${WEEK}&host=${host.id}`)
    const row = rows.find((one: Answered) => one.id === metric.id)
    // Of 50 h: 2 warning, 6 + 1 + 1 error, 3 unknown, 6 in maintenance (Thursday from 08:00), 2 disabled.
    expect(row).toMatchObject({
      ...{ name: metric.name, hostName: 'srv-1', siteName: 'Site de srv-1' },
      ...{ okMs: 29 * HOUR, warningMs: 2 * HOUR, errorMs: 8 * HOUR, unknownMs: 3 * HOUR, maintenanceMs: 6 * HOUR },
      // Disabled wins over closed hours: from Friday 16:00 to the end of Sunday.
      ...{ notMonitoredMs: 56 * HOUR, outOfServiceMs: 64 * HOUR, outages: 2, longestOutageMs: 7 * HOUR },
      ...{ ratio: 0.79487, mttrMs: 4 * HOUR, mtbfMs: 15.5 * HOUR },
    })
    const totalOf = async (rules: string) => (await get(`SummaryMetric?${WEEK}&metric=${metric.id}&${rules}`)).total
    expect(await totalOf('warning=down')).toMatchObject({ metrics: 1, ratio: 0.74358, outages: 2 })
    expect(await totalOf('unknown=down')).toMatchObject({ ratio: 0.73809, outages: 3 })
    expect(await totalOf('maintenance=available')).toMatchObject({ ratio: 0.82222 })
    expect(await totalOf('maintenance=ignored')).toMatchObject({ maintenanceMs: 0, errorMs: 9 * HOUR, okMs: 34 * HOUR })
    expect(await totalOf('hours=all')).toMatchObject({ outOfServiceMs: 0, errorMs: 22 * HOUR, outages: 2 })
  })

  it('opens down to its intervals with what they lead to, and both are files', async () => {
    const host = await makeHost('srv-1')
    const metrics = await metricsOf(host)
    const [metric] = metrics.filter(one => one.key === 'rtt_avg')
    const [life] = metrics.filter(one => one.key === 'availability')
    await afterTheWeek()
    const db = app.db()
    await write(metric, [
      [-12, 'ok'],
      [10, 'error'],
      [12, 'ok'],
      [20, 'unknown', 'scanner-failed'],
      [21, 'ok'],
    ])
    await write(life, [
      [-12, 'ok'],
      [20, 'unknown', 'probe-offline'],
      [24, 'ok'],
    ])
    const incident = (metricId: number, from: number, until: number) => ({
      ...{ event_key: `x${from}`, metric_id: metricId, host_id: host.id, site_id: host.siteId, severity_rank: 3 },
      ...{ information: '', opened_at: BEGIN + from * HOUR, closed_at: BEGIN + until * HOUR },
    })
    await db
      .insertInto('incident')
      .values([incident(metric.id, 10, 12), incident(life.id, 20, 21)])
      .execute()
    // What the probe told afterwards is of the life test alone.
    await db
      .insertInto('host_late')
      .values({
        host_id: host.id,
        from_at: BEGIN + 20 * HOUR,
        until_at: BEGIN + 23 * HOUR,
        good: 1,
        confirmed_at: null,
      })
      .execute()
    const of = await get(`Metric/${metric.id}?${WEEK}`)
    const told = ({ intervals }: Answered) =>
      intervals.map((one: Answered) => [
        ...[(Date.parse(one.from) - BEGIN) / HOUR, one.reason, one.severity, one.cause, one.source],
        one.incident?.title ?? null,
      ])
    expect(told(of)).toEqual([
      [0, 'ok', 'ok', null, 'live', null],
      [10, 'error', 'error', null, 'live', `srv-1\u202f: ${metric.name}`],
      [12, 'ok', 'ok', null, 'live', null],
      [20, 'unknown', 'unknown', 'scanner-failed', 'live', `srv-1\u202f: ${life.name}`],
      [21, 'ok', 'ok', null, 'live', null],
    ])
    expect(of).toMatchObject({ intervalCount: 5, computedAt: new Date(app.clock().now()).toISOString() })
    expect(told(await get(`Metric/${life.id}?${WEEK}`)).slice(1, 3)).toEqual([
      [20, 'ok', 'ok', null, 'late', null],
      [23, 'unknown', 'unknown', 'probe-offline', 'live', null],
    ])
    const file = async (path: string): Promise<string> => {
      const headers = { authorization: `Bearer ${app.admin().token}`, accept: 'text/csv' }
      return (await app.test().app.http.inject({ method: 'GET', url: `/api/Availability/${path}`, headers })).body
    }
    const lines = (await file(`GetMetric?${WEEK}&host=${host.id}`)).trimEnd().split('\r\n')
    expect(lines).toHaveLength(metrics.length + 1)
    expect(lines[0]).toContain('Métrique;Scanner;Équipement;Site;Disponibilité (%);OK (s);Alerte (s);Erreur (s)')
    expect(lines.find(line => line.startsWith(`${metric.id};`))).toContain(';98,802;594000;0;7200;3600;')
    const intervals = (await file(`Metric/${metric.id}?${WEEK}`)).trimEnd().split('\r\n')
    expect(intervals).toHaveLength(6)
    expect(intervals[2]).toContain(';7200;Erreur;error;;live;')
  })

  it('rows are searched, sorted and paged; more than the limit are refused with what to choose', async () => {
    const hosts = [await makeHost('srv-1'), await makeHost('srv-2')]
    const put = async (request: object) =>
      (await app.admin().call('PUT', '/api/MetricAvailabilityDatatable', request)).body
    const columns = [{ data: 'name' }, { data: 'hostName' }]
    const page = await put({ search: { value: 'SRV-2' }, columns, order: [{ column: 0, dir: 'desc' }], length: 2 })
    const own = (await metricsOf(hosts[1])).length
    expect(page).toMatchObject({ recordsFiltered: own, recordsTotal: own * 2 })
    expect(page.data.map((row: Answered) => row.hostName)).toEqual(['srv-2', 'srv-2'])
    expect((await put({ filters: { host: hosts[0]?.id } })).recordsTotal).toBe(own)
    expect((await put({ filters: { by: 'host' } })).status).toBe(400)

    const [first] = await metricsOf(hosts[0])
    const db = app.db()
    const row = await db.selectFrom('metric').selectAll().where('id', '=', first?.id).executeTakeFirstOrThrow()
    const { id: _, ...copied } = row
    const made = Array.from({ length: AVAILABILITY_MAX_METRICS }, (_one, index) => ({ ...copied, key: `k${index}` }))
    for (const some of batches(made, 250)) await db.insertInto('metric').values(some).execute()
    await app.test().app.monitoring.reload()
    const many = await app.admin().call('GET', '/api/Availability/SummaryMetric')
    const count = new Intl.NumberFormat('fr-FR').format(AVAILABILITY_MAX_METRICS + own * 2)
    expect([many.status, many.body.errors]).toEqual([
      400,
      [
        `Cette sélection a ${count} métriques\u202f; un rapport par métrique en compte au plus ${new Intl.NumberFormat('fr-FR').format(AVAILABILITY_MAX_METRICS)}. Choisissez un équipement, un site ou un type.`,
      ],
    ])
    expect((await get(`SummaryMetric?host=${hosts[1]?.id}`)).total.metrics).toBe(own)
  })

  it('counts and tells what one may see alone: of another site neither metrics nor the incident that cut a host off', async () => {
    const [seen, hidden] = [await makeHost('srv-vu'), await makeHost('srv-caché')]
    const [[own], [other]] = [await metricsOf(seen), await metricsOf(hidden)]
    await afterTheWeek()
    const reader = await app.test().user([])
    const member = (await reader.call('GET', '/api/Account/Get')).body.idUser
    await app.admin().make('/api/UserGroup/Create', {
      ...{ name: 'Un site', claims: [], members: [member], limited: true, siteIds: [seen.siteId] },
    })
    await write(own, [
      [-12, 'ok'],
      [10, 'unknown', 'host-unreachable'],
    ])
    const db = app.db()
    const { id } = await db
      .insertInto('incident')
      .values({
        ...{ event_key: 'cut', metric_id: other?.id, host_id: hidden.id, site_id: hidden.siteId, severity_rank: 3 },
        ...{ information: '', opened_at: BEGIN + 9 * HOUR, closed_at: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('incident_effect')
      .values({ incident_id: id, host_id: seen.id, since: BEGIN + 10 * HOUR, until: null })
      .execute()
    const incidentOf = async (caller: Caller) =>
      (await get(`Metric/${own?.id}?${WEEK}`, caller)).intervals.at(-1)?.incident?.id ?? null
    expect([await incidentOf(app.admin()), await incidentOf(reader)]).toEqual([id, null])
    expect((await get('SummaryMetric', reader)).total.metrics).toBe((await metricsOf(seen)).length)
    expect((await reader.call('GET', `/api/Availability/Metric/${other?.id}`)).status).toBe(404)
    const rows = await get('GetMetric', reader)
    expect(new Set(rows.map((row: Answered) => row.hostId))).toEqual(new Set([seen.id]))
  })

  it('is read by whoever sees the site; what cannot be is refused in French', async () => {
    const host = await makeHost('srv-1')
    const [metric] = await metricsOf(host)
    const reader = await app.test().user([])
    expect((await get(`Metric/${metric?.id}`, reader)).row.id).toBe(metric?.id)
    const refused = async (path: string, caller: Caller = reader) => {
      const { status, body } = await caller.call('GET', `/api/Availability/${path}`)
      return [status, body.errors?.[0]]
    }
    expect((await refused('GetMetric', app.test().anonymous()))[0]).toBe(401)
    expect(await refused('Metric/999999')).toEqual([404, 'Cette métrique n’existe pas.'])
    expect((await refused('GetMetric?warning=apart'))[0]).toBe(400)
    expect((await refused('GetMetric?metric=a'))[0]).toBe(400)
    expect(await refused('SummaryMetric?from=2031-01-01T00:00:00Z&to=2031-01-02T00:00:00Z')).toEqual([
      400,
      'Cette période n’a pas encore commencé.',
    ])
  })
})
