import { sql } from 'kysely'
import type { Purging } from '../purging.ts'
import type { SampleStore, SampleStoreStats } from '../samples/sample-store.ts'
import type { AnchorStore } from '../store/audit-chain.ts'
import type { Database } from '../store/database.ts'
import { toIso, toIsoOrNull } from '../store/time.ts'
import { createMeter } from './meter.ts'
import type { ServicePart, Status } from './service-registry.ts'
import type { Storage } from './storage.ts'

const EVERY_MS = 10_000
/** Between two writes of the mark that shows that the database takes what is written. */
const MARK_EVERY_MS = 30_000
const SLOW_MS = 1_000
/** Of the disk (R05). */
const FULL_WARNING = 0.85
const FULL_ERROR = 0.95
const STORAGE_EVERY_MS = 30_000
const PURGE_LATE_MS = 2 * 3_600_000

export const samplesPart = (samples: Pick<SampleStore, 'stats'>, taken: () => number): ServicePart => {
  const rate = createMeter(taken)
  let stats: SampleStoreStats | null = null
  const judge = (): Status => {
    if (stats === null) return { state: 'unknown', reason: 'Pas encore mesuré.' }
    if (stats.lastError !== null) return { state: 'error', reason: stats.lastError }
    return { state: 'ok', reason: 'Écrit les lots sur le disque.' }
  }
  return {
    rateOf: ['mesure', 'mesures'],
    queueOf: ['lot au journal', 'lots au journal'],
    refresh: {
      everyMs: EVERY_MS,
      async run() {
        stats = await samples.stats()
      },
    },
    status: () => ({
      ...judge(),
      ...{ rate: rate(), queue: stats?.journalBatches ?? null },
      figures: [
        { label: 'Journal', value: stats?.journalBytes ?? null, unit: 'bytes' },
        { label: 'Blocs compressés', value: stats?.rawBytes ?? null, unit: 'bytes' },
        { label: 'Fichiers de blocs', value: stats?.rawFiles ?? null, unit: 'count' },
        { label: 'Moyennes', value: stats?.rollupBytes ?? null, unit: 'bytes' },
        { label: 'Mesures pas encore compressées', value: stats?.headSamples ?? null, unit: 'count' },
        { label: 'Lots jugés, jusqu’au', value: stats?.appliedThrough ?? null, unit: 'count' },
        { label: 'Lots compressés, jusqu’au', value: stats?.sealedThrough ?? null, unit: 'count' },
        { label: 'Mesures trop anciennes, écartées', value: stats?.tooOld ?? null, unit: 'count' },
      ],
    }),
  }
}

export interface DatabaseWatch {
  readonly part: ServicePart
  /** How far the clock of PostgreSQL is ahead, ms; null: it is not on another machine, or was not asked. */
  readonly skewMs: () => number | null
}

/** Asks the database something every 10 s, and has it write something every 30 s. */
export const watchDatabase = (database: Database, now: () => number): DatabaseWatch => {
  const { db, dialect } = database
  const rate = createMeter(database.writes)
  let readMs: number | null = null
  let writeMs: number | null = null
  let markedAt = Number.NEGATIVE_INFINITY
  let skewMs: number | null = null
  let product = dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const from = performance.now()
    await work()
    return performance.now() - from
  }
  const ask = async (): Promise<void> => {
    const sentMs = now()
    const query =
      dialect === 'sqlite'
        ? sql<{ version: string; at: null }>`select sqlite_version() as version, null as at`
        : sql<{ version: string; at: number }>`select current_setting('server_version') as version,
            extract(epoch from clock_timestamp())::float8 * 1000 as at`
    const { rows } = await query.execute(db)
    const answer = rows[0]
    if (answer === undefined) return
    product = `${dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${answer.version}`
    if (answer.at !== null) skewMs = Math.round(answer.at - (sentMs + now()) / 2)
  }
  const run = async (): Promise<void> => {
    readMs = await timed(ask)
    if (performance.now() - markedAt < MARK_EVERY_MS) return
    writeMs = await timed(() => writeMark(database, 'database', now()))
    markedAt = performance.now()
  }
  const judge = (): Status => {
    if (readMs === null) return { state: 'unknown', reason: 'Pas encore interrogée.' }
    if (Math.max(readMs, writeMs ?? 0) >= SLOW_MS) return { state: 'warning', reason: 'Répond en plus d’une seconde.' }
    return { state: 'ok', reason: 'Lit et écrit.' }
  }
  return {
    skewMs: () => skewMs,
    part: {
      rateOf: ['écriture', 'écritures'],
      refresh: { everyMs: EVERY_MS, run },
      status: () => ({
        ...judge(),
        rate: rate(),
        figures: [
          { label: 'Base', value: product, unit: 'text' },
          { label: 'Durée d’une lecture', value: readMs, unit: 'ms' },
          { label: 'Durée d’une écriture', value: writeMs, unit: 'ms' },
          { label: 'Écritures depuis le démarrage', value: database.writes(), unit: 'count' },
        ],
      }),
    },
  }
}

