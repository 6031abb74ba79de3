import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { createMaintenanceBench, type MaintenanceBench, spanOf } from './testing-maintenance.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.each(DIALECTS)('what maintenances cover, on %s', dialect => {
  let bench: MaintenanceBench
  beforeEach(async () => {
    bench = await createMaintenanceBench(dialect)
  })
  afterEach(() => bench.test.close())

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
})
