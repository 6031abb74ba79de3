import { IMPORT_FIELDS, type ImportEntity } from '@narval/contracts'
import type { CsvCell } from '../csv/csv-write.ts'
import type { ExportColumn } from '../http/exported.ts'

/** The columns that an import reads back, under the labels by which it knows them. A field that is not given is left out. */
export const importColumns = <T>(
  entity: ImportEntity,
  cells: Readonly<Record<string, (row: T) => CsvCell>>,
): ExportColumn<T>[] =>
  IMPORT_FIELDS[entity].flatMap(({ field, label }) => {
    const cell = cells[field]
    return cell === undefined ? [] : [{ header: label, cell }]
  })
