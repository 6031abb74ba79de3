import { describe, expect, it } from 'vitest'
import { formatDateTime } from './format.ts'
import { failsSince, informationOf, openedAndReopened, reopenedShort, spanWords } from './incident-time.ts'

const incident = { openedAt: '2026-11-22T08:00:00Z', closedAt: '2026-11-22T09:00:00Z', reopened: 2 }

describe('the time of an incident', () => {
  it('of a reopened one counts from its last reopening, of another from its opening', () => {
    const timeline = [
      { kind: 'opened', at: '2026-11-22T08:00:00Z' },
      { kind: 'reopened', at: '2026-11-22T08:20:00Z' },
      { kind: 'reopened', at: '2026-11-22T08:40:00Z' },
      { kind: 'notified', at: '2026-11-22T08:41:00Z' },
    ] as const
    expect(failsSince(incident, timeline)).toBe('2026-11-22T08:40:00Z')
    expect(failsSince(incident, timeline.slice(0, 1))).toBe(incident.openedAt)
  })
  it('of a reopened one is told by its ends and its reopenings, never by one duration', () => {
    const [from, to] = [formatDateTime(incident.openedAt), formatDateTime(incident.closedAt)]
    expect(spanWords(incident)).toBe(`du ${from} au ${to}, rouvert 2 fois`)
    expect(reopenedShort(3)).toBe('rouvert 3\u202f×')
    expect(openedAndReopened(incident)).toBe(`ouvert le ${from}, rouvert 2\u202f×`)
  })
})

describe('the information of an incident', () => {
  it('loses the name of its site at its beginning, and nothing else', () => {
    const told = (information: string, siteName: string | null) => informationOf({ information, siteName })
    expect(told('Lyon · Siège · Ping perdu', 'Lyon · Siège')).toBe('Ping perdu')
    expect(told('Ping perdu à Lyon', 'Lyon')).toBe('Ping perdu à Lyon')
    expect(told('Lyonnais · Ping', 'Lyon')).toBe('Lyonnais · Ping')
    expect(told(' · Ping', null)).toBe(' · Ping')
  })
})
