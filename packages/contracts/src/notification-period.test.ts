import { describe, expect, it } from 'vitest'
import {
  ALWAYS,
  instantOf,
  isLocalMinute,
  localMinute,
  type NotificationPeriod,
  periodStateAt,
} from './notification-period.ts'

const OFFICE: NotificationPeriod = {
  ...ALWAYS,
  hours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
  holidays: 'sunday',
}
const isInside = (period: NotificationPeriod, local: string): boolean =>
  periodStateAt(period, instantOf(period.timeZone, local)).inside

describe('the period of a notification rule', () => {
  it('14 July at 10 h is a Tuesday at work or not, as the rule says', () => {
    const at = '2026-07-14T10:00'
    expect(isInside(OFFICE, at)).toBe(false)
    expect(isInside({ ...OFFICE, holidays: 'ordinary' }, at)).toBe(true)
    expect(isInside({ ...OFFICE, holidays: 'never', hours: [] }, at)).toBe(false)
    expect(isInside({ ...OFFICE, holidays: 'always' }, '2026-07-14T03:00')).toBe(true)
    expect(periodStateAt(OFFICE, instantOf('Europe/Paris', at)).holiday).toBe('fête nationale')
  })

  it('Good Friday is a holiday in Strasbourg, not in Lyon; Easter Monday in both', () => {
    expect(isInside(OFFICE, '2026-04-03T10:00')).toBe(true)
    expect(isInside({ ...OFFICE, region: 'alsace-moselle' }, '2026-04-03T10:00')).toBe(false)
    expect(isInside(OFFICE, '2026-04-06T10:00')).toBe(false)
  })

  it('a day begins and ends by the clock on the wall: in Réunion it is the 14th when Paris still has the 13th', () => {
    const at = instantOf('Indian/Reunion', '2026-07-14T00:30')
    expect(localMinute('Europe/Paris', at)).toBe('2026-07-13T22:30')
    expect(periodStateAt({ ...OFFICE, timeZone: 'Indian/Reunion' }, at).holiday).toBe('fête nationale')
    expect(periodStateAt(OFFICE, at).holiday).toBe(null)
  })

  it('a date and time is one of a day that exists, from 2000 to 2100', () => {
    for (const text of ['2000-01-01T00:00', '2028-02-29T23:59', '2100-12-31T12:00'])
      expect(isLocalMinute(text)).toBe(true)
    const wrong = ['0000-01-01T00:00', '0001-01-01T00:00', '1999-12-31T23:59', '2101-01-01T00:00']
    for (const text of [...wrong, '2026-02-31T03:00', '2027-02-29T03:00', '2026-04-31T03:00', '2026-07-14']) {
      expect(isLocalMinute(text)).toBe(false)
    }
  })

  it('hours hold over both changes of clock; the hour that is left out is the one after, that twice there is the first', () => {
    const night: NotificationPeriod = { ...ALWAYS, hours: [{ days: [7], from: '01:00', to: '04:00' }] }
    expect(isInside(night, '2026-03-29T01:59')).toBe(true)
    expect(isInside(night, '2026-03-29T03:00')).toBe(true)
    expect(localMinute('Europe/Paris', instantOf('Europe/Paris', '2026-03-29T02:30'))).toBe('2026-03-29T03:30')
    expect(new Date(instantOf('Europe/Paris', '2026-10-25T02:30')).toISOString()).toBe('2026-10-25T00:30:00.000Z')
    expect(localMinute('Europe/Paris', instantOf('Europe/Paris', '2026-10-25T03:30'))).toBe('2026-10-25T03:30')
  })
})
