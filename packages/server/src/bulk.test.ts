import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from './testing/test-app.ts'

describe.each(DIALECTS)('bulk changes of scanners and metrics on %s', dialect => {
  let test: TestApp
  let admin: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    for (let index = 0; index < 5; index++)
      await admin.call('POST', '/api/Host/Create', { name: `h-${index}`, address: '192.0.2.1', siteId: 1 })
    const definition = {
      scanners: [{ item: 'ssh', name: 'SSH', kind: 'tcp', parameters: { port: 22 }, intervalSeconds: 120 }],
    }
    const model = await admin.call('POST', '/api/Model/Create', { name: 'Serveur', definition })
    expect(model.status).toBe(201)
    const change = { addMonitoringModelIds: [model.body.id] }
    expect((await admin.call('POST', '/api/Host/Bulk', { ids: [1, 2], change })).body).toMatchObject({ changed: 2 })
  })
  afterAll(() => test.close())

  const scanners = async (name: string) =>
    (await admin.call('PUT', '/api/ScannerDatatable', { search: { value: name } })).body.data
  const metrics = async (key: string) =>
    (await admin.call('PUT', '/api/MetricDatatable', { length: -1, search: { value: key } })).body.data
  const bulk = (what: 'Scanner' | 'Metric', body: unknown, by: Caller = admin) =>
    by.call('POST', `/api/${what}/Bulk`, body)

  it('a model given to many hosts at once brings its scanners', async () => {
    const ssh = await scanners('ssh')
    expect(ssh.length).toBe(2)
    expect(ssh[0]).toMatchObject({ modelName: 'Serveur', intervalSeconds: 120, overrides: [] })
  })

  it('scanners change together; of those from a model the change becomes their own, and goes with « inherit »', async () => {
    const ssh = (await scanners('ssh')).map((one: { id: number }) => one.id)
    const change = { intervalSeconds: 300 }
    expect((await bulk('Scanner', { ids: ssh, change, plan: true })).body).toMatchObject({ matched: 2, changed: 2 })
    expect((await scanners('ssh'))[0].intervalSeconds).toBe(120)
    await bulk('Scanner', { ids: ssh, change })
    expect((await scanners('ssh'))[0]).toMatchObject({ intervalSeconds: 300, overrides: ['intervalSeconds'] })
    await bulk('Scanner', { ids: ssh, change: { inherit: true } })
    expect((await scanners('ssh'))[0]).toMatchObject({ intervalSeconds: 120, overrides: [] })
    const pings = { filter: { search: { value: 'ping' } }, change: { enabled: false } }
    expect((await bulk('Scanner', pings)).body).toMatchObject({ matched: 5, changed: 5 })
    expect((await bulk('Scanner', pings)).body).toMatchObject({ changed: 0, unchanged: 5 })
  })

  it('what would be refused alone is refused one by one: an interval under the retry, the deletion of a model’s scanner', async () => {
    const ping = (await scanners('ping'))[0]
    await admin.call('PUT', `/api/Scanner/Update/${ping.id}`, {
      ...ping,
      intervalSeconds: 600,
      retryIntervalSeconds: 60,
    })
    const short = await bulk('Scanner', { filter: { search: { value: 'ping' } }, change: { intervalSeconds: 30 } })
    expect(short.body).toMatchObject({ matched: 5, changed: 4, refused: 1, refusals: [{ id: ping.id }] })
    const all = { filter: {}, change: { delete: true } }
    expect((await bulk('Scanner', { ...all, plan: true })).body).toMatchObject({
      ...{ matched: 7, changed: 5, refused: 2 },
      deletion: { scanners: 5, metrics: 30 },
    })
    expect((await scanners('')).length).toBe(7)
    expect((await bulk('Scanner', all)).body).toMatchObject({ changed: 5, refused: 2 })
    expect((await scanners('')).map((one: { name: string }) => one.name)).toEqual(['SSH', 'SSH'])
    expect((await metrics('loss_ratio')).length).toBe(0)
  })

  it('metrics change together, each audited, go back to inheritance, and are deleted', async () => {
    const time = { filter: { search: { value: 'connect_time' } } }
    expect((await bulk('Metric', { ...time, change: { noData: 'keep', attempts: 5 } })).body).toMatchObject({
      ...{ matched: 2, changed: 2, refused: 0 },
    })
    const [one] = await metrics('connect_time')
    expect(one).toMatchObject({ noData: 'keep', attempts: 5, overrides: ['attempts', 'noData'] })
    const lines = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('object', '=', `metric ${one.id}`)
      .orderBy('id')
      .execute()
    expect(lines.map(line => line.action)).toEqual(['metric-update'])
    await bulk('Metric', { ...time, change: { inherit: true } })
    expect((await metrics('connect_time'))[0]).toMatchObject({ noData: 'unknown', attempts: null, overrides: [] })
    expect((await bulk('Metric', { ...time, change: { delete: true } })).body).toMatchObject({
      changed: 2,
      deletion: { metrics: 2 },
    })
    expect((await metrics('connect_time')).length).toBe(0)
  })

  it('S35: they ask the claim of a single change, and refuse what is no change', async () => {
    const reader = await test.user(['scanner_read'])
    expect((await bulk('Scanner', { ids: [1], change: { enabled: true } }, reader)).status).toBe(403)
    expect((await bulk('Metric', { ids: [1], change: { enabled: true } }, reader)).status).toBe(403)
    for (const change of [{}, { attempts: 0 }, { noData: 'x' }, { delete: true, enabled: true }, { thresholds: 1 }])
      expect([change, (await bulk('Metric', { ids: [1], change })).status]).toEqual([change, 400])
    for (const change of [{}, { intervalSeconds: 1 }, { probeId: 99 }, { delete: true, inherit: true }])
      expect([change, (await bulk('Scanner', { ids: [1], change })).status]).toEqual([change, 400])
  })
})
