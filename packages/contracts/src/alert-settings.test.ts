import { expect, test } from 'vitest'
import { isQuiet, type QuietHours, quietHours } from './alert-settings.ts'

const NIGHT: QuietHours = { days: [1, 5], from: '22:00', to: '07:00', timeZone: 'Europe/Paris', exceptErrors: true }
/** November in Paris: an hour ahead of UTC. The 23rd of November 2026 is a Monday. */
const at = (day: number, time: string): number => Date.parse(`2026-11-${day}T${time}:00+01:00`)

test('a night runs into the next day, by the clocks of the zone', () => {
  const times = [at(23, '06:59'), at(23, '21:59'), at(23, '22:00'), at(24, '06:59'), at(24, '07:00'), at(24, '22:30')]
  expect(times.map(time => isQuiet(NIGHT, 'warning', time))).toEqual([false, false, true, true, false, false])
  expect(isQuiet({ ...NIGHT, timeZone: 'America/Martinique' }, 'warning', at(23, '22:00'))).toBe(false)
})

test('Sunday night ends on Monday', () => {
  expect(isQuiet({ ...NIGHT, days: [7] }, 'ok', at(23, '06:00'))).toBe(true)
})

test('hours of one day; the same start and end is a whole day', () => {
  const noon: QuietHours = { ...NIGHT, from: '12:00', to: '14:00' }
  expect(['11:59', '12:00', '13:59', '14:00'].map(time => isQuiet(noon, 'ok', at(23, time)))).toEqual([
    false,
    true,
    true,
    false,
  ])
  const day: QuietHours = { ...NIGHT, from: '08:00', to: '08:00' }
  expect(
    [at(23, '07:59'), at(23, '08:00'), at(24, '07:59'), at(24, '08:00')].map(time => isQuiet(day, 'ok', time)),
  ).toEqual([false, true, true, false])
})

test('an evening lasts until midnight, which one writes 24:00; nothing begins then', () => {
  const evening: QuietHours = { ...NIGHT, days: [1], from: '20:00', to: '24:00' }
  expect(quietHours.safeParse(evening).success).toBe(true)
  expect([at(23, '19:59'), at(23, '23:59'), at(24, '00:00')].map(time => isQuiet(evening, 'ok', time))).toEqual([
    false,
    true,
    false,
  ])
  expect(quietHours.safeParse({ ...evening, from: '24:00' }).success).toBe(false)
})

test('errors pass where one wants them to; nobody is quiet without asking', () => {
  const night = at(23, '23:00')
  expect([isQuiet(NIGHT, 'error', night), isQuiet({ ...NIGHT, exceptErrors: false }, 'error', night)]).toEqual([
    false,
    true,
  ])
  expect(isQuiet(null, 'ok', night)).toBe(false)
})
