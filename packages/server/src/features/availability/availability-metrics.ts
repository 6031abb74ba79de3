import { setImmediate } from 'node:timers/promises'
import {
  type MetricAvailabilityRules,
  type MetricHistory,
  type MetricInterval,
  type MetricTotals,
  metricIntervals,
  metricTotals,
} from '@narval/engine'
import type { MetricEntry } from '../../monitoring/fleet/model.ts'
import { batches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { type Around, readAround } from './around.ts'
import type { Asked } from './asked.ts'
import type { ToldRun } from './availability.store.ts'
import { readWrittenOfMetrics, type WrittenOfMetrics } from './metric.store.ts'

type MetricsAsked = Asked<MetricAvailabilityRules>

/** Metrics whose past is read at once: a turn of the event loop that nobody feels. */
const SLICE = 250

/** The times of each metric; those to which nothing happened share what was computed for the first of their kind. */
export const computeMetrics = async (
  db: Db,
  metrics: readonly MetricEntry[],
  asked: MetricsAsked,
): Promise<Map<MetricEntry, MetricTotals>> => {
  const sorted = metrics.toSorted((a, b) => a.id - b.id)
  const around = await readAround(db, asked, sorted, run => run.metrics)
  const found = new Map<MetricEntry, MetricTotals>()
  const alike = new Map<string, MetricTotals>()
  for (const slice of batches(sorted, SLICE)) {
    const written = await readSlice(db, slice, asked)
    for (const metric of slice) {
      const history = historyOf(metric, asked, around, written)
      const key = quietKey(metric, history)
      const totals = (key === null ? undefined : alike.get(key)) ?? totalsOf(intervalsOf(history, asked), asked)
      if (key !== null) alike.set(key, totals)
      found.set(metric, totals)
    }
    await setImmediate()
  }
  return found
}

/** One metric with its intervals, and the maintenances that they name by id of the run. */
export const computeMetric = async (
  db: Db,
  metric: MetricEntry,
  asked: MetricsAsked,
): Promise<{
  readonly intervals: readonly MetricInterval[]
  readonly totals: MetricTotals
  readonly runs: ReadonlyMap<number, ToldRun>
}> => {
  const around = await readAround(db, asked, [metric], run => run.metrics, metric.scanner.host.site.id)
  const intervals = intervalsOf(historyOf(metric, asked, around, await readSlice(db, [metric], asked)), asked)
  const runs = new Map((around.runs.get(metric.id) ?? []).map(run => [run.id, run]))
  return { intervals, totals: totalsOf(intervals, asked), runs }
}

const isLife = (metric: MetricEntry): boolean => metric.scanner.host.life === metric

const readSlice = (db: Db, slice: readonly MetricEntry[], { period }: MetricsAsked): Promise<WrittenOfMetrics> => {
  const lifeHosts = slice.filter(isLife).map(({ scanner }) => scanner.host.id)
  return readWrittenOfMetrics(
    db,
    slice.map(({ id }) => id),
    lifeHosts,
    period,
  )
}

const NONE: readonly never[] = []
const historyOf = (
  metric: MetricEntry,
  { period }: MetricsAsked,
  around: Around,
  written: WrittenOfMetrics,
): MetricHistory => {
  const { host } = metric.scanner
  return {
    period,
    sinceMs: written.createdMs.get(metric.id) ?? host.createdMs,
    changes: written.changes.get(metric.id) ?? NONE,
    stopped: around.stopped,
    late: (isLife(metric) ? written.late.get(host.id) : undefined) ?? NONE,
    maintenances: around.runs.get(metric.id) ?? NONE,
    service: around.service.get(host.site.id) ?? null,
  }
}

const intervalsOf = (history: MetricHistory, { rules }: MetricsAsked): MetricInterval[] =>
  metricIntervals(history, rules.maintenance === 'ignored')
const totalsOf = (intervals: readonly MetricInterval[], { rules }: MetricsAsked): MetricTotals =>
  metricTotals(intervals, rules)

/** What the times of a metric that nothing happened to depend on; null: something did. */
const quietKey = (
  { scanner }: MetricEntry,
  { period, sinceMs, changes, late, maintenances }: MetricHistory,
): string | null => {
  const [first] = changes
  const isQuiet = changes.length === 0 || (changes.length === 1 && first !== undefined && first.atMs <= period.fromMs)
  if (!isQuiet || late.length > 0 || sinceMs > period.fromMs) return null
  return `${scanner.host.site.id} ${first?.severity} ${maintenances.map(({ id }) => id).join()}`
}
