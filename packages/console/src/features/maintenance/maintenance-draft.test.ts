import { parseRecurrence, recurrenceText } from '@narval/contracts'
import { describe, expect, test } from 'vitest'
import { addDays, byDay, dayKey, dayOf, moved, weeksOf } from './calendar-days.ts'
import { draftOf, newDraft, ruleOf, scheduleOf } from './maintenance-draft.ts'

const NOW = Date.parse('2026-11-20T08:00:00Z')
const recurring = (rrule: string) => ({
  ...{ id: 1, createdAt: '', updatedAt: '', updatedBy: null, author: null, comment: 'x', flexibleMinutes: null },
  ...{ propagate: false, sites: [], siteCount: 0, hosts: [], hostCount: 0, metrics: [], metricCount: 0 },
  ...{
    covered: { hosts: 0, metrics: 0 },
    state: 'planned' as const,
    current: null,
    next: null,
    lastRun: null,
    mayChange: true,
  },
  schedule: {
    kind: 'recurring' as const,
    rrule,
    start: '2026-11-20T02:30',
    durationMinutes: 60,
    timeZone: 'Europe/Paris',
  },
})

describe('the form of a maintenance', () => {
  test.each([
    ['FREQ=DAILY', 'daily'],
    ['FREQ=HOURLY;INTERVAL=6', 'hourly'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH', 'weekly'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'monthly-nth'],
    ['FREQ=MONTHLY;BYMONTHDAY=15;COUNT=6', 'monthly-day'],
    ['FREQ=WEEKLY;BYDAY=SU;UNTIL=20271231', 'weekly'],
    ['FREQ=YEARLY', 'custom'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'custom'],
    ['FREQ=WEEKLY', 'custom'],
    ['FREQ=WEEKLY;BYDAY=SU;UNTIL=20271231T120000Z', 'custom'],
  ])('%s is shown as %s and saved as the very same rule', (rrule, repeats) => {
    const draft = draftOf(recurring(rrule), NOW)
    expect(draft.repeats).toBe(repeats)
    const saved = parseRecurrence(ruleOf(draft))
    const given = parseRecurrence(rrule)
    if ('fault' in saved || 'fault' in given) throw new Error('a rule is refused')
    expect(recurrenceText(saved)).toBe(recurrenceText(given))
  })

  test('a new one begins now and lasts two hours; without a date nothing is sent', () => {
    const draft = newDraft(NOW)
    const schedule = scheduleOf(draft)
    if (schedule?.kind !== 'one-off') throw new Error('not a single window')
    expect(Date.parse(schedule.to) - Date.parse(schedule.from)).toBe(2 * 3_600_000)
    expect(scheduleOf({ ...draft, to: '' })).toBeNull()
  })
})

describe('the calendar', () => {
  test('a month goes by whole weeks from Monday, a week has seven days, whatever the clocks do', () => {
    for (let month = 0; month < 24; month += 1) {
      const weeks = weeksOf('month', new Date(2026, month, 15))
      expect(weeks.every(week => week.length === 7 && week[0]?.getDay() === 1)).toBe(true)
      const days = weeks.flat().map(dayKey)
      expect(new Set(days).size).toBe(days.length)
      const last = new Date(2026, month + 1, 0)
      expect(days).toContain(dayKey(last))
    }
    expect(weeksOf('week', new Date(2026, 2, 29))).toHaveLength(1)
    expect(dayKey(moved('month', new Date(2026, 0, 31), 1))).toBe('2026-02-01')
    expect(dayKey(moved('week', new Date(2026, 9, 26), -1))).toBe('2026-10-19')
  })

  test('a window of several days is on each of them, and not on the one at whose start it ends', () => {
    const first = new Date(2026, 10, 20)
    const days = [0, 1, 2].map(index => addDays(first, index))
    const window = {
      ...{ maintenanceId: 1, comment: '', recurring: false, flexible: false, objects: '', broken: null },
      ...{ state: 'planned' as const, from: new Date(2026, 10, 20, 22).toISOString() },
      to: new Date(2026, 10, 22).toISOString(),
    }
    expect([...byDay([window], days).values()].map(found => found.length)).toEqual([1, 1, 0])
  })

  test('an address that names no day is today', () => {
    const today = new Date(2026, 10, 20, 13)
    expect([dayKey(dayOf('2026-02-03', today)), dayKey(dayOf('demain', today)), dayKey(dayOf(null, today))]).toEqual([
      '2026-02-03',
      '2026-11-20',
      '2026-11-20',
    ])
  })
})
