import { describe, expect, it } from 'vitest'
import { linkedIncident, onePerIncident } from './incident-link.ts'

describe('alerts and the incident that they tell of', () => {
  it('only the page of one incident is the link of one', () => {
    expect(linkedIncident('/dashboard/live-view/incident/12')).toBe(12)
    for (const link of [undefined, '/host/12', '/dashboard/live-view/incident', '//x/dashboard/live-view/incident/12'])
      expect(linkedIncident(link)).toBeNull()
  })
  it('of each incident the newest alone is kept, what has none stays', () => {
    const links = ['/dashboard/live-view/incident/1', '/host/1', '/dashboard/live-view/incident/1', '/host/1']
    expect(onePerIncident(links.map((link, at) => ({ link, at }))).map(one => one.at)).toEqual([0, 1, 3])
  })
})
