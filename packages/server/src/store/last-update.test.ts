import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../testing/test-app.ts'

describe.each(DIALECTS)('the newest change of sites and hosts on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let nowMs = Date.parse('2026-11-21T09:00:00Z')
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: () => nowMs })
    admin = await test.admin()
  })
  afterAll(() => test.close())

  const newest = async (what: 'Site' | 'Host') =>
    Date.parse((await admin.call('GET', `/api/${what}/Get/LastUpdate`)).body.lastUpdate)
  /** One change a second later, and whether each has moved to it. */
  const movesWith = async (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) => {
    nowMs += 1_000
    const { status, body: answer } = await admin.call(method, url, body)
    expect([url, status < 300, answer?.errors]).toEqual([url, true, undefined])
    return { answer, site: (await newest('Site')) === nowMs, host: (await newest('Host')) === nowMs }
  }

  it('moves with the record, its links, its custom fields, its credentials and its deletion, not with those of the other', async () => {
    const site = await movesWith('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    expect(site).toMatchObject({ site: true, host: false })
    const siteId = site.answer.id
    const parent = await movesWith('POST', '/api/Host/Create', { name: 'r1', address: '192.0.2.1', siteId })
    const host = await movesWith('POST', '/api/Host/Create', { name: 'r2', address: '192.0.2.2', siteId })
    expect(host).toMatchObject({ site: false, host: true })
    const { id: groupId } = (await movesWith('POST', '/api/CustomField/Group', { name: 'Contrat' })).answer
    for (const scope of ['site', 'host'])
      await movesWith('POST', '/api/CustomField/Definition', {
        ...{ key: `numero_${scope}`, label: 'Numéro', type: 'text', scope, groupId },
      })

    const values = (scope: string) => ({ values: { [`numero_${scope}`]: 'A1' }, updatedAt: null })
    expect(await movesWith('PUT', `/api/CustomField/Host/${host.answer.id}`, values('host'))).toMatchObject({
      ...{ site: false, host: true },
    })
    expect(await movesWith('PUT', `/api/CustomField/Site/${siteId}`, values('site'))).toMatchObject({
      ...{ site: true, host: false },
    })
    const credential = { kind: 'http', settings: { username: 'supervision', password: 'secret' } }
    expect(await movesWith('PUT', `/api/Credential/Host/${host.answer.id}`, credential)).toMatchObject({ host: true })
    const links = { ids: [host.answer.id], change: { addParentIds: [parent.answer.id] } }
    expect(await movesWith('POST', '/api/Host/Bulk', links)).toMatchObject({ host: true })
    expect(await movesWith('DELETE', `/api/Host/Delete/${parent.answer.id}`)).toMatchObject({ host: true })
    expect(await movesWith('DELETE', `/api/Site/Delete/${siteId}?cascade=true`)).toMatchObject({ site: true })
  })
})
