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
