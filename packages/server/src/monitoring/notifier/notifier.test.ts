import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { createTestNotifier, ruleOf, type TestNotifier } from '../../testing/test-notifier.ts'

describe.each(DIALECTS)('what people are told, on %s', dialect => {
  let t: TestNotifier
  let alice = 0
  let siteId = 0
  const kinds = async () => (await t.sent()).map(({ kind, to }) => `${kind} ${to}`)

  beforeEach(async () => {
    t = await createTestNotifier(dialect)
    alice = await t.person('alice')
    siteId = (await t.site('Lyon')).id
  })
  afterEach(() => t.test.close())

  it('a router and 50 hosts behind it: one message that counts them, one recovery', async () => {
    await t.rule()
    const router = await t.host('routeur-1', siteId)
    const root = await t.open(router)
    for (let index = 0; index < 50; index++) await t.open(router, { parentId: root })
    await t.db
      .insertInto('incident_effect')
      .values({ incident_id: root, host_id: router.id, since: t.clock.now(), until: null })
      .execute()
    await t.pass(20_000)
    expect(await t.sent()).toEqual([])
    await t.pass(30_000)
    const [problem, ...others] = await t.sent()
    expect(others).toEqual([])
    expect(problem?.subject).toBe('[Erreur] Lyon\u202f: routeur-1 indisponible (+1 injoignable)')
    expect(problem?.reason).toBe('Pourquoi vous\u202f: règle «\u202fRègle\u202f», étape 1.')
    expect(problem?.message.incidents[0]).toMatchObject({
      id: root,
      information: 'délai dépassé',
      instruction: 'Appeler Lyon',
    })
    await t.pass(t.minutes(20))
    expect(await kinds()).toEqual([])
    await t.close(root)
    await t.pass(10_000)
    const [recovery, ...more] = await t.sent()
    expect([recovery?.kind, recovery?.subject, more]).toEqual([
      'recovery',
      '[Rétabli] Lyon\u202f: routeur-1 de nouveau disponible',
      [],
    ])
    expect(await t.db.selectFrom('notification_thread').selectAll().execute()).toEqual([])
  })

  it('children seen first and merged before the wait is over are never told by themselves', async () => {
    await t.rule()
    const [router, child] = [await t.host('routeur-1', siteId), await t.host('srv-1', siteId)]
    const first = await t.open(child)
    await t.pass(20_000)
    const root = await t.open(router)
    await t.change(first, { parent_id: root })
    await t.pass(t.minutes(2))
    const sent = await t.sent()
    expect(sent.map(({ kind, message }) => [kind, message.incidents.map(({ id }) => id)])).toEqual([
      ['problem', [root]],
    ])
  })

  it('what opens and ends within the wait is told to nobody, and told where the rule says so', async () => {
    await t.rule()
    await t.rule({ name: 'Bavarde', tellBrief: true })
    const id = await t.open(await t.host('srv-1', siteId))
    await t.pass(10_000)
    await t.close(id)
    await t.pass(t.minutes(2))
    const sent = await t.sent()
    expect(sent.map(({ kind, reason }) => [kind, reason.includes('Bavarde')])).toEqual([
      ['problem', true],
      ['recovery', true],
    ])
  })

  it('escalation waits while it is acknowledged and while it is in maintenance; the end goes to those who were told', async () => {
    const bob = await t.person('bob')
    await t.rule({
      steps: [
        ...ruleOf(t.mail.id, [alice]).steps,
        { afterMinutes: 15, untilMinutes: null, accountIds: [bob], groupIds: [], channelIds: [t.mail.id] },
      ],
    })
    const host = await t.host('srv-1', siteId)
    const id = await t.open(host)
    await t.pass(t.minutes(10))
    expect(await kinds()).toEqual(['problem alice'])
    await t.acknowledge(id)
    await t.pass(t.minutes(60))
    await t.change(id, { acknowledged_at: null })
    await t.pass(t.minutes(4))
    expect(await kinds()).toEqual([])
    await t.pass(t.minutes(2))
    const [escalated] = await t.sent()
    expect([escalated?.to, escalated?.reason]).toEqual([
      'bob',
      'Pourquoi vous\u202f: règle «\u202fRègle\u202f», étape 2 (15 min sans acquittement).',
    ])
    await t.close(id)
    await t.pass(10_000)
    expect((await kinds()).toSorted()).toEqual(['recovery alice', 'recovery bob'])
  })

  it('a reminder comes after 4 h, none while it is acknowledged', async () => {
    await t.rule()
    const id = await t.open(await t.host('srv-1', siteId))
    await t.pass(t.minutes(1))
    await t.pass(t.minutes(241))
    const sent = await t.sent()
    expect(sent.map(({ kind }) => kind)).toEqual(['problem', 'reminder'])
    expect(sent[1]?.subject).toBe(
      '[Rappel · Erreur] Lyon\u202f: srv-1 indisponible, toujours en erreur depuis 4 h 01 min',
    )
    await t.acknowledge(id)
    await t.pass(t.minutes(300))
    expect(await kinds()).toEqual([])
  })

  it('those who were told of the problem are told of the end, though the rule names others since, or is gone', async () => {
    const bob = await t.person('bob')
    const rule = await t.rule()
    const id = await t.open(await t.host('srv-1', siteId))
    await t.pass(t.minutes(1))
    expect(await kinds()).toEqual(['problem alice'])
    const changed = await t.admin.call('PUT', `/api/NotificationRule/Update/${rule.id}`, {
      ...{ ...ruleOf(t.mail.id, [bob]), severities: ['warning'], updatedAt: rule.updatedAt },
    })
    expect(changed.status).toBe(200)
    await t.pass(t.minutes(10))
    expect(await kinds()).toEqual([])
    await t.admin.call('DELETE', `/api/NotificationRule/Delete/${rule.id}`)
    await t.pass(t.minutes(10))
    await t.close(id)
    await t.pass(10_000)
    expect(await kinds()).toEqual(['recovery alice'])
  })

  it('a restart tells nothing again; what opened while it was down is told, what ended is told to be over (R19)', async () => {
    await t.rule()
    const [a, b] = [await t.host('a', siteId), await t.host('b', (await t.site('Paris')).id)]
    const [first] = [await t.open(a)]
    await t.pass(t.minutes(1))
    expect(await kinds()).toEqual(['problem alice'])
    t.clock.forward(t.minutes(30))
    t.test.app.notifier.forget()
    await t.pass(t.minutes(1))
    expect(await kinds()).toEqual([])
    t.clock.forward(t.minutes(30))
    await t.close(first)
    await t.open(b)
    await t.pass(t.minutes(1))
    expect((await t.sent()).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['recovery', '[Rétabli] Lyon\u202f: a de nouveau disponible'],
      ['problem', '[Erreur] Paris\u202f: b indisponible'],
    ])
  })

  it('stopped for two minutes: what opened and ended meanwhile is told to nobody, what goes on is told once (R24)', async () => {
    await t.rule()
    const host = await t.host('a', siteId)
    const going = await t.open(host)
    await t.pass(20_000)
    t.clock.forward(t.minutes(1))
    const brief = await t.open(host)
    t.clock.forward(t.minutes(1))
    await t.close(brief)
    await t.pass(t.minutes(3))
    expect((await t.sent()).map(({ kind, message }) => [kind, message.incidents.map(({ id }) => id)])).toEqual([
      ['problem', [going]],
    ])
  })

  it('a worsening is told at once, then news every 5 min: joined, eased and recovered in one message', async () => {
    await t.rule()
    const hosts = [await t.host('a', siteId), await t.host('b', siteId), await t.host('c', siteId)]
    const first = await t.open(hosts[0] ?? { id: 0, metricId: 0 }, { severity: 'warning' })
    await t.pass(t.minutes(1))
    await t.change(first, { severity_rank: 0 })
    await t.pass(10_000)
    const [, worse] = await t.sent()
    expect([worse?.kind, worse?.message.severity, worse?.message.text.at(-1)]).toEqual([
      'news',
      'error',
      'Aggravé\u202f: a indisponible.',
    ])
    const second = await t.open(hosts[1] ?? { id: 0, metricId: 0 })
    await t.pass(t.minutes(1))
    await t.open(hosts[2] ?? { id: 0, metricId: 0 })
    await t.close(first)
    await t.pass(t.minutes(3))
    expect(await kinds()).toEqual([])
    await t.pass(t.minutes(2))
    const [news, ...others] = await t.sent()
    expect(others).toEqual([])
    expect(news?.message.text.slice(1)).toEqual([
      'Nouveau\u202f: b indisponible, c indisponible.',
      'Rétabli\u202f: a indisponible.',
    ])
    expect(news?.message.incidents[0]?.id).toBe(second)
  })

  it('5,000 incidents at once make one message: the first ten, and how many there are', async () => {
    await t.rule()
    const host = await t.host('srv-1', siteId)
    await t.open(host)
    await t.db.transaction().execute(async trx => {
      const values = Array.from({ length: 4_999 }, (_, index) => ({
        ...{ event_key: `storm-${index}`, metric_id: host.metricId, host_id: host.id, site_id: null, information: 'x' },
        ...{ severity_rank: 0, worst_rank: 0, opened_at: t.clock.now(), closed_at: null },
        ...{ acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null },
      }))
      for (let start = 0; start < values.length; start += 500)
        await trx
          .insertInto('incident')
          .values(values.slice(start, start + 500))
          .execute()
    })
    await t.pass(40_000)
    const [one, ...others] = await t.sent()
    expect([one?.message.incidents.length, others.length]).toEqual([10, 0])
    expect(one?.subject).toBe('[Erreur] Lyon\u202f: srv-1 indisponible et 4999 autres incidents')
  })

  it('out of its period a rule is silent; what is still wrong when it begins is told then', async () => {
    await t.rule({
      period: { ...ruleOf(0, []).period, hours: [{ days: [1, 2, 3, 4, 5], from: '14:00', to: '18:00' }] },
    })
    await t.open(await t.host('srv-1', siteId))
    await t.pass(t.minutes(119))
    expect(await kinds()).toEqual([])
    await t.pass(t.minutes(2))
    expect(await kinds()).toEqual(['problem alice'])
  })

  it('a rule is about its sites with those below, its types and its tags; one that stops keeps what it takes', async () => {
    const bob = await t.person('bob')
    const below = await t.site('Lyon-Est', siteId)
    await t.rule({ name: 'Lyon', siteIds: [siteId], tags: ['Critique'], stop: true })
    await t.rule({ name: 'Tout', steps: ruleOf(t.mail.id, [bob]).steps })
    await t.open(await t.host('critique', below.id, { tags: ['critique'] }))
    await t.open(await t.host('ordinaire', (await t.site('Paris')).id))
    await t.pass(t.minutes(1))
    const told = (await t.sent()).map(({ to, subject }) => [to, subject])
    expect(told).toEqual([
      ['alice', '[Erreur] Lyon-Est\u202f: critique indisponible'],
      ['bob', '[Erreur] Paris\u202f: ordinaire indisponible'],
    ])
  })

  it('during a maintenance nobody is told; its report goes once to those whose rules are about what it left broken', async () => {
    const bob = await t.person('bob')
    await t.rule()
    await t.rule({ name: 'Alertes', severities: ['warning'], steps: ruleOf(t.mail.id, [bob]).steps })
    const host = await t.host('srv-1', siteId)
    await t.admin.make('/api/Maintenance/Create', {
      comment: 'Changement de disque',
      schedule: {
        kind: 'one-off',
        ...{ from: new Date(t.clock.now()).toISOString(), to: new Date(t.clock.now() + t.minutes(20)).toISOString() },
      },
      hosts: [host.id],
    })
    await t.test.app.monitoring.pass()
    const id = await t.open(host)
    await t.pass(t.minutes(15))
    expect(await kinds()).toEqual([])
    await t.close(id)
    const loss = {
      metricId: host.metricId,
      hostId: host.id,
      name: 'srv-1 : Ping',
      severity: 'error',
      since: new Date(t.clock.now()).toISOString(),
    }
    const report = { broken: [loss], brokenCount: 1, stillBroken: [], stillBrokenCount: 0, back: 3 }
    await t.pass(t.minutes(6))
    await t.test.app.monitoring.pass()
    await t.db
      .updateTable('maintenance_run')
      .set({ report: JSON.stringify(report) })
      .execute()
    await t.pass(20_000)
    const [told, ...others] = await t.sent()
    expect([told?.kind, told?.to, told?.subject, others]).toEqual([
      ...[
        'maintenance-report',
        'alice',
        '[Fin de maintenance] Changement de disque\u202f: 1 métrique n’est pas revenue',
        [],
      ],
    ])
  })
})
