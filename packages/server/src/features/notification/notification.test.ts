import { fold } from '@narval/contracts'
import { severityRank } from '@narval/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

interface Told {
  readonly incident?: number
  readonly severity?: 'error' | 'warning' | 'ok'
  readonly at?: number
  readonly account?: number
}
const RANKS = { error: severityRank('error'), warning: severityRank('warning'), ok: severityRank('ok') } as const

describe.each(DIALECTS)('notifications grouped by incident on %s', dialect => {
  let test: TestApp
  let claire: Caller
  let ids: number[] = []
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    claire = await test.user([])
    ids = []
    // Two probes fall and one comes back, with a notice without incident between them.
    await openIncident(1)
    await openIncident(2)
    ids.push(await tell({ incident: 1, severity: 'warning', at: 1_000 }))
    ids.push(await tell({ incident: 2, severity: 'error', at: 2_000 }))
    ids.push(await tell({ severity: 'ok', at: 3_000 }))
    ids.push(await tell({ incident: 1, severity: 'error', at: 4_000 }))
    await tell({ incident: 2, account: await accountId('admin'), at: 5_000 })
  })
  afterAll(() => test.close())

  const accountId = async (login: string): Promise<number> =>
    (await test.database.db.selectFrom('account').select('id').where('login', '=', login).executeTakeFirstOrThrow()).id
  const openIncident = (id: number) =>
    test.database.db
      .insertInto('incident')
      .values({
        id,
        event_key: `probe-${id}`,
        kind: 'probe',
        severity_rank: RANKS.error,
        information: '',
        opened_at: id,
        closed_at: id === 2 ? 9_000 : null,
        reopened: id === 2 ? 3 : 0,
      })
      .execute()
  let keys = 0
  const tell = async ({ incident, severity = 'error', at = 0, account }: Told): Promise<number> => {
    keys += 1
    const values = {
      event_key: `alert-${keys}`,
      at,
      severity_rank: RANKS[severity],
      type: 'Error',
      title: `Alerte ${keys}`,
      message: '',
      link: '/',
      incident_id: incident ?? null,
      account_id: account ?? null,
    }
    return (await test.database.db.insertInto('outbox').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const groups = async (query = '') => (await claire.call('GET', `/api/Notification/Get/Group${query}`)).body
  const shape = (page: { groups: { incident: { id: number } | null; notifications: { id: number }[] }[] }) =>
    page.groups.map(group => [group.incident?.id ?? null, group.notifications.map(one => one.id)])

  it('one group an incident with its alerts in order, the newest group first; what is another one’s alone is not seen', async () => {
    const [first, second, third, fourth] = ids
    const page = await groups()
    expect(shape(page)).toEqual([
      [1, [first, fourth]],
      [null, [third]],
      [2, [second]],
    ])
    expect(page.groups[0]).toMatchObject({ place: fourth, total: 2, unread: 2, incident: { closedAt: null } })
    expect(page.groups[2].incident).toMatchObject({ closedAt: '1970-01-01T00:00:09.000Z', reopened: 3 })
    expect(page.next).toBeNull()
  })
  it('a group is found by any of its alerts, and shown whole', async () => {
    expect(shape(await groups('?severity=warning')).map(([id]) => id)).toEqual([1])
    expect(shape(await groups('?to=1970-01-01T00:00:01.500Z'))).toEqual([[1, [ids[0], ids[3]]]])
    expect(shape(await groups('?from=1970-01-01T00:00:02.500Z&to=1970-01-01T00:00:03.500Z'))).toEqual([
      [null, [ids[2]]],
    ])
    expect((await claire.call('GET', '/api/Notification/Get/Group?severity=rouge')).status).toBe(400)
  })
  it('read ones are left out of the unread, and counted apart in their group', async () => {
    await claire.call('POST', '/api/Notification/Read', { through: ids[2] })
    const page = await groups('?unread=true')
    expect(shape(page).map(([id]) => id)).toEqual([1])
    expect(page.groups[0]).toMatchObject({ total: 2, unread: 1 })
    expect(page.groups[0].notifications.map((one: { read: boolean }) => one.read)).toEqual([true, false])
  })
  it('one group is read apart: what comes of it later is unread again, and reading all forgets what was read apart', async () => {
    const admin = await test.admin()
    const unreadOf = async (caller: Caller) => (await caller.call('GET', '/api/Notification/Get')).body.unread
    const before = await unreadOf(admin)
    const own = await admin.call('POST', '/api/Notification/Read/Group', { place: ids[3] })
    expect(own.body.unread).toEqual({ ...before, warning: before.warning - 1, error: before.error - 1 })
    const mine = async () => (await admin.call('GET', '/api/Notification/Get/Group')).body.groups
    expect((await mine()).find((one: { incident: { id: number } }) => one.incident?.id === 1)).toMatchObject({
      ...{ unread: 0, total: 2, notifications: [{ read: true }, { read: true }] },
    })
    expect((await mine()).find((one: { incident: { id: number } }) => one.incident?.id === 2).unread).toBe(2)
    // Claire's stays as it was.
    expect((await groups('?unread=true')).groups[0]).toMatchObject({ incident: { id: 1 }, unread: 1 })
    const later = await tell({ incident: 1, severity: 'ok', at: 6_000 })
    const [group] = (await admin.call('GET', '/api/Notification/Get/Group?unread=true')).body.groups
    expect([group.incident.id, group.unread, group.total]).toEqual([1, 1, 3])
    await admin.call('POST', '/api/Notification/Read/Group', { place: ids[2] })
    expect((await mine()).find((one: { incident: unknown }) => one.incident === null).unread).toBe(0)
    await admin.call('POST', '/api/Notification/Read', { through: later })
    expect(await test.database.db.selectFrom('notification_read').selectAll().execute()).toEqual([])
    expect(await unreadOf(admin)).toEqual({ error: 0, warning: 0, unknown: 0, ok: 0 })
    await test.database.db.deleteFrom('outbox').where('id', '=', later).execute()
  })
  it('are found by words, in any order, without accents or case; a wildcard is a character', async () => {
    const words = (text: string) => groups(`?words=${encodeURIComponent(text)}`)
    const told = { title: 'Été : Onduleur de Besançon', message: 'batterie à 100 %' }
    const id = await tell({ incident: 2, severity: 'warning', at: 7_000 })
    const text_folded = fold(`${told.title} ${told.message}`)
    await test.database.db
      .updateTable('outbox')
      .set({ ...told, text_folded })
      .where('id', '=', id)
      .execute()
    expect(shape(await words('BESANCON onduleur')).map(([one]) => one)).toEqual([2])
    expect(shape(await words('été 100 %')).map(([one]) => one)).toEqual([2])
    expect(shape(await words('onduleur lyon'))).toEqual([])
    expect(shape(await words('ond_leur'))).toEqual([])
    await test.database.db.deleteFrom('outbox').where('id', '=', id).execute()
  })
  it('25 incidents come in two pages without a gap or a repetition; of 40 alerts of one the last 30 are given', async () => {
    for (let id = 10; id < 35; id++) {
      await openIncident(id)
      await tell({ incident: id })
    }
    for (let again = 0; again < 39; again++) await tell({ incident: 34 })
    const first = await groups('?from=1970-01-01T00:00:00.000Z')
    expect(first.groups).toHaveLength(20)
    expect(first.groups[0].notifications).toHaveLength(30)
    expect(first.groups[0].total).toBe(40)
    const second = await groups(`?before=${first.next}`)
    expect(second.next).toBeNull()
    const all = [...first.groups, ...second.groups].map(
      (group: { incident: { id: number } | null }) => group.incident?.id,
    )
    expect(all).toEqual([...Array.from({ length: 25 }, (_, index) => 34 - index), 1, undefined, 2])
  })
})
