import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unpackBatch } from './batch-pack.ts'
import { type ChunkFiles, openChunkFiles } from './chunk-files.ts'
import { ChunkCorrupt } from './codec/bits.ts'
import { compact, dropExpired, rawKeptFrom } from './compaction.ts'
import { createFailpoints } from './failpoints.ts'
import { classifyFault, messageOf, SampleStoreCorrupt, SampleStoreFailed, SampleStoreLocked } from './faults.ts'
import { createHold, type Hold } from './hold.ts'
import { type Journal, openJournal, type PackedBatch, type Written } from './journal.ts'
import { type LastFile, openLastFile } from './last-file.ts'
import { createLastValues, type LastValues } from './last-values.ts'
import { letOthersWork } from './pause.ts'
import { DAY_MS, dayStart } from './periods.ts'
import type { ReplayedItem, SampleStoreLog, WorkerSettings } from './protocol.ts'
import { createReader, type Reader } from './reader.ts'
import { type Retention, SampleStoreBusy, type SampleStoreStats } from './sample-store.ts'
import { seal } from './sealing.ts'
import { mergeThirds } from './thirds.ts'
import { createUnsealed, type Unsealed } from './unsealed.ts'

/** The store as the worker sees it: synchronous but for maintenance, which lets other work in between. */
export interface EmbeddedCore {
  /** On return the batches are on disk and answered by reads. Throws {@link SampleStoreBusy} when there is no room. */
  append(batches: readonly PackedBatch[]): Written[]
  readonly reader: Reader
  lastSequence: Journal['lastSequence']
  replay(after: number, limit: number): ReplayedItem[]
  applied(position: number): void
  forget(series: readonly number[]): void
  retain(retention: Retention): void
  stats(): SampleStoreStats
  /** Seals, compacts, deletes and trims whatever is due. */
  maintain(nowMs: number): Promise<void>
  /** Whether the journal is past the bytes after which it is sealed. */
  readonly isSealDue: boolean
  /** What a backup asks for. */
  readonly hold: Hold
  close(): Promise<void>
}

const BUSY_RETRY_MS = 1000
const FULL_RETRY_MS = 5000
const REBUILD_BATCHES = 200
const TRIM_BATCHES = 500
const STREAMS_KEPT_DAYS = 90
/** Sealing waits meanwhile: what is left is for the next passes. */
const MERGE_MS = 15_000

interface Parts {
  readonly settings: WorkerSettings
  /** Of `settings` at first; it changes while the store runs. */
  readonly retention: { -readonly [K in keyof Retention]: Retention[K] }
  readonly journal: Journal
  readonly files: ChunkFiles
  readonly unsealed: Unsealed
  readonly lastValues: LastValues
  readonly lastFile: LastFile
  readonly forgotten: Set<number>
  readonly log: (level: SampleStoreLog['level'], message: string) => void
}

/** What changes while the store runs. */
interface Health {
  applied: number
  tooOld: number
  /** Of the last write to the journal, null when it went well; likewise of the last maintenance. */
  writeError: string | null
  maintenanceError: string | null
  failed: SampleStoreFailed | null
  oldestUnsealedMs: number
}

