import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('hosts on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let site: { id: number }
  let other: { id: number }
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    site = await create('/api/Site/Create', { name: 'Lyon', code: 'LYO' })
    other = await create('/api/Site/Create', { name: 'Brest', code: 'BRE' })
  })
  afterAll(() => test.close())

  const create = async (path: string, body: unknown) => {
    const answer = await admin.call('POST', path, body)
    expect([path, answer.status, answer.body.errors]).toEqual([path, 201, undefined])
    return answer.body
  }
  const host = (name: string, more: object = {}) =>
    create('/api/Host/Create', { name, address: '192.0.2.1', siteId: site.id, withPing: false, ...more })
  const bulk = (body: unknown, by: Caller = admin) => by.call('POST', '/api/Host/Bulk', body)
  const get = async (id: number) => (await admin.call('GET', `/api/Host/Get/${id}`)).body
  const audited = async (object: string) =>
    (
      await test.database.db
        .selectFrom('audit')
        .select(['action', 'detail'])
        .where('object', '=', object)
        .orderBy('id')
        .execute()
    ).map(row => ({ action: row.action, ...JSON.parse(row.detail) }))

  it('have parents, shown both ways; a host that depends on itself, even from afar, is refused and nothing changes', async () => {
    const core = await host('coeur')
    const access = await host('acces', { parentIds: [core.id] })
    const printer = await host('imprimante', { parentIds: [access.id] })
    expect(access.parents).toEqual([{ id: core.id, name: 'coeur' }])
    expect((await admin.call('GET', `/api/Host/Neighbour/${access.id}`)).body).toMatchObject({
      parents: [{ id: core.id, name: 'coeur', state: 'pending', severity: 'unknown' }],
      children: [{ id: printer.id, siteName: 'Lyon' }],
    })
    const { updatedAt } = core
    const cycle = { ...core, parentIds: [printer.id], updatedAt }
    expect(await admin.call('PUT', `/api/Host/Update/${core.id}`, cycle)).toMatchObject({
      status: 400,
      body: { fields: { parentIds: 'Un équipement ne peut dépendre de lui-même, même de loin.' } },
    })
    expect((await bulk({ ids: [core.id], change: { addParentIds: [printer.id] } })).body).toMatchObject({
      changed: 0,
      refused: 1,
      refusals: [{ id: core.id, name: 'coeur' }],
    })
    expect((await get(core.id)).parentIds).toEqual([])
    expect((await admin.call('DELETE', `/api/Host/Delete/${core.id}`)).status).toBe(200)
    expect((await get(access.id)).parents).toEqual([])
  })

  it('say which probe checks them and where that comes from', async () => {
    const probes = ['propre', 'du site', 'locale'].map((name, index) => ({
      name,
      name_folded: name,
      site_id: null,
      approval: 'approved',
      local: index === 2 ? (1 as const) : (0 as const),
      public_key: name,
      version: '',
      address: '',
      last_contact_at: null,
      boot_id: null,
      announced: null,
      created_at: 0,
      updated_at: 0,
      updated_by: null,
    }))
    const rows = await test.database.db.insertInto('probe').values(probes).returning(['id', 'name']).execute()
    const id = (name: string) => rows.find(row => row.name === name)?.id
    const sited = await create('/api/Site/Create', { name: 'Sondé', code: 'SONDE', probeId: id('du site') })
    const effective = async (more: object) => (await host('p', more)).effectiveProbe
    expect(await effective({ siteId: sited.id, probeId: id('propre') })).toMatchObject({
      name: 'propre',
      origin: 'host',
    })
    expect(await effective({ siteId: sited.id })).toMatchObject({
      name: 'du site',
      origin: 'site',
      originName: 'Sondé',
    })
    expect(await effective({})).toMatchObject({ name: 'locale', origin: 'platform' })
  })

  it('have types and hardware models that are made, renamed and deleted once nobody uses them', async () => {
    const type = await create('/api/Host/CreateType', { name: 'Téléphone', icon: 'phone' })
    expect((await admin.call('POST', '/api/Host/CreateType', { name: 'TELEPHONE' })).status).toBe(409)
    expect((await admin.call('POST', '/api/Host/CreateType', { name: 'x', icon: '../../etc' })).status).toBe(400)
    const model = await create('/api/Host/CreateModel', { name: 'C9300', manufacturer: 'Cisco' })
    for (const manufacturer of ['Cisco', 'CÎSCO'])
      expect((await admin.call('POST', '/api/Host/CreateModel', { name: 'c9300', manufacturer })).status).toBe(409)
    await create('/api/Host/CreateModel', { name: 'C9300', manufacturer: 'Autre' })
    const phone = await host('tel', { typeId: type.id, modelId: model.id })
    expect(await admin.call('DELETE', `/api/Host/DeleteType/${type.id}`)).toMatchObject({
      status: 409,
      body: { errors: ['Un équipement s’en sert encore.'] },
    })
    expect((await admin.call('DELETE', `/api/Host/DeleteModel/${model.id}`)).status).toBe(409)
    await admin.call('DELETE', `/api/Host/Delete/${phone.id}`)
    expect((await admin.call('PUT', `/api/Host/UpdateType/${type.id}`, { name: 'Poste', icon: 'phone' })).status).toBe(
      200,
    )
    expect((await admin.call('DELETE', `/api/Host/DeleteType/${type.id}`)).body).toEqual({ deleted: true })
    expect((await admin.call('DELETE', `/api/Host/DeleteModel/${model.id}`)).body).toEqual({ deleted: true })
    expect((await audited(`host-type ${type.id}`)).map(line => line.action)).toEqual([
      'host-type-create',
      'host-type-update',
      'host-type-delete',
    ])
  })

  it('each change is audited with only what changed, before and after', async () => {
    const one = await host('audite', { tags: ['a'] })
    await admin.call('PUT', `/api/Host/Update/${one.id}`, { ...one, name: 'audité', tags: ['a', 'b'] })
    await bulk({ ids: [one.id], change: { siteId: other.id } })
    await bulk({ ids: [one.id], change: { delete: true } })
    const lines = await audited(`host ${one.id}`)
    expect(lines.map(line => line.action)).toEqual(['host-create', 'host-update', 'host-update', 'host-delete'])
    expect(lines[1].changes).toEqual({
      name: { before: 'audite', after: 'audité' },
      tags: { before: ['a'], after: ['a', 'b'] },
    })
    expect(lines[2].changes).toEqual({ siteId: { before: site.id, after: other.id } })
    expect(lines[3].changes.name).toEqual({ before: 'audité', after: null })
  })

  it('are changed together, those ticked or all that a filter matches, after a plan that changes nothing', async () => {
    const made = []
    for (let index = 0; index < 30; index++)
      made.push(await host(`lot-${index}`, { tags: index % 2 === 0 ? ['pair'] : [] }))
    const filter = { search: { value: 'LOT-' }, length: 5 }
    const change = { siteId: other.id, enabled: false, addTags: ['Pair', 'lot'] }
    expect((await bulk({ filter, change, plan: true })).body).toMatchObject({ matched: 30, changed: 30, refused: 0 })
    expect(await get(made[0].id)).toMatchObject({ siteId: site.id, enabled: true })
    expect((await bulk({ filter, change })).body).toMatchObject({ matched: 30, changed: 30, unchanged: 0 })
    expect(await get(made[0].id)).toMatchObject({
      siteId: other.id,
      enabled: false,
      tags: ['pair', 'lot'],
      state: 'disabled',
    })
    expect((await get(made[1].id)).tags).toEqual(['Pair', 'lot'])
    expect((await bulk({ filter, change })).body).toMatchObject({ changed: 0, unchanged: 30 })
    const removed = { removeTags: ['PAIR'], enabled: true }
    expect((await bulk({ ids: [made[0].id, made[1].id, 999_999], change: removed })).body).toMatchObject({
      matched: 2,
      changed: 2,
    })
    expect((await get(made[1].id)).tags).toEqual(['lot'])
    const gone = await bulk({
      filter: { ...filter, filters: { enabled: false } },
      change: { delete: true },
      plan: true,
    })
    expect(gone.body).toMatchObject({ matched: 28, deletion: { hosts: 28, scanners: 0 } })
    expect((await bulk({ filter, change: { delete: true } })).body).toMatchObject({ changed: 30 })
    expect((await admin.call('PUT', '/api/HostDatatable', { search: { value: 'lot-' } })).body.recordsFiltered).toBe(0)
  })

  it('a stale version of one that a bulk change touched is refused', async () => {
    const one = await host('perime')
    await bulk({ ids: [one.id], change: { addTags: ['x'] } })
    expect((await admin.call('PUT', `/api/Host/Update/${one.id}`, { ...one, name: 'y' })).status).toBe(409)
  })

  it('S35: a bulk change asks the same right and makes the same checks as a single one; wrong ones change nothing', async () => {
    const one = await host('droits')
    const reader = await test.user([])
    expect((await bulk({ ids: [one.id], change: { enabled: false } }, reader)).status).toBe(403)
    for (const [change, field] of [
      [{ siteId: 999_999 }, 'siteId'],
      [{ typeId: 999_999 }, 'typeId'],
      [{ probeId: 999_999 }, 'probeId'],
      [{ addMonitoringModelIds: [999_999] }, 'monitoringModelIds'],
    ] as const)
      expect(await bulk({ ids: [one.id], change })).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      })
    for (const body of [
      { change: { enabled: true } },
      { ids: [one.id], filter: {}, change: { enabled: true } },
      { ids: [one.id], change: {} },
      { ids: [], change: { enabled: true } },
      { ids: [0], change: { enabled: true } },
      { ids: ['1 or 1=1'], change: { enabled: true } },
      { ids: [one.id], change: { enabled: true, id: 3 } },
      { ids: [one.id], change: { delete: true, enabled: true } },
      { filter: { filters: { nope: 1 } }, change: { enabled: true } },
    ])
      expect([body, (await bulk(body)).status]).toEqual([body, 400])
    const tags = Array.from({ length: 15 }, (_, index) => `t${index}`)
    await bulk({ ids: [one.id], change: { addTags: tags } })
    expect((await bulk({ ids: [one.id], change: { addTags: tags.map(tag => `${tag}b`) } })).body).toMatchObject({
      changed: 0,
      refusals: [{ errors: ['Au plus 20 étiquettes par équipement.'] }],
    })
  })

  it('are filtered by tag, whole, without case or accents', async () => {
    await host('marque', { tags: ['réseau'] })
    await host('autre marque', { tags: ['réseau wifi'] })
    const page = await admin.call('PUT', '/api/HostDatatable', { filters: { tag: 'réseau' } })
    expect(page.body.data.map((one: { name: string }) => one.name)).toEqual(['marque'])
  })
})
