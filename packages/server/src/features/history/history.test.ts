import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('history of objects on %s', dialect => {
  let test: TestApp
  let admin: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    for (const code of ['LYO', 'BRE']) await admin.call('POST', '/api/Site/Create', { name: `Site ${code}`, code })
    await admin.call('POST', '/api/Host/Create', { name: 'srv', address: '192.0.2.1', siteId: 1 })
  })
  afterAll(() => test.close())
  const history = async (query: string, by: Caller = admin) => by.call('GET', `/api/History/Get?${query}`)

  it('tells who changed what, the newest first, by names and not by ids, and only what differs', async () => {
    const host = (await admin.call('GET', '/api/Host/Get/1')).body
    await admin.call('PUT', '/api/Host/Update/1', { ...host, siteId: 2, tags: ['wan'], enabled: false })
    const { body } = await history('object=host&id=1')
    expect(body[0]).toMatchObject({
      actor: 'admin',
      action: 'host-update',
      changes: [
        { field: 'siteId', label: 'Site', before: 'Site LYO', after: 'Site BRE' },
        { field: 'tags', before: '', after: 'wan' },
        { field: 'enabled', before: 'oui', after: 'non' },
      ],
    })
    expect(body[1]).toMatchObject({ action: 'host-create' })
    expect(body[1].changes.map((one: { field: string }) => one.field)).not.toContain('description')
  })

  it('tells thresholds side by side', async () => {
    const [metric] = (await admin.call('GET', '/api/Metric/Get?host=1')).body.filter(
      (one: { key: string }) => one.key === 'rtt_avg',
    )
    const thresholds = { ...metric.thresholds, warningHigh: 12.5 }
    await admin.call('PUT', `/api/Metric/Update/${metric.id}`, { ...metric, overrides: ['thresholds'], thresholds })
    expect((await history(`object=metric&id=${metric.id}`)).body[0].changes).toContainEqual({
      ...{ field: 'thresholds.warningHigh', label: 'Seuil d’alerte haut' },
      ...{ before: '', after: '12,5' },
    })
  })

  it('S35: leaves out custom fields that the reader may not read, their names in formulas and in models too', async () => {
    const { id: groupId } = (await admin.call('POST', '/api/CustomField/Group', { name: 'Contrats' })).body
    const cells: object[] = []
    const reader = await test.user(['log_read'], { login: 'lecteur' })
    const team = (await admin.call('GET', '/api/CustomField/PrivilegeGroup')).body.find(
      (one: { admin: boolean }) => !one.admin,
    )
    const account = await test.database.db
      .selectFrom('account')
      .select('id')
      .where('login', '=', 'lecteur')
      .executeTakeFirstOrThrow()
    await test.database.db
      .insertInto('user_group_member')
      .values({ group_id: team.id, account_id: account.id })
      .execute()
    for (const [key, level] of Object.entries({ debit: 'read', marge: 'none' })) {
      const field = { key, label: `Champ ${key}`, type: 'decimal', scope: 'host', groupId }
      const { id: definitionId } = (await admin.call('POST', '/api/CustomField/Definition', field)).body
      cells.push({ userGroupId: team.id, groupId: null, definitionId, level })
    }
    expect((await admin.call('PUT', '/api/CustomField/Privilege', { cells })).status).toBe(200)

    const server = { name: 'srv-2', address: '192.0.2.2', siteId: 1 }
    const { id } = (await admin.call('POST', '/api/Host/Create', server)).body
    const values = { debit: 100, marge: 7 }
    await admin.call('PUT', `/api/CustomField/Host/${id}`, { values, updatedAt: null })
    const metric = (await admin.call('GET', `/api/Metric/Get?host=${id}`)).body[0]
    const formulas = { warningHigh: 'champ.debit', errorHigh: 'champ.debit + champ.marge' }
    await admin.call('PUT', `/api/Metric/Update/${metric.id}`, { ...metric, overrides: ['thresholds'], formulas })
    const scanners = [{ item: 'p', name: 'Ping', kind: 'ping', metrics: [{ key: metric.key, formulas }] }]
    const definition = { scanners, fields: values }
    const model = (await admin.call('POST', '/api/Model/Create', { name: 'Contrat', definition })).body

    const queries = [`object=host&id=${id}`, `object=metric&id=${metric.id}`, `object=monitoring-model&id=${model.id}`]
    const [host, ofMetric, ofModel] = await Promise.all(queries.map(async query => (await history(query, reader)).body))
    expect(host[0].changes).toEqual([
      { field: 'champ.debit', label: 'Champ debit', before: '', after: expect.stringContaining('100') },
    ])
    expect(ofMetric[0].changes).toContainEqual(expect.objectContaining({ after: 'champ.debit + champ.?' }))
    expect(ofModel[0].changes).toContainEqual(expect.objectContaining({ label: 'Champs personnalisés' }))
    expect(JSON.stringify([host, ofMetric, ofModel])).not.toContain('marge')
    for (const query of queries) expect(JSON.stringify((await history(query)).body)).toContain('marge')
  })

  it('is read by pages of 50, by who may read the journal, and refuses what it does not know', async () => {
    for (let index = 0; index < 55; index++) {
      const change = index % 2 === 0 ? { addTags: ['x'] } : { removeTags: ['x'] }
      await admin.call('POST', '/api/Host/Bulk', { ids: [1], change })
    }
    const first = (await history('object=host&id=1')).body
    const second = (await history(`object=host&id=1&before=${first.at(-1).id}`)).body
    expect([first.length, second.length]).toEqual([50, 7])
    expect((await history('object=host&id=1', await test.user(['host_write']))).status).toBe(403)
    expect((await history('object=host&id=1', await test.user(['log_read']))).status).toBe(200)
    for (const query of ['object=account&id=1', 'object=host&id=0', 'object=host', 'object=host&id=1&before=x'])
      expect([query, (await history(query)).status]).toEqual([query, 400])
    expect((await history('object=host&id=999')).status).toBe(404)
  })
})
