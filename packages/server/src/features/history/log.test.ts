import { datatableRequest, LOG_ACTIONS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Viewer } from '../../http/caller.ts'
import { createMemoryAnchor } from '../../store/audit-chain.ts'
import { type Answered, type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'
import { createLogService } from './log.service.ts'

const LIST = '/api/LogDatatable'
const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe.each(DIALECTS)('the log on %s', dialect => {
  let nowMs = Date.parse('2026-11-20T08:00:00Z')
  let test: TestApp
  let admin: Caller
  let reader: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: () => nowMs })
    admin = await test.admin()
    reader = await test.user(['log_read'], { login: 'lectrice' })
    await admin.make('/api/Site/Create', { name: 'Hôpital Édouard-Herriot', code: 'HEH' })
    await admin.make('/api/Host/Create', { name: 'srv-forêt', address: '192.0.2.7', siteId: 1 })
  })
  afterAll(() => test.close())
  const list = async (body: object, by: Caller = reader): Promise<Answered> => {
    const answer = await by.call('PUT', LIST, body)
    return answer.status === 200 ? answer.body : answer
  }
  const filtered = async (filters: object): Promise<Answered[]> => (await list({ filters, length: 500 })).data
  const newest = async (filters: object = {}): Promise<Answered> => (await list({ filters, length: 1 })).data[0]

  it('tells who did what from where to what, the newest first, by words', async () => {
    nowMs += 1_000
    const host = (await admin.call('GET', '/api/Host/Get/1')).body
    await admin.call('PUT', '/api/Host/Update/1', { ...host, enabled: false })
    expect(await newest()).toMatchObject({
      ...{ kind: 'audit', action: 'host-update', actionText: 'Équipement\u202f: modification', actor: 'admin' },
      ...{ address: '127.0.0.1', objectKind: 'host', objectId: 1, objectName: 'srv-forêt', objectExists: true },
      ...{ outcome: 'success', message: 'Actif\u202f: oui → non', at: new Date(nowMs).toISOString() },
    })
    const first = await reader.call('GET', LIST)
    expect(first.body.data[0].id).toBe((await newest()).id)
  })

  it('gives an entry whole, with its differences and its seal', async () => {
    await test.app.sealLog()
    const { id } = await newest({ action: 'host-update' })
    const { body } = await reader.call('GET', `/api/Log/Get/${id}`)
    expect(body.changes).toEqual([{ field: 'enabled', label: 'Actif', before: 'oui', after: 'non' }])
    expect([body.position > 0, body.seal.length]).toEqual([true, 43])
    expect((await reader.call('GET', '/api/Log/Get/999999')).status).toBe(404)
  })

  it('finds by words whatever their case and accents, each from its beginning, all of them', async () => {
    const found = async (value: string) => (await list({ search: { value } })).recordsFiltered
    const one = await found('FORET')
    expect(one).toBeGreaterThan(0)
    expect(await found('forêt 192.0.2.7')).toBeGreaterThan(0)
    expect(await found('hopital edouard')).toBeGreaterThan(0)
    expect(await found('équip modif')).toBe(1)
    expect(await found('oret')).toBe(0)
    for (const value of ['…', `'; drop table audit; --`, '"*', 'a:b & !c', '\u0000'])
      expect([value, await found(value)]).toEqual([value, 0])
  })

  it('filters by kind, family, action, object, outcome, actor, place of origin and time; refuses what it does not know', async () => {
    const every = async (filters: object, of: (entry: Answered) => boolean) => {
      const data = await filtered(filters)
      expect([filters, data.length > 0, data.every(of)]).toEqual([filters, true, true])
    }
    await every({ kind: 'event' }, entry => entry.kind === 'event')
    await every({ family: ['access'] }, entry => LOG_ACTIONS.get(entry.action)?.family === 'access')
    await every({ action: ['login', 'host-create'] }, entry => ['login', 'host-create'].includes(entry.action))
    await every({ object: 'site' }, entry => entry.objectKind === 'site')
    await every({ actor: 'ADM' }, entry => entry.actor === 'admin')
    await every({ address: '127.' }, entry => entry.address === '127.0.0.1')
    await every({ siteId: 1 }, entry => ['site', 'host'].includes(entry.objectKind))
    await every({ period: 'hour', outcome: 'success' }, entry => entry.outcome === 'success')
    const at = new Date(nowMs).toISOString()
    await every({ from: at }, entry => entry.at >= at)
    await every({ to: at }, entry => entry.at < at)
    const { id } = await newest()
    expect((await filtered({ after: id })).length).toBe(0)
    expect((await list({ filters: { through: id } })).data[0].id).toBe(id)
    for (const filters of [{ kind: 'x' }, { family: 'x' }, { period: 'x' }, { from: 'x' }, { after: -1 }, { x: 1 }])
      expect([filters, (await list({ filters })).status]).toEqual([filters, 400])
  })

  it('is read by who holds log_read alone, and verified by administrators alone', async () => {
    const other = await test.user(['host_write'])
    for (const [method, url] of [
      ['GET', LIST],
      ['PUT', LIST],
      ['GET', '/api/Log/Get/1'],
    ] as const)
      expect((await other.call(method, url, method === 'PUT' ? {} : undefined)).status).toBe(403)
    expect((await reader.call('POST', '/api/Log/Verify')).status).toBe(403)
    const { status, body } = await admin.call('POST', '/api/Log/Verify')
    expect([status, body.ok, body.faults]).toEqual([200, true, []])
    expect(await newest()).toMatchObject({ action: 'log-verify', actor: 'admin', outcome: 'success' })
  })

  it('S32: shows and counts to an account that is limited to sites what is of these sites alone', async () => {
    const hidden = await admin.make('/api/Site/Create', { name: 'Caché', code: 'CAC' })
    await admin.make('/api/Host/Create', { name: 'srv-cache', address: '192.0.2.9', siteId: hidden.id })
    await admin.call('DELETE', `/api/Host/Delete/${(await newest({ object: 'host' })).objectId}?cascade=true`)
    const log = createLogService({ database: test.database, anchor: createMemoryAnchor(), now: () => nowMs })
    const viewer: Viewer = {
      ...{ userId: 2, login: 'limitee', sessionId: null, credential: 'x', firstConnection: false, signedInMs: 0 },
      ...{ claims: new Set(['log_read']), place: { sites: new Set([1]), tags: new Set<string>() }, limits: new Map() },
    }
    const asked = (value: object) => log.datatable(viewer, datatableRequest.parse(value))
    const seen = await asked({ length: 500 })
    const all = await list({ length: 500, filters: { siteId: 1 } })
    expect([seen.recordsTotal, seen.recordsFiltered]).toEqual([all.recordsFiltered, all.recordsFiltered])
    expect(seen.data.map(entry => entry.id)).toEqual(all.data.map((entry: Answered) => entry.id))
    expect((await asked({ search: { value: 'cache' } })).recordsFiltered).toBe(0)
    expect((await list({ search: { value: 'cache' } })).recordsFiltered).toBeGreaterThan(2)
    const foreign = await newest({ action: 'host-delete' })
    await expect(log.get(viewer, foreign.id)).rejects.toThrow()
    const names: string[] = []
    for await (const entries of await log.everything(viewer, datatableRequest.parse({})))
      names.push(...entries.map(entry => entry.objectName))
    expect([names.includes('srv-forêt'), names.includes('srv-cache')]).toEqual([true, false])
  })

  it('S45: gives all that matches as CSV and NDJSON, formulas inert, one line each', async () => {
    const name = '=HYPERLINK("http://x")\r\n@fin'
    await admin.make('/api/Comment/Create', { kind: 'host', id: 1, text: name, pinned: false }).catch(() => null)
    await admin.make('/api/Host/Create', { name: '=1+1', address: '192.0.2.8', siteId: 1 })
    const body = { filters: { action: ['host-create', 'comment-create'] }, length: 1 }
    const csv = await reader.file(LIST, 'text/csv', body)
    const lines = csv.text.trim().split('\r\n')
    expect(lines.length).toBe((await list({ ...body, length: 500 })).recordsFiltered + 1)
    expect(csv.text).toContain(`;'=1+1;`)
    expect(csv.headers['content-disposition']).toBe('attachment; filename="journal.csv"')
    const ndjson = await reader.file(LIST, 'application/x-ndjson', body)
    expect(ndjson.text.trim().split('\n').length).toBe(lines.length - 1)
  })

  it('shows a received message with its severity, and forgets it with the message; none of it counts as a change', async () => {
    const probe = await enrolTestProbe(test, () => nowMs)
    const rules = [{ name: 'Tout', severity: 'error' }]
    const scanner = (
      await admin.make('/api/Scanner/Create', { name: 'Syslog', kind: 'syslog', hostId: 1, parameters: { rules } })
    ).id
    const before = (await admin.call('GET', '/api/Host/Get/LastUpdate')).body
    nowMs += 1_000
    const values = { state: 2, messages: 1, matched: 1, dropped: 0, 'rule[Tout]': 1 }
    const event = { at: nowMs, severity: 'error' as const, text: 'Disque\nplein', source: '192.0.2.7 kernel' }
    await probe.post([{ scanner, values, events: [event] }])
    await test.app.monitoring.evaluation.idle()
    expect(await newest({ family: 'message' })).toMatchObject({
      ...{ kind: 'event', outcome: 'received', severity: 'error', message: 'Disque\\nplein', actor: null },
      ...{ objectKind: 'host', objectId: 1, objectName: 'srv-forêt', address: '192.0.2.7 kernel' },
    })
    expect((await list({ search: { value: 'disque plein' } })).recordsFiltered).toBe(1)
    expect((await admin.call('GET', '/api/Host/Get/LastUpdate')).body).toEqual(before)
    await test.database.db.deleteFrom('received_event').execute()
    expect(await filtered({ family: 'message' })).toEqual([])
    expect((await list({ search: { value: 'disque plein' } })).recordsFiltered).toBe(0)
  })

  describe('S60: the fixed list of what is written', () => {
    const acts: readonly (readonly [string, string | null, () => Promise<unknown>])[] = [
      ['login', 'lectrice', () => test.signIn('lectrice', PASSWORD)],
      ['login', 'lectrice', () => test.signIn('lectrice', 'Faux-2026!\r\nadmin').catch(() => null)],
      [
        'logout',
        'lectrice',
        async () => (await test.signIn('lectrice', PASSWORD)).call('POST', '/api/Authentication/Logout', null),
      ],
      [
        'account-create',
        'admin',
        () => admin.make('/api/Account/Create', { login: 'nouveau', claims: [{ claim: 'log_read' }] }),
      ],
      [
        'account-update',
        'admin',
        async () => admin.call('PUT', `/api/Account/Update/${await idOf('nouveau')}`, { firstName: 'Léa' }),
      ],
      [
        'account-update',
        'lectrice',
        async () =>
          (await test.signIn('lectrice', PASSWORD)).call('PUT', '/api/Account/Update', { email: 'lea@exemple.fr' }),
      ],
      [
        'claims-update',
        'admin',
        async () => admin.call('PUT', `/api/Claim/${await idOf('nouveau')}`, { claims: [{ claim: 'host_write' }] }),
      ],
      [
        'password-reset',
        'admin',
        async () => admin.call('POST', `/api/Account/Password/Reset/${await idOf('nouveau')}`),
      ],
      [
        'api-token-create',
        'admin',
        () => admin.make('/api/ApiToken/Create', { name: 'x', claims: [{ claim: 'log_read' }] }),
      ],
      ['account-delete', 'admin', async () => admin.call('DELETE', `/api/Account/Delete/${await idOf('nouveau')}`)],
      ['parameter-update', 'admin', () => admin.call('PUT', '/api/Parameter/Configuration', { auditDays: 400 })],
      ['site-create', 'admin', () => admin.make('/api/Site/Create', { name: 'Brest', code: 'BRE' })],
      [
        'maintenance-create',
        'admin',
        () =>
          admin.make('/api/Maintenance/Create', {
            comment: 'x',
            hosts: [1],
            schedule: {
              kind: 'one-off',
              from: new Date(nowMs + 3_600_000).toISOString(),
              to: new Date(nowMs + 7_200_000).toISOString(),
            },
          }),
      ],
      [
        'comment-create',
        'admin',
        () => admin.make('/api/Comment/Create', { kind: 'host', id: 1, text: 'Vu', pinned: false }),
      ],
      ['probe-code', 'admin', () => admin.call('POST', '/api/Probe/Code')],
      [
        'probe-enroll',
        'admin',
        async () =>
          enrolTestProbe(test, () => nowMs, {
            code: (await admin.call('POST', '/api/Probe/Code')).body.code,
            name: 'Nantes',
          }).catch(() => null),
      ],
      ['probe-approve', 'admin', async () => admin.call('POST', `/api/Probe/Approve/${await probeOf('Nantes')}`)],
      ['probe-revoke', 'admin', async () => admin.call('POST', `/api/Probe/Revoke/${await probeOf('Nantes')}`)],
    ]
    const idOf = async (login: string) =>
      (await test.database.db.selectFrom('account').select('id').where('login', '=', login).executeTakeFirstOrThrow())
        .id
    const probeOf = async (name: string) =>
      (await test.database.db.selectFrom('probe').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id

    it('says of each the time in UTC, the actor, the source, the object and the outcome, and no secret', async () => {
      for (const [action, actor, act] of acts) {
        nowMs += 1_000
        const { id } = await newest()
        await act()
        const written = (await filtered({ after: id })).filter(entry => entry.action === action)
        expect([action, written.length]).toEqual([action, 1])
        const [entry] = written
        expect([action, entry.actor, entry.address]).toEqual([action, actor, '127.0.0.1'])
        expect(entry.at).toMatch(UTC)
        expect([action, entry.objectKind !== '' || action === 'probe-code']).toEqual([action, true])
        expect(['success', 'refused']).toContain(entry.outcome)
      }
      const rows = await test.database.db.selectFrom('audit').selectAll().orderBy('id').execute()
      const text = JSON.stringify(rows)
      for (const secret of [PASSWORD, 'Faux-2026', admin.token, admin.refreshToken]) expect(text).not.toContain(secret)
      const files = await reader.file(LIST, 'text/csv', {})
      expect(files.text).not.toContain('Faux-2026')
    })

    it('each action has its French words', async () => {
      const rows = await test.database.db.selectFrom('audit').select('action').distinct().execute()
      expect(rows.filter(({ action }) => !LOG_ACTIONS.has(action))).toEqual([])
    })

    it('an audit write that fails makes the act fail, and leaves nothing of it', async () => {
      const { id } = await newest()
      const broken = await createTestApp({ dialect, now: () => nowMs })
      const by = await broken.admin()
      await broken.database.db.schema.alterTable('audit').renameTo('audit_gone').execute()
      const created = await by.call('POST', '/api/Site/Create', { name: 'Perdu', code: 'PER' })
      const refused = await broken.anonymous().call('POST', '/api/Authentication/Login', {
        login: 'admin',
        password: 'Faux',
        uuid: '0b2c9d52-6f4a-4b0e-9d57-0d0d6e3f3a11',
      })
      await broken.database.db.schema.alterTable('audit_gone').renameTo('audit').execute()
      expect([created.status, refused.status]).toEqual([500, 500])
      // Of what went wrong it shows a reference to look for in the server's log, and nothing else.
      const { reference } = created.body
      const sentence = `Une erreur inattendue s’est produite. Référence\u202f: ${reference}.`
      expect(reference).toMatch(/^[0-9a-f]{12}$/)
      expect(created.body).toEqual({
        ...{ status: 500, title: 'Erreur interne', detail: sentence, errors: [sentence], reference },
      })
      expect((await by.call('GET', '/api/Site/Get')).body).toEqual([])
      await broken.close()
      expect((await newest()).id).toBeGreaterThanOrEqual(id)
    })
  })

  it('the start and the stop of the server are events, with whether it had stopped as it should', async () => {
    expect((await filtered({ action: 'server-start' })).at(-1)).toMatchObject({
      kind: 'event',
      actor: null,
      address: '',
      objectKind: 'server',
    })
  })
})