/** Opens the folder alone, and rebuilds the heads from the journal. Throws when it is held, damaged or unreadable. */
export function openCore(settings: WorkerSettings, log: Parts['log']): EmbeddedCore {
  mkdirSync(settings.folder, { recursive: true })
  const failpoints = createFailpoints(settings.failpoints)
  const journal = lockedBy(settings.folder, () => openJournal(settings.folder, failpoints))
  const parts: Parts = {
    settings,
    retention: { ...settings.retention },
    journal,
    files: openChunkFiles(settings.folder),
    unsealed: createUnsealed(),
    lastValues: createLastValues(),
    lastFile: openLastFile(settings.folder),
    forgotten: new Set(journal.forgotten()),
    log,
  }
  const health: Health = {
    applied: 0,
    tooOld: 0,
    writeError: null,
    maintenanceError: null,
    failed: null,
    oldestUnsealedMs: Number.POSITIVE_INFINITY,
  }
  rebuild(parts, health)
  parts.lastFile.load(journal.sealedThrough, parts.files, parts.lastValues)
  const maintenance = createMaintenance(parts, health, failpoints)
  const hold = createHold(journal, parts.files, work => maintenance.alone(work))
  return {
    append: batches => append(parts, health, batches),
    reader: createReader(parts),
    lastSequence: journal.lastSequence,
    replay: (after, limit) => journal.read(after, limit).map(entry => ({ ...entry, body: new Uint8Array(entry.body) })),
    applied(position) {
      health.applied = Math.max(health.applied, Math.min(position, journal.lastPosition))
    },
    forget(series) {
      journal.forget(series)
      for (const id of series) parts.forgotten.add(id)
    },
    retain: retention => void Object.assign(parts.retention, retention),
    stats: () => stats(parts, health),
    maintain: maintenance.run,
    get isSealDue() {
      return journal.unsealedBytes >= settings.sealAfterBytes
    },
    hold,
    async close() {
      hold.letGo()
      await maintenance.stop()
      saveLast(parts)
      parts.files.close()
      journal.close()
    },
  }
}

function lockedBy<T>(folder: string, open: () => T): T {
  const path = join(folder, 'owner.pid')
  try {
    const opened = open()
    writeFileSync(path, `${process.pid}\n`)
    return opened
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))) throw error
    const pid = readFileSync(path, 'utf8').trim()
    throw new SampleStoreLocked(`Le dossier de mesures « ${folder} » est déjà ouvert par le processus ${pid}.`)
  }
}

function rebuild(parts: Parts, health: Health): void {
  const { journal } = parts
  for (let position = journal.sealedThrough; position < journal.lastPosition; ) {
    const entries = journal.read(position, REBUILD_BATCHES)
    for (const entry of entries) addToHeads(parts, health, entry)
    position = entries.at(-1)?.position ?? journal.lastPosition
  }
  health.tooOld = 0
}

function addToHeads(parts: Parts, health: Health, batch: PackedBatch): void {
  const { unsealed, forgotten, retention } = parts
  const oldestMs = dayStart(batch.arrivedMs) - retention.rawDays * DAY_MS
  const { series, atMs, value } = samplesOf(batch)
  for (let i = 0; i < series.length; i++) {
    const id = series[i] ?? 0
    const at = atMs[i] ?? 0
    const sample = value[i] ?? 0
    if (at < oldestMs) health.tooOld++
    else if (forgotten.size === 0 || !forgotten.has(id)) {
      unsealed.add(id, at, sample)
    }
  }
  if (batch.arrivedMs < health.oldestUnsealedMs) health.oldestUnsealedMs = batch.arrivedMs
}

function samplesOf(batch: PackedBatch) {
  try {
    return unpackBatch(batch.body).samples
  } catch (error) {
    if (error instanceof ChunkCorrupt) throw new SampleStoreCorrupt('journal.db', error.message)
    throw error
  }
}

function append(parts: Parts, health: Health, batches: readonly PackedBatch[]): Written[] {
  const { journal, settings } = parts
  if (health.failed !== null) throw health.failed
  if (journal.heldBytes > settings.journalMaxBytes)
    throw new SampleStoreBusy('Le journal des mesures est plein.', BUSY_RETRY_MS)
  let written: Written[]
  try {
    written = journal.append(batches)
    health.writeError = null
  } catch (error) {
    throw failedWrite(parts, health, error)
  }
  batches.forEach((batch, i) => {
    const { duplicate, missing } = written[i] ?? { duplicate: true, missing: 0 }
    if (duplicate) return
    addToHeads(parts, health, batch)
    if (missing > 0)
      parts.log(
        'warn',
        `Sonde ${batch.probe}, voie ${batch.lane} : ${missing} lot(s) manquent avant le ${batch.sequence}.`,
      )
  })
  return written
}

/** No room: try again later. Anything else leaves nobody sure of what is on disk: nothing more is acknowledged. */
function failedWrite({ log }: Parts, health: Health, error: unknown): Error {
  health.writeError = messageOf(error)
  if (classifyFault(error) === 'full') {
    log('error', `Disque plein : ${messageOf(error)}`)
    return new SampleStoreBusy('Il n’y a plus de place pour les mesures.', FULL_RETRY_MS)
  }
  health.failed = new SampleStoreFailed(`Une écriture des mesures a échoué : ${messageOf(error)}. Il faut redémarrer.`)
  log('fatal', health.failed.message)
  return health.failed
}

