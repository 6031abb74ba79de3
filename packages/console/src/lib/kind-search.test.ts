import { CHECK_FAMILIES, CHECK_KINDS, CHECKS } from '@narval/contracts'
import { expect, test } from 'vitest'
import { findKinds } from './kind-search.ts'

const kinds = (text: string) => findKinds(text).flatMap(family => family.kinds)

test('without a word all kinds are there, each once, by families in their order', () => {
  expect(kinds('').toSorted()).toEqual(CHECK_KINDS.toSorted())
  const families = findKinds('').map(one => one.family)
  expect(families).toEqual(CHECK_FAMILIES.filter(family => CHECK_KINDS.some(kind => CHECKS[kind].family === family)))
})

test('a kind is found by its name, keywords and family, without case or accents, and by every word', () => {
  expect(kinds('ECHO')).toContain('ping')
  expect(kinds('memoire')).toContain('system')
  expect(kinds('reseau port')).toContain('tcp')
  expect(kinds('réseau port')).not.toContain('ping')
  expect(kinds('rien de tel')).toEqual([])
})
