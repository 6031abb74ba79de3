import { CHECKS, type MetricDefinition } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import type { TestProbe } from '../../testing/test-probe.ts'
import { createScannerScene } from './testing-scanner.ts'

const clock = createTestClock()

describe.each(DIALECTS)('scanners on %s', dialect => {
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

  it('its history tells parameters by the words of their form', async () => {
    const http = await created('/api/Scanner/Create', { name: 'Page', kind: 'http', hostId: host.id, parameters: {} })
    const headers = [{ name: 'Accept', value: 'text/html' }]
    const parameters = { ...http.parameters, followRedirects: false, authentication: 'host', headers }
    expect((await admin.call('PUT', `/api/Scanner/Update/${http.id}`, { ...http, parameters })).status).toBe(200)
    const [update] = (await admin.call('GET', `/api/History/Get?object=scanner&id=${http.id}`)).body
    const told = update.changes.map((change: Answered) => [change.label, change.before, change.after])
    expect(told).toContainEqual(['Suivre les redirections', 'oui', 'non'])
    expect(told).toContainEqual(['En-têtes', '', 'Nom\u202f: Accept, Valeur\u202f: text/html'])
    expect(told.find(([label]: string[]) => label === 'Authentification')?.[1]).toBe('Aucune')
  })

  describe('learning again', () => {
    it('says first what would change, then gives the thresholds of the last value as the metric’s own, audited; the rest stays', async () => {
      const connectTime = CHECKS.tcp.metrics.find(metric => metric.key === 'connect_time')
      if (connectTime === undefined) throw new Error('no such metric')
      const done = teach(connectTime, value => ({ warningHigh: value * 2 }))
      try {
        await probe.post([{ scanner: tcp.id, at: clock.now() + 1, durationMs: 7, values: { connect_time: 7 } }])
        await test.app.monitoring.evaluation.idle()
        const plan = await admin.call('POST', `/api/Scanner/Learn/${tcp.id}`, { plan: true })
        expect(plan.body).toMatchObject({
          matched: 1,
          changes: [
            {
              name: 'Temps de connexion',
              text: '7\u202fms',
              before: { warningHigh: null },
              after: { warningHigh: 14 },
            },
          ],
        })
        const reader = await test.user(['scanner_read', 'scanner_write'])
        expect((await reader.call('POST', `/api/Scanner/Learn/${tcp.id}`, {})).status).toBe(403)
        const metric = async () => (await admin.call('GET', `/api/Metric/Get/${plan.body.changes[0].metricId}`)).body
        expect((await metric()).thresholds.warningHigh).toBe(null)
        expect((await admin.call('POST', `/api/Scanner/Learn/${tcp.id}`, {})).body.changes).toEqual(plan.body.changes)
        expect(await metric()).toMatchObject({
          thresholds: { warningHigh: 14 },
          overrides: ['thresholds'],
          updatedBy: 'admin',
        })
        expect(test.app.monitoring.model.metrics.get(plan.body.changes[0].metricId)?.rule.thresholds.warningHigh).toBe(
          14,
        )
        const history = await admin.call('GET', `/api/History/Get?object=metric&id=${plan.body.changes[0].metricId}`)
        expect(JSON.stringify(history.body)).toContain('metric-update')
        expect((await admin.call('POST', `/api/Scanner/Learn/${tcp.id}`, {})).body).toEqual({ matched: 1, changes: [] })
      } finally {
        done()
      }
    })
  })

  describe('the list of pings', () => {
    const pings = async (body: unknown): Promise<Answered> =>
      (await admin.call('PUT', '/api/ScannerPingDatatable', body)).body
    it('has the last values of each ping and no other kind; sorted, searched and filtered; null where the last run brought none', async () => {
      const other = await created('/api/Host/Create', { name: 'srv-évry', address: '192.0.2.2', siteId: host.siteId })
      const second = (await admin.call('GET', `/api/Scanner/Get?host=${other.id}`)).body[0]
      clock.forward(60_000)
      const at = clock.now()
      const values = { loss_ratio: 0, rtt_min: 1, rtt_avg: 2, rtt_max: 3, jitter: 0.5 }
      await probe.post([
        { scanner: ping.id, at, values },
        { scanner: second.id, at, values: { ...values, rtt_avg: 1 } },
      ])
      await test.app.monitoring.evaluation.idle()
      const columns = [{ data: 'rttAvg' }, { data: 'hostName' }]
      const sorted = await pings({ columns, order: [{ column: 0, dir: 'asc' }] })
      expect(sorted.data.map((row: Answered) => [row.hostName, row.rttAvg, row.lossRatio, row.jitter])).toEqual([
        ['srv-évry', 1, 0, 0.5],
        ['rtr-lyon', 2, 0, 0.5],
      ])
      expect(sorted.data[0]).toMatchObject({
        hostAddress: '192.0.2.2',
        siteName: 'Lyon',
        probeName: 'Sonde d’essai',
        severity: 'ok',
      })
      expect((await pings({ search: { value: 'EVRY' } })).recordsFiltered).toBe(1)
      expect((await pings({ filters: { severity: 'error' } })).recordsFiltered).toBe(0)
      clock.forward(60_000)
      await probe.post([
        {
          scanner: second.id,
          at: clock.now(),
          failure: { code: 'timeout', message: 'Aucune réponse.' },
          values: { loss_ratio: 1 },
        },
      ])
      await test.app.monitoring.evaluation.idle()
      expect((await pings({ search: { value: 'evry' } })).data[0]).toMatchObject({
        ...{ lossRatio: 1, rttAvg: null, jitter: null, lastError: 'Aucune réponse.' },
      })
      expect((await admin.call('GET', '/api/ScannerPingDatatable')).body.recordsTotal).toBe(2)
      const unknown = await admin.call('PUT', '/api/ScannerPingDatatable', { filters: { colour: 'red' } })
      expect(unknown.status).toBe(400)
    })
  })
})

/** Lets a metric of a kind learn; no kind of this list does so by itself. Undone by what it gives back. */
const teach = (metric: MetricDefinition, learn: MetricDefinition['learn']): (() => void) => {
  Object.defineProperty(metric, 'learn', { value: learn, configurable: true, enumerable: true })
  return () => void Reflect.deleteProperty(metric, 'learn')
}
