import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('an entry of the log, told on %s', dialect => {
  let test: TestApp
  let admin: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    await admin.make('/api/Site/Create', { name: 'Hôpital Édouard-Herriot', code: 'HEH' })
  })
  afterAll(() => test.close())
  const newest = async (): Promise<Answered> =>
    (await admin.call('PUT', '/api/LogDatatable', { length: 1 })).body.data[0]

  it('tells what changed of accounts, groups and settings by the names of their forms, rights by theirs', async () => {
    const { idUser } = await admin.make('/api/Account/Create', { login: 'Zoé' })
    await admin.call('PUT', `/api/Account/Update/${idUser}`, { firstName: 'Zoé', phone: '+33612345678' })
    expect((await newest()).message).toBe('Prénom, Téléphone')
    await admin.call('PUT', `/api/Claim/${idUser}`, { claims: [{ claim: 'host_write' }] })
    expect((await newest()).message).toBe('Droits\u202f: vide → Équipements\u202f: écriture')
    const group = await admin.make('/api/UserGroup/Create', { name: 'Astreinte' })
    const change = { ...group, members: [idUser], limited: true, siteIds: [1] }
    await admin.call('PUT', `/api/UserGroup/Update/${group.id}`, change)
    expect((await newest()).message).toBe('Portée limitée, Membres, Sites')
    await admin.call('PUT', '/api/Parameter/Configuration', { auditDays: 401 })
    expect((await newest()).message).toBe('Durée de conservation du journal\u202f: 365 → 401')
  })

  it('tells values as forms do: choices by their names, ids by those of what they stand for, hours in words', async () => {
    const changed = async (path: string, one: Answered, change: object): Promise<[Answered, string]> => {
      const { status, body } = await admin.call('PUT', path, { ...one, ...change })
      expect([status, body.errors]).toEqual([200, undefined])
      return [body, (await newest()).message]
    }
    const webhook = {
      kind: 'webhook',
      name: 'HTTP',
      enabled: true,
      settings: { url: 'https://exemple.fr/x' },
    }
    const { id: channel } = await admin.make('/api/NotificationChannel/Create', webhook)
    const { idUser } = await admin.make('/api/Account/Create', { login: 'yann' })
    const step = { afterMinutes: 0, untilMinutes: null, accountIds: [idUser], groupIds: [], channelIds: [channel] }
    const period = { timeZone: 'Europe/Paris', hours: [], holidays: 'ordinary', region: 'metropole' }
    const made = await admin.make('/api/NotificationRule/Create', {
      ...{
        name: 'Nuit',
        enabled: true,
        severities: ['error'],
        kinds: ['host'],
        siteIds: [],
        hostTypeIds: [],
        tags: [],
      },
      ...{ period, steps: [step], waitSeconds: null, newsMinutes: null, reminderMinutes: null },
      ...{ tellRecovery: true, tellBrief: true, stop: false },
    })
    const path = `/api/NotificationRule/Update/${made.id}`
    const told: string[] = []
    let rule = made
    for (const change of [
      { severities: ['error', 'warning'] },
      { kinds: ['host', 'link'] },
      { siteIds: [1] },
      { period: { ...period, hours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }] } },
      { steps: [step, { ...step, afterMinutes: 15, untilMinutes: 60 }] },
    ]) {
      const [next, message] = await changed(path, rule, change)
      rule = next
      told.push(message)
    }
    expect(told).toEqual([
      'Gravités\u202f: Erreur → Erreur, Alerte',
      'De quoi\u202f: Équipement indisponible → Équipement indisponible, Liaison d’une sonde',
      'Sites\u202f: vide → Hôpital Édouard-Herriot',
      'Heures\u202f: vide → lun.–ven. 08:00–18:00',
      'Étapes\u202f: aussitôt\u202f: yann, par HTTP → aussitôt\u202f: yann, par HTTP\u202f; après 15\u202fmin jusqu’à 60\u202fmin\u202f: yann, par HTTP',
    ])
    const site = (await admin.call('GET', '/api/Site/Get/1')).body
    const [, holidays] = await changed('/api/Site/Update/1', site, { holidays: [] })
    expect(holidays).toBe('Jours fériés\u202f: vide → fermé')
  })
})
