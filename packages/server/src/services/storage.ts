import type { ServiceStorage, Settings } from '@narval/contracts'
import { sql } from 'kysely'
import type { Database } from '../store/database.ts'
import { toIso, toIsoOrNull } from '../store/time.ts'
import { type DiskSpace, diskOf, type PartSize, sizesOf } from './data-sizes.ts'
import { type Forecast, forecastOf, type NotedSize } from './forecast.ts'

export interface Storage {
  /** Measures files and disk, and notes their size once an hour. */
  measure(): Promise<void>
  disk(): DiskSpace | null
  forecast(): Forecast
  /** What the forecast means, a sentence. */
  outlook(): string
  /** Bytes of all that lies in the folder; null: not measured. */
  bytes(): number | null
  told(): ServiceStorage
}

export interface StorageDeps {
  readonly database: Database
  /** Null: it is not known where the data lie. */
  readonly folder: string | null
  readonly settings: () => Settings
  readonly now: () => number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEPT_DAYS = 90

/** What the data take, measured on the files, and the sizes of the hours before. */
export const createStorage = ({ database, folder, settings, now }: StorageDeps): Storage => {
  const { db, dialect } = database
  let measured: { readonly atMs: number; readonly parts: readonly PartSize[]; readonly disk: DiskSpace } | null = null
  let outsideBytes: number | null = null
  let noted: NotedSize[] | null = null

  const note = async (size: NotedSize): Promise<void> => {
    noted ??= (await db.selectFrom('storage_size').selectAll().orderBy('at').execute()).map(row => ({
      ...{ atMs: row.at, bytes: row.bytes, freeBytes: row.free_bytes },
    }))
    const last = noted.at(-1)
    // Set back, the clock begins anew.
    if (last !== undefined && last.atMs <= size.atMs && size.atMs - last.atMs < HOUR_MS) return
    const row = { at: size.atMs, bytes: size.bytes, free_bytes: size.freeBytes }
    await db
      .insertInto('storage_size')
      .values(row)
      .onConflict(conflict => conflict.column('at').doUpdateSet(row))
      .execute()
    const fromMs = size.atMs - KEPT_DAYS * DAY_MS
    await db.deleteFrom('storage_size').where('at', '<', fromMs).execute()
    noted = [...noted.filter(one => one.atMs >= fromMs && one.atMs !== size.atMs), size].toSorted(
      (a, b) => a.atMs - b.atMs,
    )
  }
  const bytes = (): number | null =>
    measured === null ? null : measured.parts.reduce((sum, one) => sum + one.bytes, 0)
  const forecast = (): Forecast => forecastOf(noted ?? [], measured?.disk.freeBytes ?? null, now())

  return {
    async measure() {
      if (dialect === 'postgres') {
        const { rows } = await sql<{ n: number }>`select pg_database_size(current_database()) as n`.execute(db)
        outsideBytes = Number(rows[0]?.n ?? 0)
      }
      if (folder === null) return
      const [parts, disk] = [await sizesOf(folder), await diskOf(folder)]
      measured = { atMs: now(), parts, disk }
      await note({ atMs: measured.atMs, bytes: bytes() ?? 0, freeBytes: disk.freeBytes })
    },
    disk: () => measured?.disk ?? null,
    forecast,
    outlook: () => sentenceOf(forecast(), measured?.disk ?? null),
    bytes,
    told() {
      const outlook = forecast()
      return {
        at: toIsoOrNull(measured?.atMs ?? null),
        folder: folder ?? '',
        parts: [...(measured?.parts ?? [])],
        outsideBytes,
        disk: measured?.disk ?? null,
        forecast: {
          ...{ outlook: outlook.outlook, bytesPerDay: outlook.bytesPerDay, fullAt: toIsoOrNull(outlook.fullMs) },
          ...{ from: toIsoOrNull(outlook.fromMs), sizes: outlook.sizes },
          sentence: sentenceOf(outlook, measured?.disk ?? null),
        },
        history: (noted ?? []).map(one => ({ at: toIso(one.atMs), bytes: one.bytes, freeBytes: one.freeBytes })),
        retention: retentionOf(settings()),
      }
    },
  }
}

const sentenceOf = ({ outlook, fullMs }: Forecast, disk: DiskSpace | null): string => {
  if (outlook === 'early') return 'Trop tôt pour prévoir quand il sera plein.'
  if (outlook === 'steady') return 'Les données ne grossissent pas.'
  if (disk === null) return 'La place libre n’est pas connue.'
  if (fullMs === null) return 'À ce rythme, le disque a de la place pour plus de cinq ans.'
  return `À ce rythme, le disque sera plein le ${dayOf(fullMs)}.`
}

const dayOf = (atMs: number): string =>
  new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Paris' }).format(
    atMs,
  )

const retentionOf = (settings: Settings) => [
  { label: 'Mesures, telles quelles', days: settings.rawDays, setting: 'rawDays' },
  { label: 'Moyennes de 5 minutes', days: settings.fiveMinutesDays, setting: 'fiveMinutesDays' },
  { label: 'Moyennes d’une heure', days: settings.hourDays, setting: 'hourDays' },
  { label: 'Historique des états', days: settings.stateHistoryDays, setting: 'stateHistoryDays' },
  { label: 'Messages reçus', days: settings.eventDays, setting: 'eventDays' },
  { label: 'Log', days: settings.auditDays, setting: 'auditDays' },
  { label: 'Envois de notifications', days: settings.deliveryDays, setting: 'deliveryDays' },
]
