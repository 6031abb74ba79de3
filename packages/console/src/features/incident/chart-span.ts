import type { Incident } from '@narval/contracts'

const MINUTE_MS = 60_000
const LEAST_MS = 30 * MINUTE_MS
/** Beyond it the beginning is on the metric's own page. */
const MOST_MS = 31 * 86_400_000
/** The range grows by steps, so that the chart is not asked for anew each second. */
const STEP_MS = 10 * MINUTE_MS

export interface ChartSpan {
  /** Up to now. */
  readonly rangeMs: number
  /** Of an incident that is over: from before it to after it. */
  readonly past: { readonly fromMs: number; readonly toMs: number } | null
}

/** The same all through a minute: each other range is another question to the server. */
const nextMinute = (nowMs: number): number => Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS

/** What the chart of an incident shows: as much again before it as it lasted, half an hour in all at least. */
export const chartSpan = (
  { openedAt, closedAt }: Pick<Incident, 'openedAt' | 'closedAt'>,
  nowMs: number,
): ChartSpan => {
  const fromMs = Date.parse(openedAt)
  if (closedAt !== null) {
    const toMs = Date.parse(closedAt)
    const margin = Math.max(LEAST_MS / 2, (toMs - fromMs) / 2)
    const past = { fromMs: Math.max(fromMs - margin, toMs - MOST_MS), toMs: Math.min(toMs + margin, nextMinute(nowMs)) }
    return { rangeMs: past.toMs - past.fromMs, past }
  }
  const wanted = Math.max(LEAST_MS, (nowMs - fromMs) * 2)
  return { rangeMs: Math.min(MOST_MS, Math.ceil(wanted / STEP_MS) * STEP_MS), past: null }
}
