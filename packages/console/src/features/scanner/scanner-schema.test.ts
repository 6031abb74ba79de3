import { CHECK_KINDS } from '@narval/contracts'
import { expect, test } from 'vitest'
import { initialParameters } from '../../lib/scanner-kinds.ts'
import { scannerForm } from './scanner-schema.ts'

const body = (kind: string, parameters: unknown) => ({ name: 'Essai', kind, hostId: 1, parameters })
const refused = (kind: string, parameters: unknown) =>
  (scannerForm.safeParse(body(kind, parameters)).error?.issues ?? []).map(issue => ({
    field: issue.path.join('.'),
    message: issue.message,
  }))

/** What nobody can guess must be said. */
const toSay: Readonly<Record<string, unknown>> = {
  tcp: [{ field: 'parameters.port', message: 'Champ requis' }],
  dns: [{ field: 'parameters.name', message: 'Champ requis' }],
  snmp: [{ field: 'parameters.values', message: 'Au moins une valeur est attendue' }],
}

test('every kind begins with parameters that its own schema accepts, but for what only a person knows', () => {
  for (const kind of CHECK_KINDS) {
    expect(refused(kind, initialParameters(kind))).toEqual(toSay[kind] ?? [])
  }
})

test('a wrong parameter is said at its own field, in the words that the server uses', () => {
  expect(refused('ping', { count: 40 })).toEqual([
    { field: 'parameters.count', message: 'La valeur doit être au plus 20' },
  ])
  expect(refused('http', { url: 'ftp://x' }).map(issue => issue.field)).toEqual(['parameters.url'])
})
