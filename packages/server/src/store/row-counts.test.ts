import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hostList } from '../features/host/host.store.ts'
import { type Caller, createTestApp, DIALECTS, openTestDatabase, type TestApp } from '../testing/test-app.ts'
import { FIRST_PAGE, runDatatable } from './datatable.ts'
import { createRowCounts, MANY } from './row-counts.ts'

describe.each(DIALECTS)('the counts of a list on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let siteId = 0
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    siteId = (await admin.call('POST', '/api/Site/Create', { name: 'Nice', code: 'NCE' })).body.id
  })
  afterAll(() => test.close())

  const create = async (name: string) =>
    (await admin.call('POST', '/api/Host/Create', { name, address: '192.0.2.1', siteId, withPing: false })).body
  const counts = async (value: string, filters: Record<string, string> = {}) => {
    const request = { ...FIRST_PAGE, search: { value, regex: false }, filters }
    const page = await runDatatable(test.database, hostList('system'), request)
    return [page.recordsTotal, page.recordsFiltered, page.data.length]
  }

  it('are true in the very next call after a creation, a new name, a change of state and a deletion', async () => {
    expect(await counts('srv')).toEqual([0, 0, 0])
    const [one, two] = [await create('srv-1'), await create('srv-2')]
    expect(await counts('srv')).toEqual([2, 2, 2])
    expect(await counts('srv')).toEqual([2, 2, 2])
    await admin.call('PUT', `/api/Host/Update/${one.id}`, { ...one, name: 'rtr-1' })
    expect(await counts('srv')).toEqual([2, 1, 1])
    expect(await counts('', { severity: 'error' })).toEqual([2, 0, 0])
    await test.database.db.updateTable('host').set({ severity_rank: 0 }).where('id', '=', two.id).execute()
    expect(await counts('', { severity: 'error' })).toEqual([2, 1, 1])
    await admin.call('DELETE', `/api/Host/Delete/${two.id}`)
    expect(await counts('srv')).toEqual([1, 0, 0])
  })

  it('grow with each of many creations at once', async () => {
    const before = (await counts('masse'))[1] ?? 0
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await create(`masse-${index}`)
        await counts('masse')
      }),
    )
    expect((await counts('masse'))[1]).toBe(before + 20)
  })

  it('are asked once as long as nothing is written, and to ask is no writing', async () => {
    const { db } = test.database
    const asked = vi.spyOn(db, 'executeQuery')
    const known = createRowCounts(db, () => 1)
    const query = sql<{ n: number }>`select count(*) as n from host`
    const first = await known.of(query)
    const again = await Promise.all(Array.from({ length: 5 }, () => known.of(query)))
    expect([again, asked.mock.calls.length]).toEqual([Array(5).fill(first), 1])
    asked.mockRestore()
    await counts('rtr')
    const rows = await Promise.all(Array.from({ length: 5 }, () => counts('rtr')))
    expect(rows).toEqual(rows.map(() => rows[0]))
    // The application writes something of its own now and then: here is none.
    const { database, drop } = await openTestDatabase(dialect)
    const at = database.writes()
    for (let time = 0; time < 5; time += 1) await runDatatable(database, hostList('system'), FIRST_PAGE)
    expect(database.writes()).toBe(at)
    await drop()
  })

  it('may be five seconds old where they are of many rows, or among many', async () => {
    const { db } = test.database
    let [writes, nowMs] = [0, 0]
    const known = createRowCounts(
      db,
      () => writes,
      () => nowMs,
    )
    const many = sql<{ n: number }>`select count(*) + ${MANY} as n from host`
    const ofFew = sql<{ n: number }>`select count(*) as n from host where site_id > 0`
    const few = sql<{ n: number }>`select count(*) as n from host`
    const asked = async () => [await known.of(many), await known.of(ofFew, MANY + 1), await known.of(few)]
    const [lots = 0, among = 0, alone = 0] = await asked()
    await create('tard-1')
    ;[writes, nowMs] = [1, 4_999]
    expect(await asked()).toEqual([lots, among, alone + 1])
    nowMs = 5_000
    expect(await asked()).toEqual([lots + 1, among + 1, alone + 1])
  })
})
