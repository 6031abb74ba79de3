import { describe, expect, it } from 'vitest'
import { incidentFilters, NOBODY } from './incident-filters.ts'

describe('the filters of the list of incidents', () => {
  it('what another incident explains is left out unless it is asked for', () => {
    expect(incidentFilters({ open: 'true' })).toEqual({ open: 'true', roots: true })
    expect(incidentFilters({ merged: 'true' })).toEqual({ roots: false })
  })
  it('what is nobody’s is asked for by its own name: whose it is includes owners who may act no more', () => {
    expect(incidentFilters({ owner: 'claire' })).toEqual({ owner: 'claire', roots: true })
    expect(incidentFilters({ owner: NOBODY, open: 'true' })).toEqual({ owned: false, open: 'true', roots: true })
  })
  it('a day lasts from its first to its last instant at the reader, an open end stays open', () => {
    const start = new Date('2026-11-20T00:00:00').toISOString()
    const end = new Date('2026-11-20T23:59:59.999').toISOString()
    expect(incidentFilters({ period: '2026-11-20' }).period).toEqual([start, end])
    expect(incidentFilters({ period: '2026-11-20..' }).period).toEqual([start, ''])
  })
})
