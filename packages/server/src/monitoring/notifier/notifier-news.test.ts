import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { createTestNotifier, type TestNotifier } from '../../testing/test-notifier.ts'

describe.each(DIALECTS)('what news name, on %s', dialect => {
  let t: TestNotifier
  let siteId = 0

  beforeEach(async () => {
    t = await createTestNotifier(dialect)
    await t.person('alice')
    siteId = (await t.site('Lyon')).id
  })
  afterEach(() => t.test.close())

  it('news whose only change is a recovery never say that all is well while something told is open', async () => {
    await t.rule()
    const hosts = [await t.host('a', siteId), await t.host('b', siteId), await t.host('c', siteId)]
    const [first = 0, second = 0, third = 0] = [
      ...[await t.open(hosts[0] ?? { id: 0, metricId: 0 }), await t.open(hosts[1] ?? { id: 0, metricId: 0 })],
      await t.open(hosts[2] ?? { id: 0, metricId: 0 }, { severity: 'warning' }),
    ]
    await t.pass(t.minutes(1))
    await t.sent()
    await t.close(first)
    await t.pass(t.minutes(6))
    const [news] = await t.sent()
    expect([news?.kind, news?.subject, news?.message.severity]).toEqual([
      ...['news', '[Erreur] Lyon\u202f: a rétabli, encore 2 incidents', 'error'],
    ])
    expect(news?.message.text[0]).toBe('Encore en cours\u202f: b indisponible, c indisponible.')
    expect(news?.message.timeZone).toBe('Europe/Paris')
    expect(news?.message.incidents.map(({ id, title }) => [id, title])).toEqual([
      [first, 'a de nouveau disponible'],
      [second, 'b indisponible'],
      [third, 'c indisponible'],
    ])
    await t.close(second)
    await t.change(third, { flapping: 1 })
    await t.pass(t.minutes(6))
    expect((await t.sent()).map(({ subject }) => subject.startsWith('[Alerte] Lyon'))).toEqual([true])
    await t.close(third)
    await t.pass(10_000)
    expect((await t.sent()).map(({ kind }) => kind)).toEqual(['recovery'])
  })

  it('what makes others unreachable comes first, though it opened last; only what is open counts for them', async () => {
    await t.rule()
    const [old, router, far] = [await t.host('a', siteId), await t.host('routeur-1', siteId), await t.host('z', siteId)]
    await t.open(old)
    const root = await t.open(router)
    const effect = { incident_id: root, host_id: far.id, since: t.clock.now(), until: null }
    await t.db.insertInto('incident_effect').values(effect).execute()
    await t.pass(t.minutes(1))
    const [problem] = await t.sent()
    expect(problem?.subject).toBe('[Erreur] Lyon\u202f: routeur-1 indisponible et 1 autre incident (+1 injoignable)')
    expect(problem?.message.incidents[0]?.chain).not.toEqual([])
    await t.close(root)
    await t.pass(t.minutes(6))
    const [news] = await t.sent()
    expect(news?.subject).toBe('[Erreur] Lyon\u202f: routeur-1 rétabli, encore 1 incident')
    expect(news?.message.text.join(' ')).not.toContain('injoignable')
  })
})
