import { expect, it } from 'vitest'
import { freshnessOf, STALE_AFTER_MS } from './freshness.ts'

it('what is shown is said to be old within 10 s of the last word of the server, whatever the connection looks like', () => {
  // A second until it is looked at; the rest is for a busy machine, which hears the last word late and draws late.
  expect(STALE_AFTER_MS).toBeLessThanOrEqual(6_000)
  expect(freshnessOf('Connected', 0)).toBe('live')
  expect(freshnessOf('Connected', STALE_AFTER_MS)).toBe('live')
  expect(freshnessOf('Connected', STALE_AFTER_MS + 1)).toBe('stale')
  expect(freshnessOf('Connecting', STALE_AFTER_MS + 1)).toBe('stale')
})

it('a connection that is lost says so at once; one that begins says nothing', () => {
  expect(freshnessOf('Reconnecting', 0)).toBe('stale')
  expect(freshnessOf('Disconnected', 0)).toBe('stale')
  expect(freshnessOf('Connecting', null)).toBe('starting')
  expect(freshnessOf('Connecting', 100)).toBe('starting')
})
