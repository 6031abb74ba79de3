import { readClock } from '@narval/contracts'
import { expect, test } from 'vitest'
import { openingSummary, serviceChangeText } from './opening-text.ts'

const OFFICE = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }

test.each([
  [[], '24\u202fh/24, 7\u202fj/7'],
  [[OFFICE], 'lun.–ven. 08:00–18:00'],
  [[OFFICE, { days: [6], from: '09:00', to: '12:00' }], 'lun.–ven. 08:00–18:00 · sam. 09:00–12:00'],
  [
    [
      { days: [2, 1], from: '14:00', to: '18:00' },
      { days: [1, 2], from: '08:00', to: '12:00' },
    ],
    'lun., mar. 08:00–12:00 et 14:00–18:00',
  ],
  [[{ days: [1, 2, 3, 5, 7], from: '00:00', to: '24:00' }], 'lun.–mer., ven., dim. 24\u202fh/24'],
  [[{ days: [1, 2, 3, 4, 5, 6, 7], from: '06:00', to: '22:00' }], 'tous les jours 06:00–22:00'],
  [[{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }], '24\u202fh/24, 7\u202fj/7'],
])('service hours %j read « %s »', (ranges, text) => {
  expect(openingSummary(ranges)).toBe(text)
})

test('the next change is told with its day only when it is another', () => {
  expect(serviceChangeText({ open: true, until: { day: 5, time: '18:00' } }, 5)).toBe('jusqu’à 18:00')
  expect(serviceChangeText({ open: true, until: { day: 1, time: '06:00' } }, 7)).toBe('jusqu’à lundi à 06:00')
  expect(serviceChangeText({ open: false, until: { day: 1, time: '08:00' } }, 5)).toBe('reprend lundi à 08:00')
  expect(serviceChangeText({ open: false, until: { day: 5, time: '14:00' } }, 5)).toBe('reprend à 14:00')
  expect(serviceChangeText({ open: true, until: null }, 1)).toBe('')
})

test.each([
  ['8', '08:00'],
  ['8h', '08:00'],
  ['8 h 30', '08:30'],
  ['0830', '08:30'],
  ['18:05', '18:05'],
  ['24', '24:00'],
  ['24:01', null],
  ['25', null],
  ['8:70', null],
  ['midi', null],
  ['', null],
])('« %s » as a time is %s', (text, time) => {
  expect(readClock(text)).toBe(time)
})
