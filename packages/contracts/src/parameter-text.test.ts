import { expect, test } from 'vitest'
import { parameterName, parameterText } from './parameter-text.ts'

test('parameters are told by their names and words: choices, yes and no, rows of tables by their columns', () => {
  expect(parameterName('tcp', 'port')).toBe('Port')
  expect(parameterText('tcp', 'port', 2222)).toBe('2222')
  expect(parameterText('tcp', 'banner', '')).toBe('vide')
  expect(parameterText('http', 'authentication', 'none')).toBe('Aucune')
  expect(parameterText('http', 'followRedirects', true)).toBe('oui')
  expect(parameterText('http', 'headers', [])).toBe('vide')
  const headers = [
    { name: 'Accept', value: 'text/html' },
    { name: 'X-Test', value: '' },
  ]
  expect(parameterText('http', 'headers', headers)).toBe(
    'Nom\u202f: Accept, Valeur\u202f: text/html\u202f; Nom\u202f: X-Test',
  )
})
