import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

const OFFICE = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }]

describe.each(DIALECTS)('sites on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let made = 0
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
  })
  afterAll(() => test.close())

  const site = async (values: object = {}): Promise<Answered> => {
    made += 1
    const answer = await admin.call('POST', '/api/Site/Create', { name: `Site ${made}`, code: `S-${made}`, ...values })
    expect([answer.status, answer.body.errors]).toEqual([201, undefined])
    return answer.body
  }
  const update = (before: Answered, values: object) =>
    admin.call('PUT', `/api/Site/Update/${before.id}`, {
      name: before.name,
      code: before.code,
      parentId: before.parentId,
      openingHours: before.openingHours,
      updatedAt: before.updatedAt,
      ...values,
    })
  const auditOf = async (object: string) => {
    const rows = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('object', '=', object)
      .orderBy('id')
      .execute()
    return rows.map(row => ({ action: row.action, actor: row.actor, ...JSON.parse(row.detail) }))
  }
  it('half a place is refused beside what lacks, when a site is made and when it is changed', async () => {
    const half = { name: 'Phare', code: 'PHARE', latitude: 48.5 }
    const made = await admin.call('POST', '/api/Site/Create', half)
    expect([made.status, made.body.fields]).toEqual([400, { longitude: 'La latitude ne va pas sans la longitude' }])
    const placed = await site({ latitude: 48.5, longitude: -4.5 })
    const moved = await update(placed, { longitude: -4.5 })
    expect([moved.status, moved.body.fields]).toEqual([400, { latitude: 'La longitude ne va pas sans la latitude' }])
  })

  const tree = async (): Promise<Answered[]> => (await admin.call('GET', '/api/Site/Tree')).body

  it('service hours are kept as given, none by default, and overlapping ones are refused in French beside their field', async () => {
    expect((await site()).openingHours).toEqual([])
    const open = await site({ openingHours: OFFICE })
    expect((await admin.call('GET', `/api/Site/Get/${open.id}`)).body.openingHours).toEqual(OFFICE)
    const refused = await update(open, { openingHours: [...OFFICE, { days: [5], from: '17:00', to: '24:00' }] })
    expect(refused.status).toBe(400)
    expect(refused.body.fields.openingHours).toMatch(/^Deux plages du vendredi se chevauchent/)
  })

  it('what is done on public holidays is kept, changed for many at once, and refused in French', async () => {
    const [any, open] = [await site(), await site({ holidays: [{ from: '09:00', to: '12:00' }] })]
    expect([any.holidays, open.holidays]).toEqual([null, [{ from: '09:00', to: '12:00' }]])
    const bulk = await admin.call('POST', '/api/Site/Bulk', { ids: [any.id, open.id], change: { holidays: [] } })
    expect(bulk.body).toMatchObject({ matched: 2, changed: 2, refused: 0 })
    const holidaysOf = async (id: number) => (await admin.call('GET', `/api/Site/Get/${id}`)).body.holidays
    expect([await holidaysOf(any.id), await holidaysOf(open.id)]).toEqual([[], []])
    await admin.call('POST', '/api/Site/Bulk', { ids: [any.id], change: { holidays: null } })
    expect(await holidaysOf(any.id)).toBeNull()
    const refused = await update(any, { holidays: [{ from: '12:00', to: '09:00' }] })
    expect([refused.status, Object.values(refused.body.fields)]).toEqual([400, ['La fin doit suivre le début']])
    const lines = await auditOf(`site ${any.id}`)
    expect(lines.at(-1)?.changes).toEqual({ holidays: { before: [], after: null } })
  })

  it('a change writes one audit line with only what changed, and a save that changes nothing writes none', async () => {
    const before = await site({ city: 'Lyon' })
    const after = await update(before, { city: 'Villeurbanne', openingHours: OFFICE })
    expect(after.status).toBe(200)
    await update(after.body, { city: 'Villeurbanne' })
    await admin.call('DELETE', `/api/Site/Delete/${before.id}`)
    const lines = await auditOf(`site ${before.id}`)
    expect(lines.map(line => [line.action, line.actor, line.name])).toEqual([
      ['site-create', 'admin', before.name],
      ['site-update', 'admin', before.name],
      ['site-delete', 'admin', before.name],
    ])
    expect(lines[1]?.changes).toEqual({
      city: { before: 'Lyon', after: 'Villeurbanne' },
      openingHours: { before: [], after: OFFICE },
    })
    expect(lines[2]?.changes.city).toEqual({ before: 'Villeurbanne', after: null })
  })

  it('a change that is refused writes no audit line', async () => {
    const [first, second] = [await site(), await site()]
    expect((await update(second, { code: first.code })).status).toBe(409)
    expect((await update(second, { updatedAt: '2020-01-01T00:00:00.000Z' })).status).toBe(409)
    expect((await auditOf(`site ${second.id}`)).length).toBe(1)
  })

  it('a cascade audits each site and each equipment that goes along', async () => {
    const parent = await site()
    const child = await site({ parentId: parent.id })
    const host = await admin.call('POST', '/api/Host/Create', { name: 'h', address: '192.0.2.9', siteId: child.id })
    expect((await admin.call('DELETE', `/api/Site/Delete/${parent.id}?cascade=true`)).body.deleted).toBe(true)
    for (const object of [`site ${parent.id}`, `site ${child.id}`, `host ${host.body.id}`])
      expect((await auditOf(object)).at(-1)?.action).toMatch(/-delete$/)
  })

  it('no site comes under itself, however far, and not by two moves at the same time either', async () => {
    const top = await site()
    let bottom = top
    // Deeper than any bound that a check could have.
    for (let level = 0; level < 60; level += 1) bottom = await site({ parentId: bottom.id })
    expect(await update(top, { parentId: bottom.id })).toMatchObject({
      status: 400,
      body: { fields: { parentId: expect.any(String) } },
    })
    expect((await update(top, { parentId: top.id })).status).toBe(400)
    for (let round = 0; round < 8; round += 1) {
      const [a, b] = [await site(), await site()]
      const answers = await Promise.all([update(a, { parentId: b.id }), update(b, { parentId: a.id })])
      expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 400])
    }
  })

  it('two changes based on the same version: one is done, the other gets 409 with what the first left', async () => {
    const before = await site()
    const answers = await Promise.all([update(before, { city: 'Nice' }), update(before, { city: 'Metz' })])
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status)
    expect([done?.status, refused?.status]).toEqual([200, 409])
    expect(refused?.body.current.city).toBe(done?.body.city)
  })

  it('the tree gives every site with its parent, its icon and the counts of its own equipment alone', async () => {
    const types = (await admin.call('GET', '/api/Site/GetType')).body
    const region = await site({ typeId: types[0].id, latitude: 43.6, longitude: 1.44 })
    const town = await site({ parentId: region.id })
    for (const enabled of [true, true, false])
      await admin.call('POST', '/api/Host/Create', { name: 'h', address: '192.0.2.1', siteId: town.id, enabled })
    const nodes = new Map((await tree()).map(node => [node.id, node]))
    expect(nodes.get(region.id)).toMatchObject({
      parentId: null,
      typeIcon: types[0].icon,
      latitude: 43.6,
      hosts: 0,
      severity: 'ok',
    })
    expect(nodes.get(town.id)).toMatchObject({
      parentId: region.id,
      hosts: 3,
      severity: 'unknown',
      counts: { error: 0, warning: 0, unknown: 2, ok: 0 },
    })
    expect(nodes.size).toBe((await admin.call('GET', '/api/Site/Get')).body.length)
  })

  it('a probe is inherited from the nearest site above that has one, says from where, and its scanners follow', async () => {
    const probe = async (name: string) => {
      const stamps = { created_at: 1, updated_at: 1, updated_by: null }
      const row = await test.database.db
        .insertInto('probe')
        .values({
          ...stamps,
          name,
          name_folded: name,
          site_id: null,
          public_key: name,
          approval: 'approved',
          local: 0,
          version: '',
          address: '',
          last_contact_at: null,
          boot_id: null,
          announced: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    }
    const [north, south] = [await probe(`nord-${dialect}`), await probe(`sud-${dialect}`)]
    const region = await site({ name: 'Région Sud', probeId: south })
    const town = await site({ parentId: region.id })
    const quarter = await site({ parentId: town.id })
    const at = async (id: number) => (await admin.call('GET', `/api/Site/Get/${id}`)).body
    expect((await at(quarter.id)).effectiveProbe).toEqual({
      id: south,
      name: `sud-${dialect}`,
      ...{ origin: 'site', originName: 'Région Sud', originId: region.id },
    })
    expect((await at(region.id)).effectiveProbe.originId).toBe(region.id)
    const host = await admin.call('POST', '/api/Host/Create', { name: 'h', address: '192.0.2.2', siteId: quarter.id })
    const scanner = async () => (await admin.call('GET', `/api/Scanner/Get?host=${host.body.id}`)).body[0]
    expect((await scanner()).effective.probeId).toBe(south)
    const runs = (id: number) => test.app.monitoring.model.scanners.get(id)?.probeId
    expect(runs((await scanner()).id)).toBe(south)
    await update(town, { probeId: north })
    expect((await at(quarter.id)).effectiveProbe).toMatchObject({ id: north, originId: town.id })
    expect([(await scanner()).effective.probeId, runs((await scanner()).id)]).toEqual([north, north])
  })

  it('types are made, renamed and deleted with an audit line each; a name is taken whatever its case and accents', async () => {
    const type = await admin.call('POST', '/api/Site/CreateType', { name: 'Forêt', icon: 'map' })
    expect(type).toMatchObject({ status: 201, body: { name: 'Forêt', icon: 'map' } })
    expect(await admin.call('POST', '/api/Site/CreateType', { name: 'FORET', icon: 'map' })).toMatchObject({
      status: 409,
      body: { fields: { name: 'Ce nom est déjà pris.' } },
    })
    expect((await admin.call('POST', '/api/Site/CreateType', { name: 'x', icon: '../x' })).status).toBe(400)
    const twice = await Promise.all(
      ['Île', 'ILE'].map(name => admin.call('POST', '/api/Site/CreateType', { name, icon: 'map' })),
    )
    expect(twice.map(answer => answer.status).toSorted()).toEqual([201, 409])
    const path = `/api/Site/UpdateType/${type.body.id}`
    expect((await admin.call('PUT', path, { name: 'Forêts', icon: 'map-pin' })).body.name).toBe('Forêts')
    const user = await site({ typeId: type.body.id })
    expect(user).toMatchObject({ typeName: 'Forêts', typeIcon: 'map-pin' })
    const remove = () => admin.call('DELETE', `/api/Site/DeleteType/${type.body.id}`)
    expect(await remove()).toMatchObject({
      status: 409,
      body: { errors: [expect.stringMatching(/celui de 1 site\s:/)] },
    })
    await admin.call('DELETE', `/api/Site/Delete/${user.id}`)
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    expect((await auditOf(`site-type ${type.body.id}`)).map(line => line.action)).toEqual([
      'site-type-create',
      'site-type-update',
      'site-type-delete',
    ])
  })

  it('types and the tree ask for their rights', async () => {
    const reader = await test.user([])
    expect((await reader.call('GET', '/api/Site/Tree')).status).toBe(200)
    expect((await reader.call('POST', '/api/Site/CreateType', { name: 'x', icon: 'map' })).status).toBe(403)
    expect((await test.anonymous().call('GET', '/api/Site/Tree')).status).toBe(401)
  })

  it('what a site or its equipment owned goes with it', async () => {
    const owner = await site()
    const stamps = { created_at: 1, updated_at: 1, updated_by: null }
    const credential = { owner_kind: 'site', owner_id: owner.id, kind: 'snmp', settings: '{}', secret: 'x', ...stamps }
    await test.database.db.insertInto('credential').values(credential).execute()
    await admin.call('DELETE', `/api/Site/Delete/${owner.id}`)
    expect(
      await test.database.db.selectFrom('credential').selectAll().where('owner_id', '=', owner.id).execute(),
    ).toEqual([])
  })
})
