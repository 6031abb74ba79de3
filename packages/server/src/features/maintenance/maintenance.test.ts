import { timeInSpans } from '@narval/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maintenanceSpans } from '../../monitoring/maintenance/maintenance.store.ts'
import { DIALECTS } from '../../testing/test-app.ts'
import { createMaintenanceBench, type MaintenanceBench, spanOf } from './testing-maintenance.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.each(DIALECTS)('maintenances, on %s', dialect => {
  let bench: MaintenanceBench
  beforeEach(async () => {
    bench = await createMaintenanceBench(dialect)
  })
  afterEach(() => bench.test.close())
  /** Openings and maintenances, as timelines tell them. */
  const lines = async (): Promise<[string, string][]> => {
    const { db } = bench.test.database
    const rows = await db.selectFrom('incident_event').select(['kind', 'text']).orderBy('id').execute()
    return rows.flatMap(({ kind, text }) => (/^(opened|maintenance-)/.test(kind) ? [[kind, text]] : []))
  }

  it('what is covered breaks without a toast nor an unhandled problem; its state is kept, and the end tells what did not come back', async () => {
    const [old, broken, back] = [await bench.host('ancien'), await bench.host('casse'), await bench.host('revient')]
    await bench.fail(old)
    const before = await bench.toasts()
    expect(before).toHaveLength(1)
    const planned = await bench.plan({ sites: [bench.site.id] })
    expect(planned).toMatchObject({ state: 'running', author: 'admin', covered: { hosts: 3 } })
    await bench.fail(broken, back)
    await bench.recover(back)
    expect(await bench.toasts()).toEqual(before)
    expect(await bench.problems()).toEqual([])
    expect((await bench.problems('problems')).toSorted()).toEqual(['ancien', 'casse'])
    const host = (await bench.admin.call('GET', `/api/Host/Get/${broken.id}`)).body
    expect(host).toMatchObject({
      state: 'down',
      inMaintenance: true,
      maintenance: { id: planned.id, comment: planned.comment },
    })
    expect((await bench.admin.call('GET', `/api/Site/Get/${bench.site.id}`)).body.maintenance.id).toBe(planned.id)
    expect((await bench.admin.call('GET', '/api/Dashboard/Get/Main')).body.inMaintenance).toBeGreaterThanOrEqual(2)
    await bench.later(HOUR)
    const [run] = await bench.runs(planned.id)
    expect(run).toMatchObject({
      endedBy: null,
      hosts: 3,
      endedAt: new Date(Date.parse(planned.schedule.to)).toISOString(),
    })
    const names = (losses: { name: string }[]) => [...new Set(losses.map(one => one.name.split('\u202f')[0]))]
    expect(names(run.report.broken)).toEqual(['casse'])
    expect(names(run.report.stillBroken)).toEqual(['ancien'])
    expect(run.report.broken[0]).toMatchObject({ hostId: broken.id, severity: 'error' })
    expect(run.report.back).toBeGreaterThan(0)
    const [told] = await bench.toasts()
    expect(told).toMatch(/^Fin de maintenance\u202f: \d+ métriques? /)
    expect(await bench.get(planned.id)).toMatchObject({ state: 'over', lastRun: { id: run.id } })
    expect((await bench.problems()).toSorted()).toEqual(['ancien', 'casse'])
    await bench.later(HOUR)
    expect((await bench.toasts()).filter(title => title.startsWith('Fin de'))).toHaveLength(1)
  })

  it('starts and ends are lines of the timeline of the incidents that it covers, once', async () => {
    const host = await bench.host('srv')
    await bench.fail(host)
    await bench.plan({ hosts: [host.id] })
    await bench.later(HOUR)
    await bench.later(MINUTE)
    const [, ...told] = await lines()
    expect(told.map(([kind]) => kind)).toEqual(['maintenance-started', 'maintenance-ended'])
    expect(told[0]?.[1]).toContain('Remplacement du commutateur')
  })

  it('equipment that comes to a site during its maintenance is covered, and what is deleted is so no more', async () => {
    const planned = await bench.plan({ sites: [bench.site.id] })
    expect(planned.covered.hosts).toBe(0)
    const host = await bench.host('nouveau')
    expect((await bench.get(planned.id)).covered.hosts).toBe(1)
    await bench.fail(host)
    expect(await bench.toasts()).toEqual([])
    await bench.admin.call('DELETE', `/api/Host/Delete/${host.id}`)
    expect((await bench.get(planned.id)).covered.hosts).toBe(0)
    await bench.admin.call('DELETE', `/api/Site/Delete/${bench.site.id}`)
    expect(await bench.get(planned.id)).toMatchObject({ siteCount: 0, covered: { hosts: 0 } })
    await bench.later(HOUR)
    expect((await bench.runs(planned.id))[0].report).toMatchObject({ brokenCount: 0, back: 0 })
  })

  it('covers sites below, and hosts behind others only where it is asked to', async () => {
    const below = await bench.admin.make('/api/Site/Create', { name: 'Étage', code: 'ETG', parentId: bench.site.id })
    const elsewhere = await bench.admin.make('/api/Site/Create', { name: 'Nantes', code: 'NTE' })
    const router = await bench.host('routeur', { siteId: below.id })
    const far = await bench.host('lointain', { siteId: elsewhere.id, parentIds: [router.id] })
    await bench.host('derrière', { siteId: elsewhere.id, parentIds: [far.id] })
    const plan = { sites: [bench.site.id], schedule: spanOf(bench.clock.now(), 60) }
    const counts = async (propagate: boolean) =>
      (await bench.admin.call('POST', '/api/Maintenance/Preview', { ...plan, propagate })).body.hosts
    expect([await counts(false), await counts(true)]).toEqual([1, 3])
    const planned = await bench.plan({ ...plan, propagate: true })
    expect((await bench.admin.call('GET', `/api/Host/Get/${far.id}`)).body.inMaintenance).toBe(true)
    await bench.admin.call('POST', `/api/Maintenance/End/${planned.id}`)
    expect((await bench.admin.call('GET', `/api/Host/Get/${far.id}`)).body.inMaintenance).toBe(false)
  })

  it('a flexible one waits for the first problem, lasts its time beyond its window, and takes place once', async () => {
    const host = await bench.host('srv')
    const planned = await bench.plan({ hosts: [host.id], flexibleMinutes: 90, schedule: spanOf(bench.clock.now(), 60) })
    expect(planned.state).toBe('armed')
    expect((await bench.admin.call('GET', `/api/Host/Get/${host.id}`)).body.inMaintenance).toBe(false)
    await bench.later(30 * MINUTE)
    await bench.fail(host)
    expect(await bench.toasts()).toEqual([])
    await bench.later(40 * MINUTE)
    expect(await bench.get(planned.id)).toMatchObject({ state: 'running' })
    await bench.recover(host)
    await bench.later(50 * MINUTE)
    expect(await bench.get(planned.id)).toMatchObject({ state: 'over' })
    const [run] = await bench.runs(planned.id)
    expect(Date.parse(run.endedAt) - Date.parse(run.startedAt)).toBe(90 * MINUTE)
    await bench.fail(host)
    expect(await bench.toasts()).toHaveLength(1)
    expect(await bench.runs(planned.id)).toHaveLength(1)
  })

  it('a recurring one takes place each time, and its end skips only the present window', async () => {
    const host = await bench.host('srv')
    const start = '2026-11-20T09:30'
    const schedule = { kind: 'recurring', rrule: 'FREQ=DAILY', start, durationMinutes: 60, timeZone: 'Europe/Paris' }
    const planned = await bench.plan({ hosts: [host.id], schedule })
    expect(planned).toMatchObject({ state: 'planned', next: { from: '2026-11-20T08:30:00.000Z' } })
    await bench.later(35 * MINUTE)
    expect(await bench.get(planned.id)).toMatchObject({ state: 'running' })
    const ended = await bench.admin.call('POST', `/api/Maintenance/End/${planned.id}`)
    expect(ended.body).toMatchObject({ state: 'planned', next: { from: '2026-11-21T08:30:00.000Z' } })
    expect((await bench.runs(planned.id))[0].endedBy).toBe('admin')
    await bench.later(24 * HOUR)
    expect(await bench.get(planned.id)).toMatchObject({ state: 'running' })
    await bench.later(24 * HOUR)
    expect(await bench.runs(planned.id)).toHaveLength(3)
  })

  it('is changed while it runs: longer, shorter, other objects; a stale change gets 409 and changes nothing', async () => {
    const [one, other] = [await bench.host('un'), await bench.host('autre')]
    const planned = await bench.plan({ hosts: [one.id] })
    const body = {
      ...planned,
      updatedAt: planned.updatedAt,
      schedule: { ...planned.schedule, to: spanOf(bench.clock.now(), 180).to },
    }
    const changed = await bench.admin.call('PUT', `/api/Maintenance/Update/${planned.id}`, {
      ...body,
      targets: { hosts: [other.id] },
    })
    expect(changed.body).toMatchObject({
      state: 'running',
      hosts: [{ name: 'autre' }],
      current: { to: body.schedule.to },
    })
    const stale = await bench.admin.call('PUT', `/api/Maintenance/Update/${planned.id}`, body)
    expect([stale.status, stale.body.current.hosts[0].name]).toEqual([409, 'autre'])
    await bench.later(2 * HOUR)
    expect(await bench.get(planned.id)).toMatchObject({ state: 'running' })
    await bench.fail(one)
    expect(await bench.toasts()).toHaveLength(1)
    const extended = await bench.admin.call('POST', `/api/Maintenance/Extend/${planned.id}`, { minutes: 60 })
    expect(Date.parse(extended.body.current.to) - Date.parse(body.schedule.to)).toBe(HOUR)
    await bench.later(3 * HOUR)
    expect(await bench.runs(planned.id)).toHaveLength(1)
    const again = await bench.admin.call('POST', `/api/Maintenance/Extend/${planned.id}`, { minutes: 60 })
    expect(again.body).toMatchObject({ state: 'running' })
    expect(await bench.runs(planned.id)).toHaveLength(2)
    await bench.later(HOUR)
    await bench.later(25 * HOUR)
    expect((await bench.admin.call('POST', `/api/Maintenance/Extend/${planned.id}`, { minutes: 5 })).status).toBe(409)
    expect((await bench.admin.call('POST', `/api/Maintenance/End/${planned.id}`)).status).toBe(409)
  })

  it('that ended, or both began and ended, while the server was down is told once when it comes back', async () => {
    const host = await bench.host('srv')
    const running = await bench.plan({ hosts: [host.id] })
    const missed = await bench.plan({
      hosts: [host.id],
      comment: 'Manquée',
      schedule: spanOf(bench.clock.now(), 30, 90),
    })
    await bench.fail(host)
    bench.clock.forward(3 * HOUR)
    const { maintenances } = bench.test.app.monitoring
    for (let start = 0; start < 2; start += 1) {
      await maintenances.load()
      await maintenances.pass()
    }
    await bench.signIn()
    expect(await bench.runs(running.id)).toMatchObject([
      { endedAt: running.schedule.to, report: { brokenCount: expect.any(Number) } },
    ])
    expect(await bench.runs(missed.id)).toMatchObject([
      { startedAt: missed.schedule.from, endedAt: missed.schedule.to },
    ])
    expect((await bench.toasts()).filter(title => title.startsWith('Fin de maintenance'))).toHaveLength(1)
  })

  it('covers what a filter finds when it is saved, of a fleet of thousands, and tells how many', async () => {
    const { db } = bench.test.database
    const host = await bench.host('srv')
    const row = await db.selectFrom('host').selectAll().where('id', '=', host.id).executeTakeFirstOrThrow()
    const { id: _, ...columns } = row
    for (let start = 0; start < 3_000; start += 500)
      await db
        .insertInto('host')
        .values(
          Array.from({ length: 500 }, (__, index) => ({
            ...columns,
            name: `h-${start + index}`,
            name_folded: `h-${start + index}`,
          })),
        )
        .execute()
    await bench.test.app.monitoring.reload()
    const filter = { list: 'hosts', request: { search: { value: 'h-' } } }
    const preview = await bench.admin.call('POST', '/api/Maintenance/Preview', {
      schedule: spanOf(bench.clock.now(), 60),
      filter,
    })
    expect(preview.body).toMatchObject({ matched: 3_000, hosts: 3_000 })
    const planned = await bench.plan({ filter })
    expect(planned).toMatchObject({ hostCount: 3_000, covered: { hosts: 3_000 } })
    expect(planned.hosts).toHaveLength(200)
    const run = await db.selectFrom('maintenance_run').select(['hosts', 'host_count']).executeTakeFirstOrThrow()
    expect([Number(run.host_count), run.hosts.length < 100]).toEqual([3_000, true])
    const page = await bench.admin.call('PUT', '/api/HostDatatable', { filters: { inMaintenance: true }, length: 5 })
    expect(page.body).toMatchObject({ recordsFiltered: 3_000 })
  })

  it('covers what incidents are about, ticked or found by a filter, each metric once', async () => {
    const [one, other] = [await bench.host('un'), await bench.host('autre')]
    await bench.fail(one, other)
    const { data } = (await bench.admin.call('PUT', '/api/IncidentDatatable', { filters: { open: true }, length: -1 }))
      .body
    const metrics = data.map(({ metricId }: { metricId: number }) => metricId)
    expect(metrics).toHaveLength(2)
    const ticked = await bench.plan({ incidents: [data[0].id, data[0].id] })
    expect(ticked.metrics.map(({ id }: { id: number }) => id)).toEqual([metrics[0]])
    const filter = { list: 'incidents', request: { filters: { open: true } } }
    const planned = await bench.plan({ filter })
    expect(planned.metrics.map(({ id }: { id: number }) => id).toSorted()).toEqual(metrics.toSorted())
  })

  it('is read by whoever is signed in, and written with incident_write alone; what can not be is refused in French', async () => {
    const reader = await bench.test.user([])
    const host = await bench.host('srv')
    const body = { comment: 'x', hosts: [host.id], schedule: spanOf(bench.clock.now(), 60) }
    expect((await reader.call('POST', '/api/Maintenance/Create', body)).status).toBe(403)
    const planned = await bench.plan({ hosts: [host.id] })
    expect((await reader.call('GET', `/api/Maintenance/Get/${planned.id}`)).body.comment).toBe(planned.comment)
    for (const [method, path] of [
      ['POST', `End/${planned.id}`],
      ['DELETE', `Delete/${planned.id}`],
    ] as const)
      expect((await reader.call(method, `/api/Maintenance/${path}`)).status).toBe(403)
    expect((await bench.test.anonymous().call('GET', '/api/Maintenance/Get')).status).toBe(401)
    const refused = async (over: object) =>
      (await bench.admin.call('POST', '/api/Maintenance/Create', { ...body, ...over })).status
    const recurring = { kind: 'recurring', start: '2026-11-20T09:30', durationMinutes: 60, timeZone: 'Europe/Paris' }
    expect([
      await refused({ comment: ' ' }),
      await refused({ hosts: [] }),
      await refused({ hosts: [999_999] }),
      await refused({ schedule: spanOf(bench.clock.now(), -5) }),
      await refused({ schedule: spanOf(bench.clock.now(), 10, -60) }),
      await refused({ schedule: { ...recurring, rrule: 'FREQ=SECONDLY' } }),
      await refused({ schedule: { ...recurring, rrule: 'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2' } }),
      await refused({ schedule: { ...recurring, rrule: 'FREQ=DAILY', timeZone: 'Mars/Olympus' } }),
    ]).toEqual([400, 400, 400, 400, 400, 400, 400, 400])
  })

  it('a maintenance that is deleted covers nothing from then on; the time that it took stays known', async () => {
    const host = await bench.host('srv')
    const planned = await bench.plan({ hosts: [host.id] })
    await bench.later(10 * MINUTE)
    expect((await bench.admin.call('DELETE', `/api/Maintenance/Delete/${planned.id}`)).body).toEqual({ deleted: true })
    expect((await bench.admin.call('GET', `/api/Host/Get/${host.id}`)).body.inMaintenance).toBe(false)
    expect((await bench.admin.call('GET', `/api/Maintenance/Get/${planned.id}`)).status).toBe(404)
    const { db } = bench.test.database
    const [fromMs, toMs] = [Date.parse(planned.schedule.from), bench.clock.now()]
    await bench.later(HOUR)
    const period = { fromMs: fromMs - HOUR, toMs: bench.clock.now() }
    const spans = await maintenanceSpans(db, { hostId: host.id }, period.fromMs, period.toMs)
    expect(spans).toEqual([{ fromMs, toMs }])
    expect(timeInSpans(period, spans)).toBe(10 * MINUTE)
    expect(await maintenanceSpans(db, { hostId: host.id + 1 }, period.fromMs, period.toMs)).toEqual([])
    const runs = await db.selectFrom('maintenance_run').selectAll().execute()
    expect(runs).toMatchObject([{ maintenance_id: null, ended_at: toMs, ended_by: 'admin' }])
  })

  it('deleted while it runs, it ends with its report, a line in the timelines of its incidents and an alert of what is still down', async () => {
    const host = await bench.host('srv')
    const planned = await bench.plan({ hosts: [host.id] })
    await bench.later(MINUTE)
    await bench.fail(host)
    expect((await bench.admin.call('DELETE', `/api/Maintenance/Delete/${planned.id}`)).body).toEqual({ deleted: true })
    const { db } = bench.test.database
    const run = await db.selectFrom('maintenance_run').selectAll().executeTakeFirstOrThrow()
    expect(run).toMatchObject({ ended_by: 'admin', ended_at: bench.clock.now() })
    expect(JSON.parse(run.report ?? '{}').broken[0].hostId).toBe(host.id)
    expect(await lines()).toEqual([
      ['opened', expect.any(String)],
      ['maintenance-started', 'Ouvert pendant la maintenance «\u202fRemplacement du commutateur\u202f».'],
      ['maintenance-ended', expect.stringContaining('La maintenance est terminée')],
    ])
    expect(await bench.toasts()).toContainEqual(expect.stringContaining('Fin de maintenance'))
    const told = await db.selectFrom('outbox').select('link').where('title', 'like', 'Fin de maint%').execute()
    expect(told).toEqual([{ link: '/dashboard/live-view/maintenance' }])
  })

  it('an incident that opens while it runs says so on its timeline, once; one that a flexible one waited for says when it began', async () => {
    const [host, other] = [await bench.host('srv'), await bench.host('autre')]
    await bench.plan({ hosts: [host.id] })
    await bench.plan({ hosts: [other.id], flexibleMinutes: 30, comment: 'Souple' })
    await bench.later(MINUTE)
    await bench.fail(host, other)
    await bench.later(MINUTE)
    await bench.later(MINUTE)
    const found = (await lines()).filter(([kind]) => kind !== 'opened').map(([, text]) => text)
    expect(found.toSorted()).toEqual([
      'En maintenance\u202f: Souple',
      'Ouvert pendant la maintenance «\u202fRemplacement du commutateur\u202f».',
    ])
  })

  it('the calendar gives what took place as it did and what is to come, without a row for what is to come', async () => {
    const host = await bench.host('srv')
    const schedule = {
      kind: 'recurring',
      rrule: 'FREQ=DAILY',
      start: '2026-11-20T10:00',
      durationMinutes: 60,
      timeZone: 'Europe/Paris',
    }
    await bench.plan({ hosts: [host.id], schedule })
    for (const minutes of [90, 60, 23 * 60, 60]) await bench.later(minutes * MINUTE)
    const at = (from: string, to: string) => bench.admin.call('GET', `/api/Maintenance/Calendar?from=${from}&to=${to}`)
    const { body } = await at('2026-11-20T00:00:00Z', '2026-11-25T00:00:00Z')
    expect(body.map((one: { from: string; state: string }) => [one.from.slice(0, 13), one.state])).toEqual([
      ['2026-11-20T09', 'over'],
      ['2026-11-21T09', 'over'],
      ['2026-11-22T09', 'planned'],
      ['2026-11-23T09', 'planned'],
      ['2026-11-24T09', 'planned'],
    ])
    expect(body[0].objects).toBe('srv')
    expect((await at('2026-01-01T00:00:00Z', '2026-12-31T00:00:00Z')).status).toBe(400)
    expect((await at('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z')).status).toBe(400)
  })
})
