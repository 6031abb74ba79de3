import { describe, expect, it } from 'vitest'
import { addDays, dayOf, dayText, hoursText, lastShifts, shiftsOf, shiftToHandOver, shortHoursText } from './shift.ts'

const PLAN = { startHour: 6, perDay: 3 }
const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute)

describe('shifts', () => {
  it('part a day from its first hour on; the last ends on the next', () => {
    const shifts = shiftsOf(at(10, 0), PLAN)
    expect(shifts.map(hoursText)).toEqual(['06:00 – 14:00', '14:00 – 22:00', '22:00 – 06:00'])
    expect(shifts.map(shortHoursText)).toEqual(['6 – 14\u202fh', '14 – 22\u202fh', '22 – 6\u202fh'])
    expect(shifts[2]?.to).toEqual(at(11, 6))
    expect(shortHoursText({ from: at(10, 6), to: at(10, 10, 48) })).toBe('06:00 – 10:48')
    expect(shiftsOf(at(10, 0), { startHour: 0, perDay: 1 })).toEqual([{ from: at(10, 0), to: at(11, 0) }])
  })
  it('that have begun are found back over days, also before the first hour of today', () => {
    expect(lastShifts(at(10, 3), PLAN, 3).map(shift => shift.from)).toEqual([at(9, 22), at(9, 14), at(9, 6)])
    expect(lastShifts(at(10, 6), PLAN, 1)[0]?.from).toEqual(at(10, 6))
  })
  it('one hands over the one that ends about now', () => {
    expect(shiftToHandOver(at(10, 13, 45), PLAN).from).toEqual(at(10, 6))
    expect(shiftToHandOver(at(10, 14, 20), PLAN).from).toEqual(at(10, 6))
    expect(shiftToHandOver(at(10, 5, 50), PLAN).from).toEqual(at(9, 22))
  })
  it('days are those of addresses, and follow each other by the clock', () => {
    expect(dayOf('2026-03-10')).toEqual(at(10, 0))
    for (const text of [null, '', '2026-02-30', '10/03/2026']) expect(dayOf(text)).toBeNull()
    expect(dayText(addDays(at(28, 0), 1))).toBe('2026-03-29')
    expect(dayText(addDays(at(29, 0), 1))).toBe('2026-03-30')
  })
})
