import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestNotifier, type TestNotifier } from '../../testing/test-notifier.ts'

let t: TestNotifier
beforeEach(async () => {
  t = await createTestNotifier('sqlite')
  await t.person('claire')
}, 60_000)
afterEach(() => t.test.close())

it('an incident is told after the delay of its host’s rule, one of elsewhere at once, one that ended before to nobody', async () => {
  await t.rule()
  const lyon = (await t.site('Lyon')).id
  const slow = await t.host('routeur-4g', lyon)
  const plain = await t.host('srv-1', (await t.site('Paris')).id)
  const values = { firstNotificationMinutes: 10 }
  expect((await t.admin.call('PUT', `/api/RuleSetting/host/${slow.id}`, { values })).status).toBe(200)
  const told = async () => (await t.sent()).map(({ kind, subject }) => [kind, /routeur-4g|srv-1/.exec(subject)?.[0]])

  const brief = await t.open(slow)
  await t.open(plain)
  await t.pass(t.minutes(5))
  expect(await told()).toEqual([['problem', 'srv-1']])
  await t.close(brief)
  await t.pass(t.minutes(10))
  expect(await told()).toEqual([])

  await t.open(slow)
  await t.pass(t.minutes(9))
  expect(await told()).toEqual([])
  await t.pass(t.minutes(3))
  expect(await told()).toEqual([['problem', 'routeur-4g']])
}, 60_000)
