import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { CsvError, Parser } from 'csv-parse'
import { invalid, Refusal } from '../http/refusal.ts'
import { type CsvDelimiter, delimiterOf } from './csv-delimiter.ts'
import { type CsvEncoding, toUtf8 } from './csv-encoding.ts'

/** What a file may hold; beyond it is refused whole. Bytes, rows under the header, columns, characters a cell, cells. */
export const CSV_LIMITS = {
  bytes: 20 * 1024 * 1024,
  rows: 50_000,
  columns: 200,
  cellCharacters: 32_000,
  cells: 2_000_000,
} as const

export interface CsvRow {
  /** Line of the file on which the row begins, the header's being 1 as a rule. */
  readonly line: number
  /** As many as the file has in that row: it may differ from the header. */
  readonly cells: readonly string[]
}

export interface CsvTable {
  readonly encoding: CsvEncoding
  readonly delimiter: CsvDelimiter
  readonly header: readonly string[]
  /** Rows that say something, in the file's order. */
  readonly rows: readonly CsvRow[]
}

/** Bytes parsed in one turn of the event loop: some 3 ms. */
const SLICE = 64 * 1024
/** Characters in which the delimiter is looked for. */
const START = 64 * 1024

/**
 * A CSV file of any spreadsheet: encoding and delimiter found out, header apart, blank rows left out, our own `'` before
 * formulas taken off. Parsed in slices, so that others are served meanwhile.
 * @throws a Refusal in French that names the line: 413 over `CSV_LIMITS`, 400 for what is no CSV.
 */
export const readCsv = async (bytes: Buffer): Promise<CsvTable> => {
  if (bytes.length > CSV_LIMITS.bytes) throw tooLarge(`Le fichier dépasse ${CSV_LIMITS.bytes / 1_048_576} Mo.`)
  if (bytes.subarray(0, 2).toString('latin1') === 'PK')
    throw invalid(['Ce fichier est un classeur : enregistrez-le au format CSV, puis recommencez.'])
  const { encoding, utf8 } = toUtf8(bytes)
  if (utf8.includes(0)) throw invalid(["Ce fichier n'est pas du texte : un fichier CSV est attendu."])
  const hint = /^sep=([;,\t|])\r?\n/.exec(utf8.subarray(0, 16).toString('latin1'))
  const content = utf8.subarray(hint?.[0].length ?? 0)
  const delimiter = hintedDelimiter(hint?.[1]) ?? delimiterOf(content.toString('utf8', 0, START))
  const collected = collector(hint === null ? 1 : 2)
  const parser = parserOf(delimiter, collected.add)
  try {
    await pipeline(Readable.from(slicesOf(content)), parser.resume())
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error, collected.line()) : error
  }
  const [header, ...rows] = collected.rows
  if (header === undefined) throw invalid(['Ce fichier est vide : une ligne de titres de colonnes est attendue.'])
  return { encoding, delimiter, header: header.cells.map(cell => cell.trim()), rows }
}

const tooLarge = (sentence: string): Refusal => new Refusal('too-large', [sentence])

/** What Excel itself writes on a first line `sep=;`. */
const hintedDelimiter = (sign: string | undefined): CsvDelimiter | null =>
  sign === ';' || sign === ',' || sign === '\t' || sign === '|' ? sign : null

/** Rows are taken as they are parsed, not as they are read from the stream: a fault is then told behind all rows before it. */
const parserOf = (delimiter: CsvDelimiter, take: (cells: readonly string[]) => void): Parser =>
  new Parser({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    on_record: (cells: string[]) => {
      take(cells)
      return null
    },
  })

async function* slicesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += SLICE) {
    await setImmediate()
    yield content.subarray(at, at + SLICE)
  }
}

/** Gathers records with the lines on which they begin, which the parser counts wrongly where a cell holds a CRLF. */
const collector = (firstLine: number) => {
  const rows: CsvRow[] = []
  let line = firstLine
  let cellCount = 0
  return {
    rows,
    line: () => line,
    add(raw: readonly string[]): void {
      const cells = raw.map(withoutGuard)
      const startsAt = line
      line += 1 + raw.reduce((breaks, cell) => breaks + breaksIn(cell), 0)
      if (cells.every(cell => cell.trim() === '')) return
      cellCount += cells.length
      checkLimits(cells, startsAt, rows.length, cellCount)
      rows.push({ line: startsAt, cells })
    },
  }
}

const GUARDED = /^'+[=+\-@\t\r]/
const withoutGuard = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell)
const breaksIn = (cell: string): number => (/[\r\n]/.test(cell) ? (cell.match(/\r\n|\r|\n/g)?.length ?? 0) : 0)

const checkLimits = (cells: readonly string[], line: number, rowsBefore: number, cellCount: number): void => {
  if (cells.length > CSV_LIMITS.columns)
    throw tooLarge(`Ligne ${line} : ${cells.length} colonnes, au plus ${CSV_LIMITS.columns} sont acceptées.`)
  if (cells.some(cell => cell.length > CSV_LIMITS.cellCharacters))
    throw tooLarge(
      `Ligne ${line} : une cellule dépasse ${CSV_LIMITS.cellCharacters.toLocaleString('fr')} caractères. Un guillemet mal fermé en est souvent la cause.`,
    )
  if (rowsBefore > CSV_LIMITS.rows || cellCount > CSV_LIMITS.cells)
    throw tooLarge(
      `Le fichier dépasse ${CSV_LIMITS.rows.toLocaleString('fr')} lignes ou ${CSV_LIMITS.cells.toLocaleString('fr')} cellules : importez-le en plusieurs fois.`,
    )
}

const refusalOf = (error: CsvError, line: number): Refusal => {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return invalid([`Ligne ${line} : un guillemet y est ouvert et n'est jamais fermé.`])
  return invalid([
    `Ligne ${line} : un guillemet est mal placé. Une cellule qui en contient s'écrit entre guillemets, les siens doublés.`,
  ])
}
