import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { checkpoint, openDatabase } from './database.ts'
import { classifyFault, messageOf, SampleStoreCorrupt } from './faults.ts'
import { letOthersWork } from './pause.ts'
import { type FileKind, type FileSpan, fileName, SERIES_SPAN, spanOfFile } from './periods.ts'

/** One file of chunks by row id. Every body carries a checksum bound to its file and its row id. */
export interface ChunkFile {
  readonly name: string
  get(id: number): Uint8Array | undefined
  put(id: number, body: Uint8Array): void
  remove(id: number): void
  /** Removes the ids of [from, to), all of one slot. */
  removeRange(from: number, to: number): void
  /** The ids present in [from, to), ascending, at most `limit`. */
  ids(from: number, to: number, limit: number): number[]
  begin(): void
  commit(): void
  rollback(): void
  /** Copies the write-ahead log back and empties it. */
  checkpoint(): void
  /** Gives at most so many free pages back to the disk; false when none is left. */
  shrink(pages: number): boolean
}

export interface ListedFile extends FileSpan {
  readonly name: string
}

export interface ChunkFiles {
  /** Undefined when there is no such file: no data. */
  existing(kind: FileKind, dayMs: number): ChunkFile | undefined
  ensure(kind: FileKind, dayMs: number): ChunkFile
  /** The files there are, oldest first. */
  list(): readonly ListedFile[]
  deleteFile(name: string): void
  /** Empties the logs that there are, so that each file is whole by itself; others work between two files. */
  settle(): Promise<void>
  bytes(): { rawFiles: number; rawBytes: number; rollupBytes: number }
  close(): void
}

const SHAPE = {
  applicationId: 0x4e563031,
  version: 1,
  pageBytes: 16_384,
  schema: 'CREATE TABLE chunk (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT',
  cacheKib: 1024,
  checkpointPages: 512,
}
/** A month read raw keeps its files open. */
const MAX_OPEN = 36
const CHECKSUM_BYTES = 4

interface OpenFile extends ChunkFile {
  readonly db: Database.Database
  busy: boolean
}

/** All chunk files of a folder, opened when needed, the least recently used closed past 36. */
export function openChunkFiles(folder: string): ChunkFiles {
  const names = new Set(readdirSync(folder).filter(name => spanOfFile(name) !== null))
  removeOrphanLogs(folder, names)
  const open = new Map<string, OpenFile>()
  let listed: readonly ListedFile[] | undefined

  function openFile(name: string): OpenFile {
    const known = open.get(name)
    if (known !== undefined) {
      open.delete(name)
      open.set(name, known)
      return known
    }
    makeRoom(open)
    const isNew = !names.has(name)
    const file = openChunkFile(folder, name)
    if (isNew) {
      syncFolder(folder)
      names.add(name)
      listed = undefined
    }
    open.set(name, file)
    return file
  }

  return {
    existing(kind, dayMs) {
      const name = fileName(kind, dayMs)
      return names.has(name) ? openFile(name) : undefined
    },
    ensure: (kind, dayMs) => openFile(fileName(kind, dayMs)),
    list() {
      listed ??= listFiles(names)
      return listed
    },
    deleteFile(name) {
      open.get(name)?.db.close()
      open.delete(name)
      // The log goes first: left behind alone it would be replayed into a later file of the same name.
      for (const suffix of ['-wal', '-shm', '']) rmSync(join(folder, name + suffix), { force: true })
      names.delete(name)
      listed = undefined
    },
    async settle() {
      for (const name of [...names].filter(one => sizeOf(join(folder, `${one}-wal`)) > 0)) {
        if (names.has(name)) checkpoint(openFile(name).db)
        await letOthersWork()
      }
    },
    bytes() {
      const sizes = { rawFiles: 0, rawBytes: 0, rollupBytes: 0 }
      for (const name of names) {
        const bytes = sizeOf(join(folder, name)) + sizeOf(join(folder, `${name}-wal`))
        if (name.startsWith('raw-')) {
          sizes.rawFiles++
          sizes.rawBytes += bytes
        } else sizes.rollupBytes += bytes
      }
      return sizes
    },
    close() {
      for (const file of open.values()) file.db.close()
      open.clear()
    },
  }
}

const listFiles = (names: ReadonlySet<string>): ListedFile[] =>
  [...names]
    .flatMap(name => {
      const span = spanOfFile(name)
      return span === null ? [] : [{ ...span, name }]
    })
    .sort((a, b) => a.fromMs - b.fromMs)

function makeRoom(open: Map<string, OpenFile>): void {
  for (const [name, file] of open) {
    if (open.size < MAX_OPEN) return
    if (file.busy) continue
    file.db.close()
    open.delete(name)
  }
}

