import type { IncidentEvent, IncidentEventKind } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { timelineView } from './timeline-view.ts'

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
  it('a new event lengthens the end: what is shown above keeps its place', () => {
    const events = Array.from({ length: 20 }, (_, index) => event(index + 1, 'opened'))
    const before = timelineView(events, 'all', false).head.map(one => one.id)
    const after = timelineView([...events, event(21, 'closed')], 'all', false).head.map(one => one.id)
    expect(after.slice(0, before.length)).toEqual(before)
  })
})
