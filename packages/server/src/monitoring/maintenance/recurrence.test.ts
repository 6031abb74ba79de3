import type { MaintenanceSchedule } from '@narval/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf, wallOf } from '../../store/wall-time.ts'
import { createOccurrences, faultOfSchedule } from './recurrence.ts'

const nightly = (over: Partial<Extract<MaintenanceSchedule, { kind: 'recurring' }>> = {}) => ({
  ...{ kind: 'recurring' as const, rrule: 'FREQ=DAILY', start: '2026-01-01T02:30' },
  ...{ durationMinutes: 60, timeZone: 'Europe/Paris' },
  ...over,
})
const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
const starts = (schedule: MaintenanceSchedule, from: string, to: string) =>
  createOccurrences(schedule)
    .within(Date.parse(from), Date.parse(to), 100)
    .map(span => iso(span.fromMs))

describe('a recurrence', () => {
  it('at 02:30 in Paris takes place once in every night of both clock changes', () => {
    expect(starts(nightly(), '2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
      '2026-03-28T01:30:00.000Z',
      // 02:30 does not exist: 03:30, summer time.
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
    expect(starts(nightly(), '2026-10-24T00:00:00Z', '2026-10-27T00:00:00Z')).toEqual([
      '2026-10-24T00:30:00.000Z',
      // 02:30 comes twice: the first one.
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  it('lasts its duration on a watch, whatever the clocks do meanwhile', () => {
    const long = createOccurrences(nightly({ durationMinutes: 180 }))
    const span = long.at(Date.parse('2026-10-25T02:00:00Z'))
    expect([iso(span?.fromMs), iso(span?.toMs)]).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T03:30:00.000Z'])
  })

  it('by hours goes on through the hour that comes twice', () => {
    const hourly = nightly({ rrule: 'FREQ=HOURLY;INTERVAL=1', start: '2026-10-25T01:00', durationMinutes: 10 })
    expect(starts(hourly, '2026-10-24T23:00:00Z', '2026-10-25T02:30:00Z')).toEqual([
      '2026-10-24T23:00:00.000Z',
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ])
  })

  it.each([
    // Every second week from that of its start.
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', ['2026-01-12', '2026-01-26']],
    ['FREQ=MONTHLY;BYDAY=1SU', ['2026-01-04']],
    ['FREQ=MONTHLY;BYDAY=-1SU', ['2026-01-25']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', ['2026-01-31']],
    ['FREQ=DAILY;COUNT=2', ['2026-01-01', '2026-01-02']],
    ['FREQ=DAILY;UNTIL=20260102', ['2026-01-01', '2026-01-02']],
    ['RRULE:FREQ=DAILY;UNTIL=20260102T000000Z', ['2026-01-01']],
  ])('%s gives the days of January that it says', (rrule, days) => {
    const found = starts(nightly({ rrule, start: '2026-01-01T12:00' }), '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z')
    expect(found).toEqual(days.map(day => `${day}T11:00:00.000Z`))
  })

  it.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;INTERVAL=5',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;INTERVAL=99999',
    'FREQ=DAILY;BYHOUR=1,2,3',
    'FREQ=DAILY;COUNT=3;UNTIL=20260101',
    'FREQ=DAILY;FREQ=WEEKLY',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2',
    'FREQ=DAILY;UNTIL=20250101',
    'FREQ=HOURLY;BYDAY=MO',
    'FREQ=WEEKLY;BYDAY=1MO',
    `FREQ=MONTHLY;BYMONTHDAY=${Array.from({ length: 99 }, () => 1).join(',')}`,
    'FREQ',
    '',
    'DAILY;;',
  ])('« %s » is refused in French, at once', rrule => {
    expect(faultOfSchedule(nightly({ rrule }), 1_440)).toMatch(/[éèêà’.]/)
  })

  it('refuses a first day that no calendar has', () => {
    for (const start of ['2026-02-29T02:30', '2026-02-30T02:30', '2026-04-31T02:30'])
      expect(faultOfSchedule(nightly({ start }), 1_440)).toMatch(/n’existe pas/)
    expect(faultOfSchedule(nightly({ start: '2028-02-29T02:30' }), 1_440)).toBeNull()
  })

  it('whose windows would overlap is refused, and one whose windows touch is not', () => {
    expect(faultOfSchedule(nightly({ rrule: 'FREQ=HOURLY', durationMinutes: 61 }), 9_999)).toMatch(/plus longtemps/)
    expect(faultOfSchedule(nightly({ rrule: 'FREQ=HOURLY', durationMinutes: 60 }), 9_999)).toBeNull()
  })

  it('never yields windows out of order, overlapping, or more than asked', () => {
    const rules = fc.constantFrom(
      ...['FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3', 'FREQ=WEEKLY;BYDAY=MO,WE,FR', 'FREQ=MONTHLY;BYDAY=-1SU'],
      ...[
        'FREQ=HOURLY;INTERVAL=5',
        'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
        'FREQ=YEARLY',
        'FREQ=DAILY;COUNT=9',
      ],
    )
    const zones = fc.constantFrom('Europe/Paris', 'UTC', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu')
    fc.assert(
      fc.property(
        rules,
        zones,
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 700 }),
        (rrule, timeZone, hour, day) => {
          const start = `2026-01-03T${String(hour).padStart(2, '0')}:30`
          const schedule = nightly({ rrule, timeZone, start })
          const occurrences = createOccurrences(schedule)
          const fromMs = Date.parse('2026-01-01T00:00:00Z') + day * 86_400_000
          const spans = occurrences.within(fromMs, fromMs + 40 * 86_400_000, 10)
          expect(spans.length).toBeLessThanOrEqual(10)
          spans.forEach((span, index) => {
            expect(span.fromMs).toBeGreaterThanOrEqual(spans[index - 1]?.toMs ?? 0)
            // Each question about one instant gives the same windows as the list.
            expect(occurrences.at(span.fromMs)).toEqual(span)
            expect(occurrences.at(span.toMs - 1)).toEqual(span)
            expect(occurrences.before(span.fromMs)).toEqual(span)
            if (index > 0) expect(occurrences.after(spans[index - 1]?.fromMs ?? 0)).toEqual(span)
          })
        },
      ),
      { numRuns: 20 },
    )
  })

  it('wall times and instants answer each other, but in the hours that a zone leaves out or repeats', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_700_000_000, max: 2_000_000_000 }),
        fc.constantFrom('Europe/Paris', 'America/St_Johns', 'Australia/Lord_Howe'),
        (second, zone) => {
          const ms = second * 1_000
          const back = instantOf(wallOf(ms, zone), zone)
          expect(wallOf(back, zone)).toBe(wallOf(ms, zone))
          expect(Math.abs(back - ms)).toBeLessThanOrEqual(3_600_000)
        },
      ),
    )
  })
})
