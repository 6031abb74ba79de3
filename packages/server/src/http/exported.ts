import { Readable } from 'node:stream'
import { CSV_BOM, type CsvCell, csvLine } from '../csv/csv-write.ts'

/** What a caller may ask of a list by `Accept`, beside its page as JSON: everything that it matches. */
export const EXPORT_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
export type ExportFormat = keyof typeof EXPORT_TYPES

export interface ExportColumn<T> {
  readonly header: string
  readonly cell: (row: T) => CsvCell
}
export interface ExportSource<T> {
  /** Name of the file, without its end. */
  readonly name: string
  readonly columns: readonly ExportColumn<T>[]
  readonly slices: AsyncIterable<readonly T[]>
}

/** The format that a request prefers to the page, null for the page; the first one named counts. */
export const exportFormat = (accept: string | undefined): ExportFormat | null => {
  for (const part of (accept ?? '').split(',')) {
    const type = part.split(';')[0]?.trim().toLowerCase()
    if (type === EXPORT_TYPES.csv) return 'csv'
    if (type === EXPORT_TYPES.ndjson) return 'ndjson'
    if (type === 'application/json') return null
  }
  return null
}

/** A list as a file, written as it is read: no more than a slice of it is ever held. */
export class Exported {
  readonly headers: Readonly<Record<string, string>>
  readonly stream: () => Readable
  constructor(headers: Readonly<Record<string, string>>, stream: () => Readable) {
    this.headers = headers
    this.stream = stream
  }
}

export const exported = <T>(format: ExportFormat, source: ExportSource<T>): Exported =>
  new Exported(
    {
      'content-type': `${EXPORT_TYPES[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="${source.name}.${format}"`,
    },
    () => Readable.from(format === 'csv' ? csvText(source) : ndjsonText(source.slices)),
  )

async function* csvText<T>({ columns, slices }: ExportSource<T>): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(columns.map(column => column.header))
  for await (const rows of slices)
    if (rows.length > 0) yield rows.map(row => csvLine(columns.map(column => column.cell(row)))).join('')
}

async function* ndjsonText(slices: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const rows of slices) if (rows.length > 0) yield rows.map(row => `${JSON.stringify(row)}\n`).join('')
}
