import { createHash, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'

/** Another server works on this data folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

export interface DataFolder {
  readonly path: string
  /** 32 bytes for one use, derived from the folder's master key; the database never holds it. */
  key(use: string): Uint8Array
  /** PEM of the server's Ed25519 key, pinned by probes. */
  readonly serverKey: string
  release(): void
}

/** The lock of a data folder, and how to give it back. */
export interface FolderLock {
  release(): void
}

/**
 * Takes the data folder for this process alone. The lock is the operating system's, held by an open database: it goes
 * with the process, whatever its end, so that nothing stale is left and a pid used again misleads nobody (R20).
 * @throws {FolderInUse} when another process has it.
 */
export const lockDataFolder = (path: string): FolderLock => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const pidFile = join(path, 'narval.pid')
  const lock = new SqliteDatabase(join(path, 'narval.lock'), { timeout: 0 })
  try {
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('begin exclusive')
  } catch {
    lock.close()
    const pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() : '?'
    throw new FolderInUse(`Un autre serveur Narval (processus ${pid}) utilise déjà le dossier ${path}.`)
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return { release: () => void lock.close() }
}

/** Opens the data folder for this process alone, as `lockDataFolder` does, with its keys: made when they are missing. */
export const openDataFolder = (path: string): DataFolder => {
  const lock = lockDataFolder(path)
  const secrets = join(path, 'secrets')
  mkdirSync(secrets, { recursive: true, mode: 0o700 })
  const master = keptSecret(join(secrets, 'master.key'), () => randomBytes(32).toString('hex'))
  const serverKey = keptSecret(join(secrets, 'server-key.pem'), () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  )
  return {
    path,
    key: use => derived(master, use),
    serverKey,
    release: lock.release,
  }
}

/** The key of one use of a data folder that a server may be at work on; nothing is locked or made. @throws without one. */
export const folderKey = (path: string, use: string): Uint8Array => {
  const file = join(path, 'secrets', 'master.key')
  if (!existsSync(file))
    throw new Error(`Aucune clé dans le dossier ${path}\u202f: est-ce celui du serveur (NARVAL_DATA) ?`)
  return derived(readFileSync(file, 'utf8'), use)
}

const derived = (master: string, use: string): Uint8Array =>
  new Uint8Array(
    hkdfSync('sha256', Buffer.from(master.trim(), 'hex'), createHash('sha256').update('narval').digest(), use, 32),
  )

/** A secret made once, written whole and synced before it is used, readable by its owner only. */
const keptSecret = (file: string, make: () => string): string => {
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const secret = make()
  const partial = `${file}.partial`
  const descriptor = openSync(partial, 'w', 0o600)
  writeFileSync(descriptor, secret)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(partial, file)
  return secret
}
