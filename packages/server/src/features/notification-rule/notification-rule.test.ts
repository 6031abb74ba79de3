import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { createTestNotifier, ruleOf, type TestNotifier } from '../../testing/test-notifier.ts'

describe.each(DIALECTS)('rules of notification, on %s', dialect => {
  let t: TestNotifier
  let alice = 0
  const path = '/api/NotificationRule'

  beforeEach(async () => {
    t = await createTestNotifier(dialect)
    alice = await t.person('alice')
  })
  afterEach(() => t.test.close())

  it('are kept in their order, given another one, audited, and not overwritten by a stale version', async () => {
    const [a, b, c] = [await t.rule({ name: 'A' }), await t.rule({ name: 'B' }), await t.rule({ name: 'C' })]
    expect([a.position, b.position, c.position]).toEqual([1, 2, 3])
    const ordered = await t.admin.call('PUT', `${path}/Order`, { ids: [c.id, a.id] })
    expect(ordered.body.map(({ name }: { name: string }) => name)).toEqual(['C', 'A', 'B'])
    const body = { ...ruleOf(t.mail.id, [alice]), name: 'A bis', updatedAt: a.updatedAt }
    expect((await t.admin.call('PUT', `${path}/Update/${a.id}`, body)).body.name).toBe('A bis')
    const late = await t.admin.call('PUT', `${path}/Update/${a.id}`, { ...body, name: 'A ter' })
    expect([late.status, late.body.current.name]).toEqual([409, 'A bis'])
    expect((await t.admin.call('DELETE', `${path}/Delete/${b.id}`)).body).toEqual({ deleted: true })
    const audit = await t.db
      .selectFrom('audit')
      .select('action')
      .where('object', 'like', 'notification-rule %')
      .orderBy('id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual([
      ...['notification-rule-create', 'notification-rule-create', 'notification-rule-create'],
      ...['notification-rule-update', 'notification-rule-update', 'notification-rule-update'],
      ...['notification-rule-update', 'notification-rule-delete'],
    ])
  })

  it('refuse in words what they can not name, a name that is taken, and who has no right to them', async () => {
    await t.rule()
    const create = async (more: object) =>
      (await t.admin.call('POST', `${path}/Create`, { ...ruleOf(t.mail.id, [alice]), ...more })).body
    expect((await create({})).fields).toEqual({ name: 'Ce nom est déjà pris.' })
    expect((await create({ name: 'x', siteIds: [999] })).fields).toEqual({ siteIds: 'Un de ces sites n’existe pas.' })
    expect((await create({ name: 'x', steps: ruleOf(999, [alice]).steps })).fields).toEqual({
      'steps.0.channelIds': 'Un de ces canaux n’existe pas.',
    })
    expect((await create({ name: 'x', steps: [] })).status).toBe(400)
    const other = await t.test.user(['host_write'])
    expect((await other.call('GET', `${path}/Get`)).status).toBe(403)
    const refused = await other.call('POST', `${path}/Simulate`, {})
    expect([refused.status, refused.body.errors]).toEqual([
      403,
      ['Cette action demande le droit «\u202fNotifications\u202f».'],
    ])
  })

  it('say whom they do not reach: disabled accounts, emptied groups, disabled channels, missing addresses', async () => {
    const gone = await t.person('parti', { enabled: 0 })
    const mute = await t.person('sans-adresse', { email: '' })
    const stamps = { created_at: 1, updated_at: 1, updated_by: null }
    const group = await t.db
      .insertInto('user_group')
      .values({ name: 'Vide', name_folded: 'vide', description: '', ...stamps })
      .returning('id')
      .executeTakeFirstOrThrow()
    const faultsOf = async (name: string, step: object) =>
      (
        await t.rule({
          name,
          steps: [
            {
              ...ruleOf(t.mail.id, []).steps[0],
              afterMinutes: 0,
              untilMinutes: null,
              accountIds: [],
              groupIds: [],
              channelIds: [t.mail.id],
              ...step,
            },
          ],
        })
      ).faults
    expect(await faultsOf('a', { accountIds: [gone] })).toEqual([
      'L’étape 1 n’atteint personne\u202f: le compte est désactivé.',
    ])
    expect(await faultsOf('b', { accountIds: [alice, mute] })).toEqual([
      'Étape 1\u202f: une partie n’est pas prévenue\u202f: aucune adresse e-mail.',
    ])
    expect(await faultsOf('c', { groupIds: [group.id] })).toEqual([
      'L’étape 1 n’atteint personne\u202f: les groupes choisis n’ont aucun membre.',
    ])
    expect(await faultsOf('e', { accountIds: [alice], channelIds: [t.chat.id] })).toEqual([
      'Étape 1\u202f: les personnes choisies ne sont pas prévenues, aucun de ses canaux n’écrit à chacune (e-mail, SMS).',
    ])
    await t.db.updateTable('notification_channel').set({ enabled: 0 }).where('id', '=', t.chat.id).execute()
    expect(await faultsOf('d', { channelIds: [t.chat.id] })).toEqual([
      'L’étape 1 n’atteint personne\u202f: le canal «\u202fSalle\u202f» est désactivé.',
    ])
  })

  describe('simulated', () => {
    const office = { timeZone: 'Europe/Paris', hours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }] }
    const simulate = async (more: object) =>
      (await t.admin.call('POST', `${path}/Simulate`, { objectKind: 'host', severity: 'error', ...more })).body

    it('14 July at 3 h: the rule of office hours says why it is silent, the other one wakes its people', async () => {
      const bob = await t.person('bob')
      const host = await t.host('srv-1', (await t.site('Lyon')).id)
      const other = await t.site('Paris')
      await t.rule({ name: 'Bureau', period: { ...office, holidays: 'never', region: 'metropole' } })
      await t.rule({ name: 'Paris', siteIds: [other.id] })
      await t.rule({
        name: 'Astreinte',
        steps: [
          ...ruleOf(t.chat.id, []).steps,
          { afterMinutes: 15, untilMinutes: null, accountIds: [bob], groupIds: [], channelIds: [t.mail.id] },
        ],
      })
      const told = await simulate({ objectId: host.id, at: '2026-07-14T03:00', endsAfterMinutes: 60 })
      expect([told.title, told.siteName, told.holiday, told.at]).toEqual([
        ...['srv-1 indisponible', 'Lyon', 'fête nationale', '2026-07-14T01:00:00.000Z'],
      ])
      expect(told.rules.map(({ name, reasons }: { name: string; reasons: string[] }) => [name, reasons])).toEqual([
        ['Bureau', ['hors période\u202f: jour férié (fête nationale)']],
        ['Paris', ['site non concerné']],
        ['Astreinte', []],
      ])
      const lines = told.sends.map(
        (one: { afterSeconds: number; kind: string; person: string | null; address: string; step: number }) => [
          ...[one.afterSeconds, one.kind, one.person, one.address, one.step],
        ],
      )
      expect(lines).toEqual([
        [30, 'problem', null, '', 1],
        [930, 'problem', 'bob', 'b…@exemple.fr', 2],
        [3_600, 'recovery', null, '', 1],
        [3_600, 'recovery', 'bob', 'b…@exemple.fr', 2],
      ])
    })

    it('it is what would happen: the same moments and people as the notifier with the same scene', async () => {
      const bob = await t.person('bob')
      const host = await t.host('srv-1', (await t.site('Lyon')).id)
      await t.rule({
        reminderMinutes: 30,
        steps: [
          ...ruleOf(t.mail.id, [alice]).steps,
          { afterMinutes: 10, untilMinutes: 40, accountIds: [bob], groupIds: [], channelIds: [t.mail.id] },
        ],
      })
      const told = await simulate({
        objectId: host.id,
        at: '2026-06-10T12:00',
        acknowledgedAfterMinutes: 45,
        endsAfterMinutes: 90,
      })
      const id = await t.open(host)
      await t.test.app.notifier.pass()
      await t.pass(t.minutes(45))
      await t.acknowledge(id)
      await t.pass(t.minutes(45))
      await t.close(id)
      await t.pass(10_000)
      const real = (await t.sent()).map(({ kind, to }) => `${kind} ${to}`)
      expect(told.sends.map(({ kind, person }: { kind: string; person: string }) => `${kind} ${person}`)).toEqual(real)
      expect(real).toEqual([
        'problem alice',
        'problem bob',
        'reminder alice',
        'reminder bob',
        'recovery alice',
        'recovery bob',
      ])
    })

    it('Easter Monday and Good Friday are holidays where the rule says so, a stop hides what follows', async () => {
      const host = await t.host('srv-1', (await t.site('Strasbourg')).id)
      await t.rule({ name: 'Alsace', stop: true, period: { ...office, holidays: 'never', region: 'alsace-moselle' } })
      await t.rule({ name: 'France', period: { ...office, holidays: 'sunday', region: 'metropole' } })
      const reasons = async (at: string) =>
        (await simulate({ objectId: host.id, at })).rules.map(
          ({ reasons: why }: { reasons: string[] }) => why[0] ?? 'oui',
        )
      expect(await reasons('2026-04-06T10:00')).toEqual([
        ...['hors période\u202f: jour férié (lundi de Pâques)', 'hors période\u202f: jour férié (lundi de Pâques)'],
      ])
      expect(await reasons('2026-04-03T10:00')).toEqual(['hors période\u202f: jour férié (Vendredi saint)', 'oui'])
      expect(await reasons('2026-04-07T10:00')).toEqual([
        'oui',
        'la règle «\u202fAlsace\u202f», avant elle, arrête les suivantes',
      ])
    })

    it('refuses a date that does not exist, or too far away', async () => {
      const { id } = await t.host('srv-1', (await t.site('Lyon')).id)
      const fields = { at: 'Une date qui existe, de 2000 à 2100, et une heure sont attendues' }
      for (const at of ['0000-01-01T00:00', '0001-01-01T00:00', '2026-02-31T03:00']) {
        const answer = await simulate({ objectId: id, at })
        expect([answer.status, answer.fields]).toEqual([400, fields])
      }
    })

    it('who is told when equipment fails, for its page, without an address', async () => {
      const host = await t.host('srv-1', (await t.site('Lyon')).id)
      await t.rule()
      const looker = await t.test.user([])
      const answer = await looker.call('GET', `${path}/Recipients?host=${host.id}`)
      expect([answer.status, answer.body.rules[0].steps[0].recipients]).toEqual([
        200,
        [{ person: 'alice', channelName: 'Courriel', fault: null }],
      ])
      expect(JSON.stringify(answer.body)).not.toContain('exemple.fr')
    })
  })
})
