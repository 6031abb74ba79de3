import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { delimiterOf } from './csv-delimiter.ts'
import { CSV_LIMITS, readCsv } from './csv-read.ts'
import { CSV_BOM, csvLine } from './csv-write.ts'

const read = (text: string) => readCsv(Buffer.from(text, 'utf8'))
const errorsOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'read',
    error => [error.kind, ...error.errors],
  )

describe('what is written', () => {
  it('has `;`, CRLF, decimal comma, « oui » and « non », and quotes where they are needed', () => {
    expect(csvLine(['Lyon', 45.76, -3, true, false, null, 'a;b', 'dit « "oui" »', 'deux\nlignes'])).toBe(
      'Lyon;45,76;-3;oui;non;;"a;b";"dit « ""oui"" »";"deux\nlignes"\r\n',
    )
  })

  it('no spreadsheet runs a text that begins like a formula, also behind apostrophes (S45)', () => {
    const texts = ['=1+1', '+33 4 72', '-2', '@SUM(A1)', '\t=1', "'=1", "''=HYPERLINK()", "l'=", "'abc"]
    expect(texts.map(text => csvLine([text, 'x']).split(';')[0])).toEqual([
      "'=1+1",
      "'+33 4 72",
      "'-2",
      "'@SUM(A1)",
      '"\'\t=1"',
      "''=1",
      "'''=HYPERLINK()",
      "l'=",
      "'abc",
    ])
  })

  it('every text comes back as it was: parse ∘ write = identity', async () => {
    const hard = fc.constantFrom(
      '=1',
      "'=1",
      "''+x",
      '-',
      "'",
      '"',
      '""',
      ';',
      ',',
      '\t',
      '|',
      '\r',
      '\n',
      '\r\n',
      ' a ',
      'oui',
      '1,5',
      '\uFEFF',
      'é',
      '😀',
    )
    const text = fc
      .oneof(
        hard,
        fc.string({ unit: 'binary' }),
        fc.array(hard, { maxLength: 4 }).map(parts => parts.join('')),
      )
      .filter(cell => !cell.includes('\0'))
    const table = fc
      .integer({ min: 1, max: 6 })
      .chain(width => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))
    await fc.assert(
      fc.asyncProperty(table, async rows => {
        const width = rows[0]?.length ?? 1
        const header = Array.from({ length: width }, (_, at) => `colonne ${at}`)
        const said = rows.filter(cells => cells.some(cell => cell.trim() !== ''))
        const file = CSV_BOM + [header, ...rows].map(csvLine).join('')
        const back = await read(file)
        expect(back.header).toEqual(header)
        expect(back.rows.map(row => row.cells)).toEqual(said)
      }),
      { numRuns: 400 },
    )
  })
})

