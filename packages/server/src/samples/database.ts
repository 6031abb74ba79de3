import { basename } from 'node:path'
import Database from 'better-sqlite3'
import { classifyFault, messageOf, SampleStoreCorrupt } from './faults.ts'

export interface DatabaseShape {
  /** Tells our files from any other SQLite file. */
  readonly applicationId: number
  readonly version: number
  readonly pageBytes: number
  readonly schema: string
  readonly cacheKib: number
  /** Pages in the write-ahead log before it is copied back. */
  readonly checkpointPages: number
  /** Held from open to close: nobody else may open the file. */
  readonly exclusive?: boolean
}

const FULL = 2
const LOCK_WAIT_MS = 500

/**
 * Opens, or creates, one file: WAL and `synchronous=FULL`, set and read back each time, since a reopened WAL file falls
 * back to NORMAL. Throws {@link SampleStoreCorrupt} for a file that is damaged or none of ours.
 */
export function openDatabase(path: string, shape: DatabaseShape): Database.Database {
  const db = new Database(path, { timeout: LOCK_WAIT_MS })
  try {
    prepareDatabase(db, path, shape)
    return db
  } catch (error) {
    db.close()
    throw classifyFault(error) === 'corrupt' ? asCorrupt(path, error) : error
  }
}

const asCorrupt = (path: string, error: unknown): Error =>
  error instanceof SampleStoreCorrupt ? error : new SampleStoreCorrupt(basename(path), messageOf(error))

function prepareDatabase(db: Database.Database, path: string, shape: DatabaseShape): void {
  if (shape.exclusive === true) db.pragma('locking_mode = EXCLUSIVE')
  db.pragma(`page_size = ${shape.pageBytes}`)
  db.pragma('auto_vacuum = INCREMENTAL')
  expectPragma(db, 'journal_mode = WAL', 'journal_mode', 'wal')
  expectPragma(db, 'synchronous = FULL', 'synchronous', FULL)
  db.pragma(`cache_size = -${shape.cacheKib}`)
  db.pragma(`wal_autocheckpoint = ${shape.checkpointPages}`)
  const version = db.pragma('user_version', { simple: true })
  const applicationId = db.pragma('application_id', { simple: true })
  if (version === 0 && applicationId === 0) {
    db.transaction(() => {
      db.exec(shape.schema)
      db.pragma(`application_id = ${shape.applicationId}`)
      db.pragma(`user_version = ${shape.version}`)
    })()
    return
  }
  if (applicationId !== shape.applicationId)
    throw new SampleStoreCorrupt(basename(path), 'il n’est pas un fichier de Narval')
  if (version !== shape.version)
    throw new SampleStoreCorrupt(basename(path), `sa version ${String(version)} est inconnue`)
}

/** Copies the write-ahead log back into its file and empties it. @throws when somebody reads the file meanwhile. */
export function checkpoint(db: Database.Database): void {
  if (db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0)
    throw new Error('le journal d’écriture n’a pas pu être vidé\u202f: un autre programme lit ce fichier')
}

function expectPragma(db: Database.Database, set: string, name: string, expected: string | number): void {
  db.pragma(set)
  const actual = db.pragma(name, { simple: true })
  if (actual !== expected) throw new Error(`SQLite refuse ${set} : ${String(actual)}`)
}
