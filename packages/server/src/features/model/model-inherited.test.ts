import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

describe.each(DIALECTS)('what hosts inherit of their models, on %s', dialect => {
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
    siteId = (await make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
  })
  afterAll(() => test.close())

  const make = (path: string, body: unknown): Promise<Answered> => admin.make(path, body)
  const model = (scanners: object[], fields: object = {}): Promise<Answered> =>
    make('/api/Model/Create', { name: `Modèle ${++made}`, definition: { scanners, fields } })
  const host = (...models: Answered[]): Promise<Answered> =>
    make('/api/Host/Create', {
      name: `h-${++made}`,
      address: '192.0.2.1',
      siteId,
      withPing: false,
      monitoringModelIds: models.map(one => one.id),
    })
  const change = async (of: Answered, scanners: object[], fields: object = {}): Promise<Answered> => {
    const { name, updatedAt } = (await admin.call('GET', `/api/Model/Get/${of.id}`)).body
    const answer = await admin.call('PUT', `/api/Model/Update/${of.id}`, {
      name,
      updatedAt,
      definition: { scanners, fields },
    })
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return answer.body
  }
  const scannersOf = async (of: Answered) => (await admin.call('GET', `/api/Scanner/Get?host=${of.id}`)).body
  const metricOf = async (of: Answered, key: string): Promise<Answered> =>
    (await admin.call('GET', `/api/Metric/Get?host=${of.id}`)).body.find((one: Answered) => one.key === key)
  const put = async (kind: 'Scanner' | 'Metric', before: Answered, over: object): Promise<Answered> => {
    const { overrides: _, ...body } = before
    return admin.call('PUT', `/api/${kind}/Update/${before.id}`, { ...body, ...over })
  }
  const saved = async (kind: 'Scanner' | 'Metric', before: Answered, over: object): Promise<Answered> => {
    const answer = await put(kind, before, over)
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return answer.body
  }
  const fieldsOf = async (of: Answered): Promise<Answered> =>
    (await admin.call('GET', `/api/CustomField/Host/${of.id}`)).body.fields.find(
      (one: Answered) => one.updatedAt !== null,
    )
  const ping = (over: object = {}) => ({ item: 'p', name: 'Ping', kind: 'ping', ...over })

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
    const alone = await make('/api/Scanner/Create', {
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
      (await admin.call('PUT', '/api/ScannerDatatable', { filters: { modelId: m.id } })).body.recordsFiltered,
    ).toBe(1)
  })

  it('what differs from the model becomes its own and holds; the way back takes the model’s again', async () => {
    const m = await model([ping({ intervalSeconds: 30, attempts: 4 })])
    const h = await host(m)
    const [scanner] = await scannersOf(h)
    const own = await saved('Scanner', scanner, { intervalSeconds: 10, probeId: probe.id })
    expect(own).toMatchObject({
      overrides: ['intervalSeconds'],
      probeId: probe.id,
      effective: { origin: { intervalSeconds: 'scanner', attempts: 'model' } },
    })
    expect(own.inherited.intervalSeconds).toBe(30)
    await change(m, [ping({ intervalSeconds: 60, attempts: 5 })])
    const [changed] = await scannersOf(h)
    expect(changed).toMatchObject({ intervalSeconds: 10, attempts: 5, probeId: probe.id })
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
    expect(await admin.call('DELETE', `/api/Scanner/Delete/${scanner.id}`)).toMatchObject(named)
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
    const h = await make('/api/Host/Create', { name: `h-${++made}`, address: '192.0.2.1', siteId })
    const before = await metricOf(h, 'loss_ratio')
    expect(before).toMatchObject({ modelId: null, overrides: [], inheritedFrom: { attempts: 'platform' } })
    await test.database.db.updateTable('metric').set({ no_data: 'keep' }).where('id', '=', before.id).execute()
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
    await probe.post([{ scanner: scanner.id, values: { 'disk_used_ratio[/data]': 0.8 } }])
    await test.app.monitoring.evaluation.idle()
    expect(await metricOf(h, 'disk_used_ratio[/data]')).toMatchObject({
      thresholds: { errorHigh: 0.7 },
      severity: 'error',
      name: expect.stringContaining('/data'),
    })
  })

  it('formulas are computed for each host from the fields in force, in the plan as in the change', async () => {
    const { id: groupId } = await make('/api/CustomField/Group', { name: `Réseau ${++made}` })
    const key = `latence${++made}`
    await make('/api/CustomField/Definition', { key, label: 'Latence', type: 'decimal', scope: 'host', groupId })
    const formula = { key: 'rtt_avg', formulas: { errorHigh: `champ.${key} * 0,9` } }
    const m = await model([ping({ metrics: [formula] })], { [key]: 100 })
    const [own, other] = [await host(m), await host(m)]
    const errorHigh = async (of: Answered) => (await metricOf(of, 'rtt_avg')).thresholds.errorHigh
    expect([await errorHigh(own), await errorHigh(other)]).toEqual([90, 90])
    await admin.call('PUT', `/api/CustomField/Host/${own.id}`, { values: { [key]: 10 }, updatedAt: null })
    expect([await errorHigh(own), await errorHigh(other)]).toEqual([9, 90])
    for (const of of [own, other]) {
      const [scanner] = await scannersOf(of)
      await probe.post([
        { scanner: scanner.id, values: { rtt_avg: 8, rtt_min: 8, rtt_max: 8, jitter: 1, loss_ratio: 0 } },
      ])
    }
    await test.app.monitoring.evaluation.idle()
    const body = { name: m.name, definition: { scanners: [ping({ metrics: [formula] })], fields: { [key]: 5 } } }
    const plan = await admin.call('PUT', `/api/Model/Update/${m.id}?plan=true`, { ...body, updatedAt: m.updatedAt })
    expect(plan.body.plan).toMatchObject({
      hostsChangingState: 1,
      metricsUpdated: 1,
      examples: [{ hostId: other.id, after: 'error' }],
    })
    expect((await change(m, body.definition.scanners, body.definition.fields)).plan).toEqual(plan.body.plan)
    expect([await errorHigh(own), await errorHigh(other)]).toEqual([9, 4.5])
    const bad = (formulas: object) =>
      admin.call('POST', '/api/Model/Create', {
        name: 'x',
        definition: { scanners: [ping({ metrics: [{ key: 'jitter', formulas }] })] },
      })
    const field = 'definition.scanners.0.metrics.0.formulas.errorHigh'
    for (const text of ['champ.inconnu', '1 +', '(((', 'process.exit()'])
      expect(await bad({ errorHigh: text })).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      })
  })

  it('a metric has formulas of its own, computed at once, kept by what does not speak of them, audited, and given back', async () => {
    const { id: groupId } = await make('/api/CustomField/Group', { name: `Réseau ${++made}` })
    const key = `debit${++made}`
    await make('/api/CustomField/Definition', { key, label: 'Débit', type: 'decimal', scope: 'host', groupId })
    const h = await make('/api/Host/Create', { name: `h-${++made}`, address: '192.0.2.1', siteId })
    await admin.call('PUT', `/api/CustomField/Host/${h.id}`, { values: { [key]: 100 }, updatedAt: null })
    const before = await metricOf(h, 'rtt_avg')
    expect(before).toMatchObject({ formulas: {}, formulaFaults: {} })
    const formulas = { warningHigh: `champ.${key} * 0,5`, errorHigh: `champ.${key}` }
    const own = await saved('Metric', before, { formulas })
    expect(own).toMatchObject({ overrides: ['thresholds'], formulas, thresholds: { warningHigh: 50, errorHigh: 100 } })
    const { formulas: _, ...without } = own
    const kept = await saved('Metric', without, { attempts: 2 })
    expect(kept).toMatchObject({ formulas, overrides: ['thresholds', 'attempts'] })
    await admin.call('PUT', `/api/CustomField/Host/${h.id}`, {
      values: { [key]: null },
      updatedAt: (await fieldsOf(h)).updatedAt,
    })
    const faulty = await metricOf(h, 'rtt_avg')
    expect(faulty).toMatchObject({ thresholds: { errorHigh: null }, formulaFaults: { errorHigh: expect.any(String) } })
    for (const text of ['champ.inconnu * 2', '1 +', '(('])
      expect(await put('Metric', faulty, { formulas: { errorHigh: text } })).toMatchObject({
        status: 400,
        body: { fields: { 'formulas.errorHigh': expect.any(String) } },
      })
    const reader = await test.user(['metric_write'])
    const { overrides: __, ...body } = before
    const hidden = await reader.call('PUT', `/api/Metric/Update/${(await metricOf(h, 'jitter')).id}`, {
      ...body,
      ...(await metricOf(h, 'jitter')),
      overrides: ['thresholds'],
      formulas,
    })
    expect(hidden).toMatchObject({ status: 400, body: { fields: { 'formulas.errorHigh': expect.any(String) } } })
    expect(await saved('Metric', faulty, { overrides: [] })).toMatchObject({
      formulas: {},
      formulaFaults: {},
      thresholds: { errorHigh: null },
    })
    const lines = await test.database.db
      .selectFrom('audit')
      .select('detail')
      .where('object', '=', `metric ${before.id}`)
      .orderBy('id')
      .execute()
    expect(lines.map(line => Object.keys(JSON.parse(line.detail).changes))).toEqual([
      ['formulas', 'overrides'],
      ['attempts', 'overrides'],
      ['formulas', 'attempts', 'overrides'],
    ])
  })

  it('values of fields that one may not read are neither shown nor lost, those one may not write not changed', async () => {
    const group = await make('/api/CustomField/Group', { name: `Privé ${++made}` })
    const keys = [`lu${++made}`, `cache${made}`, `ecrit${made}`, `secret${made}`]
    const types = ['text', 'text', 'text', 'secret']
    const definitions: Answered[] = []
    for (const [index, key] of keys.entries())
      definitions.push(
        await make('/api/CustomField/Definition', {
          key,
          label: key,
          type: types[index],
          scope: 'host',
          groupId: group.id,
        }),
      )
    const [read, hidden, written, secret] = keys.map(String)
    const m = await model([], { [String(read)]: 'a', [String(hidden)]: 'b', [String(written)]: 'c' })
    const groups = (await admin.call('GET', '/api/CustomField/PrivilegeGroup')).body
    const userGroupId = groups.find((one: Answered) => !one.admin).id
    const cells = ['read', 'none', 'write'].map((level, index) => ({
      userGroupId,
      groupId: null,
      definitionId: definitions[index]?.id ?? 0,
      level,
    }))
    expect((await admin.call('PUT', '/api/CustomField/Privilege', { cells })).status).toBe(200)
    const login = `lecteur-${made}`
    const caller = await test.user(['host_write', 'scanner_read'], { login })
    const { id } = await test.database.db
      .selectFrom('account')
      .select('id')
      .where('login', '=', login)
      .executeTakeFirstOrThrow()
    await test.database.db.insertInto('user_group_member').values({ group_id: userGroupId, account_id: id }).execute()
    const shown = (await caller.call('GET', `/api/Model/Get/${m.id}`)).body
    expect(shown.definition.fields).toEqual({ [String(read)]: 'a', [String(written)]: 'c' })
    const send = (fields: object) =>
      caller.call('PUT', `/api/Model/Update/${m.id}`, { ...shown, definition: { scanners: [], fields } })
    expect((await send({ [String(read)]: 'x', [String(written)]: 'c' })).status).toBe(400)
    expect((await send({ ...shown.definition.fields, [String(hidden)]: 'x' })).status).toBe(400)
    expect((await send({ ...shown.definition.fields, [String(written)]: 'd' })).body.model.definition.fields).toEqual({
      [String(read)]: 'a',
      [String(written)]: 'd',
    })
    const all = (await admin.call('GET', `/api/Model/Get/${m.id}`)).body
    expect(all.definition.fields).toEqual({ [String(read)]: 'a', [String(hidden)]: 'b', [String(written)]: 'd' })
    const figure = `plafond${made}`
    const ceiling = { key: figure, label: figure, type: 'decimal', scope: 'host', groupId: group.id }
    const { id: definitionId } = await make('/api/CustomField/Definition', ceiling)
    const unread = { cells: [{ userGroupId, groupId: null, definitionId, level: 'none' }] }
    expect((await admin.call('PUT', '/api/CustomField/Privilege', unread)).status).toBe(200)
    const formulas = { warningHigh: '10', errorHigh: `champ.${figure} * 2` }
    const withFormula = await change(all, [ping({ metrics: [{ key: 'rtt_avg', formulas }] })], all.definition.fields)
    const masked = (await caller.call('GET', `/api/Model/Get/${m.id}`)).body
    const formulasOf = (one: Answered) => one.definition.scanners[0].metrics[0].formulas
    expect(formulasOf(masked)).toEqual({ warningHigh: '10', errorHigh: 'champ.? * 2' })
    expect(JSON.stringify(await caller.call('GET', `/api/Model/Version/${m.id}`))).not.toContain(figure)
    const writer = (body: object) => caller.call('PUT', `/api/Model/Update/${m.id}`, { ...masked, ...body })
    expect(formulasOf((await writer({ description: 'Relu' })).body.model)).toEqual(formulasOf(masked))
    const kept = (await admin.call('GET', `/api/Model/Get/${m.id}`)).body
    expect([kept.description, formulasOf(kept)]).toEqual(['Relu', formulasOf(withFormula.model)])
    const guess = structuredClone(masked.definition)
    guess.scanners[0].metrics[0].formulas.errorHigh = `champ.${figure}`
    expect((await writer({ updatedAt: kept.updatedAt, definition: guess })).status).toBe(400)
    const refused = await admin.call('POST', '/api/Model/Create', {
      name: 'x',
      definition: { fields: { [String(secret)]: 's' } },
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { [`definition.fields.${secret}`]: expect.any(String) } },
    })
  })
})
