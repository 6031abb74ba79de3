import { type Unit, valueText } from '@narval/contracts'
import type { Thresholds } from '@narval/engine'
import { COLOURS } from './message-lines.ts'

export const CHART_WIDTH = 592
export const CHART_HEIGHT = 220
const LEFT = 74
const RIGHT = 16
const TOP = 34
const BOTTOM = 28

export interface ChartData {
  readonly title: string
  readonly unit: Unit
  readonly thresholds: Thresholds
  readonly fromMs: number
  readonly toMs: number
  readonly atMs: ArrayLike<number>
  /** Null: a gap. */
  readonly value: ArrayLike<number | null>
  /** Two points further apart are not joined. */
  readonly gapMs: number
  /** Whose clock the hours are told by. */
  readonly timeZone: string
}

/** The picture of a metric: its line, its thresholds, French axes. */
export const chartSvg = (data: ChartData): string => {
  const scale = scaleOf(data)
  const clock = new Intl.DateTimeFormat('fr-FR', { timeZone: data.timeZone, hour: '2-digit', minute: '2-digit' })
  const x = (atMs: number): number =>
    round(LEFT + ((atMs - data.fromMs) / (data.toMs - data.fromMs)) * (CHART_WIDTH - LEFT - RIGHT))
  const y = (value: number): number =>
    round(CHART_HEIGHT - BOTTOM - ((value - scale.low) / (scale.high - scale.low)) * (CHART_HEIGHT - TOP - BOTTOM))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CHART_WIDTH}" height="${CHART_HEIGHT}" font-family="Inter" font-size="11">
<rect width="${CHART_WIDTH}" height="${CHART_HEIGHT}" fill="#ffffff"/>
<text x="${LEFT}" y="20" font-size="13" font-weight="600" fill="#16202e">${escapeXml(shortened(data.title))}</text>
${scale.ticks.map(tick => `<path d="M${LEFT} ${y(tick)}H${CHART_WIDTH - RIGHT}" stroke="#e3e9f1"/><text x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end" fill="#5b6878">${escapeXml(valueText(tick, data.unit))}</text>`).join('')}
${hoursOf(data)
  .map(
    hour =>
      `<path d="M${x(hour)} ${TOP}V${CHART_HEIGHT - BOTTOM}" stroke="#eef2f7"/><text x="${x(hour)}" y="${CHART_HEIGHT - 9}" text-anchor="middle" fill="#5b6878">${clock.format(hour)}</text>`,
  )
  .join('')}
${limitsOf(data.thresholds)
  .filter(([value]) => value >= scale.low && value <= scale.high)
  .map(
    ([value, colour]) =>
      `<path d="M${LEFT} ${y(value)}H${CHART_WIDTH - RIGHT}" stroke="${colour}" stroke-dasharray="5 4"/>`,
  )
  .join('')}
<path d="${lineOf(data, x, y)}" fill="none" stroke="#1f5fbf" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"/>
</svg>`
}

const round = (value: number): number => Math.round(value * 10) / 10
const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\p{Cc}/gu, ' ')
const shortened = (text: string): string => (text.length > 70 ? `${text.slice(0, 69)}…` : text)

const limitsOf = (thresholds: Thresholds): (readonly [number, string])[] =>
  [
    [thresholds.warningHigh, COLOURS.warning] as const,
    [thresholds.warningLow, COLOURS.warning] as const,
    [thresholds.errorHigh, COLOURS.error] as const,
    [thresholds.errorLow, COLOURS.error] as const,
  ].flatMap(([value, colour]) => (value === null ? [] : [[value, colour] as const]))

/** Round steps that hold all values, and the thresholds that are near them. */
const scaleOf = ({ value, thresholds }: ChartData): { low: number; high: number; ticks: number[] } => {
  const values = Array.from(value).filter(one => one !== null)
  let low = Math.min(...values)
  let high = Math.max(...values)
  const reach = Math.max(high - low, Math.abs(high) * 0.5, 1e-9)
  for (const [limit] of limitsOf(thresholds)) {
    if (limit > low - reach && limit < high + reach) {
      low = Math.min(low, limit)
      high = Math.max(high, limit)
    }
  }
  if (low === high) high = low + (low === 0 ? 1 : Math.abs(low) * 0.1)
  if (low > 0 && low < (high - low) * 0.5) low = 0
  const step = stepOf((high - low) / 4)
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step)
  return {
    low: first * step,
    high: last * step,
    ticks: Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step),
  }
}
const stepOf = (rough: number): number => {
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 2.5, 5, 10].find(one => one * power >= rough) ?? 10
  return factor * power
}

const HALF_HOUR = 1_800_000
const hoursOf = ({ fromMs, toMs }: ChartData): number[] => {
  const marks: number[] = []
  for (let at = Math.ceil(fromMs / HALF_HOUR) * HALF_HOUR; at <= toMs; at += HALF_HOUR) marks.push(at)
  return marks
}

const lineOf = (
  { atMs, value, gapMs }: ChartData,
  x: (atMs: number) => number,
  y: (value: number) => number,
): string => {
  let path = ''
  let lastMs = Number.NEGATIVE_INFINITY
  for (let index = 0; index < value.length; index += 1) {
    const at = atMs[index]
    const one = value[index]
    if (at === undefined || one === null || one === undefined) continue
    const joined = at - lastMs <= gapMs
    // A point that stands alone is a dot, by the round ends of the line.
    path += joined ? `L${x(at)} ${y(one)}` : `M${x(at)} ${y(one)}h0.1`
    lastMs = at
  }
  return path
}
