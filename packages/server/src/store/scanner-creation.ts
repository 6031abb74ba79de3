import { AVAILABILITY_KEY, CHECKS, type CheckKind, fold, type MetricDefinition, NO_THRESHOLDS } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
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
  { hostId, ...scanner }: NewScanner,
  by: string | null,
  nowMs: number,
): Promise<number> => {
  const [id] = await insertScannerOnHosts(db, [hostId], scanner, by, nowMs)
  if (id === undefined) throw new Error(`no host ${hostId}`)
  return id
}

/**
 * The same scanner on each of these hosts (at most some 1,000 at once) with its metrics, in one statement for the scanners
 * and one for each metric, whatever the number of hosts. The new scanners' ids come in no order.
 */
export const insertScannerOnHosts = async (
  db: Db,
  hostIds: readonly number[],
  scanner: Omit<NewScanner, 'hostId'>,
  by: string | null,
  nowMs: number,
): Promise<number[]> => {
  if (hostIds.length === 0) return []
  const { kind, name } = scanner
  const stamps = sql`${integer(nowMs)}, ${integer(nowMs)}, ${text(by)}`
  const figures = [scanner.intervalSeconds, scanner.retryIntervalSeconds, scanner.timeoutMs, scanner.attempts]
  const parameters = JSON.stringify(CHECKS[kind].parameters.parse(scanner.parameters))
  const made = await sql<{
    id: number
  }>`insert into scanner (host_id, name, name_folded, kind, probe_id, interval_seconds,
      retry_interval_seconds, timeout_ms, attempts, parameters, enabled, created_at, updated_at, updated_by)
    select id, ${text(name)}, ${text(fold(name))}, ${text(kind)}, ${integer(scanner.probeId ?? null)},
      ${sql.join(figures.map(figure => integer(figure ?? null)))}, ${text(parameters)},
      ${integer(scanner.enabled === false ? 0 : 1)}, ${stamps}
    from host where id in (${sql.join(hostIds)}) returning id`.execute(db)
  const ids = made.rows.map(row => row.id)
  for (const metric of initialMetrics(kind)) {
    const shown = metric.key === AVAILABILITY_KEY ? `${metric.name} (${name})` : metric.name
    await sql`insert into metric (host_id, scanner_id, key, name, name_folded, unit, type, thresholds, attempts, no_data,
        enabled, created_at, updated_at, updated_by)
      select host_id, id, ${text(metric.key)}, ${text(shown)}, ${text(fold(shown))}, ${text(metric.unit)},
        ${text(metric.type)}, ${text(JSON.stringify({ ...NO_THRESHOLDS, ...metric.thresholds }))}, ${integer(null)},
        ${text('unknown')}, ${integer(1)}, ${stamps}
      from scanner where id in (${sql.join(ids)})`.execute(db)
  }
  return ids
}

/** Constants of a `select` say their type: PostgreSQL would take them for texts. */
const text = (value: string | null): RawBuilder<string> => sql`cast(${value} as text)`
const integer = (value: number | null): RawBuilder<number> => sql`cast(${value} as bigint)`
