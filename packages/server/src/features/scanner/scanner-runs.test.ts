import { type AnswerBody, CHECKS, type OrdersReply, RUNS_SHOWN, TEST_MARGIN_MS, TESTS_AT_ONCE } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createRunHistory } from '../../monitoring/run/run-history.ts'
import { createRunLog } from '../../monitoring/run/run-log.ts'
import { createTestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import type { TestProbe } from '../../testing/test-probe.ts'
import { createScannerScene } from './testing-scanner.ts'

const clock = createTestClock()

describe.each(DIALECTS)('runs of scanners on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let host: Answered
  let ping: Answered
  let tcp: Answered
  beforeAll(async () => {
    ;({ test, admin, probe, host, ping, tcp } = await createScannerScene(dialect, clock))
  })
  afterAll(() => test.close())

  const created = (path: string, body: unknown): Promise<Answered> => admin.make(path, body)
  /** A session does not outlive an hour of silence. */
  const later = async (ms: number): Promise<void> => {
    clock.forward(ms)
    await probe.orders()
    admin = await test.admin()
  }
  /** The probe says nothing for longer than a minute, and the server listens all the while. */
  const silence = async (): Promise<void> => {
    for (let pass = 0; pass < 15; pass += 1) {
      clock.forward(5_000)
      await test.app.monitoring.pass()
    }
  }
  /** The next order that the probe is asked, after those before. */
  let after = 0
  const nextOrder = async (): Promise<OrdersReply['orders'][number]> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const reply = await probe.orders(`after=${after}&revision=&wait=0`)
      after = reply.after
      const order = reply.orders.at(-1)
      if (order !== undefined) return order
      await new Promise(resolve => setImmediate(resolve))
    }
    throw new Error('no order came')
  }
  const answer = (order: string, outcome: Partial<Extract<AnswerBody['outcome'], { kind: 'test' }>>) =>
    probe.call('POST', '/api/Probe/Answer', {
      order,
      outcome: { kind: 'test', at: clock.now(), durationMs: 12.5, failure: null, values: {}, details: [], ...outcome },
    })
  const tested = async (body: unknown, outcome: Parameters<typeof answer>[1], caller = admin) => {
    const asked = caller.call('POST', '/api/Scanner/Test', body)
    const order = await nextOrder()
    await answer(order.id, outcome)
    return { order, ...(await asked) }
  }

  it('is read by the API: all scanners, one, its metrics, a page of them, and when one of them last changed', async () => {
    const read = async (path: string) => (await admin.call('GET', `/api/${path}`)).body
    const all = await read('Scanner/Get')
    expect(all).toContainEqual(await read(`Scanner/Get/${tcp.id}`))
    expect((await read(`Scanner/Get?host=${host.id}`)).map((one: Answered) => one.id)).toEqual([ping.id, tcp.id])
    expect((await read(`Scanner/Get/Metric?id=${tcp.id}`)).map((one: Answered) => one.key)).toEqual([
      'availability',
      'connect_time',
    ])
    expect((await read('ScannerDatatable')).recordsTotal).toBe(all.length)
    expect((await read('ScannerPingDatatable')).data).toMatchObject([{ id: ping.id, lossRatio: null, lastRun: null }])
    const before = await read('Scanner/Get/LastUpdate')
    clock.forward(1_000)
    const made = await created('/api/Scanner/Create', { name: 'Essai', kind: 'ping', hostId: host.id })
    expect((await read('Scanner/Get/LastUpdate')).lastUpdate).toBe(made.updatedAt)
    expect(before.lastUpdate).not.toBe(made.updatedAt)
    const saved = await admin.call('PUT', `/api/Scanner/Update/${made.id}`, { ...made, name: 'Autre' })
    expect([saved.status, saved.body.name]).toEqual([200, 'Autre'])
    const gone = await admin.call('DELETE', `/api/Scanner/Delete/${made.id}`)
    expect(gone.body).toMatchObject({ deleted: true })
    expect((await admin.call('GET', `/api/Scanner/Get/${made.id}`)).status).toBe(404)
  })

  describe('a test', () => {
    it('of a draft runs it once as it is typed and answers values in words with what thresholds say; nothing is kept', async () => {
      const before = await test.database.db.selectFrom('metric').selectAll().execute()
      const draft = { kind: 'ping', hostId: host.id, parameters: { count: 3 }, timeoutMs: 1_500 }
      const { order, status, body } = await tested(draft, {
        values: { loss_ratio: 0.6, rtt_avg: 12.34, nonsense: 1 },
        details: [{ label: 'Échos', text: '1\n2' }],
      })
      expect(order).toMatchObject({
        kind: 'test',
        check: {
          kind: 'ping',
          address: '192.0.2.1',
          timeoutMs: 1_500,
          parameters: { count: 3, size: 56 },
          loopback: true,
        },
      })
      expect([status, body.errors]).toEqual([200, undefined])
      expect(body).toMatchObject({
        probe: { id: probe.id, name: 'Sonde d’essai' },
        durationMs: 12.5,
        timeoutMs: 1_500,
        failure: null,
        unknownKeys: ['nonsense'],
        details: [{ label: 'Échos', text: '1\n2' }],
      })
      expect(body.values).toEqual([
        expect.objectContaining({ key: 'availability', text: 'disponible', severity: 'ok', crossed: null }),
        expect.objectContaining({
          key: 'loss_ratio',
          name: 'Perte de paquets',
          text: '60\u202f%',
          severity: 'error',
          crossed: { side: 'errorHigh', text: '50\u202f%' },
          known: false,
        }),
        expect.objectContaining({ key: 'rtt_avg', text: '12,3\u202fms', severity: 'ok', known: false }),
      ])
      expect(await test.database.db.selectFrom('metric').selectAll().execute()).toEqual(before)
      expect((await admin.call('GET', `/api/Scanner/Get/${ping.id}`)).body.lastRun).toBe(null)
    })

    it('of a saved scanner is judged by its own thresholds; a failure is told in words', async () => {
      const metrics = (await admin.call('GET', `/api/Scanner/Get/Metric?id=${ping.id}`)).body
      const loss = metrics.find((one: Answered) => one.key === 'loss_ratio')
      const thresholds = { ...loss.thresholds, warningHigh: 0.65, errorHigh: 0.9 }
      const saved = await admin.call('PUT', `/api/Metric/Update/${loss.id}`, {
        ...loss,
        thresholds,
        overrides: ['thresholds'],
      })
      expect(saved.status).toBe(200)
      const good = await tested({ id: ping.id }, { values: { loss_ratio: 0.6 } })
      expect(good.body.values[1]).toMatchObject({ key: 'loss_ratio', severity: 'ok', crossed: null, known: true })
      const failed = await tested(
        { id: ping.id },
        { failure: { code: 'timeout', message: 'Délai dépassé après 2 s.' } },
      )
      expect(failed.body).toMatchObject({ failure: { code: 'timeout', message: 'Délai dépassé après 2 s.' } })
      expect(failed.body.values[0]).toMatchObject({ key: 'availability', text: 'indisponible', severity: 'error' })
    })

    it('is refused to whoever may only read, for parameters that are wrong and for hosts that do not exist', async () => {
      const reader = await test.user(['scanner_read'])
      expect((await reader.call('POST', '/api/Scanner/Test', { id: ping.id })).status).toBe(403)
      const wrong = await admin.call('POST', '/api/Scanner/Test', { kind: 'tcp', hostId: host.id, parameters: {} })
      expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['parameters.port']])
      const nowhere = await admin.call('POST', '/api/Scanner/Test', { kind: 'ping', hostId: 9_999 })
      expect([nowhere.status, Object.keys(nowhere.body.fields)]).toEqual([400, ['hostId']])
      expect((await admin.call('POST', '/api/Scanner/Test', { kind: 'ping' })).status).toBe(400)
      expect((await admin.call('POST', '/api/Scanner/Test', { id: 9_999 })).status).toBe(404)
    })

    it(`runs at most ${TESTS_AT_ONCE} times at once on a probe: one more gets 429, and what was refused frees its place`, async () => {
      const asked = Array.from({ length: TESTS_AT_ONCE }, () =>
        admin.call('POST', '/api/Scanner/Test', { id: ping.id }),
      )
      const orders: string[] = []
      while (orders.length < TESTS_AT_ONCE) {
        const reply = await probe.orders(`after=${after}&revision=&wait=0`)
        after = reply.after
        orders.push(...reply.orders.map(one => one.id))
        await new Promise(resolve => setImmediate(resolve))
      }
      const more = await admin.call('POST', '/api/Scanner/Test', { id: ping.id })
      expect([more.status, more.body.errors]).toEqual([
        429,
        [`${TESTS_AT_ONCE} essais sont déjà en cours sur cette sonde\u202f: attendez leur fin.`],
      ])
      for (const order of orders)
        await probe.call('POST', '/api/Probe/Answer', {
          order,
          outcome: { kind: 'refused', message: 'Trop d’essais à la fois.' },
        })
      for (const one of await Promise.all(asked))
        expect([one.status, one.body.errors]).toEqual([409, ['Trop d’essais à la fois.']])
      expect((await tested({ id: ping.id }, {})).status).toBe(200)
    })

    it('says that the probe did not answer in time, that it is away, and that it is not approved', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const asked = admin.call('POST', '/api/Scanner/Test', { id: ping.id, timeoutMs: 100 })
      await nextOrder()
      vi.advanceTimersByTime(100 + TEST_MARGIN_MS)
      vi.useRealTimers()
      const late = await asked
      expect([late.status, late.body.errors[0]]).toEqual([
        503,
        'La sonde «\u202fSonde d’essai\u202f» n’a pas répondu en 5 s.',
      ])
      const row = { site_id: null, approval: 'pending', local: 0, public_key: 'x', version: '', address: '' } as const
      const stamps = {
        last_contact_at: null,
        boot_id: null,
        announced: null,
        created_at: 0,
        updated_at: 0,
        updated_by: null,
      }
      const pending = await test.database.db
        .insertInto('probe')
        .values({ ...row, ...stamps, name: 'Neuve', name_folded: 'neuve' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const unknown = await admin.call('POST', '/api/Scanner/Test', { id: ping.id, probeId: pending.id })
      expect([unknown.status, unknown.body.errors[0]]).toEqual([
        409,
        'La sonde «\u202fNeuve\u202f» n’est pas encore approuvée.',
      ])
      await silence()
      const away = await admin.call('POST', '/api/Scanner/Test', { id: ping.id })
      expect([away.status, away.body.errors[0]]).toEqual([
        409,
        'La sonde «\u202fSonde d’essai\u202f» est hors ligne\u202f: elle n’a pas donné de nouvelles depuis plus d’une minute.',
      ])
      await probe.orders()
    })
  })

  describe('the history of runs', () => {
    const MINUTE = 60_000
    const runs = async (id: number): Promise<Answered> =>
      (await admin.call('GET', `/api/Scanner/Get/Run?id=${id}`)).body

    it('tells when a scanner ran, how long, from where and why it failed, the newest first, with the runs that lack', async () => {
      const start = clock.now()
      const failure = { code: 'refused', message: 'Connexion refusée.' } as const
      await probe.post([{ scanner: tcp.id, at: start, durationMs: 3, values: { connect_time: 3 } }])
      await probe.post([{ scanner: tcp.id, at: start + MINUTE, durationMs: 4, failure }])
      await probe.post([{ scanner: tcp.id, at: start + 4 * MINUTE, durationMs: 5, values: { connect_time: 5 } }])
      clock.forward(4 * MINUTE)
      await test.app.monitoring.evaluation.idle()
      const told = await runs(tcp.id)
      expect(told.missed).toBe(2)
      expect(
        told.runs.map((run: Answered) => [Date.parse(run.at) - start, run.succeeded, run.durationMs, run.failure]),
      ).toEqual([
        [4 * MINUTE, true, 5, null],
        [MINUTE, false, 4, failure],
        [0, true, 3, null],
      ])
      expect(told.runs[0].probeName).toBe('Sonde d’essai')
    })

    it(`keeps ${RUNS_SHOWN}; what the server wrote down is told after a start, what it did not still says when and whether`, async () => {
      for (let nth = 1; nth <= RUNS_SHOWN + 10; nth += 1) {
        clock.forward(MINUTE)
        await probe.post([{ scanner: tcp.id, at: clock.now(), durationMs: nth, values: { connect_time: nth } }])
      }
      await later(0)
      await test.app.monitoring.evaluation.idle()
      await test.app.monitoring.runs.save()
      const before = await runs(tcp.id)
      expect(before.runs).toHaveLength(RUNS_SHOWN)
      expect(before.runs[0].durationMs).toBe(RUNS_SHOWN + 10)
      const entry = test.app.monitoring.model.scanners.get(tcp.id)
      if (entry === undefined) throw new Error('the scanner is not in memory')
      const restarted = createRunHistory({
        ...{ database: test.database, samples: test.samples, presence: test.app.monitoring.presence },
        ...{ log: createRunLog(), isKnown: () => true },
      })
      expect(await restarted.of(entry, clock.now())).toEqual(before)
      clock.forward(MINUTE)
      await probe.post([{ scanner: tcp.id, at: clock.now(), durationMs: 99, values: {} }])
      const [unwritten, written] = (await restarted.of(entry, clock.now())).runs
      expect(unwritten).toMatchObject({ succeeded: true, durationMs: null, probeId: null })
      expect(written).toEqual(before.runs[0])
    })

    it('says when the next run is due: on its grid, after the retry interval while a failure is not confirmed, never while its probe is away', async () => {
      await probe.post([{ scanner: ping.id, at: clock.now(), durationMs: 10, values: {} }])
      await test.app.monitoring.evaluation.idle()
      const regular = (await admin.call('GET', `/api/Scanner/Get/${ping.id}`)).body
      const waitMs = Date.parse(regular.nextRun) - clock.now()
      expect(waitMs).toBeGreaterThan(0)
      expect(waitMs).toBeLessThanOrEqual(MINUTE)
      clock.forward(MINUTE)
      const failure = { code: 'timeout', message: 'Délai dépassé.' } as const
      await probe.post([{ scanner: ping.id, at: clock.now(), durationMs: 1_000, failure }])
      await test.app.monitoring.evaluation.idle()
      const retried = (await admin.call('GET', `/api/Scanner/Get/${ping.id}`)).body
      expect(Date.parse(retried.nextRun) - clock.now()).toBe(19_000)
      await silence()
      expect((await admin.call('GET', `/api/Scanner/Get/${ping.id}`)).body.nextRun).toBe(null)
      await probe.orders()
    })
  })

  it('is run now when that is asked, by whom may act on incidents; the list is narrowed by families of kinds', async () => {
    const asked = await admin.call('POST', `/api/Scanner/Check/${tcp.id}`)
    expect(asked.body).toEqual({ probes: 1 })
    expect(await nextOrder()).toMatchObject({ kind: 'recheck', scanners: [tcp.id] })
    const reader = await test.user(['scanner_read', 'scanner_write'])
    expect((await reader.call('POST', `/api/Scanner/Check/${tcp.id}`)).status).toBe(403)
    const count = async (family: string | string[]) =>
      (await admin.call('PUT', '/api/ScannerDatatable', { filters: { family } })).body.recordsFiltered
    expect([await count('Réseau'), await count('Web'), await count(['Web', 'Réseau'])]).toEqual([2, 0, 2])
    expect((await admin.call('PUT', '/api/ScannerDatatable', { filters: { family: 'Magie' } })).status).toBe(400)
  })

  it('metrics that its parameters define inherit from them: their names and thresholds are nobody’s own, also in a test', async () => {
    const values = [{ name: 'Température du local', oid: '1.3.6.1.4.1.9.9.13.1', type: 'gauge', unit: 'celsius' }]
    const snmp = await created('/api/Scanner/Create', {
      name: 'OID',
      kind: 'snmp',
      hostId: host.id,
      parameters: { values },
    })
    const key = CHECKS.snmp.metricsOf?.(snmp.parameters)[0]?.key ?? ''
    await probe.post([{ scanner: snmp.id, at: clock.now(), values: { [key]: 21.5 } }])
    await test.app.monitoring.evaluation.idle()
    const metrics = (await admin.call('GET', `/api/Scanner/Get/Metric?id=${snmp.id}`)).body
    expect(metrics.find((one: Answered) => one.key === key)).toMatchObject({
      ...{ name: 'Température du local', overrides: [], inherited: { name: 'Température du local' } },
    })
    const { body } = await tested({ id: snmp.id }, { values: { [key]: 22 } })
    expect(body.values[1]).toMatchObject({ key, name: 'Température du local', text: '22\u202f°C', known: true })
  })
})
