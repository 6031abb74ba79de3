import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { createTestNotifier, ruleOf, type TestNotifier } from '../../testing/test-notifier.ts'

describe.each(DIALECTS)('an incident that came back, on %s', dialect => {
  let t: TestNotifier
  let [alice, bob, siteId] = [0, 0, 0]
  let host = { id: 0, metricId: 0 }
  const lines = async () => (await t.sent()).map(({ kind, to, subject }) => `${kind} ${to} ${subject}`)
  const steps = () => [
    ...ruleOf(t.mail.id, [alice]).steps,
    { afterMinutes: 15, untilMinutes: null, accountIds: [bob], groupIds: [], channelIds: [t.mail.id] },
  ]

  beforeEach(async () => {
    t = await createTestNotifier(dialect)
    alice = await t.person('alice')
    bob = await t.person('bob')
    siteId = (await t.site('Lyon')).id
    host = await t.host('srv-1', siteId)
  })
  afterEach(() => t.test.close())

  it('is told anew, as failing since it came back: wait, escalation and reminders count from there', async () => {
    await t.rule({ steps: steps() })
    const id = await t.open(host)
    await t.pass(t.minutes(300))
    await t.close(id)
    await t.pass(t.minutes(2))
    expect((await t.sent()).map(({ kind, to }) => `${kind} ${to}`).slice(-2)).toEqual([
      ...['recovery alice', 'recovery bob'],
    ])
    await t.reopen(id)
    const backMs = t.clock.now()
    await t.pass(t.minutes(1))
    const [problem, ...others] = await t.sent()
    expect(others).toEqual([])
    expect([problem?.kind, problem?.to, problem?.subject]).toEqual([
      ...['problem', 'alice', '[Erreur] Lyon\u202f: srv-1 indisponible, rouvert 1 fois'],
    ])
    expect(problem?.message.text).toEqual([
      ...['Depuis le mercredi 10 juin 2026 à 17:02.'],
      'Incident rouvert 1 fois, ouvert d’abord le mercredi 10 juin 2026 à 12:00.',
    ])
    expect(problem?.message.incidents[0]).toMatchObject({
      since: new Date(backMs).toISOString(),
      reopened: 1,
      openedAt: '2026-06-10T10:00:00.000Z',
    })
    await t.pass(t.minutes(14))
    expect(await lines()).toEqual([])
    await t.pass(t.minutes(1))
    expect(await lines()).toEqual(['problem bob [Erreur] Lyon\u202f: srv-1 indisponible, rouvert 1 fois'])
    await t.pass(t.minutes(220))
    expect(await lines()).toEqual([])
    await t.pass(t.minutes(6))
    const late = '[Rappel · Erreur] Lyon\u202f: srv-1 indisponible, toujours en erreur depuis 4 h, rouvert 1 fois'
    expect(await lines()).toEqual([`reminder alice ${late}`, `reminder bob ${late}`])
    await t.close(id)
    await t.pass(10_000)
    const [end] = await t.sent()
    expect(end?.message.text[0]).toMatch(
      /^Tout est rétabli, après 4 h 02 min\. Le problème avait commencé le .* à 17:02\.$/,
    )
  })

  it('out of the period, of which nobody was told: said once when it begins, and escalation begins again', async () => {
    await t.rule({
      steps: steps(),
      period: { ...ruleOf(0, []).period, hours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '13:00' }] },
    })
    const id = await t.open(host)
    await t.pass(t.minutes(70))
    expect((await t.sent()).map(({ kind, to }) => `${kind} ${to}`)).toEqual(['problem alice', 'problem bob'])
    await t.close(id)
    await t.pass(t.minutes(20))
    await t.reopen(id)
    await t.pass(t.minutes(17 * 60))
    expect(await lines()).toEqual([])
    await t.pass(t.minutes(90))
    const told = await t.sent()
    expect(told.map(({ kind, to, subject }) => [kind, to, subject])).toEqual([
      ['news', 'alice', '[Erreur] Lyon\u202f: srv-1 indisponible, rouvert 1 fois'],
      ['news', 'bob', '[Erreur] Lyon\u202f: srv-1 indisponible, rouvert 1 fois'],
    ])
    expect(told[0]?.message.text.at(-1)).toBe('Rétabli entre-temps, de nouveau en panne\u202f: srv-1 indisponible.')
    const [row] = await t.db.selectFrom('notification_thread').select('state').execute()
    expect(JSON.parse(row?.state ?? '').runningSinceMs).toBe(Date.parse('2026-06-11T06:00:00Z'))
    await t.close(id)
    await t.pass(10_000)
    expect((await t.sent()).map(({ kind, to }) => `${kind} ${to}`)).toEqual(['recovery alice', 'recovery bob'])
  })

  it('the delay of its metric before the first notification counts from its reopening too', async () => {
    await t.rule()
    const rules = await t.admin.call('PUT', '/api/Parameter/Collect', { firstNotificationMinutes: 10 })
    expect(rules.status).toBe(200)
    const id = await t.open(host)
    await t.pass(t.minutes(5))
    await t.close(id)
    await t.pass(t.minutes(7))
    await t.reopen(id)
    await t.pass(t.minutes(9))
    expect(await lines()).toEqual([])
    await t.pass(t.minutes(2))
    expect(await lines()).toEqual(['problem alice [Erreur] Lyon\u202f: srv-1 indisponible, rouvert 1 fois'])
  })

  it('is not among what ended when the conversation that it was of comes to its end', async () => {
    await t.rule()
    const other = await t.host('srv-2', siteId)
    const [first, second] = [await t.open(host), await t.open(other)]
    await t.pass(t.minutes(1))
    await t.close(first)
    await t.pass(t.minutes(10))
    await t.reopen(first)
    await t.pass(t.minutes(2))
    await t.sent()
    await t.close(second)
    await t.pass(10_000)
    const [end, ...more] = await t.sent()
    expect([end?.kind, end?.subject, more]).toEqual([
      ...['recovery', '[Rétabli] Lyon\u202f: srv-2 de nouveau disponible', []],
    ])
    expect(end?.message.incidents.map(one => one.id)).toEqual([second])
  })

  it('is told as the simulator foresees of a failure that begins then', async () => {
    await t.rule({ steps: steps(), reminderMinutes: 30 })
    const at = {
      objectKind: 'host',
      objectId: host.id,
      severity: 'error',
      at: '2026-06-10T13:04',
      endsAfterMinutes: 90,
    }
    const foreseen = await t.admin.call('POST', '/api/NotificationRule/Simulate', at)
    const id = await t.open(host)
    await t.pass(t.minutes(60))
    await t.close(id)
    await t.pass(t.minutes(4))
    await t.sent()
    await t.reopen(id)
    await t.test.app.notifier.pass()
    await t.pass(t.minutes(90))
    await t.close(id)
    await t.pass(10_000)
    const told = (await t.sent()).map(({ kind, to }) => `${kind} ${to}`)
    expect(foreseen.body.sends.map((one: { kind: string; person: string }) => `${one.kind} ${one.person}`)).toEqual(
      told,
    )
    expect(told.slice(0, 2)).toEqual(['problem alice', 'problem bob'])
  })
})
