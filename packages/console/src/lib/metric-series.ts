import { type MetricData, metricRoutes } from '@narval/contracts'
import { call } from './api.ts'

type Series = MetricData['series'][number]

/** Rows ask one by one, the server is asked once: ids that come within this time share a call. */
const GATHER_MS = 30
const MOST_IDS = 100
const POINTS = 60
const HOUR_MS = 3_600_000

interface Waiting {
  readonly id: number
  readonly resolve: (series: Series | null) => void
  readonly reject: (error: unknown) => void
}
let waiting: Waiting[] = []

const ask = async (asked: readonly Waiting[]): Promise<void> => {
  const now = Date.now()
  try {
    const { series } = await call(metricRoutes.data, {
      query: {
        ids: asked.map(({ id }) => id).join(','),
        from: new Date(now - HOUR_MS).toISOString(),
        to: new Date(now).toISOString(),
        points: String(POINTS),
      },
    })
    const found = new Map(series.map(one => [one.id, one]))
    for (const { id, resolve } of asked) resolve(found.get(id) ?? null)
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}

const flush = (): void => {
  const all = waiting
  waiting = []
  for (let start = 0; start < all.length; start += MOST_IDS) void ask(all.slice(start, start + MOST_IDS))
}

/** The last hour of a metric in some 60 points, for its sparkline; null when there is nothing. */
export const fetchLastHour = (id: number): Promise<Series | null> =>
  new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(flush, GATHER_MS)
    waiting.push({ id, resolve, reject })
  })
