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
