import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'

describe.each(DIALECTS)('comments, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let marie: Caller
  let siteId: number
  let hostId: number
  let metricId: number

  beforeEach(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    await test.user([], { login: 'marie' })
    marie = await test.signIn('marie', PASSWORD)
    siteId = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    hostId = (await admin.make('/api/Host/Create', { name: 'srv-1', address: '192.0.2.1', siteId })).id
    const rows = await test.database.db.selectFrom('metric').select('id').where('host_id', '=', hostId).execute()
    metricId = rows[0]?.id ?? (await addMetric())
  })
  afterEach(() => test.close())

  const addMetric = async (): Promise<number> => {
    const scanner = (await admin.call('GET', `/api/Scanner/Get?host=${hostId}`)).body[0]
    const { db } = test.database
    await db
      .insertInto('metric')
      .values({
        ...{ host_id: hostId, scanner_id: scanner.id, key: 'x', name: 'X', name_folded: 'x', unit: '', type: 'gauge' },
        ...{ thresholds: '{}', attempts: null, no_data: 'unknown', enabled: 1, overrides: '[]' },
        ...{ created_at: 0, updated_at: 0, updated_by: null },
      })
      .execute()
    return (await db.selectFrom('metric').select('id').executeTakeFirstOrThrow()).id
  }
  const openIncident = async (): Promise<number> => {
    const values = {
      ...{ event_key: 'one', metric_id: metricId, host_id: hostId, site_id: siteId, severity_rank: 0 },
      ...{ information: '', opened_at: 1, closed_at: null },
      ...{ acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null },
    }
    await test.database.db.insertInto('incident').values(values).execute()
    return (await test.database.db.selectFrom('incident').select('id').executeTakeFirstOrThrow()).id
  }
  const write = (kind: string, id: number, text: string, caller = marie) =>
    caller.call('POST', '/api/Comment/Create', { kind, id, text })
  const list = async (kind: string, id: number, caller = marie) =>
    (await caller.call('GET', `/api/Comment/Get?kind=${kind}&id=${id}`)).body

  it('anybody writes on sites, equipment and metrics; on incidents those who may act on them', async () => {
    const incidentId = await openIncident()
    for (const [kind, id] of [
      ['site', siteId],
      ['host', hostId],
      ['metric', metricId],
    ] as const) {
      expect((await write(kind, id, ` Vu\nsur place `)).status).toBe(201)
      expect(await list(kind, id)).toMatchObject([
        { kind, objectId: id, text: 'Vu\nsur place', author: 'Claire Legoff', mayEdit: true },
      ])
    }
    expect((await write('incident', incidentId, 'Vu')).status).toBe(403)
    expect((await write('incident', incidentId, 'Vu', admin)).status).toBe(201)
    expect(await list('incident', incidentId)).toMatchObject([
      { objectName: expect.stringContaining('srv-1'), mayEdit: false },
    ])
    const last = (await marie.call('GET', '/api/Comment/Get/Last')).body
    expect(last.map((one: { kind: string }) => one.kind)).toEqual(['incident', 'metric', 'host', 'site'])
  })

  it('refuses what is empty, too long, on nothing, or a range that ends before it begins', async () => {
    const range = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }
    const answers = [
      await write('host', hostId, ' \n '),
      await write('host', hostId, 'x'.repeat(4_001)),
      await write('host', 999_999, 'Vu'),
      await marie.call('POST', '/api/Comment/Create', { kind: 'host', id: hostId, text: 'Vu', ...range }),
      await marie.call('GET', '/api/Comment/Get?kind=host&id=999999'),
    ]
    expect(answers.map(answer => answer.status)).toEqual([400, 400, 404, 400, 404])
    expect(await list('host', hostId)).toEqual([])
  })

  it('its author, or an administrator, changes and deletes it; nobody else does', async () => {
    await test.user(['incident_write', 'host_write'], { login: 'paul' })
    const paul = await test.signIn('paul', PASSWORD)
    const { id, updatedAt } = (await write('host', hostId, 'Premier')).body
    expect((await paul.call('PUT', `/api/Comment/Update/${id}`, { text: 'Autre' })).status).toBe(403)
    expect((await paul.call('DELETE', `/api/Comment/Delete/${id}`)).status).toBe(403)
    const changed = await marie.call('PUT', `/api/Comment/Update/${id}`, { text: 'Second', updatedAt })
    expect(changed.body).toMatchObject({ text: 'Second', edited: true })
    expect((await marie.call('PUT', `/api/Comment/Update/${id}`, { text: 'Vieux', updatedAt })).status).toBe(409)
    expect((await admin.call('DELETE', `/api/Comment/Delete/${id}`)).status).toBe(204)
    const lines = await test.database.db
      .selectFrom('audit')
      .select('action')
      .where('object', '=', `comment ${id}`)
      .orderBy('id')
      .execute()
    expect(lines.map(line => line.action)).toEqual(['comment-create', 'comment-update', 'comment-delete'])
  })

  it('a pinned one comes first', async () => {
    const first = (await write('host', hostId, 'Un')).body
    await write('host', hostId, 'Deux')
    expect((await marie.call('POST', `/api/Comment/Pin/${first.id}`, { pinned: true })).body.pinned).toBe(true)
    expect((await list('host', hostId)).map((one: { text: string }) => one.text)).toEqual(['Un', 'Deux'])
  })

  describe('on many rows', () => {
    const bulk = (body: object, caller = admin) => caller.call('POST', '/api/Comment/Bulk', { text: 'Vu', ...body })

    it('writes on what is ticked, says what is gone, and audits each; a plan writes nothing', async () => {
      const other = (await admin.make('/api/Host/Create', { name: 'srv-2', address: '192.0.2.2', siteId })).id
      const target = { of: 'host', ids: [hostId, other, 999_999] }
      const told = { matched: 3, changed: 2, unchanged: 0, refused: 1 }
      expect((await bulk({ ...target, plan: true })).body).toMatchObject(told)
      expect(await list('host', hostId)).toEqual([])
      const { body } = await bulk(target)
      expect(body).toMatchObject({ ...told, refusals: [{ id: 999_999, errors: ['Cet équipement n’existe pas.'] }] })
      for (const id of [hostId, other]) expect(await list('host', id)).toMatchObject([{ text: 'Vu', pinned: false }])
      const lines = await test.database.db
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'comment-create')
        .orderBy('id')
        .execute()
      expect(lines.map(({ actor, detail }) => [actor, JSON.parse(detail).name])).toEqual([
        ['admin', `host ${hostId} srv-1`],
        ['admin', `host ${other} srv-2`],
      ])
    })

    it('writes on all that a filter matches, each kind of row on itself, a problem on its metric', async () => {
      const incidentId = await openIncident()
      for (let n = 2; n <= 4; n++)
        await admin.make('/api/Host/Create', { name: `srv-${n}`, address: `192.0.2.${n}`, siteId })
      const filter = { filters: {}, search: { value: 'srv-' } }
      expect((await bulk({ of: 'host', filter })).body).toMatchObject({ matched: 4, changed: 4, refused: 0 })
      expect((await bulk({ of: 'site', filter: { filters: {}, search: { value: 'Lyon' } } })).body.changed).toBe(1)
      expect((await bulk({ of: 'incident', filter: { filters: { open: true } } })).body.changed).toBe(1)
      expect((await bulk({ of: 'problem', ids: [metricId] })).body.changed).toBe(1)
      expect(await list('site', siteId)).toHaveLength(1)
      expect(await list('incident', incidentId)).toHaveLength(1)
      expect(await list('metric', metricId)).toHaveLength(1)
    })

    it('refuses who may not act, an empty text, and neither or both of ticks and filter', async () => {
      const ids = [hostId]
      expect((await bulk({ of: 'host', ids }, marie)).status).toBe(403)
      expect((await bulk({ of: 'host', ids, text: ' \n ' })).status).toBe(400)
      expect((await bulk({ of: 'host' })).status).toBe(400)
      expect((await bulk({ of: 'host', ids, filter: { filters: {} } })).status).toBe(400)
      expect(await list('host', hostId)).toEqual([])
    })
  })

  it('keeps the name of who wrote it when the account is gone', async () => {
    await write('host', hostId, 'Vu')
    const account = await test.database.db
      .selectFrom('account')
      .select('id')
      .where('login', '=', 'marie')
      .executeTakeFirstOrThrow()
    expect((await admin.call('DELETE', `/api/Account/Delete/${account.id}`)).status).toBe(204)
    expect(await list('host', hostId, admin)).toMatchObject([{ author: 'Claire Legoff', text: 'Vu' }])
  })

  it('goes with what it is about, and the plan of the deletion counts it', async () => {
    const incidentId = await openIncident()
    await write('site', siteId, 'S')
    await write('host', hostId, 'H')
    await write('metric', metricId, 'M')
    await write('incident', incidentId, 'I', admin)
    expect((await admin.call('DELETE', `/api/Host/Delete/${hostId}?plan=true`)).body.plan).toMatchObject({
      comments: 3,
    })
    const bulk = await admin.call('POST', '/api/Host/Bulk', { ids: [hostId], change: { delete: true }, plan: true })
    expect(bulk.body.deletion.comments).toBe(3)
    expect((await admin.call('DELETE', `/api/Site/Delete/${siteId}?plan=true`)).body.plan.comments).toBe(4)
    await admin.call('DELETE', `/api/Host/Delete/${hostId}`)
    const left = await test.database.db.selectFrom('comment').select('text').execute()
    expect(left).toEqual([{ text: 'S' }])
  })
})
