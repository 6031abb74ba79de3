import { AVAILABILITY_KEY, type MetricDefinition, NO_THRESHOLDS, type ResultsBody } from '@narval/contracts'
import { unavailable } from '../http/refusal.ts'
import { messageOf } from '../samples/faults.ts'
import { type SampleStore, SampleStoreBusy } from '../samples/sample-store.ts'
import type { Database } from '../store/database.ts'
import { lock } from '../store/lock.ts'
import { applyModels } from '../store/model-inheritance.ts'
import type { Evaluation } from './evaluation.ts'
import { bringsEvents, EVENTS_PER_BATCH } from './event-log.ts'
import type { Model } from './fleet/model.ts'
import { findNewMetrics, type ScannerResult } from './fleet/new-metrics.ts'
import { insertMetrics } from './monitoring.store.ts'
import type { Failover } from './probe/failover.ts'
import { encodeRuns, type Run, type RunEvent } from './run/run-codec.ts'

/** Samples dated further ahead than this are refused (a lying clock); skew below is shown and tolerated. */
const FUTURE_MS = 5 * 60_000

export interface IngestStats {
  batches: number
  duplicates: number
  results: number
  samples: number
  /** Results of scanners that are not this probe's, or exist no more. */
  foreign: number
  future: number
  /** Late results of a probe whose stand-in measured meanwhile. */
  doubled: number
  /** Values whose key the kind of check never produces, or beyond the quota. */
  unknownKeys: number
  /** Messages beyond what one batch may bring, or of a kind that receives none. */
  eventsLeft: number
  /** Batches that could not be taken, and the last of them: why, and when. */
  refused: number
  refusal: { readonly atMs: number; readonly why: string } | null
}

export interface Ingest {
  /** Resolves once the batch is on disk: only then may it be acknowledged. */
  accept(probeId: number, body: ResultsBody, arrivedMs: number): Promise<void>
  readonly stats: IngestStats
}

export interface IngestDeps {
  readonly database: Database
  readonly samples: SampleStore
  readonly model: Model
  readonly evaluation: Evaluation
  readonly failover: Pick<Failover, 'claim' | 'delivered'>
  /** Reads hosts again after metrics of theirs were created. */
  readonly reloadHosts: (hostIds: readonly number[]) => Promise<void>
}

