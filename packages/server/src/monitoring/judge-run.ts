import { AVAILABILITY_KEY, CHECKS, RECEIVED_STATE } from '@narval/contracts'
import { isAboutToConfirm, isBacklog, isInDoubt, nextRate, type UnknownCause, type Weighed } from '@narval/engine'
import { type Judged, spread, throughParents } from './dependency.ts'
import type { HostEntry, MetricEntry, Model, ScannerEntry } from './fleet/model.ts'
import { type Effects, judgeMetric } from './judge-metric.ts'
import { noteLate } from './late-runs.ts'
import type { KeptOpinion } from './probe/second-opinion.store.ts'
import type { Run } from './run/run-codec.ts'
import { confirmedText, linkText } from './texts.ts'

/** What other probes said, weighed by what was recorded before `nowMs` alone: a replay finds the same. */
export interface Opinions {
  weigh(host: HostEntry, runnerId: number, nowMs: number): Weighed<KeptOpinion>
}

/** What a run is judged by. */
export interface Judge {
  readonly model: Model
  readonly opinions: Opinions
}

/** The batch that brought a run, as the journal keeps it. */
export interface RunBatch {
  readonly samples: { readonly series: Int32Array; readonly value: Float64Array }
  readonly probe: number
  readonly arrivedMs: number
}

/**
 * Judges one run of a scanner: its availability first (the life test decides what the others may open), then each
 * metric by its value, or as unknown with the failure as cause. `received`: the gravest message that came with it.
 * @returns what its host cuts off, to be judged before the next run, a host a step; null: nothing.
 */
export const judgeRun = (
  effects: Effects,
  { model, opinions }: Judge,
  run: Run,
  { samples, probe, arrivedMs: nowMs }: RunBatch,
  origin: string,
  received?: string,
): Iterable<void> | null => {
  const scanner = model.scanners.get(run.scannerId)
  if (scanner === undefined) return null
  // Times of one probe's clock are compared; another one took the scanner over in the order of arrival.
  const isSameProbe = scanner.lastProbeId === null || scanner.lastProbeId === probe
  if (isSameProbe && scanner.lastRunMs !== null && run.atMs <= scanner.lastRunMs) return null
  // A live batch sent again much later is no news: it must not page in retrospect, whatever its lane says.
  if (isBacklog(run.atMs, nowMs, scanner.intervalMs)) {
    noteLate(effects.late, scanner, run)
    return null
  }
  // A rate between the clocks of two probes could be a spike: a gap is not.
  if (!isSameProbe) for (const metric of scanner.metrics.values()) metric.raw = null
  scanner.lastProbeId = probe
  scanner.heardMs = nowMs
  scanner.lastRunMs = run.atMs
  scanner.lastDurationMs = run.durationMs
  scanner.lastError = run.failure?.message ?? null
  const values = keepValues(model, scanner, run, samples, nowMs)
  const availability = scanner.metrics.get(AVAILABILITY_KEY)
  let cause: UnknownCause = run.failure?.code === 'credentials' ? 'credentials-refused' : 'scanner-failed'
  let behind: Iterable<void> | null = null
  if (availability !== undefined) {
    const { input, told } = availabilityInput(opinions, availability, run, probe, nowMs)
    const before = availability.state
    judgeMetric(effects, availability, input, nowMs, origin, told)
    if (availability === scanner.host.life) behind = spread(effects, scanner.host, before, nowMs, origin)
    if (input.type === 'unknown') cause = input.cause
  }
  for (const metric of scanner.metrics.values()) {
    if (metric === availability) continue
    const value = values.get(metric)
    if (value !== undefined) {
      const told = receivedWords(metric, value, received)
      judgeMetric(effects, metric, { type: 'value', value, atMs: run.atMs }, nowMs, origin, told)
    } else if (run.failure !== null)
      judgeMetric(effects, metric, { type: 'unknown', cause, atMs: run.atMs }, nowMs, origin)
  }
  return behind
}

/** A state that messages made is told by the last that made it, for as long as it holds. */
const receivedWords = (metric: MetricEntry, value: number, received: string | undefined): string | undefined =>
  metric.key === RECEIVED_STATE.key && CHECKS[metric.scanner.kind].passive === true && value > 0
    ? (received ?? metric.information)
    : undefined

/**
 * What a run says of its scanner's availability. A failure that another probe does not see, on a host whose life test
 * fails, is not confirmed as an error of the host: the link of the probe is in question.
 */
const availabilityInput = (
  opinions: Opinions,
  metric: MetricEntry,
  { failure, atMs }: Run,
  probe: number,
  nowMs: number,
): Judged => {
  if (failure === null) return { input: { type: 'value', value: 1, atMs } }
  const { host } = metric.scanner
  const isLife = metric === host.life
  const failed = { type: 'failed', message: failure.message, atMs } as const
  if (host.life === null || !(isLife || isInDoubt(host.life.state))) return throughParents(metric, failed, nowMs)
  const { verdict, opinion } = opinions.weigh(host, probe, nowMs)
  if (opinion === null) return throughParents(metric, failed, nowMs)
  if (verdict === 'link' && isAboutToConfirm(metric.state, metric.rule))
    return {
      input: { type: 'unknown', cause: 'probe-link', atMs },
      told: linkText(opinion.probeName, opinion.hostId === host.id),
    }
  const isConfirmed = verdict === 'confirmed' && isLife
  const confirmed = isConfirmed ? { ...failed, message: confirmedText(failure.message, opinion.probeName) } : failed
  return throughParents(metric, confirmed, nowMs)
}

/** Last values of the metrics of a run; a counter's is its rate, absent at its first sample and after a reset. */
const keepValues = (
  model: Model,
  scanner: ScannerEntry,
  run: Run,
  samples: RunBatch['samples'],
  nowMs: number,
): Map<MetricEntry, number> => {
  const values = new Map<MetricEntry, number>()
  for (let index = run.from; index < run.to; index++) {
    const metric = model.metrics.get(samples.series[index] ?? 0)
    const sample = samples.value[index]
    if (metric?.scanner !== scanner || sample === undefined) continue
    metric.heardMs = nowMs
    const value = metric.type === 'counter' ? rateOf(metric, run.atMs, sample) : sample
    metric.raw = sample
    metric.atMs = run.atMs
    metric.value = value
    if (value !== null) values.set(metric, value)
  }
  return values
}

const rateOf = (metric: MetricEntry, atMs: number, raw: number): number | null =>
  metric.raw === null || metric.atMs === null
    ? null
    : nextRate({ atMs: metric.atMs, value: metric.raw }, { atMs, value: raw })
