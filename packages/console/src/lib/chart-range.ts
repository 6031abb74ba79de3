/** Ranges up to now that a chart offers. */
export const RANGES = [
  { key: '1h', label: '1 h', ms: 3_600_000 },
  { key: '6h', label: '6 h', ms: 6 * 3_600_000 },
  { key: '24h', label: '24 h', ms: 24 * 3_600_000 },
  { key: '7j', label: '7 j', ms: 7 * 24 * 3_600_000 },
  { key: '30j', label: '30 j', ms: 30 * 24 * 3_600_000 },
  { key: '1an', label: '1 an', ms: 365 * 24 * 3_600_000 },
] as const
export type RangeKey = (typeof RANGES)[number]['key']
export const rangeOf = (key: string | null): (typeof RANGES)[number] =>
  RANGES.find(range => range.key === key) ?? RANGES[0]

/** A part of time, epoch ms. */
export interface View {
  readonly fromMs: number
  readonly toMs: number
}
/** What a chart is asked for: the last so many ms, which move with the clock, or a part of the past that stays. */
export type ChartSpan = { readonly lastMs: number } | View

export const isLive = (span: ChartSpan): span is { readonly lastMs: number } => 'lastMs' in span
export const viewOf = (span: ChartSpan, nowMs: number): View =>
  isLive(span) ? { fromMs: nowMs - span.lastMs, toMs: nowMs } : span

/** As the server refuses them. */
const LONGEST_MS = 6 * 366 * 86_400_000
/** Finer is nothing that people look at. */
export const SHORTEST_MS = 10_000

export type RangeFault = 'missing' | 'order' | 'long' | 'short' | 'future'
/** Why two instants are no range; null when they are one. */
export const rangeFault = (fromMs: number, toMs: number, nowMs: number): RangeFault | null => {
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs)) return 'missing'
  if (fromMs >= toMs) return 'order'
  if (toMs - fromMs > LONGEST_MS) return 'long'
  if (toMs - fromMs < SHORTEST_MS) return 'short'
  return fromMs >= nowMs ? 'future' : null
}

/** The range of an address: `from` and `to` when both are instants, else `range`. */
export const spanOf = (params: URLSearchParams): ChartSpan => {
  const fromMs = Date.parse(params.get('from') ?? '')
  const toMs = Date.parse(params.get('to') ?? '')
  return rangeFault(fromMs, toMs, Number.POSITIVE_INFINITY) === null
    ? { fromMs, toMs }
    : { lastMs: rangeOf(params.get('range')).ms }
}

/** As an address holds it: to the second. */
export const instantText = (ms: number): string =>
  `${new Date(Math.round(ms / 1_000) * 1_000).toISOString().slice(0, 19)}Z`

/** What the present is compared with. */
export const COMPARISONS = [
  { key: 'jour', label: 'La veille', ms: 86_400_000 },
  { key: 'semaine', label: 'La semaine précédente', ms: 7 * 86_400_000 },
] as const
export type Comparison = (typeof COMPARISONS)[number]
export const comparisonOf = (key: string | null): Comparison | null =>
  COMPARISONS.find(comparison => comparison.key === key) ?? null
