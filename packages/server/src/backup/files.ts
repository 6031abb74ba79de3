import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync, type Stats } from 'node:fs'
import { lstat, mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Bytes read and written at once. */
const SLICE = 1 << 20
/** Written before it is brought to disk: left to the end, a gigabyte of it has every commit of the server wait. */
const SYNC_EVERY = 16 * SLICE

export interface Hashed {
  readonly bytes: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

/** Size and SHA-256 of a file. */
export const hashFile = async (path: string): Promise<Hashed> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of createReadStream(path, { highWaterMark: SLICE })) {
    hash.update(part)
    bytes += part.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/**
 * Copies a file to a new one of mode 0600, on disk when it returns; says what was read. Folders are made as needed.
 * @throws when the file is there already.
 */
export const copyFile = async (from: string, to: string): Promise<Hashed> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const target = await open(to, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  let unsynced = 0
  try {
    for await (const part of createReadStream(from, { highWaterMark: SLICE })) {
      hash.update(part)
      bytes += part.length
      await target.write(part)
      unsynced += part.length
      if (unsynced < SYNC_EVERY) continue
      await target.datasync()
      unsynced = 0
    }
    await target.sync()
  } finally {
    await target.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Writes a file of mode 0600, on disk when it returns. @throws when it is there already. */
export const writeSynced = async (path: string, content: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const target = await open(path, 'wx', 0o600)
  try {
    await target.writeFile(content)
    await target.sync()
  } finally {
    await target.close()
  }
}

/** What is on disk is on disk, of a file that something else wrote or of a folder's names. */
export const syncPath = (path: string): void => {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The names of all folders within one, itself included: on disk. */
export const syncFolders = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name))
  syncPath(folder)
}

/** Paths of the ordinary files within a folder, relative to it with « / », ascending; links are not followed. */
export const filesWithin = async (folder: string, prefix = ''): Promise<string[]> => {
  const found: string[] = []
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await filesWithin(folder, path)))
    else if (entry.isFile()) found.push(path)
  }
  return found.sort()
}

/** Null for nothing there; a link is itself. */
export const lookAt = async (path: string): Promise<Stats | null> => {
  try {
    return await lstat(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(String(error.code))
