import type { Maintenance } from '@narval/contracts'
import { expect, it } from 'vitest'
import { whenOf } from './maintenance-told.ts'

/** 15:00 in Paris, an hour ahead of UTC. */
const NOW = Date.parse('2026-11-20T14:00:00Z')
const at = (from: string, to: string, state: Maintenance['state']): string => {
  const span = { from: `2026-11-${from}:00Z`, to: `2026-11-${to}:00Z` }
  const [current, next] = state === 'running' ? [span, null] : [null, span]
  return whenOf({ state, schedule: { kind: 'one-off', ...span }, current, next }, NOW)
}

it('what runs is told by its end, with the day unless that is today by the clocks in Paris', () => {
  expect(at('20T13:00', '20T15:30', 'running')).toBe('jusqu’à 16:30')
  expect(at('20T13:00', '20T23:30', 'running')).toBe('jusqu’au 21/11 à 00:30')
})

it('what is planned is told by both, the day once where it is one', () => {
  expect(at('20T15:30', '20T16:30', 'planned')).toBe('de 16:30 à 17:30')
  expect(at('23T07:00', '23T09:00', 'planned')).toBe('le 23/11 de 08:00 à 10:00')
  expect(at('20T22:30', '21T01:00', 'planned')).toBe('du 20/11 à 23:30 au 21/11 à 02:00')
})

it('what comes again and again is told by its rule', () => {
  const schedule = { kind: 'recurring', rrule: 'FREQ=DAILY', start: '2026-11-20T02:00', durationMinutes: 60 } as const
  const next = { from: '2026-11-21T01:00:00Z', to: '2026-11-21T02:00:00Z' }
  const told = whenOf(
    { state: 'planned', schedule: { ...schedule, timeZone: 'Europe/Paris' }, current: null, next },
    NOW,
  )
  expect(told).toBe('(tous les jours)')
})
