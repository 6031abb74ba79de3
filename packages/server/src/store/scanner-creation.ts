import {
  AVAILABILITY_KEY,
  CHECK_PARAMETERS,
  CHECKS,
  type CheckKind,
  fold,
  type MetricDefinition,
  NO_THRESHOLDS,
} from '@narval/contracts'
import type { Db } from './database.ts'

export interface NewScanner {
  readonly hostId: number
  readonly kind: CheckKind
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly probeId?: number | null
  readonly intervalSeconds?: number | null
  readonly retryIntervalSeconds?: number | null
  readonly timeoutMs?: number | null
  readonly attempts?: number | null
  readonly enabled?: boolean
}

/** Metrics that a scanner has from the start; optional ones and those with an instance come with their first value. */
export const initialMetrics = (kind: CheckKind): readonly MetricDefinition[] =>
  CHECKS[kind].metrics.filter(metric => metric.optional !== true && !metric.name.includes('{instance}'))

/**
 * A scanner with the metrics that its kind always produces.
 * Used by hosts, scanners and the set-up: shared here because a feature never imports another.
 */
export const insertScannerWithMetrics = async (
  db: Db,
  scanner: NewScanner,
  by: string | null,
  nowMs: number,
): Promise<number> => {
  const stamps = { created_at: nowMs, updated_at: nowMs, updated_by: by }
  const row = await db
    .insertInto('scanner')
    .values({
      name: scanner.name,
      name_folded: fold(scanner.name),
      kind: scanner.kind,
      host_id: scanner.hostId,
      probe_id: scanner.probeId ?? null,
      interval_seconds: scanner.intervalSeconds ?? null,
      retry_interval_seconds: scanner.retryIntervalSeconds ?? null,
      timeout_ms: scanner.timeoutMs ?? null,
      attempts: scanner.attempts ?? null,
      parameters: JSON.stringify(CHECK_PARAMETERS[scanner.kind].parse(scanner.parameters)),
      enabled: scanner.enabled === false ? 0 : 1,
      ...stamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const metrics = initialMetrics(scanner.kind)
  await db
    .insertInto('metric')
    .values(
      metrics.map(metric => ({
        host_id: scanner.hostId,
        scanner_id: row.id,
        key: metric.key,
        name: metric.key === AVAILABILITY_KEY ? `${metric.name} (${scanner.name})` : metric.name,
        name_folded: fold(metric.key === AVAILABILITY_KEY ? `${metric.name} (${scanner.name})` : metric.name),
        unit: metric.unit,
        type: metric.type,
        thresholds: JSON.stringify({ ...NO_THRESHOLDS, ...metric.thresholds }),
        attempts: null,
        no_data: 'unknown',
        enabled: 1 as const,
        ...stamps,
      })),
    )
    .execute()
  return row.id
}
