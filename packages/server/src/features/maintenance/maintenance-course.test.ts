import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { createMaintenanceBench, type MaintenanceBench, spanOf } from './testing-maintenance.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.each(DIALECTS)('the course of maintenances, on %s', dialect => {
  let bench: MaintenanceBench
  beforeEach(async () => {
    bench = await createMaintenanceBench(dialect)
  })
  afterEach(() => bench.test.close())

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
