import type { HostGrid } from '@narval/contracts'
import { expect, it } from 'vitest'
import { filterHosts, groupHosts, type HostCell, lookKey, lookOf, readGrid, withChanges } from './host-cells.ts'

const GRID: HostGrid = {
  at: '2026-11-22T08:00:00Z',
  sites: [
    { id: 7, name: 'Lyon' },
    { id: 8, name: 'Brest' },
  ],
  types: [{ id: 3, name: 'Serveur' }],
  id: [11, 12, 13],
  name: ['Étuve', 'routeur', 'serveur'],
  site: [0, 1, 0],
  type: [null, null, 0],
  state: [4, 5, 0],
  severity: [3, 3, 0],
  age: [60, 0, 5],
  inMaintenance: [11],
  acknowledged: [13],
}
const hosts = readGrid(GRID)
const ids = (some: readonly HostCell[]) => some.map(host => host.id)
const ALL = { search: '', states: [], sites: [], types: [], hideOk: false }

it('columns become hosts, their age an instant', () => {
  expect(hosts[0]).toEqual({
    ...{ id: 11, name: 'Étuve', siteId: 7, siteName: 'Lyon', typeId: null, typeName: null, state: 'available' },
    ...{ severity: 'ok', sinceMs: Date.parse('2026-11-22T07:59:00Z'), inMaintenance: true, acknowledged: false },
  })
  expect(hosts[2]).toMatchObject({ typeName: 'Serveur', state: 'down', severity: 'error', acknowledged: true })
})

it('a message changes the hosts that it names and no other; one that names none leaves the very same array', () => {
  const ok = { error: 0, warning: 0, unknown: 0, ok: 1 }
  const told = { siteId: 7, counts: ok, inMaintenance: false, maintenance: null, since: '2026-11-22T08:01:00Z' }
  const next = withChanges(hosts, [{ ...told, id: 13, state: 'available', severity: 'ok' }])
  expect(next[2]).toMatchObject({ state: 'available', severity: 'ok', acknowledged: false })
  expect([next[0] === hosts[0], next[1] === hosts[1]]).toEqual([true, true])
  expect(withChanges(hosts, [{ ...told, id: 99, state: 'down', severity: 'error' }])).toBe(hosts)
})

it('filters by text without case and accents, state, site, type; hides what is well or disabled', () => {
  expect(ids(filterHosts(hosts, { ...ALL, search: 'etuve' }))).toEqual([11])
  expect(ids(filterHosts(hosts, { ...ALL, search: 'BREST' }))).toEqual([12])
  expect(ids(filterHosts(hosts, { ...ALL, states: ['down', 'available'] }))).toEqual([11, 13])
  expect(ids(filterHosts(hosts, { ...ALL, sites: ['7'], types: ['3'] }))).toEqual([13])
  expect(ids(filterHosts(hosts, { ...ALL, hideOk: true }))).toEqual([13])
})

it('groups by site or type, by name or the worst first', () => {
  const names = (by: 'site' | 'type', worstFirst = false) =>
    groupHosts(hosts, by, { withoutType: 'Sans type', worstFirst }).map(group => `${group.name} ${ids(group.hosts)}`)
  expect(names('site')).toEqual(['Brest 12', 'Lyon 11,13'])
  expect(names('site', true)).toEqual(['Lyon 11,13', 'Brest 12'])
  expect(names('type')).toEqual(['Sans type 11,12', 'Serveur 13'])
})

it('each look is told apart by shape and marks, without any colour', () => {
  expect(hosts.map(host => lookKey(lookOf(host)))).toEqual(['ok+m', 'disabled+', 'error-'])
})
