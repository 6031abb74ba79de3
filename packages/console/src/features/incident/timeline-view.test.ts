import type { IncidentEvent, IncidentEventKind } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { showsSeverity, timelineView } from './timeline-view.ts'

const event = (id: number, kind: IncidentEventKind): IncidentEvent => ({
  id,
  at: '2026-11-22T08:00:00Z',
  kind,
  severity: null,
  actor: null,
  text: '',
})

describe('the timeline of an incident', () => {
  it('offers only the groups that have events, and keeps their order', () => {
    const events = [event(1, 'opened'), event(2, 'notified'), event(3, 'worsened')]
    expect(timelineView(events, 'all', false).groups).toEqual(['all', 'state', 'sent'])
    expect(timelineView(events, 'state', false).head.map(one => one.id)).toEqual([1, 3])
  })
  it('of a long story shows the first 3 and the last 25, and all once it is asked for', () => {
    const events = Array.from({ length: 100 }, (_, index) => event(index + 1, 'notified'))
    const { head, hidden, tail } = timelineView(events, 'all', false)
    expect([head.length, hidden, tail.length, tail.at(-1)?.id]).toEqual([3, 72, 25, 100])
    expect(timelineView(events, 'all', true)).toMatchObject({ hidden: 0, tail: [] })
    expect(timelineView(events, 'all', true).head).toHaveLength(100)
  })
  it('hosts that come back one after the other within two minutes are one line that counts them all', () => {
    const back = (id: number, at: string, text: string): IncidentEvent => ({
      ...event(id, 'reachable'),
      at: `2026-11-22T08:${at}Z`,
      text,
    })
    const events = [
      back(1, '00:00', '2 équipements de nouveau joignables\u202f: srv-1, srv-2.'),
      back(2, '01:00', '1 équipement de nouveau joignable\u202f: srv-3.'),
      back(3, '02:00', '10 équipements de nouveau joignables\u202f: srv-4, srv-5 et 8 de plus.'),
      back(4, '02:01', '1 équipement de nouveau joignable\u202f: srv-14.'),
      { ...event(5, 'unreachable'), at: '2026-11-22T08:02:10Z' },
    ]
    expect(timelineView(events, 'all', false).head.map(one => [one.id, one.text])).toEqual([
      [1, '13 équipements de nouveau joignables\u202f: srv-1, srv-2, srv-3, srv-4, srv-5 et 8 de plus.'],
      [4, '1 équipement de nouveau joignable\u202f: srv-14.'],
      [5, ''],
    ])
  })
  it('an acknowledgement that ends wears its own icon, whatever the severity; what changes the state wears the severity', () => {
    expect(showsSeverity({ ...event(1, 'acknowledgement-expired'), severity: 'error' })).toBe(false)
    expect(showsSeverity({ ...event(2, 'worsened'), severity: 'error' })).toBe(true)
  })
  it('a new event lengthens the end: what is shown above keeps its place', () => {
    const events = Array.from({ length: 20 }, (_, index) => event(index + 1, 'opened'))
    const before = timelineView(events, 'all', false).head.map(one => one.id)
    const after = timelineView([...events, event(21, 'closed')], 'all', false).head.map(one => one.id)
    expect(after.slice(0, before.length)).toEqual(before)
  })
})
