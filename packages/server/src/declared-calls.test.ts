import { ALL_ROUTES, NO_THRESHOLDS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from './testing/test-app.ts'
import { enrolTestProbe } from './testing/test-probe.ts'

/** Method, path and what a right answer holds (null: nothing); every answer is held to the schema of its route too. */
type Call = readonly [call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, answer: unknown, body?: unknown]

const id = expect.any(Number)
const text = expect.any(String)
const some = (item: unknown) => expect.arrayContaining([expect.objectContaining(Object(item))])
const page = (item: unknown) => ({ draw: id, recordsTotal: id, recordsFiltered: id, data: some(item) })
const changed = { lastUpdate: text }
const select2 = (name: string) => ({ results: some({ id, text: name }), pagination: { more: false } })
const page7 = { draw: 7, start: 0, length: 10, search: { value: '', regex: false }, order: [], columns: [] }
/** Both ways of a datatable: the first page, and the one that is asked, whose `draw` comes back. */
const datatable = (name: string, item: unknown): Call[] => [
  [`GET /api/${name}Datatable`, page(item)],
  [`PUT /api/${name}Datatable`, { ...page(item), draw: 7 }, page7],
]

/** Each call of §7 as it stands there; `*` is an id. Where it names none, what reads or changes one object is asked with it. */
const DECLARED = Object.entries({
  Authentication: 'POST Login, POST Refresh, POST Logout',
  Account:
    'GET Get, GET Get/*, GET Get/LastUpdate, POST Create, PUT Update, PUT Update/*, PUT Password/Update, DELETE Delete',
  Claim: 'GET User/Get, GET User/Get/*, GET Get, PUT *',
  Metric:
    'GET Get, GET Get/Live, GET Get/LastUpdate, GET MetricData, GET Get/LastData, POST Create, PUT Update/*, DELETE Delete/*',
  Probe: 'GET Get, GET Get/LastUpdate, PUT Update/*',
  Host: 'GET Get, POST Create, PUT Update/*, DELETE Delete/*, GET Get/LastUpdate, GET Select2D/Get, GET Select2D/GetModel, GET Select2D/GetType, GET GetType',
  Scanner: 'GET Get, GET Get/Metric, GET Get/LastUpdate, POST Create',
  Site: 'GET Select2D/Get, GET Select2D/GetType, GET Get/LastUpdate, GET Get, POST Create, PUT Update/*, DELETE Delete/*',
  Dashboard: 'GET Get/Main, GET Get/Status, GET Get/StatusHour',
  Parameter: 'GET Configuration, GET Collect',
  CustomField: `GET PrivilegeGroup/*/Field, GET Definition/*/Field, GET Host/*, PUT Host/*, GET Site/*, PUT Site/*,
    GET PrivilegeGroup, POST PrivilegeGroup, PUT PrivilegeGroup/*, DELETE PrivilegeGroup/*,
    GET PrivilegeGroup/*/User, PUT PrivilegeGroup/*/User, GET Privilege, PUT Privilege,
    GET Definition, POST Definition, PUT Definition/*, DELETE Definition/*, GET Group, POST Group, PUT Group/*, DELETE Group/*`,
}).flatMap(([entity, calls]) => calls.split(/,\s*/).map(call => call.replace(' ', ` /api/${entity}/`)))
for (const list of [
  'Account',
  'Metric',
  'Probe',
  'Host',
  'Scanner',
  'ScannerPing',
  'Site',
  'Dashboard',
  'Log',
  'UserGroup',
  'CustomFieldDefinition',
])
  DECLARED.push(`GET /api/${list}Datatable`, `PUT /api/${list}Datatable`)

describe.each(DIALECTS)('the calls of §7, each for real, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  const ids: Record<string, number> = {}
  const asked = new Set<string>()
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    ids.site = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO', typeId: 1 })).id
    const { id: model } = await admin.make('/api/Host/CreateModel', { name: 'RB5009', manufacturer: 'MikroTik' })
    const body = { name: 'rtr-1', address: '192.0.2.1', siteId: ids.site, typeId: 1, modelId: model }
    ids.host = (await admin.make('/api/Host/Create', body)).id
    const probe = await enrolTestProbe(test)
    ids.probe = probe.id
    await probe.orders()
    const [scanner] = (await admin.call('GET', '/api/Scanner/Get')).body
    ids.scanner = scanner.id
    await probe.post([{ scanner: scanner.id, values: { rtt_avg: 4.2, loss_ratio: 0 } }])
    await test.app.monitoring.evaluation.idle()
    const metrics: Answered[] = (await admin.call('GET', '/api/Metric/Get')).body
    ids.metric = metrics.find(({ key }) => key === 'rtt_avg').id
    const account = { login: 'claire', firstName: 'Claire', lastName: 'Martin', groups: [2], claims: [] }
    ids.account = (await admin.make('/api/Account/Create', account)).idUser
  })
  afterAll(() => test.close())

  /** `{site}` stands for the site's id. */
  const answers = async (caller: Caller, calls: readonly Call[]): Promise<void> => {
    for (const [call, answer, body] of calls) {
      const [method = '', path = ''] = call.split(' ')
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))
      asked.add(call.replace(/\{\w+\}/g, '*').replace(/\?.*/, ''))
      const given = await caller.call(methodOf(method), url, body)
      expect([call, given.status, given.body?.errors]).toEqual([
        call,
        answer === null ? 204 : expect.toSatisfy(isGood),
        undefined,
      ])
      if (answer === null) expect([call, given.body]).toEqual([call, null])
      else if (Array.isArray(given.body)) expect([call, given.body]).toEqual([call, answer])
      else expect([call, given.body]).toMatchObject([call, answer])
    }
  }

  it('accounts and claims', async () => {
    const own = { idUser: id, login: 'admin', firstConnection: false, claims: some({ claim: 'admin' }) }
    await answers(admin, [
      ['GET /api/Account/Get', own],
      ['GET /api/Account/Get/{account}', { idUser: id, login: 'claire', firstConnection: true }],
      ['GET /api/Account/Get/LastUpdate', changed],
      ['POST /api/Account/Create', { idUser: id, login: 'paul', temporaryPassword: text }, { login: 'paul' }],
      ['PUT /api/Account/Update', { idUser: id, firstName: 'Ada' }, { firstName: 'Ada', lastName: '' }],
      ['GET /api/Claim/User/Get', some({ claim: 'admin' })],
      ['GET /api/Claim/User/Get/{account}', some({ claim: 'host_write' })],
      ['GET /api/Claim/Get', some({ claim: 'site_write', label: text })],
      ['PUT /api/Claim/{account}', { claims: some({ claim: 'log_read' }) }, { claims: [{ claim: 'log_read' }] }],
      ['GET /api/Claim/User/Get/{account}', some({ claim: 'log_read' })],
      ...datatable('Account', { idUser: id, login: text }),
    ])
    const claire: Answered = (await admin.call('GET', `/api/Account/Get/${ids.account}`)).body
    const update = { login: 'claire', firstName: 'Claire', lastName: 'Durand', updatedAt: claire.updatedAt }
    await answers(admin, [['PUT /api/Account/Update/{account}', { idUser: id, lastName: 'Durand' }, update]])
  })

  it('sessions: signing in, renewing, the own password, signing out, and one’s own end', async () => {
    await test.user([], { login: 'lise' })
    const device = { uuid: '3f0c1f6e-5a55-4d2a-9a6f-0d3b1c6f1a11' }
    const tokens = { token: text, refreshToken: text }
    const nobody = test.anonymous()
    await answers(nobody, [
      ['POST /api/Authentication/Login', tokens, { login: 'lise', password: PASSWORD, ...device }],
    ])
    const lise = await test.signIn('lise', PASSWORD)
    const { token: accessToken, refreshToken, uuid } = lise
    await answers(nobody, [['POST /api/Authentication/Refresh', tokens, { accessToken, refreshToken, uuid }]])
    const again = await test.signIn('lise', PASSWORD)
    const password = 'Nouveau-2026!'
    await answers(again, [
      ['PUT /api/Account/Password/Update', null, { password, passwordConfirmation: password }],
      ['POST /api/Authentication/Logout', null, null],
    ])
    const last = await test.signIn('lise', password)
    await answers(last, [['DELETE /api/Account/Delete', null]])
    expect((await last.call('GET', '/api/Account/Get')).status).toBe(401)
  })

  it('metrics', async () => {
    const metric = { id, name: text, key: text, unit: text, hostName: 'rtr-1', severity: text }
    await answers(admin, [
      ['GET /api/Metric/Get', some(metric)],
      ['GET /api/Metric/Get/{metric}', { ...metric, value: 4.2 }],
      ['GET /api/Metric/Get/Live?ids={metric}', some({ id, value: 4.2, at: text, severity: 'ok', since: text })],
      ['GET /api/Metric/Get/LastUpdate', changed],
      ['GET /api/Metric/Get/LastData?ids={metric}', some({ id, at: text, value: 4.2 })],
      [
        'GET /api/Metric/MetricData?ids={metric}',
        { stepMs: id, series: some({ id, unit: 'ms', at: expect.any(Array) }) },
      ],
      ['GET /api/Metric/MetricData', { stepMs: id, series: [] }],
      ...datatable('Metric', metric),
    ])
    const jitter = (await admin.call('GET', '/api/Metric/Get')).body.find((one: Answered) => one.key === 'jitter')
    ids.made = jitter.id
    const again = { scannerId: ids.scanner, key: 'jitter', name: 'Gigue', thresholds: NO_THRESHOLDS }
    await answers(admin, [
      ['PUT /api/Metric/Update/{made}', { id, name: 'Variation' }, { ...jitter, name: 'Variation' }],
      ['DELETE /api/Metric/Delete/{made}', { deleted: true }],
      ['POST /api/Metric/Create', { id, key: 'jitter', name: 'Gigue' }, again],
    ])
  })

  it('probes', async () => {
    const probe = { id, name: 'Sonde d’essai', state: 'online' }
    await answers(admin, [
      ['GET /api/Probe/Get', some(probe)],
      ['GET /api/Probe/Get/{probe}', probe],
      ['GET /api/Probe/Get/LastUpdate', changed],
      ...datatable('Probe', probe),
    ])
    const { body } = await admin.call('GET', `/api/Probe/Get/${ids.probe}`)
    const update = { name: 'Sonde de Lyon', siteId: ids.site, updatedAt: body.updatedAt }
    await answers(admin, [['PUT /api/Probe/Update/{probe}', { id, name: 'Sonde de Lyon' }, update]])
  })

  it('hosts', async () => {
    const host = { id, name: 'rtr-1', address: '192.0.2.1', siteName: 'Lyon', state: text, severity: text }
    await answers(admin, [
      ['GET /api/Host/Get', some(host)],
      ['GET /api/Host/Get/{host}', host],
      ['GET /api/Host/Get/LastUpdate', changed],
      ['GET /api/Host/Select2D/Get?term=rtr&page=1', select2('rtr-1')],
      ['GET /api/Host/Select2D/GetModel', select2('RB5009')],
      ['GET /api/Host/Select2D/GetType', { results: some({ id, text: 'Routeur' }), pagination: { more: false } }],
      ['GET /api/Host/GetType', some({ id, name: 'Routeur', icon: text })],
      ...datatable('Host', host),
    ])
    const made = await admin.make('/api/Host/Create', { name: 'srv-1', address: 'srv-1.lyon', siteId: ids.site })
    ids.made = made.id
    await answers(admin, [
      ['POST /api/Host/Create', { id, name: 'srv-3' }, { name: 'srv-3', address: 'srv-3.lyon', siteId: ids.site }],
      ['PUT /api/Host/Update/{made}', { id, name: 'srv-2' }, { ...made, name: 'srv-2' }],
      ['DELETE /api/Host/Delete/{made}?cascade=true', { deleted: true }],
    ])
  })

  it('scanners', async () => {
    const scanner = { id, name: 'Ping', kind: 'ping', hostName: 'rtr-1' }
    const dns = { name: 'Page', kind: 'http', hostId: ids.host, parameters: {} }
    await answers(admin, [
      ['GET /api/Scanner/Get', some(scanner)],
      ['GET /api/Scanner/Get/{scanner}', scanner],
      ['GET /api/Scanner/Get/Metric?id={scanner}', some({ id, key: 'rtt_avg', value: 4.2 })],
      ['GET /api/Scanner/Get/LastUpdate', changed],
      ['POST /api/Scanner/Create', { id, name: 'Page', kind: 'http' }, dns],
      ...datatable('Scanner', scanner),
      ...datatable('ScannerPing', { id, hostName: 'rtr-1' }),
    ])
  })

  it('sites', async () => {
    const site = { id, name: 'Lyon', code: 'LYO', severity: text, hosts: id }
    await answers(admin, [
      ['GET /api/Site/Select2D/Get?term=lyo', select2('Lyon')],
      ['GET /api/Site/Select2D/GetType', { results: some({ id, text: 'Siège' }), pagination: { more: false } }],
      ...datatable('Site', site),
      ['GET /api/Site/Get/LastUpdate', changed],
      ['GET /api/Site/Get', some(site)],
      ['GET /api/Site/Get/{site}', site],
    ])
    const made = await admin.make('/api/Site/Create', { name: 'Nice', code: 'NCE' })
    ids.made = made.id
    await answers(admin, [
      ['POST /api/Site/Create', { id, name: 'Menton' }, { name: 'Menton', code: 'MTN' }],
      ['PUT /api/Site/Update/{made}', { id, name: 'Nice Port' }, { ...made, name: 'Nice Port' }],
      ['DELETE /api/Site/Delete/{made}', { deleted: true }],
    ])
  })

  it('dashboards', async () => {
    const counts = { error: id, warning: id, unknown: id, ok: id }
    await answers(admin, [
      ['GET /api/Dashboard/Get/Main', { severities: counts, hosts: counts, probesOffline: 0, at: text }],
      ['GET /api/Dashboard/Get/Status', some({ siteId: id, siteName: 'Lyon' })],
      ['GET /api/Dashboard/Get/StatusHour', some({ hour: text, ...counts })],
      ...datatable('Dashboard', { id, hostName: 'rtr-1', severity: text }),
    ])
  })

  it('parameters, the log, user groups', async () => {
    for (const [part, key, value] of [
      ['Configuration', 'contactUrl', 'https://exemple.fr/contact'],
      ['Collect', 'attempts', 4],
    ] as const)
      await answers(admin, [
        [`GET /api/Parameter/${part}`, some({ key, origin: 'default' })],
        [`PUT /api/Parameter/${part}`, some({ key, value }), { [key]: value }],
        [`GET /api/Parameter/${part}`, some({ key, value })],
      ])
    await answers(admin, [...datatable('Log', { id, at: text }), ...datatable('UserGroup', { id, name: text })])
  })

  it('custom fields', async () => {
    await answers(admin, [['POST /api/CustomField/Group', { id, name: 'Achat' }, { name: 'Achat' }]])
    const [group] = (await admin.call('GET', '/api/CustomField/Group')).body
    ids.group = group.id
    const definition = { key: 'baie', label: 'Baie', type: 'text', scope: 'host', groupId: group.id }
    await answers(admin, [['POST /api/CustomField/Definition', { id, key: 'baie' }, definition]])
    const [field] = (await admin.call('GET', '/api/CustomField/Definition')).body
    ids.field = field.id
    await answers(admin, [['POST /api/CustomField/PrivilegeGroup', { id, name: 'Acheteurs' }, { name: 'Acheteurs' }]])
    const holders: Answered[] = (await admin.call('GET', '/api/CustomField/PrivilegeGroup')).body
    const holder = holders.find(({ name }) => name === 'Acheteurs')
    ids.holder = holder.id
    const cell = { userGroupId: holder.id, groupId: null, definitionId: field.id, level: 'write' }
    await answers(admin, [
      ['GET /api/CustomField/Group', some({ id, name: 'Achat' })],
      ['PUT /api/CustomField/Group/{group}', { name: 'Achats' }, { ...group, name: 'Achats' }],
      ['GET /api/CustomField/Definition', some({ id, key: 'baie', label: 'Baie' })],
      ['PUT /api/CustomField/Definition/{field}', { label: 'Baie n°' }, { ...field, label: 'Baie n°' }],
      ['GET /api/CustomField/Definition/{field}/Field', expect.anything()],
      ...datatable('CustomFieldDefinition', { id, key: 'baie' }),
      ['GET /api/CustomField/PrivilegeGroup', some({ id, name: 'Acheteurs' })],
      ['PUT /api/CustomField/PrivilegeGroup/{holder}', { name: 'Acheteuses' }, { ...holder, name: 'Acheteuses' }],
      ['PUT /api/CustomField/Privilege', { cells: some(cell) }, { cells: [cell] }],
      ['GET /api/CustomField/Privilege', { userGroups: some({ name: 'Acheteuses' }), cells: some(cell) }],
      ['GET /api/CustomField/PrivilegeGroup/{holder}/Field', some({ level: 'write' })],
      ['GET /api/CustomField/PrivilegeGroup/{holder}/User', expect.any(Array)],
      [
        'GET /api/CustomField/Host/{host}',
        { groups: some({ name: 'Achats' }), fields: some({ definition: expect.objectContaining({ key: 'baie' }) }) },
      ],
      ['PUT /api/CustomField/Host/{host}', { fields: some({ value: 'B12' }) }, { values: { baie: 'B12' } }],
      ['GET /api/CustomField/Site/{site}', { groups: expect.any(Array), fields: [] }],
      ['PUT /api/CustomField/Site/{site}', { fields: [] }, { values: {} }],
      ['PUT /api/CustomField/PrivilegeGroup/{holder}/User', some({ idUser: ids.account }), { users: [ids.account] }],
      ['DELETE /api/CustomField/Definition/{field}?cascade=true', { deleted: true }],
      ['DELETE /api/CustomField/Group/{group}', { deleted: true }],
      ['DELETE /api/CustomField/PrivilegeGroup/{holder}', { deleted: true }],
    ])
    expect((await admin.call('GET', '/api/CustomField/Definition')).body).toEqual([])
  })

  it('every call that is declared was asked above and is one of the routes, and the five hubs negotiate', async () => {
    const paths = new Set(ALL_ROUTES.map(({ path }) => path))
    expect([...paths].filter(path => path.startsWith('/api/')).length).toBeGreaterThan(100)
    const routes = new Set(ALL_ROUTES.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '*')}`))
    expect(DECLARED.filter(call => !asked.has(call) || !routes.has(call))).toEqual([])
    for (const hub of ['Communication', 'Host', 'Metric', 'Site', 'Service']) {
      const answer = await admin.call('POST', `/Hub/${hub}/negotiate?negotiateVersion=1`)
      expect([hub, answer.status, answer.body]).toMatchObject([
        hub,
        200,
        { connectionToken: text, availableTransports: some({}) },
      ])
    }
  })
})

const isGood = (status: number): boolean => status === 200 || status === 201
const methodOf = (text: string): 'GET' | 'POST' | 'PUT' | 'DELETE' =>
  text === 'POST' || text === 'PUT' || text === 'DELETE' ? text : 'GET'
