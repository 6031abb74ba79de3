import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

/** What makes SQL go wrong where it is built from text (S38). */
const HOSTILE = [
  "' or '1'='1",
  "'; drop table host; --",
  '") or 1=1 --',
  '%',
  '_',
  '\\',
  "x' union select password_hash from account --",
  '1; select pg_sleep(5)',
  '\u0000',
]

describe.each(DIALECTS)('lists with custom fields on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let siteId = 0
  let groupId = 0
  const ids: Record<string, number> = {}
  const hosts: number[] = []
  const make = (path: string, body: unknown): Promise<Answered> => admin.make(path, body)
  const put = async (hostId: number, values: object, kind = 'Host') => {
    const answer = await admin.call('PUT', `/api/CustomField/${kind}/${hostId}`, { values })
    expect([values, answer.status, answer.body.errors]).toEqual([values, 200, undefined])
  }
  const FIELDS = [
    { key: 'baie', type: 'text' },
    { key: 'debit', type: 'decimal' },
    { key: 'pose', type: 'date' },
    { key: 'secouru', type: 'boolean' },
    { key: 'contrat', type: 'choice', choices: ['Or', 'Argent', 'or'] },
    { key: 'reseaux', type: 'multiple-choice', choices: ['nord', 'sud', 'nord-est'] },
    { key: 'amont', type: 'host' },
    { key: 'code_secret', type: 'secret' },
    { key: 'rack_a', type: 'text' },
    { key: 'rackxa', type: 'text' },
  ]
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    siteId = (await make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    groupId = (await make('/api/CustomField/Group', { name: 'Réseau' })).id
    for (const field of FIELDS)
      ids[field.key] = (
        await make('/api/CustomField/Definition', { label: field.key, scope: 'host', groupId, ...field })
      ).id
    for (const name of ['a', 'b', 'c', 'd'])
      hosts.push(
        (await make('/api/Host/Create', { name: `srv-${name}`, address: '192.0.2.1', siteId, withPing: false })).id,
      )
    const [a = 0, b = 0, c = 0] = hosts
    await put(a, {
      baie: 'Étage 2',
      debit: 9.5,
      pose: '2026-03-01',
      secouru: true,
      contrat: 'Or',
      reseaux: ['nord', 'sud'],
    })
    await put(b, {
      baie: 'Etage 10',
      debit: 100,
      pose: '2025-12-31',
      secouru: false,
      contrat: 'or',
      reseaux: ['nord-est'],
    })
    await put(c, { baie: 'Cave', debit: -3, contrat: 'Argent', amont: a, code_secret: 'xyzzy', rackxa: '42 U' })
  })
  afterAll(() => test.close())

  const list = (body: object, caller = admin) => caller.call('PUT', '/api/HostDatatable', { length: 100, ...body })
  const names = (answer: Answered): string => answer.body.data.map((host: Answered) => host.name.slice(4)).join('')
  const filtered = async (filters: object): Promise<string> => names(await list({ filters }))
  const sorted = async (key: string, dir: string): Promise<string> =>
    names(await list({ columns: [{ data: `champ.${key}` }], order: [{ column: 0, dir }] }))

  it('rows, one record and the whole list carry the texts of readable values, never a secret', async () => {
    const expected = {
      baie: 'Étage 2',
      debit: '9,5',
      pose: '01/03/2026',
      secouru: 'Oui',
      contrat: 'Or',
      reseaux: 'nord, sud',
    }
    expect((await list({})).body.data[0].customFields).toEqual(expected)
    expect((await admin.call('GET', `/api/Host/Get/${hosts[0]}`)).body.customFields).toEqual(expected)
    const all = (await admin.call('GET', '/api/Host/Get')).body
    expect(all[2].customFields).toEqual({
      baie: 'Cave',
      debit: '-3',
      contrat: 'Argent',
      amont: 'srv-a',
      rackxa: '42 U',
    })
    expect(all[3].customFields).toEqual({})
  })

  it.each([
    ['debit', 'asc', 'cabd'],
    ['debit', 'desc', 'bacd'],
    ['baie', 'asc', 'cbad'],
    ['pose', 'asc', 'bacd'],
    ['secouru', 'desc', 'abcd'],
    ['amont', 'asc', 'cabd'],
  ])('sorted by %s %s: %s, without value last', async (key, dir, expected) => {
    expect(await sorted(key, dir)).toBe(expected)
  })

  it.each<[object, string]>([
    [{ 'champ.baie': 'etage' }, 'ab'],
    [{ 'champ.baie': ['CAVE', 'étage 2'] }, 'ac'],
    [{ 'champ.baie': '' }, 'd'],
    [{ 'champ.baie': ['', 'cave'] }, 'cd'],
    [{ 'champ.debit': 100 }, 'b'],
    [{ 'champ.debit': '9,5' }, 'a'],
    [{ 'champ.debit': '-5..10' }, 'ac'],
    [{ 'champ.debit': '10..' }, 'b'],
    [{ 'champ.debit': '..0' }, 'c'],
    [{ 'champ.pose': '2026-03-01' }, 'a'],
    [{ 'champ.pose': '2025-01-01..2025-12-31' }, 'b'],
    [{ 'champ.pose': '' }, 'cd'],
    [{ 'champ.secouru': true }, 'a'],
    [{ 'champ.secouru': 'false' }, 'b'],
    [{ 'champ.secouru': '' }, 'cd'],
    [{ 'champ.contrat': 'Or' }, 'a'],
    [{ 'champ.contrat': ['or', 'Argent'] }, 'bc'],
    [{ 'champ.reseaux': 'nord' }, 'a'],
    [{ 'champ.reseaux': ['nord-est', 'sud'] }, 'ab'],
    [{ 'champ.baie': 'etage', 'champ.debit': '..50' }, 'a'],
  ])('filtered by %o: %s', async (filters, expected) => {
    expect(await filtered(filters)).toBe(expected)
  })

  it('a reference is filtered by its id, a column is searched alone, and the search finds readable values', async () => {
    expect(await filtered({ 'champ.amont': hosts[0] })).toBe('c')
    const searched = (value: string, columns: readonly object[] = []) => list({ search: { value }, columns })
    expect(names(await searched('étage 10'))).toBe('b')
    expect(names(await searched('CAVE', [{ data: 'name' }]))).toBe('c')
    expect(names(await searched('xyzzy'))).toBe('')
    expect(names(await list({ columns: [{ data: 'champ.baie', search: { value: 'ETAGE' } }] }))).toBe('ab')
    expect(names(await list({ columns: [{ data: 'champ.amont', search: { value: 'srv-a' } }] }))).toBe('c')
    const found = await admin.call('GET', '/api/Search?term=cave')
    expect(found.body.map((one: Answered) => [one.kind, one.name])).toEqual([['host', 'srv-c']])
  })

  it('a filter that the type can not be is refused, as are secrets, other fields and fields of sites', async () => {
    const wrong: [string, unknown][] = [
      ['debit', 'douze'],
      ['debit', '1..x'],
      ['debit', '..'],
      ['pose', '2026-02-30'],
      ['secouru', 'peut-être'],
      ['amont', 'srv-a'],
      ['code_secret', 'xyzzy'],
      ['code_secret', ''],
      ['inconnu', 'x'],
    ]
    for (const [key, value] of wrong)
      expect([key, value, (await list({ filters: { [`champ.${key}`]: value } })).status]).toEqual([key, value, 400])
    for (const data of ['champ.code_secret', 'champ.inconnu', 'champ.'])
      expect([data, (await list({ columns: [{ data }] })).status]).toEqual([data, 400])
    expect((await admin.call('PUT', '/api/SiteDatatable', { filters: { 'champ.baie': 'x' } })).status).toBe(400)
  })

  it('S38: hostile text in values, filters, searches, keys and sorts is data', async () => {
    const before = await test.database.db.selectFrom('host').selectAll().execute()
    for (const text of HOSTILE) {
      const started = performance.now()
      const values = await admin.call('PUT', `/api/CustomField/Host/${hosts[3]}`, {
        values: { rack_a: text },
        updatedAt: '2999-01-01T00:00:00Z',
      })
      expect([text, values.status]).toEqual([text, text === '\u0000' ? 400 : 200])
      if (values.status === 200) {
        expect(await filtered({ 'champ.rack_a': text })).toBe('d')
        expect(names(await list({ search: { value: text } }))).toContain('d')
      }
      expect((await list({ filters: { [`champ.${text}`]: text } })).status).toBe(400)
      expect((await list({ columns: [{ data: `champ.${text}` }], order: [{ column: 0, dir: 'asc' }] })).status).toBe(
        400,
      )
      expect((await list({ filters: { 'champ.contrat': text } })).body.recordsFiltered).toBe(0)
      expect((await list({ filters: { 'champ.reseaux': text } })).body.recordsFiltered).toBe(0)
      expect(performance.now() - started).toBeLessThan(2_000)
    }
    expect(await test.database.db.selectFrom('host').selectAll().execute()).toEqual(before)
    await admin.call('PUT', `/api/CustomField/Host/${hosts[3]}`, {
      values: { rack_a: null },
      updatedAt: '2999-01-01T00:00:00Z',
    })
  })

  it('an export has a column for each readable field, which the import reads back', async () => {
    const answer = await admin.file('/api/HostDatatable', 'text/csv', { filters: { 'champ.debit': '9,5' } })
    const [head = '', row = '', ...rest] = answer.text.trim().split('\r\n')
    expect([answer.status, rest]).toEqual([200, []])
    for (const { key } of FIELDS.filter(field => field.type !== 'secret')) expect(head).toContain(`champ.${key}`)
    expect(head).not.toContain('code_secret')
    for (const text of ['Étage 2', '9,5', '01/03/2026', 'Oui', 'nord, sud']) expect(row).toContain(text)
  })

  it('bulk changes take the same filters', async () => {
    const body = { filter: { filters: { 'champ.debit': '..50' } }, plan: true, change: { enabled: false } }
    expect((await admin.call('POST', '/api/Host/Bulk', body)).body).toMatchObject({ matched: 2 })
    const unknown = { filter: { filters: { 'champ.inconnu': 'x' } }, plan: true, change: { enabled: false } }
    expect((await admin.call('POST', '/api/Host/Bulk', unknown)).status).toBe(400)
  })

  it('values of models and defaults are shown, sorted, filtered and searched where a host has none of its own', async () => {
    const key = 'hérité'.normalize('NFD').replace(/\p{M}/gu, '')
    await make('/api/CustomField/Definition', {
      key,
      label: key,
      type: 'integer',
      scope: 'host',
      groupId,
      defaultValue: '5',
    })
    const model = async (name: string, value: number): Promise<number> =>
      (await make('/api/Model/Create', { name, definition: { scanners: [], fields: { [key]: value } } })).id
    const first = await model('Premier', 20)
    const second = await model('Second', 30)
    const [a = 0, b = 0, c = 0] = hosts
    await put(a, { [key]: 1 })
    const assign = async (id: number, monitoringModelIds: readonly number[]) => {
      const host = (await admin.call('GET', `/api/Host/Get/${id}`)).body
      const answer = await admin.call('PUT', `/api/Host/Update/${id}`, { ...host, monitoringModelIds })
      expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    }
    await assign(a, [first])
    await assign(b, [second, first])
    await assign(c, [first])
    const texts = (await list({})).body.data.map((host: Answered) => host.customFields[key])
    expect(texts).toEqual(['1', '30', '20', '5'])
    expect([await sorted(key, 'asc'), await sorted(key, 'desc')]).toEqual(['adcb', 'bcda'])
    expect(await filtered({ [`champ.${key}`]: '5..20' })).toBe('cd')
    expect(await filtered({ [`champ.${key}`]: '' })).toBe('')
    expect(names(await list({ search: { value: '30' } }))).toBe('b')
    const field = (await admin.call('GET', `/api/CustomField/Host/${b}`)).body.fields.find(
      (one: Answered) => one.definition.key === key,
    )
    expect(field).toMatchObject({ value: 30, origin: 'model', originName: 'Second', updatedAt: null })
  })

  it('a field of some types is shown, filtered and found only on them', async () => {
    const [type] = (await admin.call('GET', '/api/Host/GetType')).body
    await make('/api/CustomField/Definition', {
      key: 'typé'.normalize('NFD').replace(/\p{M}/gu, ''),
      label: 'Typé',
      type: 'text',
      scope: 'host',
      groupId,
      types: [type.id],
      defaultValue: 'standard',
    })
    const [a = 0] = hosts
    const before = (await admin.call('GET', `/api/Host/Get/${a}`)).body
    await admin.call('PUT', `/api/Host/Update/${a}`, { ...before, typeId: type.id })
    expect((await list({})).body.data.map((host: Answered) => host.customFields.type)).toEqual([
      'standard',
      undefined,
      undefined,
      undefined,
    ])
    expect(await filtered({ 'champ.type': 'standard' })).toBe('a')
    expect(names(await list({ search: { value: 'standard' } }))).toBe('a')
    await put(a, { type: 'spécial' })
    expect(names(await list({ search: { value: 'special' } }))).toBe('a')
    const after = (await admin.call('GET', `/api/Host/Get/${a}`)).body
    await admin.call('PUT', `/api/Host/Update/${a}`, { ...after, typeId: null })
    expect(names(await list({ search: { value: 'special' } }))).toBe('')
    expect(await filtered({ 'champ.type': 'special' })).toBe('')
  })

  it('sites have the same', async () => {
    await make('/api/CustomField/Definition', { key: 'region', label: 'Région', type: 'text', scope: 'site', groupId })
    await put(siteId, { region: 'Rhône-Alpes' }, 'Site')
    const site = await admin.call('PUT', '/api/SiteDatatable', { filters: { 'champ.region': 'rhone' } })
    expect(site.body.data.map((one: Answered) => one.customFields)).toEqual([{ region: 'Rhône-Alpes' }])
    const searched = await admin.call('PUT', '/api/SiteDatatable', { search: { value: 'alpes' } })
    expect(searched.body.recordsFiltered).toBe(1)
    expect((await admin.call('GET', `/api/Site/Get/${siteId}`)).body.customFields).toEqual({ region: 'Rhône-Alpes' })
    const updated = await admin.call(
      'PUT',
      `/api/Site/Update/${siteId}`,
      (await admin.call('GET', `/api/Site/Get/${siteId}`)).body,
    )
    expect(updated.body.customFields).toEqual({ region: 'Rhône-Alpes' })
  })
})
