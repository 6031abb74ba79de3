import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { sizeOf } from './chunk-files.ts'
import { checkpoint, openDatabase } from './database.ts'
import type { Failpoints } from './failpoints.ts'
import { classifyFault, messageOf, SampleStoreCorrupt } from './faults.ts'
import type { FrozenJournal } from './protocol.ts'
import type { BatchKey, Lane } from './sample-store.ts'

export interface PackedBatch extends BatchKey {
  readonly arrivedMs: number
  readonly body: Uint8Array
}

export interface JournalEntry extends PackedBatch {
  readonly position: number
}

export interface Written {
  readonly position: number
  readonly duplicate: boolean
  /** How many sequences of this boot and lane never came: a lost log shows itself so. */
  readonly missing: number
}

/** The batches as they came, durable; what makes a batch unique; how far chunks hold them. */
export interface Journal {
  /** One transaction for all of them; on return they are on disk. A duplicate is not written. */
  append(batches: readonly PackedBatch[]): Written[]
  lastSequence(key: Omit<BatchKey, 'sequence'>): number
  read(afterPosition: number, limit: number): JournalEntry[]
  readonly lastPosition: number
  readonly sealedThrough: number
  /** Bytes of the batches that are not sealed. */
  readonly unsealedBytes: number
  /** Bytes of all the batches still there. */
  readonly heldBytes: number
  readonly batches: number
  readonly fileBytes: number
  sealed(through: number): void
  /** Deletes at most `limit` batches up to a position; false when none is left. */
  trim(through: number, limit: number): boolean
  forget(series: readonly number[]): void
  forgotten(): number[]
  pruneStreams(seenBeforeMs: number): void
  /** Brings all of it into `journal.db`, which nothing writes to until `thaw`: its copy is then the journal as it is now. */
  freeze(): FrozenJournal
  thaw(): void
  close(): void
}

const SCHEMA = `
CREATE TABLE batch (
  position INTEGER PRIMARY KEY, probe INTEGER NOT NULL, boot TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL,
  arrived_ms INTEGER NOT NULL, checksum INTEGER NOT NULL, body BLOB NOT NULL
) STRICT;
CREATE TABLE stream (
  probe INTEGER NOT NULL, boot TEXT NOT NULL, lane TEXT NOT NULL, sequence INTEGER NOT NULL, seen_ms INTEGER NOT NULL,
  PRIMARY KEY (probe, boot, lane)
) STRICT, WITHOUT ROWID;
CREATE TABLE progress (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten (series INTEGER PRIMARY KEY) STRICT;
INSERT INTO progress VALUES ('sealed', 0), ('trimmed', 0);`

const SHAPE = {
  applicationId: 0x4e564a31,
  version: 1,
  pageBytes: 4096,
  schema: SCHEMA,
  cacheKib: 4096,
  checkpointPages: 4000,
  exclusive: true,
}

interface Row {
  readonly position: number
  readonly probe: number
  readonly boot: string
  readonly lane: Lane
  readonly sequence: number
  readonly arrived_ms: number
  readonly checksum: number
  readonly body: Uint8Array
}

const streamKey = (key: Omit<BatchKey, 'sequence'>): string => `${key.probe}\u0000${key.lane}\u0000${key.boot}`

function checksumOf(position: number, batch: PackedBatch): number {
  const head = `${position} ${batch.probe} ${batch.boot} ${batch.lane} ${batch.sequence} ${batch.arrivedMs}`
  return crc32(batch.body, crc32(head))
}

