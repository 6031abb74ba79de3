/** What a file starts with, so that Excel reads it as UTF-8. */
export const CSV_BOM = '\uFEFF'

/** What a spreadsheet would run, or what stands for it behind our own apostrophes (S45). */
const FORMULA = /^'*[=+\-@\t\r]/
/** Quoted although not all must be: the delimiters of other tools, so that none is mistaken for ours. */
const QUOTED = /[;,|"\t\r\n]|^\s|\s$/u

export type CsvCell = string | number | boolean | null

/**
 * One line with its CRLF: `;` between cells, decimal comma, « oui » and « non », texts that a spreadsheet would take for a
 * formula with one `'` in front. `csv-read.ts` gives every text back as it was.
 */
export const csvLine = (cells: readonly CsvCell[]): string =>
  // A lone empty cell is quoted: an empty line would be none.
  `${cells.length === 1 && cellOf(cells[0] ?? '') === '' ? '""' : cells.map(cellOf).join(';')}\r\n`

const cellOf = (cell: CsvCell): string => {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'oui' : 'non'
  if (typeof cell === 'number') return decimalComma(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The number as French spreadsheets read it; a fraction too small for digits keeps its exponent. */
export const decimalComma = (value: number): string => (Number.isFinite(value) ? String(value).replace('.', ',') : '')
