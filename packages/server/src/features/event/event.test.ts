import { EVENTS_PER_RESULT } from '@narval/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { xssCorpus } from '../../../../../e2e/kit/xss-corpus.ts'
import { purgeEvents } from '../../monitoring/event-log.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

describe.each(DIALECTS)('received messages, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let scanner: number

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    test = await createTestApp({ dialect, now: () => nowMs })
    admin = await test.admin()
    probe = await enrolTestProbe(test, () => nowMs)
    const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    await admin.make('/api/Host/Create', { name: 'sw-1', address: '192.0.2.1', siteId: site.id })
    const rules = [{ name: 'Tout', severity: 'error' }]
    const body = { name: 'Syslog', kind: 'syslog', hostId: 1, parameters: { rules } }
    scanner = (await admin.make('/api/Scanner/Create', body)).id
  })
  afterEach(() => test.close())

  const event = (text: string, severity: 'ok' | 'warning' | 'error' = 'error') => ({
    ...{ at: nowMs, severity, text, source: text.slice(0, 100) },
  })
  const post = async (texts: readonly string[], lane: 'live' | 'backlog' = 'live', id = scanner) => {
    nowMs += 1_000
    const values = { state: 2, messages: 1, matched: 1, dropped: 0, 'rule[Tout]': 1 }
    const status = await probe.post([{ scanner: id, values, events: texts.map(text => event(text)) }], { lane })
    await test.app.monitoring.evaluation.idle()
    return status
  }
  const events = async (id = scanner) => (await admin.call('GET', `/api/Scanner/Get/Event?id=${id}`)).body

  it('S26: hostile texts are given back as they came, in JSON, with who and where', async () => {
    const corpus = xssCorpus('http://127.0.0.1:9', 500).slice(0, 100)
    for (let at = 0; at < corpus.length; at += EVENTS_PER_RESULT)
      expect(await post(corpus.slice(at, at + EVENTS_PER_RESULT))).toBe(204)
    const shown = await events()
    expect(shown.map((one: { text: string }) => one.text)).toEqual(corpus.toReversed())
    expect(shown[0]).toMatchObject({ kind: 'syslog', severity: 'error', hostName: 'sw-1', siteName: 'Lyon' })
    const file = await admin.file(`/api/Scanner/Get/Event?id=${scanner}`, 'text/html', {})
    expect(String(file.headers['content-type'])).not.toContain('html')
  })

  it('arrive late from a backlog too, each once, and page nobody then', async () => {
    expect(await post(['en retard'], 'backlog')).toBe(204)
    expect((await events()).map((one: { text: string }) => one.text)).toEqual(['en retard'])
    const metric = (await admin.call('GET', `/api/Scanner/Get/Metric?id=${scanner}`)).body.find(
      (one: { key: string }) => one.key === 'state',
    )
    expect(metric.severity).not.toBe('error')
  })

  it('make a state whose error is confirmed and opens an incident, though the life test knows nothing of it', async () => {
    for (let nth = 0; nth < 3; nth += 1) await post(['disque en panne'])
    const metrics = (await admin.call('GET', `/api/Scanner/Get/Metric?id=${scanner}`)).body
    expect(metrics.find((one: { key: string }) => one.key === 'state')).toMatchObject({
      severity: 'error',
      kind: 'hard',
      information: 'disque en panne',
    })
    // Silence since: the state holds, and says what made it.
    await post([])
    const [incident] = (await admin.call('GET', '/api/Incident/Get')).body
    expect(incident).toMatchObject({ information: 'Lyon · disque en panne' })
    const later = (await admin.call('GET', `/api/Scanner/Get/Metric?id=${scanner}`)).body
    expect(later.find((one: { key: string }) => one.key === 'state').information).toBe('disque en panne')
    expect(metrics.find((one: { key: string }) => one.key === 'rule[Tout]').name).toContain('Tout')
  })

  it('of kinds that receive none, of other scanners, or too many, are not taken (S57)', async () => {
    const ping = (await admin.call('GET', '/api/Scanner/Get?host=1')).body.find(
      (one: { kind: string }) => one.kind === 'ping',
    )
    expect(await post(['x'], 'live', ping.id)).toBe(204)
    expect(await post(['x'], 'live', 999)).toBe(204)
    expect(await events(ping.id)).toEqual([])
    expect(await post(Array(EVENTS_PER_RESULT + 1).fill('x'))).toBe(400)
    const stranger = await test.user(['host_write'])
    expect((await stranger.call('GET', `/api/Scanner/Get/Event?id=${scanner}`)).status).toBe(403)
  })

  it('are kept by number and by age; they go with their scanner', async () => {
    for (let nth = 0; nth < 4; nth += 1) await post(Array.from({ length: 50 }, (_, index) => `m${nth * 50 + index}`))
    await purgeEvents(test.database, { eventDays: 30, eventsPerScanner: 60 }, nowMs)
    const kept = (await events()).map((one: { text: string }) => one.text)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([60, 'm199', 'm140'])
    await purgeEvents(test.database, { eventDays: 1, eventsPerScanner: 60 }, nowMs + 2 * 86_400_000)
    expect(await events()).toEqual([])
    await post(['encore'])
    expect((await admin.call('DELETE', `/api/Scanner/Delete/${scanner}`)).status).toBe(200)
    expect(await test.database.db.selectFrom('received_event').selectAll().execute()).toEqual([])
  })
})
