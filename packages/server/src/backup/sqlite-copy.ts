import SqliteDatabase from 'better-sqlite3'
import { isFull } from './files.ts'
import { BackupRefused } from './refused.ts'

/** What a database says of itself. */
export interface DatabaseFacts {
  readonly migrations: readonly string[]
  /** Journal position up to which states are judged. */
  readonly applied: number
}

const PAGES = 2_000

/**
 * Copies the database as it is at one moment, whatever is written meanwhile, into one file that needs no other; the copy is
 * looked through before it is believed. @throws {BackupRefused} when it is damaged.
 */
export const copySqlite = async (from: string, to: string): Promise<DatabaseFacts> => {
  const source = new SqliteDatabase(from, { readonly: true, fileMustExist: true })
  try {
    source.pragma('busy_timeout = 5000')
    // What a transaction reads stays the same until its end: so does what is copied from within it.
    source.exec('begin')
    source.prepare('select 1 from sqlite_schema').get()
    await source.backup(to, { progress: () => PAGES })
  } catch (error) {
    throw isFull(error) ? error : damaged(from, error)
  } finally {
    source.close()
  }
  return soundFacts(to, from)
}

const soundFacts = (copy: string, from: string): DatabaseFacts => {
  const db = new SqliteDatabase(copy, { fileMustExist: true })
  try {
    db.pragma('journal_mode = DELETE')
    const verdict = db.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Error(String(verdict))
    return factsOf(db)
  } catch (error) {
    throw damaged(from, error)
  } finally {
    db.close()
  }
}

const damaged = (path: string, error: unknown): BackupRefused =>
  new BackupRefused(`La base ${path} ne se lit pas\u202f: ${error instanceof Error ? error.message : 'échec'}.`)

const factsOf = (db: SqliteDatabase.Database): DatabaseFacts => {
  const migrations = db.prepare<[], string>('select name from migration order by name').pluck().all()
  const applied = db.prepare<[], number>(`select position from position where name = 'applied'`).pluck().get()
  return { migrations, applied: applied ?? 0 }
}

/** The same of a database that is not copied: a file at rest, or one that a server works on. */
export const sqliteFacts = (path: string): DatabaseFacts => {
  const db = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
  try {
    return factsOf(db)
  } finally {
    db.close()
  }
}

/**
 * Brings a copied `journal.db` to rest in one file and says what it holds: the last position, how far chunks have it, and
 * how far it has let go.
 */
export const journalFacts = (path: string): { last: number; sealed: number; trimmed: number } => {
  const db = new SqliteDatabase(path, { fileMustExist: true })
  try {
    db.pragma('journal_mode = DELETE')
    const of = db.prepare<[string], number>('select position from progress where name = ?').pluck()
    const trimmed = of.get('trimmed') ?? 0
    const last = db.prepare<[], number | null>('select max(position) from batch').pluck().get() ?? trimmed
    return { last, sealed: of.get('sealed') ?? 0, trimmed }
  } finally {
    db.close()
  }
}

/** Empties the log of a file that nobody uses, so that the file is whole by itself. */
export const settleSqlite = (path: string): void => {
  const db = new SqliteDatabase(path, { fileMustExist: true })
  try {
    if (db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0)
      throw new BackupRefused(`${path} est utilisé par un autre programme.`)
  } finally {
    db.close()
  }
}
