import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'

const VALUES = [
  { name: 'duration', label: 'Durée', unit: 's', type: 'gauge' },
  { name: 'files', label: 'Fichiers', unit: 'count', type: 'gauge' },
]

describe.each(DIALECTS)('values that programs push, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let admin: Caller
  let probe: TestProbe
  let scanner: number
  let token: string
  const logged: string[] = []

  const make = async (parameters: object) =>
    (await admin.make('/api/Scanner/Create', { name: 'Sauvegarde', kind: 'push', hostId: 1, parameters })).id
  const renew = async (id: number): Promise<string> => (await admin.make(`/api/Scanner/Token/${id}`, undefined)).token
  const push = async (shown: string, body?: unknown, query = '') => {
    const answer = await test.anonymous().call('POST', `/api/Push/${shown}${query}`, body)
    await test.app.monitoring.evaluation.idle()
    return answer
  }
  const metrics = async (id = scanner) =>
    Object.fromEntries(
      (await admin.call('GET', `/api/Scanner/Get/Metric?id=${id}`)).body.map(
        (one: { key: string; value: number; severity: string; cause: string }) => [one.key, one],
      ),
    )
  const listen = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      nowMs += 5_000
      await test.app.monitoring.pass()
    }
  }

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    logged.length = 0
    const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
    test = await createTestApp({ dialect, now: () => nowMs, log })
    admin = await test.admin()
    probe = await enrolTestProbe(test, () => nowMs)
    const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    await admin.make('/api/Host/Create', { name: 'srv-1', address: '192.0.2.1', siteId: site.id })
    scanner = await make({ values: VALUES })
    token = await renew(scanner)
  })
  afterEach(() => test.close())

  it('are on disk when 204 is answered, and become metrics with their own names and units', async () => {
    expect((await push(token, { values: { duration: 12.5, files: 3 } })).status).toBe(204)
    expect(await metrics()).toMatchObject({
      availability: { value: 1, severity: 'ok' },
      duration: { value: 12.5, name: 'Durée', unit: 's' },
      files: { value: 3 },
    })
    // Without JSON: the first value, as a script without tools sends it; two in one millisecond both count.
    expect((await push(token, undefined, '?value=14')).status).toBe(204)
    expect((await metrics()).duration.value).toBe(14)
    expect((await push(token)).status).toBe(204)
  })

  it('say by themselves that they failed, with a message that the list of messages shows', async () => {
    const message = '<img src=x onerror=xss()>\n\u202Edisque plein'
    expect((await push(token, { state: 'error', message })).status).toBe(204)
    const shown = (await admin.call('GET', `/api/Scanner/Get/${scanner}`)).body
    expect(shown).toMatchObject({ lastError: message, effective: { probeId: null }, probeName: null })
    const events = (await admin.call('GET', `/api/Scanner/Get/Event?id=${scanner}`)).body
    expect(events).toMatchObject([{ severity: 'error', source: 'srv-1', kind: 'push', siteName: 'Lyon' }])
    expect(events[0].text).toBe('<img src=x onerror=xss()> disque plein')
  })

  it('are refused in French with the names that are known, and when they are too many or too large', async () => {
    const refused = await push(token, { values: { durée: 1 } })
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      'Valeur inconnue\u202f: durée. Ce scanner attend\u202f: duration, files.',
    ])
    expect((await push(token, { values: { duration: 'x' } })).status).toBe(400)
    expect((await push(token, { valeurs: { duration: 1 } })).status).toBe(400)
    expect((await push(token, undefined, '?value=1e999')).status).toBe(400)
    expect((await push(token, { message: 'x'.repeat(20_000) })).status).toBe(413)
  })

  it('S21: a wrong token is an address that does not exist, whatever it is; only a hash of it is kept, and no log holds it', async () => {
    const wrong = [`${token}x`, token.slice(1), 'x', 'A'.repeat(150), "'--", '%00', token.toUpperCase()]
    const answers = await Promise.all(wrong.map(one => push(one, { values: { duration: 1 } })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(token).toMatch(/^[\w-]{43}$/)
    const rows = await test.database.db.selectFrom('push_token').selectAll().execute()
    expect(rows.map(({ hash }) => hash)).toEqual([createHash('sha256').update(token).digest('hex')])
    const audits = await test.database.db.selectFrom('audit').selectAll().orderBy('id').execute()
    expect(audits.some(({ action }) => action === 'push-token-create')).toBe(true)
    // A fault of the server while it is shown: what is logged of it tells nothing either.
    await test.database.db.schema.alterTable('push_token').renameTo('gone').execute()
    expect((await push(token, {})).status).toBe(500)
    expect(logged.join('')).toContain('unexpected fault')
    for (const text of [logged.join(''), JSON.stringify(audits)]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain('x'.repeat(150))
    }
  })

  it('need the token in force: one that was renewed opens nothing any more, and only who may write gets one', async () => {
    const next = await renew(scanner)
    expect((await push(token, {})).status).toBe(404)
    expect((await push(next, {})).status).toBe(204)
    const reader = await test.user(['scanner_read'])
    expect((await reader.call('POST', `/api/Scanner/Token/${scanner}`)).status).toBe(403)
    expect((await reader.call('GET', `/api/Scanner/Get/Token?id=${scanner}`)).body).toMatchObject({
      createdBy: 'admin',
    })
    const ping = (await admin.call('GET', '/api/Scanner/Get?host=1')).body.find(
      (one: { kind: string }) => one.kind === 'ping',
    )
    expect((await admin.call('POST', `/api/Scanner/Token/${ping.id}`)).status).toBe(409)
  })

  it('go with their silence: unknown after three intervals, or an error if that was asked; no probe has a part in it', async () => {
    const strict = await make({ values: VALUES, silence: 'error' })
    const other = await renew(strict)
    for (const one of [token, other]) await push(one, { values: { duration: 1 } })
    // The probe is given neither, and may not speak for them.
    const { configuration } = await probe.orders()
    expect(configuration?.checks.map(({ kind }) => kind)).toEqual(['ping'])
    expect(await probe.post([{ scanner, values: { duration: 99 } }])).toBe(204)
    await listen(170_000)
    expect((await metrics()).duration).toMatchObject({ value: 1, severity: 'ok' })
    await listen(60_000)
    expect(await metrics()).toMatchObject({ availability: { severity: 'unknown', cause: 'no-data' } })
    expect(await metrics(strict)).toMatchObject({ availability: { severity: 'error' }, duration: { cause: 'no-data' } })
    await push(other, { values: { duration: 2 } })
    expect(await metrics(strict)).toMatchObject({ availability: { severity: 'ok' }, duration: { severity: 'ok' } })
  })
})

it('one scanner is sent no more than its share, then 429: others are answered', async () => {
  const rate = { perSecond: 1e9, burst: 1e9 }
  const rateLimits = {
    ...{ authentication: rate, read: rate, write: rate, heavy: rate, ingest: rate },
    push: { perSecond: 10, burst: 100 },
  }
  const test = await createTestApp({ rateLimits })
  const admin = await test.admin()
  const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
  await admin.make('/api/Host/Create', { name: 'srv-1', address: '192.0.2.1', siteId: site.id })
  const tokens: string[] = []
  for (const name of ['a', 'b']) {
    const { id } = await admin.make('/api/Scanner/Create', { name, kind: 'push', hostId: 1 })
    tokens.push((await admin.make(`/api/Scanner/Token/${id}`, undefined)).token)
  }
  const send = async (token = '') => (await test.anonymous().call('POST', `/api/Push/${token}?value=1`)).status
  const first = await Promise.all(Array.from({ length: 20 }, () => send(tokens[0])))
  expect([first.filter(status => status === 204).length, first.filter(status => status === 429).length]).toEqual([
    10, 10,
  ])
  expect(await send(tokens[1])).toBe(204)
  await test.close()
})
