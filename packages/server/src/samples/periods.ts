/** How time is cut: UTC days, two-hour chunks, 5-minute and 1-hour roll-ups. */
export const MINUTE_MS = 60_000
export const FIVE_MINUTES_MS = 5 * MINUTE_MS
export const HOUR_MS = 60 * MINUTE_MS
export const CHUNK_MS = 2 * HOUR_MS
export const DAY_MS = 24 * HOUR_MS

/** A day or a month is left alone until its late samples have mostly come. */
export const SETTLED_MS = 3 * HOUR_MS

/** 2200-01-01: later is a broken clock, and would make a file for it. */
export const LATEST_MS = 7_258_118_400_000

export const CHUNKS_A_DAY = 12
export const FIVE_MINUTES_A_DAY = 288
export const HOURS_A_DAY = 24
/** Of the longest month. */
export const DAYS_A_MONTH = 31
export const HOURS_A_MONTH = DAYS_A_MONTH * HOURS_A_DAY
/** Days 1–10, 11–20 and the rest: larger parts would fill pages badly. */
export const THIRDS_A_MONTH = 3
export const firstDayOfThird = (third: number): number => third * 10
/** Exclusive. */
export const endDayOfThird = (third: number): number => (third === 2 ? DAYS_A_MONTH : third * 10 + 10)
export const FIVE_MINUTES_A_CHUNK = 24

/** A chunk's place in its day: 0 … 11 for two hours, then the whole day. */
export const WHOLE_DAY = 12

/** Ids of one slot. */
export const SERIES_SPAN = 2 ** 24
const SLOTS_A_DAY = 16

export const dayStart = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS
export const chunkStart = (atMs: number): number => Math.floor(atMs / CHUNK_MS) * CHUNK_MS
export const monthStart = (atMs: number): number => {
  const date = new Date(atMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}
export const slotOf = (atMs: number): number => Math.floor((atMs - dayStart(atMs)) / CHUNK_MS)

export const FILE_KINDS = ['raw', 'fiveMinutes', 'hours'] as const
export type FileKind = (typeof FILE_KINDS)[number]

const isoDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
const PREFIX: Record<FileKind, string> = { raw: 'raw-', fiveMinutes: 'rollup-5m-', hours: 'rollup-1h-' }

/** The file that holds a day: one a day for raw samples, one a month for roll-ups. */
export const fileName = (kind: FileKind, dayMs: number): string =>
  `${PREFIX[kind]}${isoDay(dayMs).slice(0, kind === 'raw' ? 10 : 7)}.db`

/** A chunk's row id: its slot in the day, for roll-ups in the month, then its series. */
export const chunkId = (kind: FileKind, dayMs: number, slot: number, series: number): number =>
  ((kind === 'raw' ? 0 : new Date(dayMs).getUTCDate() - 1) * SLOTS_A_DAY + slot) * SERIES_SPAN + series

/** The row id of a day of hours in its month, counted from 0. */
export const hoursId = (day: number, series: number): number => (day * SLOTS_A_DAY + WHOLE_DAY) * SERIES_SPAN + series

/** The row id of a third of a month of hours: after all the days of its file. */
export const thirdId = (third: number, series: number): number =>
  (DAYS_A_MONTH * SLOTS_A_DAY + third) * SERIES_SPAN + series

export const seriesOfId = (id: number): number => id % SERIES_SPAN

export interface FileSpan {
  readonly kind: FileKind
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/** The span that a file covers; null for a name that is none of ours. */
export function spanOfFile(name: string): FileSpan | null {
  const match = /^(raw|rollup-5m|rollup-1h)-(\d{4})-(\d{2})(?:-(\d{2}))?\.db$/.exec(name)
  if (match === null) return null
  const [, prefix, year, month, day] = match
  if ((prefix === 'raw') !== (day !== undefined)) return null
  const fromMs = Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1))
  if (prefix === 'raw') return { kind: 'raw', fromMs, toMs: fromMs + DAY_MS }
  return { kind: prefix === 'rollup-5m' ? 'fiveMinutes' : 'hours', fromMs, toMs: Date.UTC(Number(year), Number(month)) }
}
