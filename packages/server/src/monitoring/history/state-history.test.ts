import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHostScene, type HostScene } from '../../testing/host-scene.ts'
import { DIALECTS } from '../../testing/test-app.ts'
import { createEffects } from '../judge-metric.ts'
import { HOUR_MS } from './hour-ledger.ts'
import { createStateHistory } from './state-history.ts'

const START = Date.parse('2026-11-20T08:00:00Z')
const MINUTE = 60_000

describe.each(DIALECTS)('the history of states, on %s', dialect => {
  let scene: HostScene
  beforeEach(async () => {
    scene = await createHostScene(dialect)
    await scene.add('srv-1')
  })
  afterEach(() => scene.test.close())

  const history = () => scene.test.app.monitoring.history
  const changes = async (name = 'srv-1') => {
    const { rows } = await sql<{ key: string; at: number; before_rank: number; severity_rank: number; cause: string }>`
      select m.key, c.at, c.before_rank, c.severity_rank, c.cause from metric_change c join metric m on m.id = c.metric_id
      where m.host_id = ${scene.idOf(name)} order by c.at, m.key`.execute(scene.test.database.db)
    return rows.map(row => [row.key, (row.at - START) / 1_000, row.before_rank, row.severity_rank, row.cause])
  }
  const hostStates = async (name = 'srv-1') =>
    (
      await scene.test.database.db
        .selectFrom('host_change')
        .select(['at', 'state', 'flapping'])
        .where('host_id', '=', scene.idOf(name))
        .orderBy('at')
        .execute()
    ).map(row => [(row.at - START) / 1_000, row.state, row.flapping])
  /** Time goes by in a server that lives. */
  const live = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += MINUTE) {
      scene.skip(MINUTE)
      await history().beat()
    }
  }
  const hours = () =>
    history()
      .openHours()
      .map(({ at, watchedMs, sites }) => [(at - START) / HOUR_MS, watchedMs, sites.get(scene.siteId)])

  it('has a row for each confirmed change, at the time of the change', async () => {
    await scene.answer('srv-1')
    for (let times = 0; times < 4; times += 1) await scene.fail('srv-1')
    await scene.answer('srv-1')
    expect((await changes()).filter(([key]) => key === 'availability')).toEqual([
      ['availability', 0, null, 2, 'pending'],
      ['availability', 20, 2, 3, null],
      ['availability', 80, 3, 0, null],
      ['availability', 120, 0, 3, null],
    ])
    expect(await hostStates()).toEqual([
      [0, 'pending', 0],
      [20, 'available', 0],
      [80, 'down', 0],
      [120, 'available', 0],
    ])
  })

  it('writes the same rows when a commit is tried again, or judged again by a replay', async () => {
    await scene.answer('srv-1')
    const before = [await changes(), await hostStates()]
    const { model } = scene.test.app.monitoring
    const metric = [...model.metrics.values()].find(one => one.key === 'availability')
    if (metric === undefined) throw new Error('no metric')
    const { host } = metric.scanner
    const effects = createEffects()
    const atMs = metric.state.hardSinceMs
    effects.changes.push({ metric, atMs, severity: 'ok', cause: null })
    effects.lives.push({ host, atMs, state: 'available', flapping: false })
    const own = createStateHistory({
      ...{ database: scene.test.database, model, now: scene.now, log: pino({ level: 'silent' }) },
      alone: work => work(),
    })
    for (let times = 0; times < 2; times += 1)
      await scene.test.database.db
        .transaction()
        .execute(trx => own.write(trx, effects, [host], new Set([metric.id]), scene.now()))
    expect([await changes(), await hostStates()]).toEqual(before)
  })

  it('makes one row of two changes in one millisecond', async () => {
    await scene.answer('srv-1')
    const { model } = scene.test.app.monitoring
    const metric = [...model.metrics.values()].find(one => one.key === 'availability')
    if (metric === undefined) throw new Error('no metric')
    const effects = createEffects()
    const atMs = scene.now() + 1_000
    effects.changes.push({ metric, atMs, severity: 'unknown', cause: 'no-data' })
    effects.changes.push({ metric, atMs, severity: 'error', cause: null })
    await scene.test.database.db
      .transaction()
      .execute(trx => history().write(trx, effects, [], new Set([metric.id]), scene.now()))
    expect((await changes()).at(-1)).toEqual(['availability', 21, 3, 0, null])
  })

  it('says when what is supervised counts no more, and again', async () => {
    await scene.answer('srv-1')
    const { body } = await scene.admin.call('GET', `/api/Host/Get/${scene.idOf('srv-1')}`)
    const save = async (enabled: boolean) => {
      await scene.wait(10_000)
      const path = `/api/Host/Update/${scene.idOf('srv-1')}`
      const current = (await scene.admin.call('GET', `/api/Host/Get/${scene.idOf('srv-1')}`)).body
      const { name, address, siteId, updatedAt } = { ...body, updatedAt: current.updatedAt }
      const answer = await scene.admin.call('PUT', path, { name, address, siteId, enabled, updatedAt })
      expect(answer.status).toBe(200)
    }
    await save(false)
    await save(true)
    expect((await changes()).filter(([key, at]) => key === 'availability' && Number(at) >= 30)).toEqual([
      ['availability', 30, 3, null, null],
      ['availability', 40, null, 3, null],
    ])
    expect(await hostStates()).toEqual([
      [0, 'pending', 0],
      [20, 'available', 0],
      [30, 'disabled', 0],
      [40, 'available', 0],
    ])
  })

  it('adds up hours to the millisecond, and keeps those that are over whatever is deleted', async () => {
    await scene.answer('srv-1')
    const metrics = [...scene.test.app.monitoring.model.metrics.values()]
    const answered = metrics.filter(metric => metric.state.hardSeverity === 'ok').length
    const ok = answered * (HOUR_MS - 20_000)
    await live(59 * MINUTE)
    // Twenty seconds of waiting for the first result.
    const expected = [0, 0, metrics.length * HOUR_MS - ok, ok]
    await live(MINUTE)
    expect(hours().at(-1)).toEqual([0, HOUR_MS, expected])
    await live(2 * MINUTE)
    const rows = await scene.test.database.db.selectFrom('status_hour').selectAll().execute()
    expect(rows.map(row => [row.at, row.error_ms, row.warning_ms, row.unknown_ms, row.ok_ms])).toEqual([
      [START, ...expected],
    ])
    expect(hours().map(([hour]) => hour)).toEqual([1])
    await scene.wait(0)
    const deleted = await scene.admin.call('DELETE', `/api/Host/Delete/${scene.idOf('srv-1')}`)
    expect(deleted.status).toBe(200)
    const [present] = hours()
    await live(MINUTE)
    // What it was until then stays; nothing comes to it.
    expect(hours()[0]?.[2]).toEqual(present?.[2])
    expect(await scene.test.database.db.selectFrom('status_hour').selectAll().execute()).toEqual(rows)
  })

  it('goes on after a stop where it was, with the time in which nothing ran in no state', async () => {
    await scene.answer('srv-1')
    await live(10 * MINUTE)
    const [before] = hours()
    await history().stop()
    scene.skip(30 * MINUTE)
    const { model } = scene.test.app.monitoring
    const next = createStateHistory({
      ...{ database: scene.test.database, model, now: scene.now, log: pino({ level: 'silent' }) },
      alone: work => work(),
    })
    await next.start()
    expect(next.openHours()[0]?.sites.get(scene.siteId)).toEqual(before?.[2])
    scene.skip(MINUTE)
    const [hour] = next.openHours()
    expect(hour?.watchedMs).toBe(Number(before?.[1]) + MINUTE)
    await next.stop()
    const runs = await scene.test.database.db.selectFrom('server_run').selectAll().orderBy('id').execute()
    expect(runs.map(run => run.seen_at - run.started_at)).toEqual([10 * MINUTE + 20_000, MINUTE])
  })

  it('knows a machine that slept from one that watched', async () => {
    await scene.answer('srv-1')
    await live(MINUTE)
    scene.skip(20 * MINUTE)
    await history().beat()
    expect(hours()[0]?.[1]).toBe(MINUTE + 20_000)
  })

  it('is kept as long as the setting says, and always what was there when that time begins', async () => {
    await scene.answer('srv-1')
    await live(61 * MINUTE)
    for (let times = 0; times < 3; times += 1) await scene.fail('srv-1')
    const all = await changes()
    scene.skip(40 * 86_400_000)
    await history().prune(41)
    expect(await changes()).toEqual(all)
    await history().prune(31)
    const kept = await changes()
    expect(kept.filter(([key]) => key === 'availability').map(row => row[3])).toEqual([0])
    expect(new Set(kept.map(([key]) => key)).size).toBe(kept.length)
    expect((await hostStates()).map(row => row[1])).toEqual(['down'])
    expect(await scene.test.database.db.selectFrom('status_hour').selectAll().execute()).toEqual([])
  })

  it('finds at a start what a crash left unsaid', async () => {
    await scene.answer('srv-1')
    const { db } = scene.test.database
    await db.deleteFrom('metric_change').execute()
    await db.deleteFrom('host_change').execute()
    const { model } = scene.test.app.monitoring
    const next = createStateHistory({
      ...{ database: scene.test.database, model, now: scene.now, log: pino({ level: 'silent' }) },
      alone: work => work(),
    })
    await next.start()
    await expect.poll(async () => (await changes()).length).toBe(model.metrics.size)
    await expect.poll(async () => (await hostStates()).map(row => row[1])).toEqual(['available'])
    await next.stop()
  })
})
