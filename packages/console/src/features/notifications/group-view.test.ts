import type { NotificationGroup } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { filterQuery, joinPages, readFilters } from './group-view.ts'

const group = (place: number, incidentId: number | null): NotificationGroup => ({
  place,
  incident:
    incidentId === null
      ? null
      : {
          id: incidentId,
          severity: 'error',
          openedAt: '2026-11-22T08:00:00Z',
          closedAt: null,
          failsSince: '2026-11-22T08:00:00Z',
          reopened: 0,
          siteName: null,
          acknowledgedBy: null,
        },
  total: 1,
  unread: 0,
  notifications: [],
})

describe('the filters of the notifications', () => {
  it('what an address holds that is unknown is left out', () => {
    const params = new URLSearchParams('unread=oui&severity=rouge&site=-3&period=demain')
    expect(readFilters(params)).toEqual({ unread: false, severity: null, siteId: null, period: 'all', words: '' })
  })
  it('a period begins so long before now', () => {
    const filters = readFilters(new URLSearchParams('unread=true&severity=error&site=3&period=24h&words=onduleur+lyon'))
    expect(filterQuery(filters, Date.parse('2026-11-22T08:00:00Z'))).toEqual({
      unread: 'true',
      severity: 'error',
      site: '3',
      words: 'onduleur lyon',
      from: '2026-11-21T08:00:00.000Z',
    })
  })
})

describe('pages of groups', () => {
  it('an incident that told again between two pages is shown once, where it is newest', () => {
    const joined = joinPages([{ groups: [group(9, 1), group(8, null)] }, { groups: [group(5, 1), group(4, 2)] }])
    expect(joined.map(one => one.place)).toEqual([9, 8, 4])
  })
  it('notifications without incident never stand for one another', () => {
    expect(joinPages([{ groups: [group(3, null), group(2, null)] }])).toHaveLength(2)
  })
})