describe('what is read', () => {
  it('Windows-1252 with semicolons, as Excel writes it in France', async () => {
    const bytes = Buffer.from([
      ...Buffer.from('Nom;Prix\r\nSi', 'latin1'),
      0xe8,
      ...Buffer.from('ge;5 '),
      0x80,
      0x0d,
      0x0a,
    ])
    expect(await readCsv(bytes)).toEqual({
      encoding: 'windows-1252',
      delimiter: ';',
      header: ['Nom', 'Prix'],
      rows: [{ line: 2, cells: ['Siège', '5 €'] }],
    })
  })

  it.each([
    ['utf-8', Buffer.from('\uFEFFNom;Été\nA;é\n', 'utf8')],
    ['utf-8', Buffer.from('Nom;Été\nA;é\n', 'utf8')],
    ['utf-16le', Buffer.from('\uFEFFNom;Été\nA;é\n', 'utf16le')],
    ['utf-16be', Buffer.from('\uFEFFNom;Été\nA;é\n', 'utf16le').swap16()],
  ])('%s, its byte order mark taken off', async (encoding, bytes) => {
    expect(await readCsv(bytes)).toMatchObject({ encoding, header: ['Nom', 'Été'], rows: [{ cells: ['A', 'é'] }] })
  })

  it('the delimiter is the one that splits the lines evenly outside quotes', () => {
    expect(delimiterOf('a;b\n1,5;2,5\n1,5;3\n')).toBe(';')
    expect(delimiterOf('a,b,c\n"x;y;z",2,3\n')).toBe(',')
    expect(delimiterOf('a\tb\n1\t2\n')).toBe('\t')
    expect(delimiterOf('a|b|c,d\n1|2|3\n')).toBe('|')
    expect(delimiterOf('seul\nun\n')).toBe(';')
    expect(delimiterOf('')).toBe(';')
  })

  it('`sep=,` on the first line, as Excel understands it', async () => {
    expect(await read('sep=,\r\na,b;c\r\n1,2\r\n')).toMatchObject({
      delimiter: ',',
      header: ['a', 'b;c'],
      rows: [{ line: 3 }],
    })
  })

  it('cells of several lines keep their line breaks, rows the line on which they begin, blank rows are left out', async () => {
    const table = await read('a;b\r\n1;"x\r\ny\nz"\r\n\r\n;\r\n3;4\n5;6\r7;8')
    expect(table.rows).toEqual([
      { line: 2, cells: ['1', 'x\r\ny\nz'] },
      { line: 7, cells: ['3', '4'] },
      { line: 8, cells: ['5', '6'] },
      { line: 9, cells: ['7', '8'] },
    ])
  })

  it('a quote that is never closed, or misplaced, is told with its line', async () => {
    expect(await errorsOf(read('a;b\n1;2\n"3;4\n5;6\n'))).toEqual([
      'invalid',
      expect.stringMatching(/^Ligne 3 : un guillemet y est ouvert/),
    ])
    expect(await errorsOf(read('a;b\n1;5" 2\n'))).toEqual([
      'invalid',
      expect.stringMatching(/^Ligne 2 : un guillemet est mal placé/),
    ])
    expect(await errorsOf(read('a;b\n1;"2"x\n'))).toEqual([
      'invalid',
      expect.stringMatching(/^Ligne 2 : un guillemet est mal placé/),
    ])
  })

  it('a workbook, something binary, or nothing at all is refused with what to do', async () => {
    expect(await errorsOf(readCsv(Buffer.from('PK\u0003\u0004')))).toEqual([
      'invalid',
      expect.stringContaining('enregistrez-le au format CSV'),
    ])
    expect(await errorsOf(readCsv(Buffer.from([1, 0, 2, 0])))).toEqual([
      'invalid',
      expect.stringContaining("n'est pas du texte"),
    ])
    expect(await errorsOf(read('\r\n \r\n'))).toEqual(['invalid', expect.stringContaining('est vide')])
  })

  it('more than the limits is refused as too large, each limit named', async () => {
    const row = (width: number) => `${'x;'.repeat(width - 1)}x\n`
    expect(await errorsOf(readCsv(Buffer.alloc(CSV_LIMITS.bytes + 1, 'a')))).toEqual([
      'too-large',
      'Le fichier dépasse 20 Mo.',
    ])
    expect(await errorsOf(read(row(CSV_LIMITS.columns + 1)))).toEqual([
      'too-large',
      expect.stringContaining('201 colonnes'),
    ])
    expect(await errorsOf(read(`a\n${'x'.repeat(CSV_LIMITS.cellCharacters + 1)}\n`))).toEqual([
      'too-large',
      expect.stringContaining('Ligne 2'),
    ])
    expect(await errorsOf(read('a\n'.repeat(CSV_LIMITS.rows + 2)))).toEqual([
      'too-large',
      expect.stringContaining('lignes'),
    ])
    expect((await read('a\n'.repeat(CSV_LIMITS.rows + 1))).rows.length).toBe(CSV_LIMITS.rows)
  })
})
