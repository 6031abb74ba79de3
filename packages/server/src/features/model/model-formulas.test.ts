import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, DIALECTS } from '../../testing/test-app.ts'
import { inheritanceKit, ping } from './testing-model.ts'

describe.each(DIALECTS)('formulas and values of fields that models give, on %s', dialect => {
  const kit = inheritanceKit()
  const { model, host, change, scannersOf, metricOf, put, saved, fieldsOf } = kit
  beforeAll(() => kit.open(dialect))
  afterAll(() => kit.test.close())

  it('formulas are computed for each host from the fields in force, in the plan as in the change', async () => {
    const { id: groupId } = await kit.admin.make('/api/CustomField/Group', { name: `Réseau ${kit.next()}` })
    const key = `latence${kit.next()}`
    await kit.admin.make('/api/CustomField/Definition', {
      key,
      label: 'Latence',
      type: 'decimal',
      scope: 'host',
      groupId,
    })
    const formula = { key: 'rtt_avg', formulas: { errorHigh: `champ.${key} * 0,9` } }
    const m = await model([ping({ metrics: [formula] })], { [key]: 100 })
    const [own, other] = [await host(m), await host(m)]
    const errorHigh = async (of: Answered) => (await metricOf(of, 'rtt_avg')).thresholds.errorHigh
    expect([await errorHigh(own), await errorHigh(other)]).toEqual([90, 90])
    await kit.admin.call('PUT', `/api/CustomField/Host/${own.id}`, { values: { [key]: 10 }, updatedAt: null })
    expect([await errorHigh(own), await errorHigh(other)]).toEqual([9, 90])
    for (const of of [own, other]) {
      const [scanner] = await scannersOf(of)
      await kit.probe.post([
        { scanner: scanner.id, values: { rtt_avg: 8, rtt_min: 8, rtt_max: 8, jitter: 1, loss_ratio: 0 } },
      ])
    }
    await kit.test.app.monitoring.evaluation.idle()
    const body = { name: m.name, definition: { scanners: [ping({ metrics: [formula] })], fields: { [key]: 5 } } }
    const plan = await kit.admin.call('PUT', `/api/Model/Update/${m.id}?plan=true`, { ...body, updatedAt: m.updatedAt })
    expect(plan.body.plan).toMatchObject({
      hostsChangingState: 1,
      metricsUpdated: 1,
      examples: [{ hostId: other.id, after: 'error' }],
    })
    expect((await change(m, body.definition.scanners, body.definition.fields)).plan).toEqual(plan.body.plan)
    expect([await errorHigh(own), await errorHigh(other)]).toEqual([9, 4.5])
    const bad = (formulas: object) =>
      kit.admin.call('POST', '/api/Model/Create', {
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
    const { id: groupId } = await kit.admin.make('/api/CustomField/Group', { name: `Réseau ${kit.next()}` })
    const key = `debit${kit.next()}`
    await kit.admin.make('/api/CustomField/Definition', {
      key,
      label: 'Débit',
      type: 'decimal',
      scope: 'host',
      groupId,
    })
    const h = await kit.admin.make('/api/Host/Create', {
      name: `h-${kit.next()}`,
      address: '192.0.2.1',
      siteId: kit.siteId,
    })
    await kit.admin.call('PUT', `/api/CustomField/Host/${h.id}`, { values: { [key]: 100 }, updatedAt: null })
    const before = await metricOf(h, 'rtt_avg')
    expect(before).toMatchObject({ formulas: {}, formulaFaults: {} })
    const formulas = { warningHigh: `champ.${key} * 0,5`, errorHigh: `champ.${key}` }
    const own = await saved('Metric', before, { formulas })
    expect(own).toMatchObject({ overrides: ['thresholds'], formulas, thresholds: { warningHigh: 50, errorHigh: 100 } })
    const { formulas: _, ...without } = own
    const kept = await saved('Metric', without, { attempts: 2 })
    expect(kept).toMatchObject({ formulas, overrides: ['thresholds', 'attempts'] })
    await kit.admin.call('PUT', `/api/CustomField/Host/${h.id}`, {
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
    const reader = await kit.test.user(['metric_write'])
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
    const lines = await kit.test.database.db
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
    const group = await kit.admin.make('/api/CustomField/Group', { name: `Privé ${kit.next()}` })
    const keys = [`lu${kit.next()}`, `cache${kit.made}`, `ecrit${kit.made}`, `secret${kit.made}`]
    const types = ['text', 'text', 'text', 'secret']
    const definitions: Answered[] = []
    for (const [index, key] of keys.entries())
      definitions.push(
        await kit.admin.make('/api/CustomField/Definition', {
          key,
          label: key,
          type: types[index],
          scope: 'host',
          groupId: group.id,
        }),
      )
    const [read, hidden, written, secret] = keys.map(String)
    const m = await model([], { [String(read)]: 'a', [String(hidden)]: 'b', [String(written)]: 'c' })
    const groups = (await kit.admin.call('GET', '/api/CustomField/PrivilegeGroup')).body
    const userGroupId = groups.find((one: Answered) => !one.admin).id
    const cells = ['read', 'none', 'write'].map((level, index) => ({
      userGroupId,
      groupId: null,
      definitionId: definitions[index]?.id ?? 0,
      level,
    }))
    expect((await kit.admin.call('PUT', '/api/CustomField/Privilege', { cells })).status).toBe(200)
    const login = `lecteur-${kit.made}`
    const caller = await kit.test.user(['host_write', 'scanner_read'], { login })
    const { id } = await kit.test.database.db
      .selectFrom('account')
      .select('id')
      .where('login', '=', login)
      .executeTakeFirstOrThrow()
    await kit.test.database.db
      .insertInto('user_group_member')
      .values({ group_id: userGroupId, account_id: id })
      .execute()
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
    const all = (await kit.admin.call('GET', `/api/Model/Get/${m.id}`)).body
    expect(all.definition.fields).toEqual({ [String(read)]: 'a', [String(hidden)]: 'b', [String(written)]: 'd' })
    const figure = `plafond${kit.made}`
    const ceiling = { key: figure, label: figure, type: 'decimal', scope: 'host', groupId: group.id }
    const { id: definitionId } = await kit.admin.make('/api/CustomField/Definition', ceiling)
    const unread = { cells: [{ userGroupId, groupId: null, definitionId, level: 'none' }] }
    expect((await kit.admin.call('PUT', '/api/CustomField/Privilege', unread)).status).toBe(200)
    const formulas = { warningHigh: '10', errorHigh: `champ.${figure} * 2` }
    const withFormula = await change(all, [ping({ metrics: [{ key: 'rtt_avg', formulas }] })], all.definition.fields)
    const masked = (await caller.call('GET', `/api/Model/Get/${m.id}`)).body
    const formulasOf = (one: Answered) => one.definition.scanners[0].metrics[0].formulas
    expect(formulasOf(masked)).toEqual({ warningHigh: '10', errorHigh: 'champ.? * 2' })
    expect(JSON.stringify(await caller.call('GET', `/api/Model/Version/${m.id}`))).not.toContain(figure)
    const writer = (body: object) => caller.call('PUT', `/api/Model/Update/${m.id}`, { ...masked, ...body })
    expect(formulasOf((await writer({ description: 'Relu' })).body.model)).toEqual(formulasOf(masked))
    const kept = (await kit.admin.call('GET', `/api/Model/Get/${m.id}`)).body
    expect([kept.description, formulasOf(kept)]).toEqual(['Relu', formulasOf(withFormula.model)])
    const guess = structuredClone(masked.definition)
    guess.scanners[0].metrics[0].formulas.errorHigh = `champ.${figure}`
    expect((await writer({ updatedAt: kept.updatedAt, definition: guess })).status).toBe(400)
    const refused = await kit.admin.call('POST', '/api/Model/Create', {
      name: 'x',
      definition: { fields: { [String(secret)]: 's' } },
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { [`definition.fields.${secret}`]: expect.any(String) } },
    })
  })
})
