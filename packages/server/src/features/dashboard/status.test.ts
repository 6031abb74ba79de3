import type { SeverityCounts } from '@narval/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Viewer } from '../../http/caller.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import { createHostScene, type HostScene } from '../../testing/host-scene.ts'
import { DIALECTS } from '../../testing/test-app.ts'
import { createStatusChangeService } from './status-change.service.ts'
import { createStatusHourService } from './status-hour.service.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-11-20T08:00:00Z')
/** Sees no site (`seesSite`). */
const NOBODY: Viewer = {
  ...{ userId: 0, login: '', sessionId: null, credential: '', firstConnection: false, signedInMs: 0 },
  claims: new Set(),
  ...{ place: null, limits: new Map() },
}
const at = (ms: number) => new Date(START + ms).toISOString()

describe.each(DIALECTS)('statuses, on %s', dialect => {
  let scene: HostScene
  beforeEach(async () => {
    scene = await createHostScene(dialect)
    await scene.add('srv-1')
    await scene.answer('srv-1')
  })
  afterEach(() => scene.test.close())

  const live = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 60_000) {
      scene.skip(60_000)
      await scene.test.app.monitoring.history.beat()
    }
    await scene.wait(0)
  }
  const get = async (what: string, from: number, to: number, more = '') =>
    scene.admin.call('GET', `/api/Dashboard/Get/${what}?from=${at(from)}&to=${at(to)}${more}`)
  const list = (filters: object) => scene.admin.call('PUT', '/api/StatusChangeDatatable', { filters })
  const sumOf = ({ error, warning, unknown, ok }: SeverityCounts) => error + warning + unknown + ok

  it('tell each hour, before anything ran, over, and present, with all of its metric-time', async () => {
    await live(2 * HOUR)
    const { status, body } = await get('StatusHour', -HOUR, 3 * HOUR)
    expect(status).toBe(200)
    const metrics = scene.test.app.monitoring.model.metrics.size
    expect(body.map((hour: { hour: string; watched: number }) => [hour.hour, hour.watched])).toEqual([
      [at(-HOUR), 0],
      [at(0), HOUR],
      [at(HOUR), HOUR],
      [at(2 * HOUR), 20_000],
    ])
    expect(body.map(sumOf)).toEqual([0, HOUR * metrics, HOUR * metrics, 20_000 * metrics])
    // The second time from memory.
    expect((await get('StatusHour', -HOUR, 3 * HOUR)).body).toEqual(body)
    expect((await get('StatusHour', -HOUR, 3 * HOUR, `&site=${scene.siteId}`)).body).toEqual(body)
  })

  it('never tell of sites that one does not see', async () => {
    await live(2 * HOUR)
    const { monitoring } = scene.test.app
    const hours = createStatusHourService(scene.test.database, monitoring)
    const changes = createStatusChangeService(scene.test.database, monitoring, scene.now)
    const time = { from: at(0), to: at(3 * HOUR) }
    expect((await hours.hours(NOBODY, time)).map(sumOf)).toEqual([0, 0, 0])
    await expect(hours.hours(NOBODY, { ...time, site: scene.siteId })).rejects.toMatchObject({ kind: 'not-found' })
    expect(hours.sites(NOBODY)).toEqual([])
    expect(await changes.groups(NOBODY, time)).toEqual([])
    const filters = { ...time, siteId: scene.siteId }
    expect(await changes.datatable(NOBODY, { ...FIRST_PAGE, filters })).toMatchObject({ recordsTotal: 0, data: [] })
  })

  it('tell what changed, alike together and one by one, with the incident of each', async () => {
    await scene.fail('srv-1')
    await scene.fail('srv-1')
    await scene.fail('srv-1')
    const groups = (await get('StatusHour/Change', 0, HOUR)).body
    expect(groups[0]).toEqual({ from: 'ok', to: 'error', cause: null, changes: 1 })
    expect(groups).toContainEqual({ from: 'ok', to: 'unknown', cause: 'scanner-failed', changes: 2 })
    const [incident] = await scene.incidents()
    const { body } = await list({ from: at(0), to: at(HOUR), severity: 'error', before: 'ok' })
    expect(body).toMatchObject({ recordsFiltered: 1 })
    expect(body.data).toMatchObject([
      { at: at(80_000), hostName: 'srv-1', siteName: 'Lyon', from: 'ok', to: 'error', incidentId: incident.id },
    ])
    expect(
      (await list({ from: at(0), to: at(HOUR), before: 'ok', cause: 'scanner-failed' })).body.recordsFiltered,
    ).toBe(2)
    const present = (await scene.admin.call('GET', '/api/StatusChangeDatatable')).body
    expect(present.recordsTotal).toBe(body.recordsTotal)
    await scene.answer('srv-1')
    const later = (await list({ from: at(0), to: at(HOUR), severity: 'ok', before: 'error' })).body.data
    expect(later).toMatchObject([{ from: 'error', to: 'ok', incidentId: incident.id }])
  })

  it('say site by site how many stand where', async () => {
    const { body } = await scene.admin.call('GET', '/api/Dashboard/Get/Status')
    const { ok } = body[0].metrics
    expect(body).toMatchObject([{ siteName: 'Lyon', hosts: 1, states: { available: 1, down: 0 } }])
    expect([ok > 0, sumOf(body[0].metrics)]).toEqual([true, scene.test.app.monitoring.model.metrics.size])
  })

  it('refuse a time that is none, too long, or of a site that is not there', async () => {
    expect((await get('StatusHour', HOUR, 0)).status).toBe(400)
    expect((await get('StatusHour', 0, 93 * 24 * HOUR)).status).toBe(400)
    expect((await get('StatusHour/Change', 0, 26 * HOUR)).status).toBe(400)
    expect((await get('StatusHour', 0, HOUR, '&site=999')).status).toBe(404)
    expect((await list({ from: 'hier', to: at(0) })).status).toBe(400)
    expect((await list({ from: at(0), to: at(HOUR), severity: 'grave' })).status).toBe(400)
  })
})
