import { LOG_BOOK_PAGE } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, PASSWORD, type TestApp } from '../../testing/test-app.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const at = (time: string): number => Date.parse(`2026-03-10T${time}:00Z`)

describe.each(DIALECTS)('the log book, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let marie: Caller
  let reader: Caller
  /** Reads Lyon alone, and acts there. */
  let rhone: Caller
  const ids = { lyon: 0, brest: 0, hostLyon: 0, hostBrest: 0, metric: 0, incident: 0 }
  let nowMs = NOW

  beforeAll(async () => {
    test = await createTestApp({ dialect, now: () => nowMs })
    admin = await test.admin()
    marie = await test.user(['incident_write'], { login: 'marie' })
    reader = await test.user([], { login: 'lecteur' })
    ids.lyon = (await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO' })).id
    ids.brest = (await admin.make('/api/Site/Create', { name: 'Brest', code: 'BRE' })).id
    const host = { address: '192.0.2.1', withPing: true }
    ids.hostLyon = (await admin.make('/api/Host/Create', { ...host, name: 'srv-lyon', siteId: ids.lyon })).id
    ids.hostBrest = (await admin.make('/api/Host/Create', { ...host, name: 'srv-brest', siteId: ids.brest })).id
    ids.metric = (await admin.call('GET', `/api/Metric/Get?host=${ids.hostBrest}`)).body[0].id
    ids.incident = await incident('one', { opened_at: at('08:00') })
    await event(ids.incident, 'opened', at('08:00'))
    await event(ids.incident, 'acknowledged', at('08:05'), 'marie', 'Prestataire prévenu')
    await event(ids.incident, 'notified', at('08:06'))
    const merged = await incident('two', { opened_at: at('08:01'), parent_id: ids.incident })
    await event(merged, 'opened', at('08:01'))
    const over = await incident('three', { opened_at: at('07:00'), closed_at: at('09:00') })
    await event(over, 'opened', at('07:00'))
    await event(over, 'closed', at('09:00'))
    const group = { name: 'Rhône', claims: [{ claim: 'incident_write' }], limited: true, siteIds: [ids.lyon] }
    const groups = [(await admin.make('/api/UserGroup/Create', group)).id]
    await admin.make('/api/Account/Create', { login: 'rhone', password: PASSWORD, groups, claims: [] })
    await test.database.db.updateTable('account').set({ first_connection: 0 }).execute()
    rhone = await test.signIn('rhone', PASSWORD)
  })
  afterAll(() => test.close())

  const incident = async (event_key: string, values: object): Promise<number> => {
    const about = { metric_id: ids.metric, host_id: ids.hostBrest, site_id: ids.brest, severity_rank: 0 }
    const acts = { acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null, closed_at: null }
    const row = await test.database.db
      .insertInto('incident')
      .values({ ...about, ...acts, information: '', opened_at: 1, ...values, event_key })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  let keys = 0
  const event = (incident_id: number, kind: string, atMs: number, actor: string | null = null, text = '') =>
    test.database.db
      .insertInto('incident_event')
      .values({ event_key: `e${++keys}`, incident_id, at: atMs, kind, severity_rank: 0, actor, text, detail: '{}' })
      .execute()
  const PERIOD = 'from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z'
  const book = async (query = '', caller = marie) =>
    (await caller.call('GET', `/api/LogBook/Get?${PERIOD}${query}`)).body
  const told = async (query = '', caller = marie): Promise<string[]> =>
    (await book(query, caller)).entries.map(
      ({ event, title, text }: Record<string, string>) => `${event} ${title || text}`,
    )
  const note = (text: string, more: object = {}, caller = marie) =>
    caller.call('POST', '/api/LogBook/Create', { text, ...more })

  it('tells what happened to incidents, what was written and what was done, newest first, each once', async () => {
    nowMs = at('10:00')
    await marie.make('/api/Comment/Create', { kind: 'host', id: ids.hostLyon, text: 'Onduleur changé' })
    nowMs = NOW
    expect((await note('Ronde faite', { at: '2026-03-10T11:00:00Z', siteId: ids.lyon })).status).toBe(201)
    expect(await told()).toEqual([
      'noted Ronde faite',
      'commented srv-lyon',
      ...['closed', 'acknowledged', 'opened', 'opened'].map(one => expect.stringMatching(`^${one} srv-brest`)),
    ])
    const { entries } = await book('&kind=acknowledgement')
    expect(entries).toMatchObject([
      {
        ...{ kind: 'acknowledgement', author: 'Claire Legoff', text: 'Prestataire prévenu', siteName: 'Brest' },
        link: `/dashboard/live-view/incident/${ids.incident}`,
      },
    ])
    expect(await told(`&site=${ids.lyon}`)).toEqual(['noted Ronde faite', 'commented srv-lyon'])
    expect(await told('&kind=note,comment')).toHaveLength(2)
  })

  it('S32: who reads some sites reads and counts these alone, and writes there alone', async () => {
    expect(await told('', rhone)).toEqual(['noted Ronde faite', 'commented srv-lyon'])
    expect((await note('Sans lieu', {}, rhone)).status).toBe(400)
    expect((await note('Ailleurs', { siteId: ids.brest }, rhone)).status).toBe(400)
    expect((await note('Chez moi', { siteId: ids.lyon }, rhone)).status).toBe(201)
    expect((await note('De tous')).status).toBe(201)
    expect(await told('&kind=note', rhone)).toEqual(['noted Chez moi', 'noted Ronde faite'])
  })

  it('refuses who may not act, empty notes, and periods that are none or too long', async () => {
    expect((await note('Vu', {}, reader)).status).toBe(403)
    expect((await note(' \n ')).status).toBe(400)
    const status = async (query: string) => (await marie.call('GET', `/api/LogBook/Get?${query}`)).status
    expect(await status('from=2026-03-10T00:00:00Z&to=2026-03-09T00:00:00Z')).toBe(400)
    expect(await status('from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z')).toBe(400)
    expect(await status(`${PERIOD}&kind=tout`)).toBe(400)
    expect(await status(`${PERIOD}&before=1:2`)).toBe(400)
    expect(await told('', reader)).toHaveLength(8)
  })

  it('a note is changed and deleted by its author or an administrator, each time audited', async () => {
    const { id } = (await note('À corriger')).body
    const other = await test.user(['incident_write'], { login: 'paul' })
    const body = { text: 'Corrigée' }
    expect((await other.call('PUT', `/api/LogBook/Update/${id}`, body)).status).toBe(403)
    expect((await marie.call('PUT', `/api/LogBook/Update/${id}`, body)).body).toMatchObject({
      ...{ text: 'Corrigée', edited: true, mayEdit: true, at: new Date(NOW).toISOString() },
    })
    expect((await admin.call('DELETE', `/api/LogBook/Delete/${id}`)).status).toBe(204)
    expect((await admin.call('DELETE', `/api/LogBook/Delete/${id}`)).status).toBe(404)
    const lines = await test.database.db
      .selectFrom('audit')
      .select('action')
      .where('object', '=', `log-book-note ${id}`)
      .orderBy('id')
      .execute()
    expect(lines.map(line => line.action)).toEqual(['create', 'update', 'delete'].map(verb => `log-book-note-${verb}`))
  })

  it('pages neither repeat nor miss a line, be they of one moment, and the file has them all', async () => {
    const day = 'from=2026-02-01T00:00:00Z&to=2026-02-02T00:00:00Z'
    const atMs = Date.parse('2026-02-01T12:00:00Z')
    const written = { author_id: null, author: 'x', edited_at: null, created_at: 0, updated_at: 0, updated_by: null }
    const rows = Array.from({ length: LOG_BOOK_PAGE + 20 }, (_, n) => ({
      ...written,
      at: atMs,
      site_id: null,
      text: `n${n}`,
    }))
    await test.database.db.insertInto('log_book_note').values(rows).execute()
    const told = { incident_id: ids.incident, at: atMs, kind: 'reopened', severity_rank: 0, actor: null, text: '' }
    const events = rows.map(({ text }) => ({ ...told, event_key: text, detail: '{}' }))
    await test.database.db.insertInto('incident_event').values(events).execute()
    // One page ends among the lines of incidents, the next one among notes.
    const keys: string[] = []
    for (let next = '', pages = 0; pages < 3; pages++) {
      const page = (await marie.call('GET', `/api/LogBook/Get?${day}${next}`)).body
      keys.push(...page.entries.map(({ key }: { key: string }) => key))
      expect([page.entries.length, page.next === null]).toEqual(pages < 2 ? [LOG_BOOK_PAGE, false] : [40, true])
      next = `&before=${page.next}`
    }
    expect([keys.length, new Set(keys).size]).toEqual([events.length * 2, events.length * 2])
    const file = await test.app.http.inject({
      method: 'GET',
      url: `/api/LogBook/Get?${day}`,
      headers: { authorization: `Bearer ${marie.token}`, accept: 'text/csv' },
    })
    expect(file.body.trim().split('\r\n')).toHaveLength(events.length * 2 + 1)
  })

  describe('hand-over notes', () => {
    const period = { from: '2026-03-10T04:00:00Z', to: '2026-03-10T12:00:00Z' }
    const sign = (body: object = {}, caller = marie) =>
      caller.call('POST', '/api/Handover/Create', { ...period, text: 'Rien de plus', ...body })
    const list = async (caller: Caller): Promise<string[]> =>
      (await caller.call('GET', '/api/Handover/Get')).body.map((one: { text: string }) => one.text)

    it('are summed up from what is open, what ended and what was written, of what one may see', async () => {
      const query = `from=${period.from}&to=${period.to}`
      const summary = async (caller: Caller) => (await caller.call('GET', `/api/Handover/Get/Summary?${query}`)).body
      expect(await summary(marie)).toMatchObject({
        ...{ openCount: 1, endedCount: 1, begunCount: 2, maintenanceCount: 0, noteCount: 1 },
        open: [{ id: ids.incident, siteName: 'Brest', inCharge: null }],
        notes: [{ text: 'Ronde faite', author: 'Claire Legoff', siteName: 'Lyon' }],
      })
      expect(await summary(rhone)).toMatchObject({ openCount: 0, endedCount: 0, begunCount: 0, noteCount: 1 })
      expect((await reader.call('GET', `/api/Handover/Get/Summary?${query}`)).status).toBe(403)
    })

    it('are signed once and for all, read by others, once each, and stand in the book', async () => {
      const signed = (await sign()).body
      expect(signed).toMatchObject({ author: 'Claire Legoff', sites: null, readers: [], mayRead: false })
      expect((await marie.call('POST', `/api/Handover/Read/${signed.id}`)).status).toBe(409)
      expect((await reader.call('POST', `/api/Handover/Read/${signed.id}`)).status).toBe(403)
      for (let times = 0; times < 2; times++)
        expect((await admin.call('POST', `/api/Handover/Read/${signed.id}`)).body).toMatchObject({
          ...{ mayRead: false, readers: [{ name: 'admin' }] },
        })
      expect((await told('&kind=handover')).map(one => one.split(' ')[0]).sort()).toEqual(['handed-over', 'taken-over'])
    })

    it('S32: are read by who sees each site that they are about', async () => {
      await sign({ text: 'De Lyon', siteId: ids.lyon })
      await sign({ text: 'De Brest', siteId: ids.brest })
      expect((await sign({ text: 'De chez moi' }, rhone)).body.sites).toEqual([{ id: ids.lyon, name: 'Lyon' }])
      expect((await sign({ text: 'Ailleurs', siteId: ids.brest }, rhone)).status).toBe(400)
      expect(await list(rhone)).toEqual(['De chez moi', 'De Lyon'])
      expect(await list(reader)).toEqual(['De chez moi', 'De Brest', 'De Lyon', 'Rien de plus'])
      const all = (await admin.call('GET', '/api/Handover/Get')).body
      const hidden = all.find((one: { text: string }) => one.text === 'De Brest').id
      expect((await rhone.call('GET', `/api/Handover/Get/${hidden}`)).status).toBe(404)
      expect((await rhone.call('POST', `/api/Handover/Read/${hidden}`)).status).toBe(404)
      expect(await told('&kind=handover', rhone)).toHaveLength(2)
    })
  })
})
