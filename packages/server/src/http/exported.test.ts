import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { exported, exportFormat } from './exported.ts'

describe('a list as a file', () => {
  it('is chosen by Accept, the first format named; anything else is the page', () => {
    expect(exportFormat('text/csv')).toBe('csv')
    expect(exportFormat('application/x-ndjson; q=0.9, text/csv')).toBe('ndjson')
    expect(exportFormat('application/json, text/csv')).toBeNull()
    for (const accept of [undefined, '', '*/*', 'text/html', 'text/csvx']) expect(exportFormat(accept)).toBeNull()
  })

  async function* slices() {
    yield [{ name: 'Évry', value: 1.5 }]
    yield []
    yield [{ name: '=1+1', value: -2 }]
  }
  it('S45: is CSV that a French spreadsheet opens and runs nothing of', async () => {
    const columns = [
      { header: 'Nom', cell: (row: { name: string }) => row.name },
      { header: 'Valeur', cell: (row: { value: number }) => row.value },
    ]
    const file = exported('csv', { name: 'essai', columns, slices: slices() })
    expect(file.headers['content-disposition']).toBe('attachment; filename="essai.csv"')
    expect(await text(file.stream())).toBe("\uFEFFNom;Valeur\r\nÉvry;1,5\r\n'=1+1;-2\r\n")
  })

  it('is one JSON object a line', async () => {
    const file = exported('ndjson', { name: 'essai', columns: [], slices: slices() })
    expect((await text(file.stream())).split('\n').map(line => (line === '' ? null : JSON.parse(line)))).toEqual([
      { name: 'Évry', value: 1.5 },
      { name: '=1+1', value: -2 },
      null,
    ])
  })
})
