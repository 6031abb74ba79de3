import { type ModelScanner, modelScanner } from '@narval/contracts'
import { expect, test } from 'vitest'
import { mergeModels } from './model-merge.ts'

const scanner = (item: string, more: Partial<ModelScanner> = {}): ModelScanner => ({
  ...modelScanner.parse({ item, name: item, kind: 'ping' }),
  ...more,
})
const model = (scanners: ModelScanner[], fields = {}) => ({
  name: 'Routeur',
  description: '',
  definition: { scanners, fields },
})
const items = (merged: ReturnType<typeof mergeModels>) => merged.definition.scanners.map(one => one.item)

test('two people who change different fields of one scanner both keep their change', () => {
  const merged = mergeModels(
    model([scanner('a'), scanner('b')]),
    model([scanner('a', { intervalSeconds: 30 }), scanner('b')]),
    model([scanner('b'), scanner('a', { attempts: 5 })]),
  )
  expect(items(merged)).toEqual(['b', 'a'])
  expect(merged.definition.scanners[1]).toMatchObject({ intervalSeconds: 30, attempts: 5 })
})

test('what one added stays, what one took away goes, whatever the other did beside it', () => {
  const merged = mergeModels(
    model([scanner('a'), scanner('b')]),
    model([scanner('b'), scanner('mine')]),
    model([scanner('a'), scanner('b'), scanner('theirs')]),
  )
  expect(items(merged)).toEqual(['b', 'theirs', 'mine'])
})

test('a scanner that they took away and I changed is not lost', () => {
  const changed = scanner('a', { timeoutMs: 500 })
  expect(items(mergeModels(model([scanner('a')]), model([changed]), model([])))).toEqual(['a'])
  expect(items(mergeModels(model([scanner('a')]), model([scanner('a')]), model([])))).toEqual([])
})

test('values of custom fields are merged key by key, mine where both changed one', () => {
  const merged = mergeModels(
    model([], { debit: 1, lieu: 'A' }),
    model([], { debit: 2, lieu: 'A' }),
    model([], { debit: 3, lieu: 'B', neuf: true }),
  )
  expect(merged.definition.fields).toEqual({ debit: 2, lieu: 'B', neuf: true })
})
