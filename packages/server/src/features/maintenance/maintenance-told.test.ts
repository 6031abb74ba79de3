import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { createMaintenanceBench, type MaintenanceBench } from './testing-maintenance.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.each(DIALECTS)('what is told of maintenances, on %s', dialect => {
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
})
