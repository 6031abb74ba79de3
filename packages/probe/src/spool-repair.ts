import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { errorCode } from './failure.ts'
import { openSpool, type Spool, type SpoolOptions } from './spool.ts'
import { openSpoolDatabase } from './spool-database.ts'

/** A damaged spool was put aside; `kept` of its results could still be read and wait in the new one. */
export interface Repair {
  readonly file: string
  readonly kept: number
}

const isDamaged = (error: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(errorCode(error))

/**
 * Opens the spool even when its file is damaged (R06): what can be read of it goes to a new one, and the file is kept for
 * a person to look at, one at a time. A probe on a far site must not stay down for a few lost measures.
 */
export const openOrRepair = (options: SpoolOptions): { readonly spool: Spool; readonly repair: Repair | null } => {
  const mark = suspicionOf(options.file)
  if (!existsSync(mark)) {
    try {
      return { spool: openSpool(options), repair: null }
    } catch (error) {
      if (!isDamaged(error)) throw error
    }
  }
  const aside = setAside(options.file)
  const kept = salvage(aside, options.file)
  rmSync(mark, { force: true })
  return { spool: openSpool(options), repair: { file: aside, kept } }
}

const suspicionOf = (file: string): string => `${file}.suspect`

/** Remembers for the next opening that work on the file met damage, which an opening does not look for everywhere. */
export const suspect = (file: string, error: unknown): void => {
  if (isDamaged(error)) writeFileSync(suspicionOf(file), '')
}

/** Moves the file and what belongs to it; gives its new name. */
const setAside = (file: string): string => {
  const aside = file.replace(/\.db$/, '.damaged.db')
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${aside}${suffix}`, { force: true })
    try {
      renameSync(`${file}${suffix}`, `${aside}${suffix}`)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }
  return aside
}

const COPIES = [
  ['SELECT at, body FROM result ORDER BY id', 'INSERT INTO result (at, body) VALUES (@at, @body)'],
  // As they were formed: the server may have them already, and knows them by their key.
  [
    'SELECT boot, lane, sequence, count, oldest, results FROM batch ORDER BY id',
    'INSERT INTO batch (boot, lane, sequence, count, oldest, results) VALUES (@boot, @lane, @sequence, @count, @oldest, @results)',
  ],
] as const

/** Copies rows until the damage; gives how many results were saved. */
const salvage = (from: string, to: string): number => {
  const target = openSpoolDatabase(to)
  let kept = 0
  try {
    const source = new Database(from)
    try {
      for (const [select, insert] of COPIES) kept += copyRows(source, target, select, insert)
    } finally {
      source.close()
    }
  } catch (error) {
    if (!isDamaged(error)) throw error
  } finally {
    target.close()
  }
  return kept
}

const copyRows = (source: Database.Database, target: Database.Database, select: string, insert: string): number => {
  const put = target.prepare<[unknown]>(insert)
  let kept = 0
  target
    .transaction(() => {
      try {
        for (const row of source.prepare<[], { count?: number }>(select).iterate()) {
          put.run(row)
          kept += row.count ?? 1
        }
      } catch (error) {
        if (!isDamaged(error)) throw error
      }
    })
    .immediate()
  return kept
}
