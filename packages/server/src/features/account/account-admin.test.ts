import { randomUUID } from 'node:crypto'
import type { Claim } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'
import { countAdministrators } from './account.store.ts'

/** What administrators do with accounts and groups, beside the calls of the first table of spec §7. */
describe.each(DIALECTS)('accounts and groups, administered on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let nowMs = Date.parse('2026-11-22T08:00:00Z')
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: () => nowMs, loginRate: true })
    admin = await test.admin()
  })
  afterAll(() => test.close())

  const idOf = async (caller: Caller): Promise<number> => (await caller.call('GET', '/api/Account/Get')).body.idUser
  const account = async (id: number) => (await admin.call('GET', `/api/Account/Get/${id}`)).body
  const entries = (claims: readonly Claim[]) => claims.map(claim => ({ claim }))
  const makeGroup = (name: string, more: object = {}) => admin.make('/api/UserGroup/Create', { name, ...more })
  const tryPassword = (login: string, password: string) =>
    test.anonymous().call('POST', '/api/Authentication/Login', { login, password, uuid: randomUUID() })

  it('shows a lock after wrong passwords, in the list and of the account, and ends it', async () => {
    const id = await idOf(await test.user([], { login: 'distraite' }))
    for (let attempt = 0; attempt < 8; attempt++) {
      await tryPassword('distraite', 'faux')
      nowMs += 10_000
    }
    await tryPassword('distraite', 'faux')
    await tryPassword('distraite', 'faux')
    expect((await tryPassword('distraite', PASSWORD)).status).toBe(429)
    expect(Date.parse((await account(id)).lockedUntil)).toBeGreaterThan(nowMs)
    const locked = async () =>
      (await admin.call('PUT', '/api/AccountDatatable', { filters: { locked: true } })).body.data
    expect((await locked()).map((row: { login: string }) => row.login)).toEqual(['distraite'])
    const bulk = { ids: [id], change: { unlock: true } }
    expect((await admin.call('POST', '/api/Account/Bulk', { ...bulk, plan: true })).body.changed).toBe(1)
    expect((await admin.call('POST', `/api/Account/Unlock/${id}`)).body.lockedUntil).toBe(null)
    expect([await locked(), (await tryPassword('distraite', PASSWORD)).status]).toEqual([[], 200])
    expect((await admin.call('POST', '/api/Account/Bulk', { ...bulk, plan: false })).body.unchanged).toBe(1)
  })

  it('ends the sessions of another, one or all, and never the one that asks', async () => {
    const first = await test.user([], { login: 'partout' })
    const second = await test.signIn('partout', PASSWORD)
    const id = await idOf(first)
    const list = (await admin.call('GET', `/api/Session/User/${id}`)).body
    expect([list.length, (await account(id)).sessions]).toEqual([2, 2])
    expect((await admin.call('DELETE', `/api/Session/User/${id}?session=${list[0].id}`)).status).toBe(204)
    expect((await second.call('GET', '/api/Account/Get')).status).toBe(401)
    expect((await admin.call('DELETE', `/api/Session/User/${id}`)).status).toBe(204)
    expect((await first.call('GET', '/api/Account/Get')).status).toBe(401)
    expect((await admin.call('DELETE', `/api/Session/User/${id}?session=999999`)).status).toBe(404)
    const own = await idOf(admin)
    expect((await admin.call('DELETE', `/api/Session/User/${own}`)).status).toBe(204)
    expect((await admin.call('GET', '/api/Account/Get')).status).toBe(200)
    const reader = await test.user(['user_read'])
    expect((await reader.call('GET', `/api/Session/User/${own}`)).status).toBe(200)
    expect((await reader.call('DELETE', `/api/Session/User/${own}`)).status).toBe(403)
  })

  it('says before a deletion what goes with the account and what stays under its name', async () => {
    const leaving = await test.user(['incident_write'], { login: 'partante' })
    const id = await idOf(leaving)
    const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    await leaving.make('/api/View/Create', { list: 'hosts', name: 'Mes serveurs', query: 'q=srv', shared: true })
    await leaving.make('/api/Comment/Create', { kind: 'site', id: site.id, text: 'Vu.' })
    await leaving.make('/api/ApiToken/Create', { name: 'Script' })
    const [from, to] = [1, 2].map(hours => new Date(nowMs + hours * 3_600_000).toISOString())
    const schedule = { kind: 'one-off', from, to }
    await leaving.make('/api/Maintenance/Create', { comment: 'Onduleur', schedule, sites: [site.id] })
    expect((await admin.call('GET', `/api/Account/Plan/${id}`)).body).toEqual({
      ...{ sessions: 1, apiTokens: 1, views: 1, sharedViews: 1, notifications: 0, comments: 1, acknowledgements: 0 },
      ...{ ownedIncidents: 0, maintenances: 1, notificationRules: 0, fieldValues: 0 },
    })
    expect((await admin.call('DELETE', `/api/Account/Delete/${id}`)).status).toBe(204)
    const [comment] = (await admin.call('GET', `/api/Comment/Get?kind=site&id=${site.id}`)).body
    expect([comment.text, comment.author]).toEqual(['Vu.', 'Claire Legoff'])
    expect((await admin.call('GET', '/api/View/Get')).body).toEqual([])
  })

  it('tells what changed of an account and of a group, by names, to who reads the journal', async () => {
    const id = await idOf(await test.user([], { login: 'suivie' }))
    const group = await makeGroup('Équipe', { claims: entries(['host_write']) })
    await admin.call('PUT', `/api/Account/Update/${id}`, { email: 'suivie@exemple.fr', groups: [group.id] })
    await admin.call('PUT', `/api/Claim/${id}`, { claims: entries(['log_read']) })
    const history = (await admin.call('GET', `/api/Account/History/${id}`)).body
    expect(history.map((one: { action: string }) => one.action)).toEqual(['claims-update', 'account-update'])
    expect(history[0].changes).toEqual([
      { field: 'claims', label: 'Droits', before: '', after: 'Journal\u202f: lecture' },
    ])
    expect(history[1].changes).toEqual([
      { field: 'email', label: 'E-mail', before: '', after: 'suivie@exemple.fr' },
      { field: 'groups', label: 'Groupes', before: '', after: 'Équipe' },
    ])
    const { memberList: _, ...rest } = (await admin.call('GET', `/api/UserGroup/Get/${group.id}`)).body
    const body = { ...rest, claims: entries(['host_write', 'site_write']), members: [id] }
    expect((await admin.call('PUT', `/api/UserGroup/Update/${group.id}`, body)).status).toBe(200)
    const [line] = (await admin.call('GET', `/api/UserGroup/History/${group.id}`)).body
    expect(line.changes).toContainEqual({
      ...{ field: 'claims', label: 'Droits', before: 'Équipements\u202f: écriture' },
      after: 'Sites\u202f: écriture, Équipements\u202f: écriture',
    })
    expect((await admin.call('PUT', `/api/UserGroup/Update/${group.id}`, body)).status).toBe(409)
    const reader = await test.user(['user_read', 'user_group_read'])
    expect((await reader.call('GET', `/api/Account/History/${id}`)).status).toBe(403)
  })

  it('S34: nobody gives or takes by a group what he does not hold everywhere, nor touches an administrator', async () => {
    const manager = await test.user(['user_write', 'user_read', 'user_group_write', 'user_group_read', 'host_write'])
    const id = await idOf(await test.user([], { login: 'cible' }))
    const lacking = await makeGroup('Lecteurs du journal', { claims: entries(['log_read']) })
    const held = await makeGroup('Éditeurs', { claims: entries(['host_write']) })
    const join = (groups: number[]) => manager.call('PUT', `/api/Account/Update/${id}`, { groups })
    expect([(await join([lacking.id])).status, (await join([held.id])).status]).toEqual([403, 200])
    const bodyOf = ({ memberList, ...rest }: { memberList: { idUser: number }[] }) => ({
      ...rest,
      members: memberList.map(one => one.idUser),
    })
    const put = (group: { id: number; memberList: { idUser: number }[] }, more: object) =>
      manager.call('PUT', `/api/UserGroup/Update/${group.id}`, { ...bodyOf(group), ...more })
    expect((await put(lacking, { members: [id] })).status).toBe(403)
    expect((await put(lacking, { description: 'Ceux qui relisent' })).status).toBe(200)
    expect((await put(held, { claims: entries(['host_write', 'log_read']), members: [id] })).status).toBe(403)
    const adminId = await idOf(admin)
    expect((await put(held, { members: [adminId] })).status).toBe(403)
    expect((await manager.call('DELETE', `/api/UserGroup/Delete/${lacking.id}`)).status).toBe(403)
    const made = await manager.call('POST', '/api/UserGroup/Create', { name: 'Tout', claims: entries(['admin']) })
    expect(made.status).toBe(403)
    // The same claim on other sites is another right: he holds it on some only.
    const site = await admin.make('/api/Site/Create', { name: 'Brest', code: 'BRE' })
    const local = await makeGroup('Brest', { claims: entries(['site_write']), limited: true, siteIds: [site.id] })
    const all = await makeGroup('Tous', {})
    await admin.call('PUT', `/api/Account/Update/${await idOf(manager)}`, { groups: [local.id, all.id] })
    const given = await manager.call('PUT', `/api/Claim/${id}`, { claims: entries(['site_write']) })
    expect(given).toMatchObject({ status: 403, body: { errors: [expect.stringContaining('Sites')] } })
    // So it is on equipment that bears a tag, and to say which tag is to say where.
    const tagged = await makeGroup('Éclairage', { claims: entries(['metric_write']), limited: true, tags: ['lampe'] })
    await admin.call('PUT', `/api/Account/Update/${await idOf(manager)}`, { groups: [local.id, tagged.id, all.id] })
    const own = (await manager.call('GET', '/api/Account/Get')).body
    expect(own.claims).toContainEqual({ claim: 'metric_write' })
    expect((await manager.call('PUT', `/api/Claim/${id}`, { claims: entries(['metric_write']) })).status).toBe(403)
    expect([(await join([held.id, tagged.id])).status, (await join([held.id])).status]).toEqual([403, 200])
    const joined = (await admin.call('GET', `/api/UserGroup/Get/${tagged.id}`)).body
    expect((await put(joined, { tags: ['lampe', 'borne'] })).status).toBe(403)
    expect((await put(joined, { siteIds: [site.id] })).status).toBe(403)
    expect((await put(joined, { limited: false, tags: [] })).status).toBe(403)
    expect((await put(joined, { description: 'Les lampes' })).status).toBe(200)
    const wide = { name: 'X', claims: entries(['log_read']), limited: true, siteIds: [site.id] }
    expect((await admin.call('POST', '/api/UserGroup/Create', wide)).status).toBe(400)
  })

  it('S34: of two administrators who take each other’s right at once, one stays, be it by claims or by a group', async () => {
    const second = await test.user(['admin'], { login: 'second' })
    const [first, other] = [await idOf(admin), await idOf(second)]
    const groups: { id: number; claims: { claim: string }[] }[] = (await admin.call('GET', '/api/UserGroup/Get')).body
    const admins = groups.find(({ claims }) => claims.some(({ claim }) => claim === 'admin'))?.id ?? 0
    const detail = (await admin.call('GET', `/api/UserGroup/Get/${admins}`)).body
    /** Both at once, each already known to the server; then the one who lost gets his right back. */
    const bothAtOnce = async (taken: () => ReturnType<Caller['call']>): Promise<void> => {
      await Promise.all([idOf(admin), idOf(second)])
      const answers = await Promise.all([taken(), admin.call('PUT', `/api/Claim/${other}`, { claims: [] })])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await countAdministrators(test.database.db)).toBe(1)
      const left = answers[0]?.status === 200 ? second : admin
      await left.call('PUT', `/api/Account/Update/${first}`, { groups: [admins] })
      await left.call('PUT', `/api/Claim/${other}`, { claims: entries(['admin']) })
      expect(await countAdministrators(test.database.db)).toBe(2)
    }
    await bothAtOnce(() => second.call('PUT', `/api/Account/Update/${first}`, { groups: [] }))
    await bothAtOnce(async () => {
      const { updatedAt } = (await second.call('GET', `/api/UserGroup/Get/${admins}`)).body
      return second.call('PUT', `/api/UserGroup/Update/${admins}`, { ...detail, updatedAt, members: [] })
    })
  })

  it('S35: changes many as it would change one: what is refused is named, the others change', async () => {
    const manager = await test.user(['user_write', 'user_read'], { login: 'gestion' })
    const id = await idOf(await test.user([], { login: 'une' }))
    const boss = await idOf(await test.user(['admin'], { login: 'patronne' }))
    const change = { ids: [id, boss, 99_999], change: { enabled: false } }
    const plan = (await manager.call('POST', '/api/Account/Bulk', { ...change, plan: true })).body
    expect([plan.matched, plan.changed, plan.refused, plan.refusals[0].name]).toEqual([2, 1, 1, 'patronne'])
    expect((await manager.call('GET', `/api/Account/Get/${id}`)).body.enabled).toBe(true)
    const [administrators] = (await admin.call('GET', '/api/UserGroup/Get')).body.filter(
      (group: { claims: object[] }) => JSON.stringify(group.claims) === '[{"claim":"admin"}]',
    )
    const joined = { ids: [id], change: { addGroups: [administrators.id] } }
    expect((await manager.call('POST', '/api/Account/Bulk', joined)).body.refusals[0].errors).toEqual([
      'Vous ne pouvez ni donner ni retirer un droit que vous n’avez pas\u202f: Administration.',
    ])
    expect((await manager.call('POST', '/api/Account/Bulk', change)).body.changed).toBe(1)
    expect((await manager.call('GET', `/api/Account/Get/${id}`)).body.enabled).toBe(false)
  })
})
