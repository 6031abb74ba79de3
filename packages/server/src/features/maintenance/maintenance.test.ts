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
})
