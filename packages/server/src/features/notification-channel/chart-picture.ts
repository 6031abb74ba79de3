import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rates } from '@narval/engine'
import { renderAsync } from '@resvg/resvg-js'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import { CHART_HEIGHT, CHART_WIDTH, type ChartData, chartSvg } from './chart-svg.ts'
import type { Picture } from './sender.ts'
import { sfntOfWoff } from './woff.ts'

const SPAN_MS = 3 * 3_600_000
const POINTS = 300
/** Twice as fine as it is shown, for screens that are. */
const ZOOM = 2

/** What a chart says of its metric. */
export type ChartMetric = Pick<MetricEntry, 'unit' | 'type'> & {
  readonly title: string
  readonly thresholds: MetricEntry['rule']['thresholds']
  readonly intervalMs: number
}
export const chartMetric = (metric: MetricEntry | undefined): ChartMetric | null =>
  metric === undefined
    ? null
    : {
        ...{ unit: metric.unit, type: metric.type, thresholds: metric.rule.thresholds },
        ...{ title: `${metric.scanner.host.name} — ${metric.name}`, intervalMs: metric.scanner.intervalMs },
      }

export type Charts = (metricId: number, untilMs: number, timeZone: string) => Promise<Picture | null>

/** Pictures of the three hours before a moment; drawn off the event loop, by threads of the runtime. */
export const createCharts = (
  metricOf: (id: number) => ChartMetric | null,
  samples: Pick<SampleStore, 'range'>,
): Charts => {
  let fonts: Promise<string[]> | null = null
  return async (metricId, untilMs, timeZone) => {
    const data = await readChart(metricOf, samples, metricId, untilMs)
    if (data === null) return null
    fonts ??= writeFonts()
    const options = { fitTo: { mode: 'zoom', value: ZOOM } } as const
    const image = await renderAsync(chartSvg({ ...data, timeZone }), {
      ...options,
      font: { fontFiles: await fonts, loadSystemFonts: false, defaultFontFamily: 'Inter' },
    })
    const alternative = `Graphique de ${data.title}, trois dernières heures`
    return { png: image.asPng(), width: CHART_WIDTH, height: CHART_HEIGHT, alternative }
  }
}

const readChart = async (
  metricOf: (id: number) => ChartMetric | null,
  samples: Pick<SampleStore, 'range'>,
  metricId: number,
  untilMs: number,
): Promise<Omit<ChartData, 'timeZone'> | null> => {
  const metric = metricOf(metricId)
  // A state is a word, not a line.
  if (metric === null || metric.type === 'state') return null
  const isCounter = metric.type === 'counter'
  const fromMs = untilMs - SPAN_MS
  const range = { fromMs, toMs: untilMs, points: POINTS, aggregate: isCounter ? 'last' : 'avg' } as const
  const { series, stepMs } = await samples.range({ ...range, series: [metricId] })
  const [found] = series
  if (found === undefined || found.atMs.length < 2) return null
  const value = isCounter ? rates(found.atMs, found.value) : Array.from(found.value)
  if (value.every(one => one === null)) return null
  return {
    ...{ title: metric.title, unit: metric.unit, thresholds: metric.thresholds },
    ...{ fromMs, toMs: untilMs, atMs: found.atMs, value, gapMs: Math.max(3 * metric.intervalMs, 3 * stepMs) },
  }
}

/** The text of charts and its headings. */
const FONTS = [
  import.meta.resolve('@fontsource/inter/files/inter-latin-400-normal.woff'),
  import.meta.resolve('@fontsource/inter/files/inter-latin-600-normal.woff'),
]
/** The font as files, which is all that the renderer reads; once a process. */
const writeFonts = async (): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'narval-font-'))
  return Promise.all(
    FONTS.map(async (packed, index) => {
      const path = join(folder, `${index}.ttf`)
      await writeFile(path, sfntOfWoff(await readFile(fileURLToPath(packed))))
      return path
    }),
  )
}
