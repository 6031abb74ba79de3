import { NO_THRESHOLDS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

const NO_FIGURE = expect.stringContaining('ne donne aucun nombre')

describe.each(DIALECTS)('formulas in thresholds on %s', dialect => {
  const clock = createTestClock()
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let siteId = 0
  let groupId = 0
  const make = (path: string, body: unknown): Promise<Answered> => admin.make(path, body)
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: clock.now })
    admin = await test.admin()
    probe = await enrolTestProbe(test, clock.now)
    siteId = (await make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    groupId = (await make('/api/CustomField/Group', { name: 'Réseau' })).id
    const define = (over: object) => make('/api/CustomField/Definition', { scope: 'host', groupId, ...over })
    await define({ key: 'debit', label: 'Débit', type: 'decimal' })
    await define({ key: 'part', label: 'Part', type: 'decimal', defaultValue: '0,5' })
    await define({ key: 'nom', label: 'Nom', type: 'text' })
    await define({ key: 'surface', label: 'Surface', type: 'integer', scope: 'site' })
  })
  afterAll(() => test.close())

  let made = 0
  const hostWithMetric = async (): Promise<{ hostId: number; metric: Answered }> => {
    const { id } = await make('/api/Host/Create', { name: `h-${++made}`, address: '192.0.2.1', siteId })
    const metrics = (await admin.call('GET', `/api/Metric/Get?host=${id}`)).body
    return { hostId: id, metric: metrics.find((one: Answered) => one.key === 'rtt_avg') }
  }
  const update = (metric: Answered, over: object, caller = admin) =>
    caller.call('PUT', `/api/Metric/Update/${metric.id}`, {
      name: metric.name,
      thresholds: NO_THRESHOLDS,
      attempts: 1,
      updatedAt: metric.updatedAt,
      ...over,
    })
  const get = async (id: number, caller = admin): Promise<Answered> =>
    (await caller.call('GET', `/api/Metric/Get/${id}`)).body
  const set = async (hostId: number, values: object) => {
    const answer = await admin.call('PUT', `/api/CustomField/Host/${hostId}`, {
      values,
      updatedAt: '2999-01-01T00:00:00Z',
    })
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
  }

  it('a side that has a formula is computed from the host’s fields, and again when one of them changes', async () => {
    const { hostId, metric } = await hostWithMetric()
    const saved = await update(metric, {
      formulas: { warningHigh: 'champ.debit * 0,9', errorHigh: 'max(champ.debit; 10) / champ.part' },
    })
    expect([saved.status, saved.body.errors]).toEqual([200, undefined])
    expect(saved.body).toMatchObject({
      formulas: { warningHigh: 'champ.debit * 0,9' },
      thresholds: { warningHigh: null, errorHigh: null },
      formulaFaults: { warningHigh: NO_FIGURE, errorHigh: NO_FIGURE },
      overrides: expect.arrayContaining(['thresholds']),
    })
    await set(hostId, { debit: 100 })
    expect(await get(metric.id)).toMatchObject({ thresholds: { warningHigh: 90, errorHigh: 200 }, formulaFaults: {} })
    await set(hostId, { part: 0.25 })
    expect((await get(metric.id)).thresholds.errorHigh).toBe(400)
    await set(hostId, { debit: null })
    expect((await get(metric.id)).thresholds).toMatchObject({ warningHigh: null, errorHigh: null })
    await set(hostId, { debit: 20, part: 0 })
    expect((await get(metric.id)).formulaFaults).toEqual({ errorHigh: NO_FIGURE })
  })

  it('end to end: a value that changes changes the state of the next sample', async () => {
    const { hostId, metric } = await hostWithMetric()
    await set(hostId, { debit: 100 })
    const saved = await update(metric, { formulas: { errorHigh: 'champ.debit * 0,9' } })
    expect([saved.status, saved.body.errors]).toEqual([200, undefined])
    const severityAt = async (rtt: number): Promise<string> => {
      clock.forward(60_000)
      const values = { loss_ratio: 0, rtt_min: rtt, rtt_avg: rtt, rtt_max: rtt, jitter: 0 }
      expect(await probe.post([{ scanner: metric.scannerId, values }])).toBe(204)
      await test.app.monitoring.evaluation.between(() => undefined)
      return (await get(metric.id)).severity
    }
    expect(await severityAt(80)).toBe('ok')
    await set(hostId, { debit: 50 })
    expect(await severityAt(80)).toBe('error')
    await set(hostId, { debit: 1_000 })
    expect(await severityAt(80)).toBe('ok')
  })

  it('a formula that can not be read, or names no numeric field of hosts, is refused beside its side', async () => {
    const { metric } = await hostWithMetric()
    const wrong = [
      'champ.debit *',
      'champ.inconnu',
      'champ.nom * 2',
      'champ.surface',
      'champ.debit; drop table host',
      'champ.?',
    ]
    for (const formula of wrong) {
      const answer = await update(metric, { formulas: { warningHigh: formula, errorHigh: '1' } })
      expect([formula, answer.status, Object.keys(answer.body.fields)]).toEqual([
        formula,
        400,
        ['formulas.warningHigh'],
      ])
      const { scannerId, key } = metric
      const created = await admin.call('POST', '/api/Metric/Create', {
        name: 'x',
        scannerId,
        key,
        thresholds: NO_THRESHOLDS,
        formulas: { warningHigh: formula },
      })
      expect(created.status).toBeGreaterThanOrEqual(400)
    }
    expect((await update(metric, { formulas: { sideways: '1' } })).status).toBe(400)
    expect((await get(metric.id)).formulas).toEqual({})
  })

  it('a formula whose figure contradicts another side says so beside it; a clear value may wait for its formula', async () => {
    const { hostId, metric } = await hostWithMetric()
    await set(hostId, { debit: 10 })
    const answer = await update(metric, {
      thresholds: { ...NO_THRESHOLDS, warningHigh: 50 },
      formulas: { errorHigh: 'champ.debit' },
    })
    expect([answer.status, Object.keys(answer.body.formulaFaults)]).toEqual([200, ['errorHigh']])
    await set(hostId, { debit: null })
    const waiting = await update(answer.body, {
      thresholds: { ...NO_THRESHOLDS, errorHighClear: 5 },
      formulas: { errorHigh: 'champ.debit' },
    })
    expect([waiting.status, waiting.body.errors]).toEqual([200, undefined])
  })

  it('left out, formulas stay; an empty list takes them away and leaves the figures that are sent', async () => {
    const { hostId, metric } = await hostWithMetric()
    await set(hostId, { debit: 100 })
    const first = (await update(metric, { formulas: { errorHigh: 'champ.debit' } })).body
    const kept = (await update(first, { name: 'Autre nom', thresholds: first.thresholds })).body
    expect(kept).toMatchObject({
      name: 'Autre nom',
      formulas: { errorHigh: 'champ.debit' },
      thresholds: { errorHigh: 100 },
    })
    const bulk = await admin.call('POST', '/api/Metric/Bulk', {
      ids: [metric.id],
      plan: false,
      change: { attempts: 4 },
    })
    expect(bulk.body.changed).toBe(1)
    const after = await get(metric.id)
    expect(after).toMatchObject({ attempts: 4, formulas: { errorHigh: 'champ.debit' } })
    const plain = (await update(after, { thresholds: { ...NO_THRESHOLDS, errorHigh: 77 }, formulas: {} })).body
    expect(plain).toMatchObject({ formulas: {}, thresholds: { errorHigh: 77 } })
    await set(hostId, { debit: 3 })
    expect((await get(metric.id)).thresholds.errorHigh).toBe(77)
  })

  it('the values of a model count, and the type of a host; a deleted field leaves the side without figure', async () => {
    const { hostId, metric } = await hostWithMetric()
    const [type] = (await admin.call('GET', '/api/Host/GetType')).body
    const field = await make('/api/CustomField/Definition', {
      key: 'seuil',
      label: 'Seuil',
      type: 'integer',
      scope: 'host',
      groupId,
    })
    await update(metric, { formulas: { errorHigh: 'champ.seuil + 1' } })
    const errorHigh = async () => (await get(metric.id)).thresholds.errorHigh
    const model = await make('/api/Model/Create', {
      name: 'Liens',
      definition: { scanners: [], fields: { seuil: 30 } },
    })
    const assign = async (over: object) => {
      const host = (await admin.call('GET', `/api/Host/Get/${hostId}`)).body
      const answer = await admin.call('PUT', `/api/Host/Update/${hostId}`, { ...host, ...over })
      expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    }
    await assign({ monitoringModelIds: [model.id] })
    expect(await errorHigh()).toBe(31)
    const changed = await admin.call('PUT', `/api/Model/Update/${model.id}`, {
      ...model,
      definition: { scanners: [], fields: { seuil: 40 } },
    })
    expect([changed.status, changed.body.errors]).toEqual([200, undefined])
    expect(await errorHigh()).toBe(41)
    const definition = (await admin.call('GET', '/api/CustomField/Definition')).body.find(
      (one: Answered) => one.id === field.id,
    )
    const limited = await admin.call('PUT', `/api/CustomField/Definition/${field.id}`, {
      ...definition,
      types: [type.id],
    })
    expect([limited.status, limited.body.errors]).toEqual([200, undefined])
    expect(await errorHigh()).toBeNull()
    await assign({ typeId: type.id })
    expect(await errorHigh()).toBe(41)
    const path = `/api/CustomField/Definition/${field.id}`
    expect((await admin.call('DELETE', `${path}?plan=true`)).body).toMatchObject({ deleted: false, formulas: 1 })
    expect((await admin.call('DELETE', `${path}?cascade=true`)).status).toBe(200)
    expect(await errorHigh()).toBeNull()
  })

  it('who may not read a field neither writes its name in a formula nor reads it there, and keeps it by sending what he saw', async () => {
    const { hostId, metric } = await hostWithMetric()
    const hidden = await make('/api/CustomField/Definition', {
      key: 'cache',
      label: 'Caché',
      type: 'integer',
      scope: 'host',
      groupId,
    })
    await set(hostId, { cache: 12 })
    const saved = (await update(metric, { formulas: { errorHigh: 'champ.cache * 2' } })).body
    const editor = await test.user(['metric_write'])
    const reader = await test.user(['scanner_read'])
    const seen = await get(metric.id, editor)
    expect(seen).toMatchObject({ formulas: { errorHigh: 'champ.? * 2' }, thresholds: { errorHigh: 24 } })
    const all = [
      await editor.call('GET', '/api/Metric/Get'),
      await editor.call('GET', '/api/MetricDatatable'),
      await reader.call('GET', `/api/Scanner/Get/Metric?id=${metric.scannerId}`),
      await editor.call('GET', `/api/Metric/Get?host=${hostId}`),
    ]
    expect(JSON.stringify(all.map(answer => answer.body))).not.toMatch(/cache|Caché/)
    const tried = await update(saved, { formulas: { errorHigh: 'champ.cache * 3' } }, editor)
    const unknown = await update(saved, { formulas: { errorHigh: 'champ.inconnu * 3' } }, editor)
    expect([tried.status, tried.body.fields['formulas.errorHigh'].replace('cache', 'inconnu')]).toEqual([
      400,
      unknown.body.fields['formulas.errorHigh'],
    ])
    const stale = await update({ ...saved, updatedAt: metric.updatedAt }, { formulas: {} }, editor)
    expect([stale.status, JSON.stringify(stale.body).includes('cache')]).toEqual([409, false])
    const resent = await update(
      seen,
      { name: 'Renommée', thresholds: seen.thresholds, formulas: seen.formulas },
      editor,
    )
    expect([resent.status, resent.body.name, resent.body.formulas]).toEqual([
      200,
      'Renommée',
      { errorHigh: 'champ.? * 2' },
    ])
    expect((await get(metric.id)).formulas).toEqual({ errorHigh: 'champ.cache * 2' })
    await set(hostId, { cache: null })
    expect((await get(metric.id, editor)).formulaFaults).toEqual({ errorHigh: NO_FIGURE })
    await admin.call('DELETE', `/api/CustomField/Definition/${hidden.id}?cascade=true`)
  })
})