/** Writes something, on disk when it returns. @throws what the database throws. */
export const writeMark = async ({ db }: Database, name: string, atMs: number): Promise<void> => {
  const row = { name, at: atMs }
  await db
    .insertInto('service_mark')
    .values(row)
    .onConflict(conflict => conflict.column('name').doUpdateSet(row))
    .execute()
}

export const diskPart = (storage: Storage): ServicePart => {
  const judge = (): Status => {
    const disk = storage.disk()
    if (disk === null) return { state: 'unknown', reason: 'La place du dossier des données n’est pas connue.' }
    const share = `${Math.floor(disk.usedRatio * 100)}\u202f%`
    if (disk.usedRatio >= FULL_ERROR)
      return { state: 'error', reason: `Le disque est presque plein\u202f: ${share} occupés.` }
    if (disk.usedRatio >= FULL_WARNING)
      return { state: 'warning', reason: `Le disque se remplit\u202f: ${share} occupés.` }
    return { state: 'ok', reason: storage.outlook() }
  }
  return {
    refresh: { everyMs: STORAGE_EVERY_MS, run: storage.measure },
    status() {
      const disk = storage.disk()
      return {
        ...judge(),
        figures: [
          { label: 'Données de Narval', value: storage.bytes(), unit: 'bytes' },
          { label: 'Place libre', value: disk?.freeBytes ?? null, unit: 'bytes' },
          { label: 'Taille du disque', value: disk?.totalBytes ?? null, unit: 'bytes' },
          { label: 'Occupé', value: disk?.usedRatio ?? null, unit: 'ratio' },
          { label: 'Croissance par jour', value: storage.forecast().bytesPerDay, unit: 'bytes' },
          { label: 'Disque plein', value: toIsoOrNull(storage.forecast().fullMs), unit: 'instant' },
        ],
      }
    },
  }
}

export const retentionPart = (purging: Pick<Purging, 'last'>): ServicePart => ({
  status(nowMs) {
    const last = purging.last()
    const judge = (): Status => {
      if (last === null) return { state: 'unknown', reason: 'Le premier passage n’est pas terminé.' }
      if (nowMs - last.atMs > PURGE_LATE_MS)
        return { state: 'error', reason: 'N’a pas abouti depuis plus de deux heures.' }
      return { state: 'ok', reason: 'Efface chaque heure ce qui a fait son temps.' }
    }
    return {
      ...judge(),
      figures: [
        { label: 'Dernier passage', value: last === null ? null : toIso(last.atMs), unit: 'instant' },
        { label: 'Durée du passage', value: last?.tookMs ?? null, unit: 'ms' },
      ],
    }
  },
})

/** Entries that wait longer for their seal than writers take. */
const MANY_UNSEALED = 1_000

export const chainPart = ({ db }: Database, anchor: AnchorStore): ServicePart => {
  let unsealed: number | null = null
  return {
    queueOf: ['à sceller', 'à sceller'],
    refresh: {
      everyMs: EVERY_MS,
      async run() {
        const row = await db
          .selectFrom('audit')
          .select(eb => eb.fn.countAll<number>().as('n'))
          .where('position', 'is', null)
          .executeTakeFirst()
        unsealed = Number(row?.n ?? 0)
      },
    },
    status: () => ({
      ...(unsealed === null
        ? { state: 'unknown', reason: 'Pas encore mesuré.' }
        : unsealed >= MANY_UNSEALED
          ? { state: 'warning', reason: 'Beaucoup d’entrées attendent leur sceau.' }
          : { state: 'ok', reason: 'Scelle chaque entrée en quelques secondes.' }),
      queue: unsealed,
      figures: [{ label: 'Dernière place de la chaîne', value: anchor.read()?.position ?? null, unit: 'count' }],
    }),
  }
}
