import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { inheritanceKit, ping } from './testing-model.ts'

describe.each(DIALECTS)('what hosts inherit of their models, on %s', dialect => {
  const kit = inheritanceKit()
  const { model, host, change, scannersOf, metricOf, put, saved } = kit
  beforeAll(() => kit.open(dialect))
  afterAll(() => kit.test.close())

  it('a scanner says its model, what it inherits and from where each figure in force comes', async () => {
    const m = await model([ping({ intervalSeconds: 30 })])
    const [scanner] = await scannersOf(await host(m))
    expect(scanner).toMatchObject({
      modelId: m.id,
      modelName: m.name,
      overrides: [],
      effective: {
        intervalSeconds: 30,
        attempts: 3,
        origin: {
          intervalSeconds: 'model',
          retryIntervalSeconds: 'platform',
          timeoutMs: 'platform',
          attempts: 'platform',
        },
      },
      inherited: {
        intervalSeconds: 30,
        attempts: 3,
        enabled: true,
        parameters: { count: 5, size: 56 },
        origin: { attempts: 'platform' },
      },
    })
    const alone = await kit.admin.make('/api/Scanner/Create', {
      name: 'SSH',
      kind: 'tcp',
      hostId: scanner.hostId,
      parameters: { port: 22 },
      attempts: 2,
    })
    expect(alone).toMatchObject({
      modelId: null,
      modelName: null,
      overrides: [],
      inherited: null,
      effective: { origin: { attempts: 'scanner', intervalSeconds: 'platform' } },
    })
    expect(
      (await kit.admin.call('PUT', '/api/ScannerDatatable', { filters: { modelId: m.id } })).body.recordsFiltered,
    ).toBe(1)
  })

  it('what differs from the model becomes its own and holds; the way back takes the model’s again', async () => {
    const m = await model([ping({ intervalSeconds: 30, attempts: 4 })])
    const h = await host(m)
    const [scanner] = await scannersOf(h)
    const own = await saved('Scanner', scanner, { intervalSeconds: 10, probeId: kit.probe.id })
    expect(own).toMatchObject({
      overrides: ['intervalSeconds'],
      probeId: kit.probe.id,
      effective: { origin: { intervalSeconds: 'scanner', attempts: 'model' } },
    })
    expect(own.inherited.intervalSeconds).toBe(30)
    await change(m, [ping({ intervalSeconds: 60, attempts: 5 })])
    const [changed] = await scannersOf(h)
    expect(changed).toMatchObject({ intervalSeconds: 10, attempts: 5, probeId: kit.probe.id })
    const back = await saved('Scanner', changed, { overrides: ['enabled'], enabled: false })
    expect(back).toMatchObject({ overrides: ['enabled'], intervalSeconds: 60, attempts: 5, enabled: false })
    expect((await put('Scanner', back, { overrides: ['name'] })).status).toBe(400)
    const bad = await put('Scanner', back, { timeoutMs: 60_000, overrides: ['timeoutMs'] })
    expect(bad).toMatchObject({ status: 400, body: { fields: { timeoutMs: expect.any(String) } } })
  })

  it('a scanner from a model is neither deleted alone nor renamed: 409 with the name of the model', async () => {
    const m = await model([ping()])
    const [scanner] = await scannersOf(await host(m))
    const named = { status: 409, body: { errors: [expect.stringContaining(m.name)] } }
    expect(await kit.admin.call('DELETE', `/api/Scanner/Delete/${scanner.id}`)).toMatchObject(named)
    expect(await put('Scanner', scanner, { name: 'Autre' })).toMatchObject(named)
    expect(await put('Scanner', scanner, { kind: 'system', parameters: {} })).toMatchObject(named)
  })

  it('a metric takes its thresholds from the model, else the kind, its attempts from the scanner, else the platform', async () => {
    const m = await model([
      ping({
        attempts: 6,
        metrics: [
          { key: 'rtt_avg', thresholds: { errorHigh: 50 }, attempts: 2 },
          { key: 'jitter', noData: 'keep' },
        ],
      }),
    ])
    const h = await host(m)
    expect(await metricOf(h, 'rtt_avg')).toMatchObject({
      modelName: m.name,
      overrides: [],
      thresholds: { errorHigh: 50 },
      inherited: { thresholds: { errorHigh: 50 }, attempts: 2 },
      inheritedFrom: { name: 'kind', thresholds: 'model', attempts: 'model', noData: 'model' },
    })
    expect(await metricOf(h, 'jitter')).toMatchObject({
      noData: 'keep',
      inheritedFrom: { thresholds: 'kind', attempts: 'scanner', noData: 'model' },
    })
    expect(await metricOf(h, 'loss_ratio')).toMatchObject({
      thresholds: { errorHigh: 0.5 },
      attempts: null,
      inherited: { attempts: 6 },
      inheritedFrom: { thresholds: 'kind', attempts: 'scanner', noData: 'kind' },
    })
  })

  it('a record sent back as it was read but for one field changes that field, whatever list of own fields comes with it', async () => {
    const m = await model([ping({ intervalSeconds: 30 })])
    const h = await host(m)
    const [scanner] = await scannersOf(h)
    const read = { ...scanner, overrides: scanner.overrides }
    expect(await saved('Scanner', read, { intervalSeconds: 10, overrides: read.overrides })).toMatchObject({
      ...{ intervalSeconds: 10, overrides: ['intervalSeconds'] },
    })
    const metric = await metricOf(h, 'rtt_avg')
    const thresholds = { ...metric.thresholds, errorHigh: 70 }
    expect(await saved('Metric', metric, { name: 'Réponse', thresholds, overrides: metric.overrides })).toMatchObject({
      ...{ name: 'Réponse', thresholds: { errorHigh: 70 }, overrides: ['name', 'thresholds'] },
    })
  })

  it('thresholds set by hand hold against the model until they are given back', async () => {
    const m = await model([ping({ metrics: [{ key: 'rtt_avg', thresholds: { errorHigh: 50 } }] })])
    const h = await host(m)
    const before = await metricOf(h, 'rtt_avg')
    const own = await saved('Metric', before, { thresholds: { ...before.thresholds, errorHigh: 70 } })
    expect(own.overrides).toEqual(['thresholds'])
    await change(m, [ping({ metrics: [{ key: 'rtt_avg', thresholds: { errorHigh: 60 }, attempts: 8 }] })])
    const held = await metricOf(h, 'rtt_avg')
    expect(held).toMatchObject({
      thresholds: { errorHigh: 70 },
      attempts: 8,
      inherited: { thresholds: { errorHigh: 60 } },
    })
    expect(await saved('Metric', held, { overrides: [] })).toMatchObject({
      thresholds: { errorHigh: 60 },
      overrides: [],
    })
  })

  it('metrics of a scanner without model: what differs from the check kind is their own, before and after', async () => {
    const h = await kit.admin.make('/api/Host/Create', {
      name: `h-${kit.next()}`,
      address: '192.0.2.1',
      siteId: kit.siteId,
    })
    const before = await metricOf(h, 'loss_ratio')
    expect(before).toMatchObject({ modelId: null, overrides: [], inheritedFrom: { attempts: 'platform' } })
    await kit.test.database.db.updateTable('metric').set({ no_data: 'keep' }).where('id', '=', before.id).execute()
    expect((await metricOf(h, 'loss_ratio')).overrides).toEqual(['noData'])
    const own = await saved('Metric', await metricOf(h, 'loss_ratio'), { thresholds: { errorHigh: 0.9 } })
    expect(own).toMatchObject({
      overrides: ['thresholds', 'noData'],
      thresholds: { warningHigh: null, errorHigh: 0.9 },
    })
    expect(await saved('Metric', own, { overrides: [] })).toMatchObject({
      noData: 'unknown',
      thresholds: { warningHigh: 0.1, errorHigh: 0.5 },
    })
  })

  it('a metric that comes with its first value has what its model says from the start', async () => {
    const m = await model([
      {
        item: 's',
        name: 'Système',
        kind: 'system',
        metrics: [{ key: 'disk_used_ratio', thresholds: { errorHigh: 0.7 } }],
      },
    ])
    const h = await host(m)
    const [scanner] = await scannersOf(h)
    await kit.probe.post([{ scanner: scanner.id, values: { 'disk_used_ratio[/data]': 0.8 } }])
    await kit.test.app.monitoring.evaluation.idle()
    expect(await metricOf(h, 'disk_used_ratio[/data]')).toMatchObject({
      thresholds: { errorHigh: 0.7 },
      severity: 'error',
      name: expect.stringContaining('/data'),
    })
  })
})