function stats({ journal, unsealed, files }: Parts, health: Health): SampleStoreStats {
  return {
    journalBytes: journal.fileBytes,
    journalBatches: journal.batches,
    sealedThrough: journal.sealedThrough,
    appliedThrough: health.applied,
    headSamples: unsealed.samples,
    ...files.bytes(),
    tooOld: health.tooOld,
    lastError: health.failed?.message ?? health.writeError ?? health.maintenanceError,
  }
}

/** No more than a shortcut for the next start: a failure is said, and nothing waits for it. */
function saveLast({ lastFile, journal, lastValues, log }: Parts): void {
  try {
    lastFile.save(journal.sealedThrough, lastValues)
  } catch (error) {
    log('warn', `Les dernières mesures n’ont pas été notées pour le prochain démarrage : ${messageOf(error)}`)
  }
}

interface Maintenance {
  run(nowMs: number): Promise<void>
  /** Runs something that no pass must be under way with. */
  alone(work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** One pass at a time; a call during a pass waits for it and then makes its own. */
function createMaintenance(parts: Parts, health: Health, failpoints: ReturnType<typeof createFailpoints>): Maintenance {
  const { settings, journal, files } = parts
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let compactedDay = Number.NEGATIVE_INFINITY
  let mergedDay = Number.NEGATIVE_INFINITY
  const isStopping = (): boolean => isStopped || health.failed !== null

  async function sealIfDue(nowMs: number): Promise<void> {
    const isDue =
      journal.unsealedBytes >= settings.sealAfterBytes || nowMs - health.oldestUnsealedMs >= settings.sealAfterMs
    if (!isDue || parts.unsealed.isEmpty) return
    health.oldestUnsealedMs = nowMs
    await seal({ ...parts, failpoints }, rawKeptFrom(nowMs, parts.retention), isStopping)
  }

  async function nightly(nowMs: number): Promise<void> {
    if (compactedDay === dayStart(nowMs)) return
    for (const name of dropExpired(files, nowMs, parts.retention)) parts.log('info', `Rétention : ${name} supprimé.`)
    await compact({ ...parts, failpoints }, nowMs, isStopping)
    journal.pruneStreams(nowMs - STREAMS_KEPT_DAYS * DAY_MS)
    compactedDay = dayStart(nowMs)
  }

  async function merge(nowMs: number): Promise<void> {
    if (mergedDay === dayStart(nowMs)) return
    try {
      if (await mergeThirds({ ...parts, failpoints }, nowMs, MERGE_MS, isStopping)) mergedDay = dayStart(nowMs)
    } catch (error) {
      // Said once a day: damage does not go away by itself.
      if (error instanceof SampleStoreCorrupt) mergedDay = dayStart(nowMs)
      throw error
    }
  }

  async function trim(): Promise<void> {
    while (!isStopping() && journal.trim(health.applied, TRIM_BATCHES)) await letOthersWork()
  }

  async function pass(nowMs: number): Promise<void> {
    if (isStopping()) return
    try {
      await sealIfDue(nowMs)
      await trim()
      await nightly(nowMs)
      await merge(nowMs)
      saveLast(parts)
      health.maintenanceError = null
    } catch (error) {
      maintenanceFailed(error)
    }
  }

  /** Nothing acknowledged is at stake while the journal holds it, unless a failed fsync may have been forgotten. */
  function maintenanceFailed(error: unknown): void {
    if (classifyFault(error) === 'uncertain') failedWrite(parts, health, error)
    else {
      health.maintenanceError = messageOf(error)
      health.oldestUnsealedMs = Number.NEGATIVE_INFINITY
      parts.log('error', messageOf(error))
    }
  }

  return {
    run(nowMs) {
      running = running.then(() => pass(nowMs))
      return running
    },
    alone(work) {
      const done = running.then(work)
      running = done.catch(() => undefined)
      return done
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}
