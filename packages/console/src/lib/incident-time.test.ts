import { describe, expect, it } from 'vitest'
import { formatDateTime } from './format.ts'
import { informationOf, openedAndReopened, reopenedShort, spanWords } from './incident-time.ts'

const incident = { openedAt: '2026-11-22T08:00:00Z', closedAt: '2026-11-22T09:00:00Z', reopened: 2 }

describe('the time of an incident', () => {
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
