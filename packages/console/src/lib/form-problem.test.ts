import type { Problem } from '@narval/contracts'
import { expect, test } from 'vitest'
import { readProblem } from './form-problem.ts'

const refusal = (extra: Partial<Problem>): Problem => ({
  status: 400,
  title: 'Demande incorrecte',
  detail: '',
  errors: [],
  ...extra,
})

test('a sentence for a field of the form goes beside it, and is not said twice', () => {
  const result = readProblem(
    refusal({ errors: ['Ce code est déjà pris.'], fields: { code: 'Ce code est déjà pris' } }),
    ['name', 'code'],
  )
  expect(result).toEqual({ fields: [{ path: 'code', message: 'Ce code est déjà pris' }], general: '', newer: null })
})

test('a sentence for a field that the form does not have is said above, never lost', () => {
  const result = readProblem(refusal({ errors: [], fields: { updatedAt: 'Champ requis' } }), ['name'])
  expect(result.fields).toEqual([])
  expect(result.general).toBe('Champ requis')
})

test('a field inside a group of the form belongs to it', () => {
  const fields = { 'parameters.port': 'Champ requis', 'thresholds.errorHigh': 'Valeur incorrecte' }
  expect(readProblem(refusal({ fields }), ['parameters', 'name']).fields).toEqual([
    { path: 'parameters.port', message: 'Champ requis' },
  ])
})

test('a problem without sentences still says something', () => {
  expect(readProblem(refusal({ detail: 'Réessayez.' }), []).general).toBe('Réessayez.')
  expect(readProblem(refusal({}), []).general).toBe('Demande incorrecte')
})

test('a stale version gives who changed it, when, and the newer values', () => {
  const current = { id: 3, name: 'Lyon', updatedAt: '2026-11-20T10:00:00.000Z', updatedBy: 'claire' }
  const result = readProblem(refusal({ status: 409, errors: ['Cette fiche a été modifiée.'], current }), ['name'])
  expect(result.newer).toEqual({ by: 'claire', at: current.updatedAt, values: current })
  expect(readProblem(refusal({ status: 409, errors: ['Ce site a des équipements.'] }), ['name']).newer).toBeNull()
  expect(readProblem(refusal({ status: 409, current: [current] }), []).newer).toBeNull()
})