/** Opens `journal.db`, alone: the second process is refused by SQLite's lock. Throws when a batch is missing in the middle. */
export function openJournal(folder: string, failpoints: Failpoints): Journal {
  const path = join(folder, 'journal.db')
  const db = openDatabase(path, SHAPE)
  const insert = db.prepare<[number, number, string, string, number, number, number, Uint8Array]>(
    'INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const upsertStream = db.prepare<[number, string, string, number, number]>(
    `INSERT INTO stream VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET sequence = excluded.sequence, seen_ms = excluded.seen_ms`,
  )
  const selectStreams = db.prepare<[], { probe: number; boot: string; lane: Lane; sequence: number }>(
    'SELECT probe, boot, lane, sequence FROM stream',
  )
  const selectProgress = db.prepare<[string], number>('SELECT position FROM progress WHERE name = ?').pluck()
  const updateProgress = db.prepare<[number, string]>('UPDATE progress SET position = ? WHERE name = ?')
  const selectBatches = db.prepare<[number, number], Row>(
    'SELECT * FROM batch WHERE position > ? ORDER BY position LIMIT ?',
  )
  const selectBytes = db
    .prepare<[number, number], number>('SELECT total(length(body)) FROM batch WHERE position > ? AND position <= ?')
    .pluck()
  const deleteBatches = db.prepare<[number]>('DELETE FROM batch WHERE position <= ?')

  const progress = (name: string): number => selectProgress.get(name) ?? 0
  const sequences = new Map(selectStreams.all().map(row => [streamKey(row), row.sequence]))
  let sealedThrough = progress('sealed')
  let trimmedThrough = progress('trimmed')
  let lastPosition = assertWhole()
  let heldBytes = selectBytes.get(0, lastPosition) ?? 0
  let unsealedBytes = selectBytes.get(sealedThrough, lastPosition) ?? 0

  function assertWhole(): number {
    const row = db
      .prepare<[], { batches: number; first: number | null; last: number | null }>(
        'SELECT count(*) AS batches, min(position) AS first, max(position) AS last FROM batch',
      )
      .get()
    const last = row?.last ?? trimmedThrough
    const isWhole =
      (row?.batches ?? 0) === last - trimmedThrough && (row?.first ?? trimmedThrough + 1) === trimmedThrough + 1
    if (!isWhole || sealedThrough > last) throw new SampleStoreCorrupt(basename(path), 'des lots manquent au journal')
    return last
  }

  function append(batches: readonly PackedBatch[]): Written[] {
    const touched = new Map<string, PackedBatch>()
    const written: Written[] = []
    let position = lastPosition
    let bytes = 0
    try {
      db.exec('BEGIN IMMEDIATE')
      for (const batch of batches) {
        const key = streamKey(batch)
        const last = touched.get(key)?.sequence ?? sequences.get(key) ?? 0
        if (batch.sequence <= last) {
          written.push({ position: 0, duplicate: true, missing: 0 })
          continue
        }
        position++
        const { probe, boot, lane, sequence, arrivedMs, body } = batch
        insert.run(position, probe, boot, lane, sequence, arrivedMs, checksumOf(position, batch), body)
        touched.set(key, batch)
        bytes += body.length
        written.push({ position, duplicate: false, missing: sequence - last - 1 })
      }
      for (const { probe, boot, lane, sequence, arrivedMs } of touched.values()) {
        upsertStream.run(probe, boot, lane, sequence, arrivedMs)
      }
      failpoints.hit('journal.before-commit')
      db.exec('COMMIT')
      failpoints.hit('journal.after-commit')
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      throw error
    }
    for (const [key, batch] of touched) sequences.set(key, batch.sequence)
    lastPosition = position
    unsealedBytes += bytes
    heldBytes += bytes
    return written
  }

  function toEntry(row: Row): JournalEntry {
    const { position, probe, boot, lane, sequence, body } = row
    const entry = { position, probe, boot, lane, sequence, arrivedMs: row.arrived_ms, body }
    if (checksumOf(position, entry) !== row.checksum) {
      throw new SampleStoreCorrupt(basename(path), `somme de contrôle fausse, lot ${position}`)
    }
    return entry
  }

  return {
    append,
    lastSequence: key => sequences.get(streamKey(key)) ?? 0,
    read(afterPosition, limit) {
      try {
        return selectBatches.all(afterPosition, limit).map(toEntry)
      } catch (error) {
        if (classifyFault(error) !== 'corrupt' || error instanceof SampleStoreCorrupt) throw error
        throw new SampleStoreCorrupt(basename(path), messageOf(error))
      }
    },
    get lastPosition() {
      return lastPosition
    },
    get sealedThrough() {
      return sealedThrough
    },
    get unsealedBytes() {
      return unsealedBytes
    },
    get heldBytes() {
      return heldBytes
    },
    get batches() {
      return lastPosition - trimmedThrough
    },
    get fileBytes() {
      return sizeOf(path) + sizeOf(`${path}-wal`)
    },
    sealed(through) {
      const bytes = selectBytes.get(sealedThrough, through) ?? 0
      updateProgress.run(through, 'sealed')
      sealedThrough = through
      unsealedBytes -= bytes
    },
    trim(through, limit) {
      const to = Math.min(through, sealedThrough, trimmedThrough + limit)
      if (to <= trimmedThrough) return false
      const bytes = selectBytes.get(trimmedThrough, to) ?? 0
      db.transaction(() => {
        deleteBatches.run(to)
        updateProgress.run(to, 'trimmed')
      })()
      failpoints.hit('trim.slice')
      trimmedThrough = to
      heldBytes -= bytes
      return to < Math.min(through, sealedThrough)
    },
    forget(series) {
      const insertForgotten = db.prepare<[number]>('INSERT INTO forgotten VALUES (?) ON CONFLICT DO NOTHING')
      db.transaction(() => {
        for (const id of series) insertForgotten.run(id)
      })()
    },
    forgotten: () => db.prepare<[], number>('SELECT series FROM forgotten').pluck().all(),
    pruneStreams(seenBeforeMs) {
      db.prepare<[number]>('DELETE FROM stream WHERE seen_ms < ?').run(seenBeforeMs)
      sequences.clear()
      for (const row of selectStreams.all()) sequences.set(streamKey(row), row.sequence)
    },
    freeze() {
      db.pragma('wal_autocheckpoint = 0')
      checkpoint(db)
      return { lastPosition, sealedThrough }
    },
    thaw: () => void db.pragma(`wal_autocheckpoint = ${SHAPE.checkpointPages}`),
    close: () => db.close(),
  }
}
