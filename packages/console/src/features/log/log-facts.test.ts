import { expect, test } from 'vitest'
import { tellsFacts } from './log-facts.ts'

const told = (action: string, ...befores: readonly string[]): boolean =>
  tellsFacts({ action, changes: befores.map(before => ({ field: 'name', label: 'Nom', before, after: 'Lyon' })) })

test('an entry without anything before tells facts, unless it is an update, which may have filled what was empty', () => {
  expect(told('site-create', '', '')).toBe(true)
  expect(told('login', '')).toBe(true)
  expect(told('site-update', '')).toBe(false)
  expect(told('incident-owner', '', 'Lille')).toBe(false)
})
