import { RULE_KEYS, RULE_PLACES, type RuleScope, type RuleSetting } from '@narval/contracts'
import { isFlapping } from '@narval/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

const TIMEOUT = { code: 'timeout', message: 'délai dépassé après 2 s' } as const
const MINUTE_MS = 60_000

describe.each(DIALECTS)('rules of judging, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let region: number
  let site: number
  let model: number
  let host: number
  let scanner: number
  let metric: number

  const created = async (path: string, body: unknown): Promise<number> => {
    const answer = await admin.call('POST', path, body)
    expect([path, answer.status, answer.body.errors]).toEqual([path, 201, undefined])
    return answer.body.id
  }
  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    const now = () => nowMs
    test = await createTestApp({ dialect, now })
    admin = await test.admin()
    probe = await enrolTestProbe(test, now)
    region = await created('/api/Site/Create', { name: 'Rhône', code: 'RHO' })
    site = await created('/api/Site/Create', { name: 'Lyon', code: 'LYO', parentId: region })
    model = await created('/api/Model/Create', { name: 'Serveur Linux' })
    const body = { name: 'srv-1', address: '192.0.2.1', siteId: site, monitoringModelIds: [model] }
    host = await created('/api/Host/Create', body)
    scanner = await created('/api/Scanner/Create', {
      ...{ name: 'SSH', kind: 'tcp', hostId: host, parameters: { port: 22 } },
    })
    metric = (await metricOf('connect_time')).id
  }, 60_000)
  afterEach(() => test.close())

  const metricOf = async (key: string) =>
    (await admin.call('GET', `/api/Scanner/Get/Metric?id=${scanner}`)).body.find(
      (one: { key: string }) => one.key === key,
    )
  const put = (scope: RuleScope, id: number, values: Record<string, number | boolean | null>, by: Caller = admin) =>
    by.call('PUT', `/api/RuleSetting/${scope}/${id}`, { values })
  const set = async (scope: RuleScope, id: number, values: Record<string, number | boolean | null>) => {
    const answer = await put(scope, id, values)
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
  }
  const ruleOf = async (scope: RuleScope, id: number, key: string): Promise<RuleSetting> =>
    (await admin.call('GET', `/api/RuleSetting/Get?scope=${scope}&id=${id}`)).body.rules.find(
      (rule: RuleSetting) => rule.key === key,
    )
  const inForce = () => {
    const found = test.app.monitoring.model.metrics.get(metric)
    if (found === undefined) throw new Error('the metric is not in the fleet')
    return found
  }
  const post = async (...results: Parameters<TestProbe['post']>[0][number][]) => {
    expect(await probe.post(results)).toBe(204)
    await test.app.monitoring.evaluation.idle()
  }
  const incidents = async () => (await admin.call('GET', '/api/Incident/Get')).body

  it('the nearest to the metric counts, each says who it is, and memory judges by the very same values', async () => {
    const told: [string, unknown, string, string][] = []
    const look = async () => {
      const { value, origin } = await ruleOf('metric', metric, 'reopenMinutes')
      told.push(['reopenMinutes', value, origin.scope, origin.name])
      const { rules } = (await admin.call('GET', `/api/RuleSetting/Get?scope=metric&id=${metric}`)).body
      const held = inForce().rules
      for (const rule of rules as RuleSetting[])
        expect([rule.key, rule.value]).toEqual([rule.key, held[RULE_KEYS.find(key => key === rule.key) ?? 'attempts']])
    }
    await look()
    expect((await admin.call('PUT', '/api/Parameter/Collect', { reopenMinutes: 11 })).status).toBe(200)
    await test.app.monitoring.reload()
    await look()
    for (const [scope, id, minutes] of [
      ['site', region, 12],
      ['site', site, 13],
      ['model', model, 14],
      ['host', host, 15],
      ['scanner', scanner, 16],
      ['metric', metric, 17],
    ] as const) {
      await set(scope, id, { reopenMinutes: minutes })
      await look()
    }
    // Taken away again, the next one above counts.
    await set('metric', metric, { reopenMinutes: null })
    await set('host', host, { reopenMinutes: null })
    await look()
    expect(told.map(([, value, scope, name]) => [value, scope, name])).toEqual([
      [10, 'default', 'Valeur d’origine'],
      [11, 'platform', 'Plateforme'],
      [12, 'site', 'Rhône'],
      [13, 'site', 'Lyon'],
      [14, 'model', 'Serveur Linux'],
      [15, 'host', 'srv-1'],
      [16, 'scanner', 'SSH'],
      [17, 'metric', (await metricOf('connect_time')).name],
      [16, 'scanner', 'SSH'],
    ])
  }, 60_000)

  it('attempts of the scanner’s and the metric’s own forms go before rules, and are told beside them', async () => {
    await set('host', host, { attempts: 7 })
    expect((await admin.call('GET', `/api/Scanner/Get/${scanner}`)).body.effective).toMatchObject({
      attempts: 7,
      origin: { attempts: 'rule', intervalSeconds: 'platform' },
    })
    const before = await metricOf('connect_time')
    const { name, thresholds, updatedAt } = before
    await admin.call('PUT', `/api/Metric/Update/${metric}`, { name, thresholds, attempts: 2, updatedAt })
    expect(await ruleOf('metric', metric, 'attempts')).toMatchObject({
      ...{ own: 2, value: 2, place: 'form', origin: { scope: 'metric' } },
      inherited: { value: 7, origin: { scope: 'host', name: 'srv-1' } },
    })
    expect(inForce().rule.attempts).toBe(2)
    const refused = await put('metric', metric, { attempts: 3 })
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { 'values.attempts': 'Se règle dans la fiche d’une métrique' } },
    })
  }, 60_000)

  it('attempts set at a site change when a metric of its hosts turns hard, and its retry reaches the probe', async () => {
    await set('site', region, { attempts: 1, retryIntervalSeconds: 7 })
    const check = (await probe.orders()).configuration?.checks.find(one => one.scanner === scanner)
    expect([check?.attempts, check?.retryIntervalMs]).toEqual([1, 7_000])
    await post({ scanner, failure: TIMEOUT })
    expect(await metricOf('availability')).toMatchObject({ severity: 'error', kind: 'hard', maxAttempts: 1 })
    expect(await incidents()).toHaveLength(1)
    const { sentences } = (await admin.call('GET', `/api/Metric/Get/Rule?id=${(await metricOf('availability')).id}`))
      .body
    expect(sentences[0]).toBe(`Erreur confirmée au premier résultat\u202f: ${TIMEOUT.message}.`)
  }, 60_000)

  /** Good and bad in turn, a result a minute. */
  const toAndFro = async (times: number) => {
    for (let index = 0; index < times; index++) {
      nowMs += MINUTE_MS
      await post(index % 2 === 0 ? { scanner, values: { connect_time: 1 } } : { scanner, failure: TIMEOUT })
    }
    // Half an hour went by: the session's token is over.
    admin = await test.admin()
  }
  const toldOf = async () =>
    (await admin.call('GET', '/api/Notification/Get')).body.notifications.map((one: { title: string }) => one.title)

  it('a metric that goes to and fro is told once when it starts and once when it is steady; its incident stays open between', async () => {
    await post({ scanner, values: { connect_time: 1 } })
    await toAndFro(24)
    const [incident, ...others] = await incidents()
    expect([incident.flapping, incident.closedAt, others.length]).toEqual([true, null, 0])
    expect(await toldOf()).toEqual(['srv-1\u202f: SSH bagote'])
    const availability = await metricOf('availability')
    expect(availability.flapping).toBeGreaterThanOrEqual(30)
    expect(availability.severity).toBe('error')
    const explained = (await admin.call('GET', `/api/Metric/Get/Rule?id=${availability.id}`)).body
    expect(explained).toMatchObject({ flapping: true, flappingPercent: expect.any(Number) })
    expect(explained.sentences.join(' ')).toContain('Bagote')
    for (let run = 0; run < 20; run++) {
      nowMs += MINUTE_MS
      await post({ scanner, values: { connect_time: 1 } })
    }
    admin = await test.admin()
    expect(await toldOf()).toHaveLength(2)
    expect((await toldOf())[0]).toBe('srv-1\u202f: SSH ne bagote plus (OK)')
    const [after] = await incidents()
    expect([after.id, after.flapping, after.closedAt === null]).toEqual([incident.id, false, false])
    const { timeline } = (await admin.call('GET', `/api/Incident/Detail/${incident.id}`)).body
    expect(timeline.map((line: { kind: string }) => line.kind)).toEqual([
      'opened',
      'flapping-started',
      'flapping-ended',
    ])
  }, 60_000)

  it('flapping switched off at a host is not looked at there, and goes on elsewhere', async () => {
    await set('host', host, { flapping: false })
    await post({ scanner, values: { connect_time: 1 } })
    await toAndFro(24)
    expect(await toldOf()).toEqual([])
    expect((await metricOf('availability')).flapping).toBeNull()
    await set('host', host, { flapping: null })
    await toAndFro(24)
    expect(await toldOf()).toEqual(['srv-1\u202f: SSH bagote'])
  }, 60_000)

  it('what a metric remembers of its changes outlives the server', async () => {
    await post({ scanner, values: { connect_time: 1 } })
    await toAndFro(20)
    const id = (await metricOf('availability')).id
    nowMs += MINUTE_MS
    // Good after good: a shift of the memory alone, of which no row is written by itself.
    await post({ scanner, values: { connect_time: 1 } })
    nowMs += MINUTE_MS
    await post({ scanner, values: { connect_time: 1 } })
    const held = test.app.monitoring.model.metrics.get(id)?.state.flapping ?? 0
    expect(isFlapping(held)).toBe(true)
    await test.app.monitoring.stop()
    const row = await test.database.db
      .selectFrom('metric_state')
      .select('flapping')
      .where('metric_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.flapping).toBe(held)
  }, 60_000)

  it('silence is tolerated as long as the nearest rule says', async () => {
    await set('scanner', scanner, { silenceFactor: 5, silenceFloorSeconds: 400 })
    expect(test.app.monitoring.model.scanners.get(scanner)?.staleMs).toBe(400_000)
    await set('site', site, { silenceFloorSeconds: 30 })
    await set('scanner', scanner, { silenceFloorSeconds: null })
    expect(test.app.monitoring.model.scanners.get(scanner)?.staleMs).toBe(300_000)
    await set('metric', metric, { hysteresisPercent: 20 })
    const before = await metricOf('connect_time')
    await admin.call('PUT', `/api/Metric/Update/${metric}`, {
      ...{ name: before.name, thresholds: { warningHigh: 100 }, updatedAt: before.updatedAt },
    })
    const { thresholds } = (await admin.call('GET', `/api/Metric/Get/Rule?id=${metric}`)).body
    expect(thresholds).toMatchObject([{ side: 'warningHigh', value: 100, clear: 80, origin: { scope: 'metric' } }])
  }, 60_000)

  it('is changed by whoever may change the object, told in its history, and refused in words otherwise', async () => {
    const needed = {
      site: 'site_write',
      model: 'host_write',
      host: 'host_write',
      scanner: 'scanner_write',
      metric: 'metric_write',
    } as const
    const objects = { site, model, host, scanner, metric }
    const reader = await test.user([])
    for (const scope of ['site', 'model', 'host', 'scanner', 'metric'] as const) {
      expect([scope, (await put(scope, objects[scope], { reopenMinutes: 1 }, reader)).status]).toEqual([scope, 403])
      const writer = await test.user([needed[scope], 'scanner_read'])
      expect([scope, (await put(scope, objects[scope], { reopenMinutes: 1 }, writer)).status]).toEqual([scope, 200])
      expect((await put(scope, 999_999, { reopenMinutes: 1 })).status).toBe(404)
    }
    for (const scope of ['site', 'host', 'metric'] as const)
      expect((await reader.call('GET', `/api/RuleSetting/Get?scope=${scope}&id=${objects[scope]}`)).status).toBe(200)
    for (const scope of ['model', 'scanner'] as const)
      expect((await reader.call('GET', `/api/RuleSetting/Get?scope=${scope}&id=${objects[scope]}`)).status).toBe(403)
    const history = (await admin.call('GET', `/api/History/Get?object=site&id=${site}`)).body
    expect(JSON.stringify(history)).toContain('reopenMinutes')
    for (const [values, field] of [
      [{ attempts: 0 }, 'values.attempts'],
      [{ flapping: 3 }, 'values.flapping'],
      [{ nothing: 3 }, 'values.nothing'],
      [{ flappingStartPercent: 20 }, 'values.flappingStartPercent'],
    ] as const) {
      const refused = await admin.call('PUT', `/api/RuleSetting/site/${site}`, { values })
      expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([400, [field]])
    }
    expect((await put('metric', metric, { secondOpinion: false })).body.fields).toEqual({
      'values.secondOpinion': 'Ne se règle pas au niveau d’une métrique',
    })
    expect(RULE_PLACES.secondOpinion.own).not.toContain('metric')
  }, 60_000)

  it('goes with its object: a host deleted leaves no rule behind', async () => {
    await set('host', host, { attempts: 4 })
    await set('metric', metric, { flapping: false })
    expect((await admin.call('DELETE', `/api/Host/Delete/${host}?cascade=true`)).status).toBe(200)
    const left = await test.database.db.selectFrom('rule_setting').select('scope').execute()
    expect(left).toEqual([])
  }, 60_000)
})
