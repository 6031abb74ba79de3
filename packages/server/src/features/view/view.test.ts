import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('saved views on %s', dialect => {
  let test: TestApp
  let claire: Caller
  let paul: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    claire = await test.user([])
    paul = await test.user([])
  })
  afterAll(() => test.close())
  const view = { list: 'hosts', name: 'Lyon en panne', query: 'siteId=3&severity=error', shared: false }
  const names = async (by: Caller) =>
    (await by.call('GET', '/api/View/Get')).body.map((one: { name: string }) => one.name)

  it('are their author’s; others see those that are shared, and change none', async () => {
    const made = (await claire.call('POST', '/api/View/Create', view)).body
    expect(made).toMatchObject({ ...view, mine: true })
    expect(await names(paul)).toEqual([])
    const shared = await claire.call('PUT', `/api/View/Update/${made.id}`, { ...made, shared: true })
    expect(shared.status).toBe(200)
    const seen = (await paul.call('GET', '/api/View/Get')).body
    expect(seen).toMatchObject([{ name: view.name, mine: false }])
    expect((await paul.call('PUT', `/api/View/Update/${made.id}`, { ...shared.body, name: 'x' })).status).toBe(403)
    expect((await paul.call('DELETE', `/api/View/Delete/${made.id}`)).status).toBe(403)
    expect((await claire.call('PUT', `/api/View/Update/${made.id}`, { ...made, name: 'périmée' })).status).toBe(409)
    expect((await claire.call('POST', '/api/View/Create', { ...view, name: 'LYON EN PANNE' })).status).toBe(409)
    expect((await claire.call('DELETE', `/api/View/Delete/${made.id}`)).body).toEqual({ deleted: true })
    expect(await names(paul)).toEqual([])
    expect((await claire.call('DELETE', `/api/View/Delete/${made.id}`)).status).toBe(404)
  })

  it('hold parameters of an address and nothing else, 100 at most', async () => {
    for (const query of ['a b', 'javascript:alert(1)#x', '<b>', 'x'.repeat(2_001)])
      expect([query.slice(0, 30), (await paul.call('POST', '/api/View/Create', { ...view, query })).status]).toEqual([
        query.slice(0, 30),
        400,
      ])
    expect((await paul.call('POST', '/api/View/Create', { ...view, list: 'autre' })).status).toBe(400)
    for (let index = 0; index < 100; index++)
      await paul.call('POST', '/api/View/Create', { ...view, name: `vue ${index}` })
    expect((await paul.call('POST', '/api/View/Create', { ...view, name: 'de trop' })).status).toBe(409)
  })

  it('columns chosen in a list are kept for the account, until it takes the list’s own again', async () => {
    const chosen = { list: 'hosts', columns: ['name', 'champ.debit'] }
    expect((await claire.call('PUT', '/api/View/Column', { ...chosen, columns: ['name'] })).status).toBe(200)
    expect((await claire.call('PUT', '/api/View/Column', chosen)).body).toEqual(chosen)
    expect((await claire.call('GET', '/api/View/Column')).body).toEqual([chosen])
    expect((await paul.call('GET', '/api/View/Column')).body).toEqual([])
    await claire.call('PUT', '/api/View/Column', { list: 'hosts', columns: null })
    expect((await claire.call('GET', '/api/View/Column')).body).toEqual([])
  })
})
