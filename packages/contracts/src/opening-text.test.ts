import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OpeningRange } from './opening-hours.ts'
import { holidayText, openingText, readHolidayText, readOpeningText } from './opening-text.ts'

const OFFICE: OpeningRange[] = [
  { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
  { days: [6], from: '09:00', to: '12:00' },
]

it('service hours are written as people read them, none as nothing', () => {
  expect(openingText(OFFICE)).toBe('lun.–ven. 08:00–18:00 ; sam. 09:00–12:00')
  const noon = { days: [1, 3], from: '14:00', to: '24:00' }
  expect(openingText([{ ...noon, from: '08:00', to: '12:00' }, noon])).toBe('lun., mer. 08:00–12:00, 14:00–24:00')
  expect(openingText([{ days: [1, 2, 3, 4, 5, 6, 7], from: '06:00', to: '22:00' }])).toBe('tous les jours 06:00–22:00')
  expect(openingText([])).toBe('')
})

it('they are read as people write them', () => {
  for (const text of [
    'lun.-ven. 8h-18h; sam. 9h-12h',
    'LUN–VEN 08:00–18:00 ; Samedi 9:00-12:00',
    'du lundi au vendredi de 8h à 18h ; samedi de 9h à 12h',
    'lun, mar, mer, jeu et ven : 8 - 18 ; sam. 0900-1200',
  ])
    expect([text, readOpeningText(text)]).toEqual([text, OFFICE])
  expect(readOpeningText('sam.–lun. 10:00–11:00')?.[0]?.days).toEqual([6, 7, 1])
  for (const text of ['', '  ', '24 h/24, 7 j/7']) expect(readOpeningText(text)).toEqual([])
})

it('public holidays are a cell of their own: as on any day, closed, or hours of their own', () => {
  const hours = [
    { from: '09:00', to: '12:00' },
    { from: '14:00', to: '24:00' },
  ]
  expect([null, [], hours].map(holidayText)).toEqual(['', 'fermé', '09:00–12:00, 14:00–24:00'])
  expect(['', 'Fermé', '9h-12h et 14h à 24h'].map(readHolidayText)).toEqual([null, [], hours])
  expect(['Comme les autres jours', 'FERMEE', 'ouvert 9:00-12:00, 14:00-24:00'].map(readHolidayText)).toEqual([
    ...[null, [], hours],
  ])
  expect(['parfois', '9h', 'lun. 9h-12h', '9h-12h,'].map(readHolidayText)).toEqual(Array(4).fill(undefined))
})

it('what says no hours is refused', () => {
  for (const text of [
    'toujours',
    '8h-18h',
    'lun.',
    'lun. 8h',
    'lun. 8h-25h',
    'xyz. 8h-9h',
    'lu 8h-9h',
    'lun. 8h-9h-10h',
    ';',
  ])
    expect([text, readOpeningText(text)]).toEqual([text, null])
})

it('whatever is written is read back unchanged', () => {
  const clock = fc.integer({ min: 0, max: 1_439 }).map(minute => {
    const two = (value: number) => String(value).padStart(2, '0')
    return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
  })
  const range = fc.record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    from: clock,
    to: fc.oneof(clock, fc.constant('24:00')),
  })
  fc.assert(
    fc.property(fc.array(range, { maxLength: 21 }), ranges => {
      expect(readOpeningText(openingText(ranges))).toEqual(ranges)
    }),
  )
})