/** A log without its file would be replayed into the next file of that name. */
function removeOrphanLogs(folder: string, names: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    const owner = name.replace(/-(wal|shm)$/, '')
    if (owner !== name && spanOfFile(owner) !== null && !names.has(owner)) rmSync(join(folder, name), { force: true })
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function openChunkFile(folder: string, name: string): OpenFile {
  const db = openDatabase(join(folder, name), SHAPE)
  const seed = crc32(name)
  const get = db.prepare<[number], Uint8Array>('SELECT body FROM chunk WHERE id = ?').pluck()
  const put = db.prepare<[number, Uint8Array]>(
    'INSERT INTO chunk (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
  )
  const remove = db.prepare<[number]>('DELETE FROM chunk WHERE id = ?')
  const removeRange = db.prepare<[number, number]>('DELETE FROM chunk WHERE id >= ? AND id < ?')
  const ids = db
    .prepare<[number, number, number], number>('SELECT id FROM chunk WHERE id >= ? AND id < ? ORDER BY id LIMIT ?')
    .pluck()
  const anyWithin = db.prepare<[number, number], number>('SELECT 1 FROM chunk WHERE id >= ? AND id < ? LIMIT 1').pluck()
  /** Whether a slot holds anything: most slots of most days don't, once compacted. */
  const slots = new Map<number, boolean>()
  const isSlotUsed = (slot: number): boolean => {
    let isUsed = slots.get(slot)
    if (isUsed === undefined) {
      isUsed = anyWithin.get(slot * SERIES_SPAN, (slot + 1) * SERIES_SPAN) !== undefined
      slots.set(slot, isUsed)
    }
    return isUsed
  }
  /** Damage found by SQLite is told with the file's name; other failures go through as they are. */
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (classifyFault(error) !== 'corrupt' || error instanceof SampleStoreCorrupt) throw error
      throw new SampleStoreCorrupt(name, messageOf(error))
    }
  }
  const file: OpenFile = {
    name,
    db,
    busy: false,
    get: id =>
      guarded(() => {
        if (!isSlotUsed(Math.floor(id / SERIES_SPAN))) return undefined
        const stored = get.get(id)
        return stored === undefined ? undefined : unsealBody(stored, id, seed, name)
      }),
    put(id, body) {
      guarded(() => put.run(id, sealBody(body, id, seed)))
      slots.set(Math.floor(id / SERIES_SPAN), true)
    },
    remove: id => guarded(() => remove.run(id)),
    removeRange(from, to) {
      guarded(() => removeRange.run(from, to))
      slots.delete(Math.floor(from / SERIES_SPAN))
    },
    ids: (from, to, limit) => guarded(() => ids.all(from, to, limit)),
    begin() {
      guarded(() => db.exec('BEGIN IMMEDIATE'))
      file.busy = true
    },
    commit() {
      guarded(() => db.exec('COMMIT'))
      file.busy = false
    },
    rollback() {
      file.busy = false
      if (db.inTransaction) db.exec('ROLLBACK')
    },
    checkpoint: () => guarded(() => void db.pragma('wal_checkpoint(TRUNCATE)')),
    shrink(pages) {
      slots.clear()
      db.pragma(`incremental_vacuum(${pages})`)
      return Number(db.pragma('freelist_count', { simple: true })) > 0
    },
  }
  return file
}

const idBytes = new Float64Array(1)
const idView = new Uint8Array(idBytes.buffer)

function checksum(body: Uint8Array, id: number, seed: number): number {
  idBytes[0] = id
  return crc32(body, crc32(idView, seed))
}

let scratch = Buffer.alloc(65_536)

/** The body with its checksum before it, as a view that the next call overwrites: SQLite copies what it is given. */
function sealBody(body: Uint8Array, id: number, seed: number): Buffer {
  const length = body.length + CHECKSUM_BYTES
  if (scratch.length < length) scratch = Buffer.alloc(length * 2)
  scratch.writeUInt32BE(checksum(body, id, seed))
  scratch.set(body, CHECKSUM_BYTES)
  return scratch.subarray(0, length)
}

function unsealBody(stored: Uint8Array, id: number, seed: number, name: string): Uint8Array {
  const body = stored.subarray(CHECKSUM_BYTES)
  const isSound =
    stored.length >= CHECKSUM_BYTES &&
    new DataView(stored.buffer, stored.byteOffset).getUint32(0) === checksum(body, id, seed)
  if (!isSound) throw new SampleStoreCorrupt(name, `somme de contrôle fausse, ligne ${id}`)
  return body
}
