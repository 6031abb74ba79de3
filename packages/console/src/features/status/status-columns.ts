import type { StatusHour } from '@narval/contracts'
import { SEVERITIES, type Severity } from '@narval/engine'

export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const STATUS_RANGES = ['24h', '7d', '30d'] as const
export type StatusRange = (typeof STATUS_RANGES)[number]
export const statusRangeOf = (text: string | null): StatusRange => STATUS_RANGES.find(one => one === text) ?? '24h'

/** An hour, or a day of them; metric-time in each severity, ms. */
export interface StatusColumn {
  readonly fromMs: number
  readonly untilMs: number
  /** Of it, the time in which the server ran. */
  readonly watchedMs: number
  readonly sums: Readonly<Record<Severity, number>>
}

export const hourStart = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

/** Midnight of the reader, so many days before. */
const midnight = (ms: number, daysBefore: number): number => {
  const at = new Date(ms)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysBefore).getTime()
}

/** From when to when a range goes: whole hours, the present one included; days are those of the reader. */
export const spanOf = (range: StatusRange, nowMs: number): { fromMs: number; untilMs: number } => {
  const untilMs = hourStart(nowMs) + HOUR_MS
  if (range === '30d') return { fromMs: hourStart(midnight(nowMs, 29)), untilMs }
  return { fromMs: untilMs - (range === '24h' ? DAY_MS : 7 * DAY_MS), untilMs }
}

/** `late` is what is known anew of the last hours. */
export const hoursOf = (hours: readonly StatusHour[], late: readonly StatusHour[] = []): StatusColumn[] => {
  const anew = new Map(late.map(hour => [hour.hour, hour]))
  return hours.map(held => {
    const { hour, watched, error, warning, unknown, ok } = anew.get(held.hour) ?? held
    const fromMs = Date.parse(hour)
    return { fromMs, untilMs: fromMs + HOUR_MS, watchedMs: watched, sums: { error, warning, unknown, ok } }
  })
}

/** Days of a time zone, the reader's unless told: of 23 to 25 hours, each hour in the day in which it begins. */
export const daysOf = (hours: readonly StatusColumn[], timeZone?: string): StatusColumn[] => {
  const days = new Map<string, StatusColumn>()
  const name = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...(timeZone !== undefined && { timeZone }) })
  for (const hour of hours) {
    const key = name.format(hour.fromMs)
    const day = days.get(key)
    days.set(key, day === undefined ? hour : joined([day, hour]))
  }
  return [...days.values()]
}

/** Columns that follow each other as one. */
export const joined = (columns: readonly StatusColumn[]): StatusColumn => {
  const sums = { error: 0, warning: 0, unknown: 0, ok: 0 }
  let watchedMs = 0
  for (const column of columns) {
    watchedMs += column.watchedMs
    for (const severity of SEVERITIES) sums[severity] += column.sums[severity]
  }
  return { fromMs: columns[0]?.fromMs ?? 0, untilMs: columns.at(-1)?.untilMs ?? 0, watchedMs, sums }
}

export const totalOf = ({ sums }: StatusColumn): number => sums.error + sums.warning + sums.unknown + sums.ok

/** Below this the present hour is only not told yet. */
const TOLERATED_MS = 120_000
/** How long of a column the server did not run, until now. */
export const unwatchedMs = ({ fromMs, untilMs, watchedMs }: StatusColumn, nowMs: number): number => {
  const over = Math.min(untilMs, nowMs) - fromMs
  const lost = over - watchedMs
  return over <= 0 || (untilMs > nowMs && lost < TOLERATED_MS) || lost < 1_000 ? 0 : lost
}

/** The share of a severity, floored for « ok », so that one failure never reads 100 %, else never 0 where there is some. */
export const shareOf = (column: StatusColumn, severity: Severity): number => {
  const total = totalOf(column)
  if (total === 0) return 0
  const thousandths = (column.sums[severity] / total) * 1_000
  return (severity === 'ok' ? Math.floor(thousandths) : Math.ceil(thousandths)) / 1_000
}

export interface Stacked {
  readonly severity: Severity
  readonly y: number
  readonly height: number
}

/** What there is some of is seen, were it 1 in 100,000. */
const SEEN_PX = 2
/** The severities of a column upon each other, worst at the bottom, in pixels; `max`: metrics that fill the height. */
export const stackOf = (
  column: StatusColumn,
  shown: readonly Severity[],
  max: number,
  heightPx: number,
): readonly Stacked[] => {
  const time = column.untilMs - column.fromMs
  let bottom = heightPx
  return shown.flatMap(severity => {
    const sum = column.sums[severity]
    if (sum <= 0 || max <= 0) return []
    const height = Math.min(bottom, Math.max(SEEN_PX, (sum / time / max) * heightPx))
    bottom -= height
    return [{ severity, y: bottom, height }]
  })
}

/** The most metrics that a column has on average of these severities; 0: none has any. */
export const highest = (columns: readonly StatusColumn[], shown: readonly Severity[]): number =>
  Math.max(
    0,
    ...columns.map(
      column => shown.reduce((sum, severity) => sum + column.sums[severity], 0) / (column.untilMs - column.fromMs),
    ),
  )

/** A round figure at least as high, whose half is one too. */
export const roundAbove = (value: number): number => {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].find(one => one * power >= value * (1 - 1e-9)) ?? 10
  return step * power
}
