import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'

describe.each(DIALECTS)('incidents of a probe, and as a file, on %s', dialect => {
  let test: TestApp
  let claire: Caller
  const probes: number[] = []
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    claire = await test.user([])
    for (const name of ['Lyon', 'Brest']) {
      const { code } = await test.app.probes.createCode(null, true)
      probes.push((await enrolTestProbe(test, Date.now, { code, name })).id)
    }
    for (const [index, closed] of [null, 9_000, null].entries())
      await test.database.db
        .insertInto('incident')
        .values({
          ...{ id: index + 1, event_key: `probe-${index}`, kind: 'probe', probe_id: probes[index % 2] ?? 0 },
          ...{ severity_rank: 3, worst_rank: 3, information: '=1+1', opened_at: 1_000 * index, closed_at: closed },
          // The last one is explained by the first.
          parent_id: index === 2 ? 1 : null,
        })
        .execute()
  })
  afterAll(() => test.close())
  const ids = async (query: string): Promise<number[]> =>
    (await claire.call('GET', `/api/Incident/Get${query}`)).body.map((one: { id: number }) => one.id)

  it('those of a probe come alone, open or over', async () => {
    expect(await ids(`?probe=${probes[0]}`)).toEqual([3, 1])
    expect(await ids(`?probe=${probes[1]}`)).toEqual([2])
    expect(await ids(`?probe=${probes[1]}&open=true`)).toEqual([])
    expect(await ids('?metric=1')).toEqual([])
  })

  it('the file holds what the filter of the list finds, merged ones only when they are asked for; no cell is a formula (S45)', async () => {
    const file = (filters: object) => claire.file('/api/IncidentDatatable', 'text/csv', { filters, length: 1 })
    const { text, headers } = await file({})
    expect(headers['content-disposition']).toBe('attachment; filename="incidents.csv"')
    const lines = text.trim().split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFF?Identifiant;Incident;Nature/)
    expect(lines).toHaveLength(3)
    expect(text).toContain("'=1+1")
    expect((await file({ roots: false })).text.trim().split('\r\n')).toHaveLength(4)
    expect((await file({ open: true })).text.trim().split('\r\n')).toHaveLength(2)
  })
})
