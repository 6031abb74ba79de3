import { fold } from '@narval/contracts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runDatatable } from '../../store/datatable.ts'
import { type Held, runHeld } from '../../store/memory-list.ts'
import { anyRequest } from '../../testing/list-requests.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { type MetricListRow, metricList } from '../metric-list.ts'
import { METRIC_MEMORY } from './metric-memory.ts'
import type { MetricEntry } from './model.ts'

const NOW = Date.parse('2026-11-20T08:00:00Z')
const NAMES = ['Éveil', 'eveil', 'Perte', 'Délai', 'délai max', 'a_b%c', 'Été\\hiver']
const INFORMATION = ['', 'delai depasse', 'refus', 'REFUS net']

describe.each(DIALECTS)('the list of metrics, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: () => NOW })
    admin = await test.admin()
    for (const [index, name] of ['Évreux', 'evreux nord', 'Lyon'].entries()) {
      const site = (await admin.call('POST', '/api/Site/Create', { name, code: `S${index}` })).body
      for (const host of ['srv-É', 'SRV-é', 'cam'])
        await admin.call('POST', '/api/Host/Create', {
          name: `${host}${index}`,
          address: `192.0.2.${index + 1}`,
          siteId: site.id,
        })
    }
    await disguise(test)
    // As after a start: the states are those of the database.
    test.app.monitoring.model.metrics.clear()
    await test.app.monitoring.reload()
  })
  afterAll(() => test.close())

  const held = (): Held<MetricEntry> => ({
    list: METRIC_MEMORY,
    all: test.app.monitoring.model.metrics.values(),
    visible: () => true,
  })
  const spec = metricList('system')

  it('is the same from memory as from the database, whatever is asked', async () => {
    const ids = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })
    const request = anyRequest({
      columns: Object.keys(spec.columns),
      texts: ['eveil', 'DÉLAI', '_', '%', '\\', 'srv-e', 'evreux', 'ping', 'refus', 'rtt', 'introuvable'],
      filters: {
        id: ids,
        hostId: ids,
        siteId: ids,
        scannerId: ids,
        severity: fc.subarray(['ok', 'warning', 'error', 'unknown'], { minLength: 1 }),
        enabled: fc.boolean(),
      },
    })
    await fc.assert(
      fc.asyncProperty(request, async asked => {
        const fromMemory = await runHeld<MetricListRow, MetricEntry>(test.database, spec, held(), asked)
        expect(fromMemory).toEqual(await runDatatable<MetricListRow>(test.database, spec, asked))
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    { what: { columns: [{ data: 'couleur' }] }, says: /couleur/ },
    { what: { columns: [{ data: 'name' }], order: [{ column: 1, dir: 'asc' }] }, says: /tri n° 1/ },
    { what: { columns: [{ data: null }], order: [{ column: 0, dir: 'asc' }] }, says: /tri n° 0/ },
    { what: { filters: { couleur: 1 } }, says: /couleur/ },
    { what: { filters: { severity: 'bleu' } }, says: /inconnue/ },
    { what: { filters: { hostId: 'x' } }, says: /Identifiant/ },
  ])('$says is refused in French', async ({ what, says }) => {
    const { status, body } = await admin.call('PUT', '/api/MetricDatatable', what)
    expect(status).toBe(400)
    expect(body.errors.join(' ')).toMatch(says)
  })

  it('finds what is said of a metric without case and accents, which the database cannot', async () => {
    const [first] = [...test.app.monitoring.model.metrics.values()]
    if (first === undefined) throw new Error('no metric')
    first.information = 'Délai dépassé après 2 s'
    const { body } = await admin.call('PUT', '/api/MetricDatatable', { search: { value: 'DEPASSE APRES' } })
    expect(body).toMatchObject({ recordsFiltered: 1, data: [{ id: first.id }] })
  })
})

/** Names that only differ by case and accents, states of all kinds and none, some disabled. */
const disguise = async ({ database: { db } }: TestApp): Promise<void> => {
  const metrics = await db.selectFrom('metric').select('id').orderBy('id').execute()
  for (const [index, { id }] of metrics.entries()) {
    const name = NAMES[index % NAMES.length] ?? ''
    await db
      .updateTable('metric')
      .set({ name, name_folded: fold(name), enabled: index % 5 === 0 ? 0 : 1, updated_at: NOW + (index % 4) })
      .where('id', '=', id)
      .execute()
    if (index % 3 === 0) continue
    const rank = index % 4
    const state = {
      severity_rank: rank,
      hard_rank: rank,
      kind: 'hard',
      attempt: index % 2,
      cause: null,
      hard_cause: null,
      incident_rank: null,
      held: 0,
      raised: 0,
      since: NOW - (index % 6) * 1_000,
      hard_since: NOW,
      problem_since: null,
      information: INFORMATION[index % INFORMATION.length] ?? '',
      incident_id: null,
      updated_at: NOW,
    }
    await db
      .insertInto('metric_state')
      .values({ metric_id: id, ...state })
      .onConflict(conflict => conflict.column('metric_id').doUpdateSet(state))
      .execute()
  }
}
