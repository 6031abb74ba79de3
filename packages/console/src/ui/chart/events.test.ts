import type { MetricEvent } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { bundled, eventPath, eventsIn, spansOf } from './events.ts'

const MINUTE = 60_000
const event = (id: number, fromMs: number, more: Partial<MetricEvent> = {}): MetricEvent => ({
  ...{ kind: 'comment', id, maintenanceId: null, object: 'metric', objectId: 7, objectName: 'CPU', metricIds: [7] },
  ...{ from: new Date(fromMs).toISOString(), to: null, lasts: false, severity: null, author: null, text: '' },
  ...more,
})
const view = { fromMs: 0, toMs: 100 * MINUTE }

describe('events on a curve', () => {
  it('those that would touch are one mark with their number', () => {
    const events = [event(1, 10 * MINUTE), event(2, 11 * MINUTE), event(3, 60 * MINUTE)]
    expect(bundled(events, view, 1_000).map(one => one.events.length)).toEqual([2, 1])
    expect(bundled(events, view, 10_000).map(one => one.events.length)).toEqual([1, 1, 1])
    expect(bundled(events, view, 0)).toEqual([])
  })
  it('one that began before stands at the edge while it lasts, and is gone once it is over', () => {
    const before = event(1, -50 * MINUTE, { to: new Date(5 * MINUTE).toISOString() })
    const over = event(2, -50 * MINUTE, { to: new Date(-5 * MINUTE).toISOString() })
    const lasts = event(3, -50 * MINUTE, { lasts: true })
    expect(eventsIn([before, over, lasts], view).map(({ id }) => id)).toEqual([1, 3])
    expect(bundled([before], view, 1_000)[0]?.at).toBe(0)
  })
  it('what took time tints it: incidents by severity, maintenances hatched; an instant tints nothing', () => {
    const to = new Date(20 * MINUTE).toISOString()
    const spans = spansOf([
      event(1, 0, { kind: 'incident', severity: 'error', to }),
      event(2, 0, { kind: 'maintenance', lasts: true }),
      event(3, 0),
    ])
    expect(spans).toEqual([
      { fromMs: 0, toMs: 20 * MINUTE, tint: 'error', isHatched: false },
      { fromMs: 0, toMs: Number.POSITIVE_INFINITY, tint: 'maintenance', isHatched: true },
    ])
  })
  it('leads to the incident, the maintenance while there is one, the object', () => {
    expect(eventPath(event(4, 0, { kind: 'incident' }))).toBe('/dashboard/live-view/incident/4')
    expect(eventPath(event(4, 0, { kind: 'maintenance' }))).toBeNull()
    expect(eventPath(event(4, 0, { kind: 'maintenance', maintenanceId: 9 }))).toBe('/dashboard/live-view/maintenance/9')
    expect(eventPath(event(4, 0))).toBe('/metric/7')
  })
})
