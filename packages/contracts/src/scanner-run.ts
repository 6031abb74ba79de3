import * as z from 'zod/mini'
import { CHECK_KINDS } from './check.ts'
import { METRIC_TYPES, UNITS } from './check-definition.ts'
import { THRESHOLD_SIDES, thresholds } from './metric.ts'
import { checkDetail, FAILURE_CODES } from './probe-wire.ts'
import { idValue, instant, nullableId } from './schema.ts'
import { severity } from './state.ts'

/** Bounds of a run: the retry interval never exceeds the interval, nor the timeout the retry interval. */
export const TIMEOUT_MS = { min: 100, max: 60_000 } as const
/** Beside the time that the check itself may take: for the order to reach the probe, and its answer the server. */
export const TEST_MARGIN_MS = 5_000
/** Tests under way on one probe; one more is refused. */
export const TESTS_AT_ONCE = 3
/** Runs that the history of a scanner goes back to. */
export const RUNS_SHOWN = 50

/** French words, for people; the code is for programs. */
const failure = z.object({ code: z.enum(FAILURE_CODES), message: z.string() })

/**
 * A scanner as it is (`id`), or as it would be: what is left out is the saved scanner's; without `id`, its kind and host
 * are needed. Nothing of a test is kept.
 */
export const scannerTestBody = z
  .strictObject({
    id: z.optional(idValue),
    kind: z.optional(z.enum(CHECK_KINDS)),
    hostId: z.optional(idValue),
    parameters: z.optional(z.record(z.string().check(z.maxLength(64)), z.unknown())),
    /** Null: the platform's. */
    timeoutMs: z.optional(z.nullable(z.int().check(z.minimum(TIMEOUT_MS.min), z.maximum(TIMEOUT_MS.max)))),
    /** Null: the one that would run it. */
    probeId: z._default(nullableId, null),
  })
  .check(
    z.refine(
      ({ id, kind, hostId }) => id !== undefined || (kind !== undefined && hostId !== undefined),
      'Donner un scanner, ou un genre et un équipement',
    ),
  )
export type ScannerTestInput = z.output<typeof scannerTestBody>

export const testedValue = z.object({
  key: z.string(),
  name: z.string(),
  unit: z.enum(UNITS),
  type: z.enum(METRIC_TYPES),
  /** As measured; of a counter, its count. */
  value: z.number(),
  /** The value as people read it; of a counter, its rate since the last run, or its count where there was none. */
  text: z.string(),
  /** What the thresholds would say of it; null for a counter without rate. */
  severity: z.nullable(severity),
  /** The threshold that it crosses, with its figure in words. */
  crossed: z.nullable(z.object({ side: z.enum(THRESHOLD_SIDES), text: z.string() })),
  /** The scanner has this metric already; otherwise its next run would bring it. */
  known: z.boolean(),
})
export type TestedValue = z.output<typeof testedValue>

export const scannerTestReply = z.object({
  probe: z.object({ id: idValue, name: z.string() }),
  /** By the probe's clock. */
  at: instant,
  durationMs: z.number(),
  timeoutMs: z.int(),
  /** Null: the check succeeded. */
  failure: z.nullable(failure),
  values: z.array(testedValue),
  /** Keys that no metric of this kind has: they are not kept. */
  unknownKeys: z.array(z.string()),
  /** The equipment's own words for the instances of its metrics. */
  labels: z.record(z.string(), z.string()),
  /** What the target answered, raw. */
  details: z.array(checkDetail),
})
export type ScannerTest = z.output<typeof scannerTestReply>

export const scannerRun = z.object({
  /** When it ended, by the probe's clock. */
  at: instant,
  succeeded: z.boolean(),
  /** Null: it arrived late, or its duration is not remembered any more. */
  durationMs: z.nullable(z.number()),
  /** In words; null when it succeeded, or when its words are not remembered any more. */
  failure: z.nullable(failure),
  probeId: z.nullable(idValue),
  probeName: z.nullable(z.string()),
})
export type ScannerRun = z.output<typeof scannerRun>

export const scannerRuns = z.object({
  /** The last ones, the newest first. */
  runs: z.array(scannerRun),
  /** Runs that were due between the oldest and the newest of these, and did not take place. */
  missed: z.int(),
})
export type ScannerRuns = z.output<typeof scannerRuns>

/** What a metric learns again from its last value. */
export const learntThresholds = z.object({
  metricId: idValue,
  name: z.string(),
  /** The value that it learns from, as people read it. */
  text: z.string(),
  unit: z.enum(UNITS),
  before: thresholds,
  after: thresholds,
})
export type LearntThresholds = z.output<typeof learntThresholds>

export const scannerLearnReply = z.object({
  /** Metrics that learn what is expected of them from a value. */
  matched: z.int(),
  changes: z.array(learntThresholds),
})
export type ScannerLearnt = z.output<typeof scannerLearnReply>
