import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

const ping = (rest: object = {}) => ({ item: 'p', name: 'Ping', kind: 'ping', ...rest })
const web = (rest: object = {}) => ({ item: 'w', name: 'Site web', kind: 'http', ...rest })
const rtt = (warningHigh: number, errorHigh: number) => ({ key: 'rtt_avg', thresholds: { warningHigh, errorHigh } })

describe.each(DIALECTS)('monitoring models on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let siteId: number
  let nowMs = Date.parse('2026-11-20T08:00:00Z')
  let made = 0
  beforeAll(async () => {
    const now = () => ++nowMs
    test = await createTestApp({ dialect, now })
    admin = await test.admin()
    probe = await enrolTestProbe(test, now)
    siteId = (await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })).body.id
  })
  afterAll(() => test.close())

  const create = async (...scanners: object[]): Promise<Answered> => {
    const body = { name: `Modèle ${++made}`, definition: { scanners } }
    const answer = await admin.call('POST', '/api/Model/Create', body)
    expect([answer.status, answer.body.errors]).toEqual([201, undefined])
    return answer.body
  }
  /** A host with these models, as hosts get them. */
  const host = async (...models: { id: number }[]): Promise<number> => {
    const body = { name: `h-${++made}`, address: '192.0.2.1', siteId, withPing: false }
    const { id } = (await admin.call('POST', '/api/Host/Create', body)).body
    for (const [position, model] of models.entries())
      await test.database.db
        .insertInto('host_monitoring_model')
        .values({ host_id: id, model_id: model.id, position })
        .execute()
    return id
  }
  const update = (model: Answered, scanners: object[], query = '', caller = admin) =>
    caller.call('PUT', `/api/Model/Update/${model.id}${query}`, {
      name: model.name,
      definition: { scanners },
      updatedAt: model.updatedAt,
    })
  const fresh = async (model: Answered) => (await admin.call('GET', `/api/Model/Get/${model.id}`)).body
  const scanners = async (hostId: number) => (await admin.call('GET', `/api/Scanner/Get?host=${hostId}`)).body
  const metrics = async (hostId: number) => (await admin.call('GET', `/api/Metric/Get?host=${hostId}`)).body
  const rows = async () => {
    const { db } = test.database
    const scanner = await db.selectFrom('scanner').selectAll().orderBy('id').execute()
    const metric = await db.selectFrom('metric').selectAll().orderBy('id').execute()
    return JSON.stringify([
      scanner,
      metric,
      await db.selectFrom('monitoring_model').selectAll().orderBy('id').execute(),
    ])
  }
  /** The model applied to its hosts by a change of nothing but its description. */
  const touch = async (model: Answered) => {
    const answer = await admin.call('PUT', `/api/Model/Update/${model.id}`, { ...model, description: `${++made}` })
    expect(answer.status).toBe(200)
    return answer.body.model
  }

  it('a plan writes nothing and is what the change then does; hosts whose state changes are foreseen with the values of now', async () => {
    let model = await create(ping({ metrics: [rtt(100, 200)] }))
    const hosts = [await host(model), await host(model), await host(model)]
    model = await touch(model)
    expect(model).toMatchObject({ hosts: 3, versions: 1 })
    const values = [20, 60, 90]
    for (const [index, hostId] of hosts.entries()) {
      const [scanner] = await scanners(hostId)
      await probe.post([{ scanner: scanner.id, values: { rtt_avg: values[index] ?? 0, loss_ratio: 0 } }])
    }
    await test.app.monitoring.evaluation.idle()
    const before = await rows()
    const plan = await update(model, [ping({ metrics: [rtt(50, 80)] })], '?plan=true')
    expect(plan).toMatchObject({
      status: 200,
      body: {
        model: null,
        plan: {
          hosts: 3,
          scannersCreated: 0,
          scannersUpdated: 0,
          scannersDeleted: 0,
          metricsUpdated: 3,
          metricsDeleted: 0,
        },
      },
    })
    expect(await rows()).toBe(before)
    // Of 18 metrics the minimum, maximum and jitter have no value yet: hosts are unknown but where something is worse.
    expect(plan.body.plan.hostsChangingState).toBe(2)
    expect(plan.body.plan.examples).toMatchObject([
      { hostId: hosts[1], before: 'unknown', after: 'warning', because: expect.stringContaining('60') },
      { hostId: hosts[2], before: 'unknown', after: 'error', because: expect.stringContaining('90') },
    ])
    const done = await update(model, [ping({ metrics: [rtt(50, 80)] })])
    expect(done.body.plan).toEqual(plan.body.plan)
    // The same values again, until they are confirmed: what was foreseen is what comes.
    for (let attempt = 0; attempt < 3; attempt++)
      for (const [index, hostId] of hosts.entries()) {
        const [scanner] = await scanners(hostId)
        await probe.post([{ scanner: scanner.id, at: ++nowMs, values: { rtt_avg: values[index] ?? 0, loss_ratio: 0 } }])
      }
    await test.app.monitoring.evaluation.idle()
    expect(hosts.map(id => test.app.monitoring.model.hosts.get(id)?.severity)).toEqual(['unknown', 'warning', 'error'])
    expect((await metrics(hosts[0] ?? 0)).find((one: Answered) => one.key === 'rtt_avg').thresholds.errorHigh).toBe(80)
  })

  it('a change is undone exactly, the undoing too; without a former version there is nothing to undo', async () => {
    const first = await create(ping({ intervalSeconds: 30 }), web())
    expect((await admin.call('POST', `/api/Model/Undo/${first.id}`, { updatedAt: first.updatedAt })).status).toBe(409)
    const hostId = await host(first)
    const second = (await update(first, [ping({ intervalSeconds: 90, metrics: [rtt(1, 2)] })])).body.model
    const figures = async () => (await scanners(hostId)).map((one: Answered) => [one.name, one.intervalSeconds])
    expect(await figures()).toEqual([['Ping', 90]])
    const plan = await admin.call('POST', `/api/Model/Undo/${first.id}?plan=true`, { updatedAt: second.updatedAt })
    expect(plan.body).toMatchObject({
      model: null,
      plan: { scannersCreated: 1, scannersUpdated: 1, metricsUpdated: 1 },
    })
    const undone = (await admin.call('POST', `/api/Model/Undo/${first.id}`, { updatedAt: second.updatedAt })).body
    expect(undone.plan).toEqual(plan.body.plan)
    expect(undone.model.definition).toEqual(first.definition)
    expect(await figures()).toEqual([
      ['Ping', 30],
      ['Site web', null],
    ])
    const again = (await admin.call('POST', `/api/Model/Undo/${first.id}`, { updatedAt: undone.model.updatedAt })).body
    expect([again.model.definition, again.model.versions]).toEqual([second.definition, 3])
    expect(await figures()).toEqual([['Ping', 90]])
  })

  it('an undo is a step like any other: Z, A, B and A again are all told', async () => {
    const z = await create(ping({ intervalSeconds: 30 }))
    const a = (await update(z, [ping({ intervalSeconds: 60 })])).body.model
    const b = (await update(a, [ping({ intervalSeconds: 90 })])).body.model
    const undone = (await admin.call('POST', `/api/Model/Undo/${z.id}`, { updatedAt: b.updatedAt })).body.model
    const intervalOf = (one: Answered) => one.definition.scanners[0].intervalSeconds
    const former = (await admin.call('GET', `/api/Model/Version/${z.id}`)).body
    expect([undone, ...former].map(intervalOf)).toEqual([60, 90, 60, 30])
    expect([undone.versions, former[0].by]).toEqual([3, 'admin'])
  })

  it('a model that hosts have is refused with their number; with cascade it goes with its scanners, as its plan said', async () => {
    const model = await create(ping(), web())
    const hostId = await host(model)
    await touch(model)
    const path = `/api/Model/Delete/${model.id}`
    const plan = await admin.call('DELETE', `${path}?plan=true`)
    expect(plan.body).toMatchObject({ plan: { hosts: 1, scannersDeleted: 2, metricsDeleted: 12 } })
    expect(await admin.call('DELETE', path)).toMatchObject({
      status: 409,
      body: { errors: [expect.stringContaining('1 équipement')] },
    })
    expect((await scanners(hostId)).length).toBe(2)
    expect((await admin.call('DELETE', `${path}?cascade=true`)).body).toEqual(plan.body)
    expect([(await scanners(hostId)).length, test.app.monitoring.model.hosts.get(hostId)?.scanners.size]).toEqual([
      0, 0,
    ])
    expect((await admin.call('GET', `/api/Model/Get/${model.id}`)).status).toBe(404)
    const unused = await create(web())
    expect((await admin.call('DELETE', `/api/Model/Delete/${unused.id}`)).status).toBe(200)
  })

  it('a change based on an older version gets 409 with the newer one, and changes nothing', async () => {
    const model = await create(ping())
    const newer = (await update(model, [ping({ attempts: 2 })])).body.model
    const before = await rows()
    expect(await update(model, [])).toMatchObject({ status: 409, body: { current: { updatedAt: newer.updatedAt } } })
    expect((await admin.call('POST', `/api/Model/Undo/${model.id}`, { updatedAt: model.updatedAt })).status).toBe(409)
    expect(await rows()).toBe(before)
  })

  it('S35: a model asks for the rights of what it writes: scanners, metrics; reading it for that of reading scanners', async () => {
    const model = await create(ping())
    const hosts = await test.user(['host_write'])
    const body = { name: `Droits ${++made}`, definition: { scanners: [ping()] } }
    expect((await hosts.call('POST', '/api/Model/Create', body)).status).toBe(403)
    expect((await hosts.call('POST', '/api/Model/Create', { name: body.name })).status).toBe(201)
    expect((await hosts.call('GET', '/api/Model/Get')).status).toBe(403)
    const metricWriter = await test.user(['host_write', 'metric_write'])
    expect((await update(model, [ping({ attempts: 9 })], '', metricWriter)).status).toBe(403)
    expect((await update(model, [], '?plan=true', metricWriter)).status).toBe(403)
    expect((await update(model, [ping({ metrics: [rtt(1, 2)] })], '', metricWriter)).status).toBe(200)
    const writer = await test.user(['host_write', 'scanner_write'])
    expect((await update(await fresh(model), [ping()], '', writer)).status).toBe(403)
    expect((await writer.call('GET', '/api/Model/Select2D/Get')).status).toBe(200)
  })

  it('S36, S38, S42: hostile definitions are refused field by field, with nothing written', async () => {
    const bad = async (...scanners: unknown[]) => {
      const answer = await admin.call('POST', '/api/Model/Create', { name: `x${++made}`, definition: { scanners } })
      return [answer.status, Object.keys(answer.body.fields ?? {})]
    }
    const before = await rows()
    const at = (field: string) => `definition.scanners.0.${field}`
    expect(await bad(ping({ parameters: { count: 0 } }))).toEqual([400, [at('parameters.count')]])
    expect((await bad(ping({ parameters: { constructor: 1 } })))[0]).toBe(400)
    expect(await bad(ping({ intervalSeconds: 10, retryIntervalSeconds: 20 }))).toEqual([
      400,
      [at('retryIntervalSeconds')],
    ])
    expect(await bad(ping({ retryIntervalSeconds: 2, timeoutMs: 3_000 }))).toEqual([400, [at('timeoutMs')]])
    expect(await bad(ping({ metrics: [rtt(5, 1)] }))).toEqual([400, [at('metrics.0.thresholds.errorHigh')]])
    expect(await bad(ping({ metrics: [{ key: 'status_code' }] }))).toEqual([400, [at('metrics.0.key')]])
    expect(await bad(ping({ metrics: [rtt(1, 2), rtt(1, 2)] }))).toEqual([400, [at('metrics.1.key')]])
    expect(await bad(ping(), ping({ name: 'Autre' }))).toEqual([400, ['definition.scanners.1.item']])
    expect(await bad(ping(), ping({ item: 'q', name: 'PING' }))).toEqual([400, ['definition.scanners.1.name']])
    for (const item of ["'; drop table scanner; --", '', '__proto__', 'É'])
      expect((await bad(ping({ item })))[0]).toBe(400)
    const fields = await admin.call('POST', '/api/Model/Create', { name: 'x', definition: { fields: { inconnu: 1 } } })
    expect(fields).toMatchObject({ status: 400, body: { fields: { 'definition.fields.inconnu': expect.any(String) } } })
    expect(await rows()).toBe(before)
    const { name } = await create(ping({ name: "'); drop table scanner; --" }))
    expect(await admin.call('POST', '/api/Model/Create', { name: name.toUpperCase() })).toMatchObject({
      status: 409,
      body: { fields: { name: expect.any(String) } },
    })
    for (const id of ['0', '-1', '1e309', '1,2', ':id', '__proto__'])
      expect([400, 404]).toContain((await admin.call('GET', `/api/Model/Get/${id}`)).status)
  })

  it('S60: each change is one line of the audit with what changed, and at most 50 former versions are kept', async () => {
    let model = await create(ping())
    for (let turn = 0; turn < 52; turn++) model = await touch(model)
    expect(model.versions).toBe(50)
    const lines = await test.database.db
      .selectFrom('audit')
      .select(['action', 'detail'])
      .where('object', '=', `monitoring-model ${model.id}`)
      .orderBy('id')
      .execute()
    expect([lines.length, lines[0]?.action, lines[1]?.action]).toEqual([
      53,
      'monitoring-model-create',
      'monitoring-model-update',
    ])
    expect(Object.keys(JSON.parse(lines[1]?.detail ?? '').changes)).toEqual(['description'])
    expect((await admin.call('PUT', `/api/Model/Update/${model.id}`, model)).body.model.updatedAt).toBe(model.updatedAt)
  })

  it('what fails in the middle leaves all as it was', async () => {
    const model = await create(ping())
    const hosts = [await host(model), await host(model)]
    const live = await touch(model)
    await test.database.db.schema.alterTable('audit').renameTo('audit_away').execute()
    const before = await rows()
    expect((await update(live, [web()])).status).toBe(500)
    expect(await rows()).toBe(before)
    await test.database.db.schema.alterTable('audit_away').renameTo('audit').execute()
    expect((await update(live, [web()])).body.plan).toMatchObject({ scannersCreated: 2, scannersDeleted: 2 })
    expect((await scanners(hosts[1] ?? 0)).map((one: Answered) => one.kind)).toEqual(['http'])
  })

  it('lists are searched without accents, by page; probes get the new configuration', async () => {
    const model = await create(ping({ intervalSeconds: 45 }))
    const hostId = await host(model)
    const { revision } = (await probe.orders()).configuration ?? { revision: '' }
    await touch(model)
    const configuration = (await probe.orders(`?revision=${revision}&wait=0`)).configuration
    const [scanner] = await scanners(hostId)
    expect(configuration?.checks.find(check => check.scanner === scanner.id)).toMatchObject({ intervalMs: 45_000 })
    const found = await admin.call('PUT', '/api/ModelDatatable', { search: { value: model.name.replace('è', 'E') } })
    expect(found.body.data[0]).toMatchObject({ id: model.id, hosts: 1 })
    expect((await admin.call('GET', '/api/Model/Select2D/Get?term=modele')).body.results.length).toBeGreaterThan(1)
    expect((await admin.call('GET', '/api/Model/Get/LastUpdate')).body.lastUpdate).toEqual(expect.any(String))
  })
})