export const createIngest = (deps: IngestDeps): Ingest => {
  const { model, samples, evaluation } = deps
  const stats: IngestStats = {
    batches: 0,
    duplicates: 0,
    results: 0,
    samples: 0,
    foreign: 0,
    future: 0,
    doubled: 0,
    unknownKeys: 0,
    eventsLeft: 0,
    refused: 0,
    refusal: null,
  }

  /** What this probe may bring, each with whether it is judged or fills charts alone. */
  const ownResults = (probeId: number, { results, lane, sentAt }: ResultsBody, arrivedMs: number): OwnResult[] => {
    const skewMs = sentAt - arrivedMs
    return results.flatMap(result => {
      const scanner = model.scanners.get(result.scanner)
      const claim = scanner === undefined ? 'foreign' : deps.failover.claim(probeId, lane, scanner, result.at - skewMs)
      if (scanner === undefined || claim === 'foreign') stats.foreign += 1
      else if (result.at > arrivedMs + FUTURE_MS) stats.future += 1
      else if (claim === 'double') stats.doubled += 1
      else return [{ result, scanner, isJudged: claim === 'judged' }]
      return []
    })
  }

  /** Metrics that these results bring for the first time are created before the journal knows of them. */
  const createMissing = async (results: readonly ScannerResult[], nowMs: number): Promise<void> => {
    const { metrics, unknown } = await findNewMetrics(deps.database, results)
    stats.unknownKeys += unknown
    if (metrics.length === 0) return
    const hostIds = [...new Set(metrics.map(metric => metric.hostId))]
    await deps.database.db.transaction().execute(async trx => {
      await insertMetrics(trx, metrics, defaultThresholds, nowMs)
      await lock(deps.database, trx, 'monitoring-models')
      await applyModels(trx, hostIds, null, nowMs)
    })
    await deps.reloadHosts(hostIds)
  }

  const eventsOf = (results: readonly ScannerResult[]): RunEvent[] => {
    const all = results.flatMap(({ result, scanner }) =>
      (result.events ?? []).map(event => ({ ...event, scannerId: scanner.id, isTaken: bringsEvents(scanner.kind) })),
    )
    const taken = all.filter(({ isTaken }) => isTaken).slice(0, EVENTS_PER_BATCH)
    stats.eventsLeft += all.length - taken.length
    return taken.map(({ isTaken: _, ...event }) => event)
  }

  const refuse = (atMs: number, said: string, retryAfterMs: number, why = said) => {
    stats.refused += 1
    stats.refusal = { atMs, why }
    return unavailable(said, retryAfterMs)
  }

  return {
    stats,
    async accept(probeId, body, arrivedMs) {
      // A batch without results only brings news of the probe's health.
      if (body.results.length === 0) return
      if (evaluation.isBehind()) throw refuse(arrivedMs, 'Le serveur rattrape son retard.', 2_000)
      const results = ownResults(probeId, body, arrivedMs)
      const homes = results.flatMap(({ scanner, isJudged }) =>
        isJudged && scanner.probeId !== probeId ? (scanner.probeId ?? []) : [],
      )
      await deps.failover.delivered(new Set(homes), arrivedMs)
      await createMissing(results, arrivedMs)
      const { runs, columns } = toColumns(model, results)
      const batch = {
        probe: probeId,
        boot: body.bootId,
        lane: body.lane,
        sequence: body.sequence,
        arrivedMs,
        samples: columns,
        attachment: encodeRuns(runs, eventsOf(results)),
      }
      // The store takes the buffers of the batch over: evaluation keeps its own.
      const kept = {
        ...batch,
        samples: { series: columns.series.slice(), atMs: columns.atMs.slice(), value: columns.value.slice() },
        attachment: batch.attachment.slice(),
      }
      const { position, duplicate } = await samples.append(batch).catch(error => {
        if (error instanceof SampleStoreBusy)
          throw refuse(arrivedMs, 'Le magasin de mesures est saturé.', error.retryAfterMs, error.message)
        stats.refused += 1
        stats.refusal = { atMs: arrivedMs, why: messageOf(error) }
        throw error
      })
      stats.batches += 1
      if (duplicate) {
        stats.duplicates += 1
        return
      }
      stats.results += results.length
      stats.samples += columns.series.length
      evaluation.push({ ...kept, position })
    },
  }
}

/** The thresholds that a new metric starts with: those of its definition. */
export const defaultThresholds = (definition: MetricDefinition) => ({ ...NO_THRESHOLDS, ...definition.thresholds })

type OwnResult = ScannerResult & { readonly isJudged: boolean }

/** Samples of all, and the runs to judge: what only fills charts has none. */
const toColumns = (model: Model, results: readonly OwnResult[]) => {
  const size = results.reduce((sum, { result }) => sum + 1 + Object.keys(result.values).length, 0)
  const series = new Int32Array(size)
  const atMs = new Float64Array(size)
  const value = new Float64Array(size)
  const runs: Run[] = []
  let next = 0
  const put = (id: number | undefined, at: number, number: number) => {
    if (id === undefined) return
    series[next] = id
    atMs[next] = at
    value[next] = number
    next += 1
  }
  for (const { result, scanner: stale, isJudged } of results) {
    // The fleet may have been read again since: its present entry knows the metrics just created.
    const scanner = model.scanners.get(stale.id)
    if (scanner === undefined) continue
    const from = next
    put(scanner.metrics.get(AVAILABILITY_KEY)?.id, result.at, result.failure === null ? 1 : 0)
    for (const [key, number] of Object.entries(result.values))
      if (key !== AVAILABILITY_KEY) put(scanner.metrics.get(key)?.id, result.at, number)
    if (!isJudged) continue
    runs.push({
      scannerId: scanner.id,
      atMs: result.at,
      durationMs: result.durationMs,
      failure: result.failure,
      from,
      to: next,
    })
  }
  return { runs, columns: { series: series.slice(0, next), atMs: atMs.slice(0, next), value: value.slice(0, next) } }
}
