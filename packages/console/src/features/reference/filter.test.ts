import { describe, expect, it } from 'vitest'
import type { Operation, Section } from './document.ts'
import { countOperations, filterSections } from './filter.ts'

const operation = (method: string, path: string, summary: string, claim: string | null): Operation => ({
  id: `${method.toLowerCase()}${path.replaceAll('/', '')}`,
  method,
  path,
  tag: '',
  summary,
  access: '',
  accessKind: claim === null ? 'open' : 'claim',
  claim,
  parameters: [],
  body: null,
  example: undefined,
  success: { status: '200', description: '', schema: null },
  refusals: [],
  credentials: [],
})
const SECTIONS: readonly Section[] = [
  {
    name: 'Host',
    description: 'Équipements supervisés',
    operations: [
      operation('GET', '/api/Host/GetType', 'Les types d’équipement', 'scanner_read'),
      operation('POST', '/api/Host/Create', 'Créer un équipement', 'host_write'),
    ],
  },
  {
    name: 'Parameter',
    description: 'Paramètres',
    operations: [operation('GET', '/api/Parameter/Public', 'Partie publique', null)],
  },
]
const found = (search: string) =>
  filterSections(SECTIONS, search).flatMap(section => section.operations.map(one => one.path))

describe('the filter of the operations', () => {
  it('finds by path, summary and claim, without regard for case, accents and apostrophes', () => {
    expect(found('HOST/create')).toEqual(['/api/Host/Create'])
    expect(found('creer un EQUIPEMENT')).toEqual(['/api/Host/Create'])
    expect(found("d'équipement")).toEqual(['/api/Host/GetType'])
    expect(found('host_write')).toEqual(['/api/Host/Create'])
    expect(found('équipements\u202f: écriture')).toEqual(['/api/Host/Create'])
    expect(found('open')).toEqual(['/api/Parameter/Public'])
  })

  it('wants every word, in any order; sections left empty are left out, an empty search leaves all', () => {
    expect(found('equipement post')).toEqual(['/api/Host/Create'])
    expect(found('equipement publique')).toEqual([])
    expect(filterSections(SECTIONS, 'publique').map(section => section.name)).toEqual(['Parameter'])
    expect(filterSections(SECTIONS, '  ')).toBe(SECTIONS)
    expect(countOperations(SECTIONS)).toBe(3)
  })
})
