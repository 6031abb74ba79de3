import { HOST_STATES } from '@narval/contracts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostEntry } from '../../monitoring/fleet/model.ts'
import { runDatatable } from '../../store/datatable.ts'
import { type Held, runHeld } from '../../store/memory-list.ts'
import { anyRequest } from '../../testing/list-requests.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { type HostRow, hostList } from './host.store.ts'
import { HOST_MEMORY } from './host-memory.ts'

const NOW = Date.parse('2026-11-20T08:00:00Z')
const NAMES = ['srv-É', 'SRV-é', 'Caméra', 'camera d’entrée', 'a_b%c', 'Été\\hiver']
const STATES = ['available', 'down', 'unknown', 'pending'] as const

describe.each(DIALECTS)('the list of hosts, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  let nowMs = NOW
  beforeAll(async () => {
    test = await createTestApp({ dialect, now: () => nowMs })
    admin = await test.admin()
    for (const [index, name] of ['Évreux', 'evreux nord', 'Lyon'].entries())
      await create('/api/Site/Create', { name, code: `S${index}` })
    const model = await create('/api/Host/CreateModel', { name: 'Catalyst 9200', manufacturer: 'Cisco' })
    for (let index = 0; index < 40; index++) {
      nowMs += index % 3
      await create('/api/Host/Create', {
        name: NAMES[index % NAMES.length],
        address: `192.0.2.${index % 7}`,
        siteId: 1 + (index % 3),
        typeId: index % 4 === 0 ? null : 1 + (index % 5),
        modelId: index % 3 === 0 ? model.id : null,
        tags: index % 5 === 0 ? ['Été', `t${index}`] : [],
        enabled: index % 6 !== 0,
        withPing: false,
      })
    }
    await disguise(test)
  })
  afterAll(() => test.close())

  const create = async (path: string, body: unknown) => {
    const answer = await admin.call('POST', path, body)
    expect([path, answer.status, answer.body.errors]).toEqual([path, 201, undefined])
    return answer.body
  }
  const held = (): Held<HostEntry> => ({
    list: HOST_MEMORY,
    all: test.app.monitoring.model.hosts.values(),
    visible: () => true,
  })
  const spec = hostList('system')

  it('is the same from memory as from the database, whatever is asked', async () => {
    const ids = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })
    const request = anyRequest({
      columns: Object.keys(spec.columns),
      texts: ['srv-e', 'CAMÉRA', '_', '%', '\\', '0.2.3', 'evreux', 'serveur', 'catalyst', 'ete', 't1', 'introuvable'],
      filters: {
        id: ids,
        siteId: ids,
        typeId: ids,
        modelId: ids,
        probeId: ids,
        parentId: ids,
        severity: fc.subarray(['ok', 'warning', 'error', 'unknown'], { minLength: 1 }),
        state: fc.subarray([...STATES], { minLength: 1 }),
        enabled: fc.boolean(),
        tag: fc.constantFrom('été', 'ETE', 't5', 'ét'),
      },
    })
    await fc.assert(
      fc.asyncProperty(request, async asked => {
        const fromMemory = await runHeld<HostRow, HostEntry>(test.database, spec, held(), asked)
        expect(fromMemory).toEqual(await runDatatable<HostRow>(test.database, spec, asked))
      }),
      { numRuns: 400 },
    )
  })

  it('by their state hosts come as the words of states are ordered, the worst first', async () => {
    const body = { length: -1, order: [{ column: 0, dir: 'asc' }], columns: [{ data: 'state' }] }
    const { data } = (await admin.call('PUT', '/api/HostDatatable', body)).body
    const found = data.map(({ state }: { state: string }) => state)
    expect([...new Set(found)]).toEqual(HOST_STATES.filter(state => found.includes(state)))
    expect(found.indexOf('available')).toBeGreaterThan(found.lastIndexOf('down'))
  })

  it('all that the database searches in a host, memory searches too', () => {
    const searched = Object.entries(spec.columns).flatMap(([name, { search }]) => (search === undefined ? [] : name))
    expect([...HOST_MEMORY.columns].flatMap(([name, { search }]) => (search === undefined ? [] : name))).toEqual(
      searched,
    )
    expect([...HOST_MEMORY.columns.keys()]).toEqual(Object.keys(spec.columns))
  })

  it('finds hosts by the new name of their type or model as soon as it is saved', async () => {
    const found = async (value: string) =>
      (await admin.call('PUT', '/api/HostDatatable', { search: { value } })).body.recordsFiltered
    const before = await found('serveur')
    expect(before).toBeGreaterThan(0)
    const [type] = (await admin.call('GET', '/api/Host/GetType')).body.filter(
      (one: { name: string }) => one.name === 'Serveur',
    )
    await admin.call('PUT', `/api/Host/UpdateType/${type.id}`, { name: 'Ordinateur', icon: type.icon })
    expect([await found('serveur'), await found('ordinateur')]).toEqual([0, before])
    const [model] = (await admin.call('GET', '/api/Host/GetModel')).body
    await admin.call('PUT', `/api/Host/UpdateModel/${model.id}`, { name: 'Nexus', manufacturer: 'Cisco' })
    expect([await found('catalyst'), await found('NEXUS')]).toEqual([0, 14])
  })
})

/** States of all kinds, in the database and in memory, as monitoring would have left them. */
const disguise = async ({ database: { db }, app }: TestApp): Promise<void> => {
  for (const host of app.monitoring.model.hosts.values()) {
    const state = STATES[host.id % STATES.length] ?? 'pending'
    const rank = host.id % 4
    await db
      .updateTable('host')
      .set({ state, severity_rank: rank, state_since: NOW - (host.id % 6) * 1_000, updated_at: NOW + (host.id % 4) })
      .where('id', '=', host.id)
      .execute()
  }
  // As after a start: what was known is read from the database.
  app.monitoring.model.hosts.clear()
  await app.monitoring.reload()
}
