/** Periods that a report offers; `free` has its two days in the address. */
export const PERIODS = ['today', 'yesterday', '7d', '30d', 'month', 'last-month', 'quarter', 'year', 'free'] as const
export type PeriodKey = (typeof PERIODS)[number]
export const DEFAULT_PERIOD: PeriodKey = 'month'

export interface ReportPeriod {
  readonly key: PeriodKey
  readonly from: Date
  /** No more in it; it may be to come. */
  readonly to: Date
}

/** Midnight of a day on the reader's clocks: days and months last as long as their changes of time make them. */
const day = (year: number, month: number, date: number): Date => new Date(year, month, date)

/** The period that an address names; this month where it names none, or two days that are no period. */
export const periodOf = (params: URLSearchParams, now: Date): ReportPeriod => {
  const asked = PERIODS.find(key => key === params.get('period')) ?? DEFAULT_PERIOD
  if (asked !== 'free') return { key: asked, ...PRESETS[asked](now) }
  const [first, last] = [dayOf(params.get('from')), dayOf(params.get('to'))]
  if (first === null || last === null || last < first) return { key: 'free', ...PRESETS.month(now) }
  return { key: 'free', from: first, to: day(last.getFullYear(), last.getMonth(), last.getDate() + 1) }
}

type Span = Pick<ReportPeriod, 'from' | 'to'>
const PRESETS: Readonly<Record<Exclude<PeriodKey, 'free'>, (now: Date) => Span>> = {
  today: now => days(now, 0, 1),
  yesterday: now => days(now, -1, 1),
  '7d': now => days(now, -6, 7),
  '30d': now => days(now, -29, 30),
  month: now => months(now.getFullYear(), now.getMonth(), 1),
  'last-month': now => months(now.getFullYear(), now.getMonth() - 1, 1),
  quarter: now => months(now.getFullYear(), Math.floor(now.getMonth() / 3) * 3, 3),
  year: now => months(now.getFullYear(), 0, 12),
}

const days = (now: Date, offset: number, count: number): Span => {
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate() + offset]
  return { from: day(year, month, date), to: day(year, month, date + count) }
}
const months = (year: number, month: number, count: number): Span => ({
  from: day(year, month, 1),
  to: day(year, month + count, 1),
})

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const dayOf = (text: string | null): Date | null => {
  const [, year, month, date] = DAY.exec(text ?? '') ?? []
  if (year === undefined) return null
  const found = day(Number(year), Number(month) - 1, Number(date))
  return dayText(found) === text ? found : null
}

const two = (value: number): string => String(value).padStart(2, '0')
/** `2026-03-01`, on the reader's clocks. */
export const dayText = (at: Date): string =>
  `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** The last day of a period, as a field of dates shows it. */
export const lastDay = ({ to }: Span): Date => day(to.getFullYear(), to.getMonth(), to.getDate() - 1)
