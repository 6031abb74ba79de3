import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batches } from './store/batches.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from './testing/test-app.ts'

describe.each(DIALECTS)('lists on %s', dialect => {
  let test: TestApp
  let admin: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    for (const [name, code] of [
      ['Lyon', 'LYO'],
      ['Évry; « nord »', 'EVRY'],
      ['=cmd()', 'FORM'],
    ])
      await admin.call('POST', '/api/Site/Create', { name, code, latitude: 45.5, longitude: 4.8 })
    for (const name of ['h-0', 'h-1'])
      await admin.call('POST', '/api/Host/Create', { name, address: '192.0.2.1', siteId: 1 })
    const row = await test.database.db.selectFrom('host').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
    const { id: _, ...like } = row
    const more = Array.from({ length: 1_198 }, (_unused, index) => `h-${index + 2}`)
    const rows = more.map(name => ({ ...like, name, name_folded: name }))
    for (const slice of batches(rows, 500)) await test.database.db.insertInto('host').values(slice).execute()
    await test.app.monitoring.reload()
  })
  afterAll(() => test.close())
  const file = (path: string, accept: string, body: unknown = {}) => admin.file(path, accept, body)

  it('are files of all that the filter matches, beyond any page, when CSV or NDJSON is asked for', async () => {
    const answer = await file('/api/HostDatatable', 'text/csv', { search: { value: 'h-' }, length: 10 })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="equipements.csv"',
    })
    const lines = answer.text.trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFFIdentifiant;Nom;Adresse;Site;Type;/)
    expect(lines.length).toBe(1_201)
    expect(new Set(lines.slice(1)).size).toBe(1_200)
    const one = await file('/api/HostDatatable', 'application/x-ndjson', { search: { value: 'h-7' } })
    const rows = one.text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(rows.length).toBe(rows.filter(row => row.name.startsWith('h-7')).length)
    expect(rows[0]).toMatchObject({ siteName: 'Lyon', tags: [] })
  })

  it('S45: quote what must be, run nothing, write numbers the French way', async () => {
    const { text } = await file('/api/SiteDatatable', 'text/csv', {})
    expect(text).toContain("FORM;'=cmd();")
    expect(text).toContain('EVRY;"Évry; « nord »";')
    expect(text).toContain(';45,5;')
    const metrics = await file('/api/MetricDatatable', 'text/csv', { search: { value: 'perte' } })
    expect(metrics.text.split('\r\n').length).toBe(4)
    expect(metrics.text).toContain(';loss_ratio;Perte de paquets;0,1;')
  })

  it('hold scanners too: their figures in force, the label of their kind, what the filter matches alone', async () => {
    const answer = await file('/api/ScannerDatatable', 'text/csv', { filters: { hostId: 1 } })
    expect(answer.headers['content-disposition']).toBe('attachment; filename="scanners.csv"')
    const [header = '', ...rows] = answer.text.trimEnd().split('\r\n')
    expect(rows.length).toBe(1)
    const names = header.replace('\uFEFF', '').split(';')
    const cells = rows[0]?.split(';') ?? []
    const cell = (name: string) => cells[names.indexOf(name)]
    expect(['Équipement', 'Adresse', 'Site', 'Genre', 'Scanner actif', 'Intervalle (s)'].map(cell)).toEqual([
      'h-0',
      '192.0.2.1',
      'Lyon',
      'Ping',
      'oui',
      '60',
    ])
    const all = await file('/api/ScannerDatatable', 'application/x-ndjson', { length: 1 })
    const told = all.text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(told.map(row => [row.hostName, row.kind])).toEqual([
      ['h-0', 'ping'],
      ['h-1', 'ping'],
    ])
    expect((await (await test.user([])).file('/api/ScannerDatatable', 'text/csv', {})).status).toBe(403)
    expect((await file('/api/ScannerDatatable', 'text/csv', { filters: { nope: 1 } })).status).toBe(400)
  })

  it('S38: refuse as files what they refuse as pages, and say it as a problem', async () => {
    const wrong = await file('/api/HostDatatable', 'text/csv', { filters: { nope: "1'; drop table host" } })
    expect([wrong.status, wrong.headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8'])
    const reader = await test.user([], { firstConnection: true })
    expect((await reader.file('/api/HostDatatable', 'text/csv', {})).status).toBe(403)
  })

  it('sites are changed and deleted together, each checked as alone', async () => {
    const create = async (name: string, more: object = {}) =>
      (await admin.call('POST', '/api/Site/Create', { name, code: name, ...more })).body
    const region = await create('Region')
    const town = await create('Ville', { parentId: region.id })
    const quarter = await create('Quartier', { parentId: town.id })
    const bulk = (body: unknown, by: Caller = admin) => by.call('POST', '/api/Site/Bulk', body)
    const moved = await bulk({ ids: [region.id, quarter.id], change: { parentId: town.id, country: 'Belgique' } })
    expect(moved.body).toMatchObject({ matched: 2, changed: 1, refused: 1, refusals: [{ id: region.id }] })
    expect((await admin.call('GET', `/api/Site/Get/${quarter.id}`)).body.country).toBe('Belgique')
    expect((await admin.call('GET', `/api/Site/Get/${region.id}`)).body.country).toBe('France')
    const ids = [region.id, town.id]
    expect((await bulk({ ids, change: { delete: 'alone' } })).body).toMatchObject({ changed: 0, refused: 2 })
    const plan = await bulk({ ids, change: { delete: 'cascade' }, plan: true })
    expect(plan.body).toMatchObject({ changed: 2, deletion: { sites: 3, hosts: 0 } })
    expect((await admin.call('GET', `/api/Site/Get/${town.id}`)).status).toBe(200)
    expect((await bulk({ ids: [region.id, town.id, quarter.id], change: { delete: 'alone' } })).body).toMatchObject({
      changed: 3,
      deletion: { sites: 3 },
    })
    expect((await admin.call('GET', `/api/Site/Get/${town.id}`)).status).toBe(404)
    const editor = await test.user(['site_write'])
    expect((await bulk({ ids: [1], change: { delete: 'cascade' } }, editor)).status).toBe(403)
    expect((await bulk({ ids: [1], change: { delete: 'alone' } }, await test.user([]))).status).toBe(403)
    expect((await bulk({ ids: [1], change: { timeZone: 'Mars/Olympus' } })).status).toBe(400)
  })
})
