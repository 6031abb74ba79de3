import { fold } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { recomputeThresholds } from './field-formulas.ts'
import { IDS_AT_ONCE, type ModelChanges, modelChanges, slicesOf } from './model-changes.ts'
import { inheritedMetric, scannerValues, type WantedScanner } from './model-values.ts'
import { initialMetrics } from './scanner-creation.ts'

/** What bringing hosts to their models did. */
export interface AppliedModels {
  readonly scannersCreated: number
  readonly scannersUpdated: number
  readonly scannersDeleted: number
  readonly metricsUpdated: number
  readonly metricsDeleted: number
  /** For `samples.forget`, after the commit. */
  readonly deletedMetricIds: readonly number[]
  readonly changedHostIds: readonly number[]
}

/**
 * Brings the scanners and metrics of these hosts to what their models say (`host_monitoring_model`, by position), within
 * the caller's transaction. Fields of their own stay; what is as it should be is not written, so that doing it again does
 * nothing. The caller holds the lock `monitoring-models`, so that no model changes meanwhile. Afterwards, outside the transaction: forget the samples, read the fleet again, tell who listens.
 */
export const applyModels = async (
  trx: Db,
  hostIds: readonly number[],
  by: string | null,
  nowMs: number,
): Promise<AppliedModels> => {
  const tally = createTally()
  const computed = new Set<number>()
  for await (const changes of modelChanges(trx, hostIds)) {
    tally.add(changes)
    await deleteScanners(
      trx,
      changes.deleted.map(scanner => scanner.id),
    )
    await updateScanners(trx, changes.scanners, by, nowMs)
    await updateMetrics(trx, changes.metrics, by, nowMs)
    for (const [wanted, of] of Map.groupBy(changes.created, one => one.wanted)) {
      const ids = of.map(({ hostId }) => hostId)
      await createScanners(trx, wanted, ids, by, nowMs)
      if (wanted.scanner.metrics.some(({ formulas }) => Object.keys(formulas).length > 0))
        for (const id of ids) computed.add(id)
    }
  }
  if (computed.size > 0) await recomputeThresholds(trx, [...computed])
  return tally.total()
}

/** Counts changes: what was done, or what would be. */
export const createTally = () => {
  const counts = { scannersCreated: 0, scannersUpdated: 0, scannersDeleted: 0, metricsUpdated: 0, metricsDeleted: 0 }
  const deletedMetricIds: number[] = []
  const hosts = new Set<number>()
  return {
    add(changes: ModelChanges): void {
      counts.scannersCreated += changes.created.length
      counts.scannersUpdated += changes.scanners.length
      counts.scannersDeleted += changes.deleted.length
      counts.metricsUpdated += changes.metrics.length
      counts.metricsDeleted += changes.deletedMetrics.length
      for (const { id } of changes.deletedMetrics) deletedMetricIds.push(id)
      for (const { hostId } of changes.created) hosts.add(hostId)
      for (const { kept } of changes.scanners) hosts.add(kept.held.host_id)
      for (const { hostId } of changes.metrics) hosts.add(hostId)
      for (const { host_id } of changes.deleted) hosts.add(host_id)
    },
    total: (): AppliedModels => ({ ...counts, deletedMetricIds, changedHostIds: [...hosts] }),
  }
}

/** The next version of a row, even when the clock was set back: a form based on an older one must be found stale. */
const nextVersion = (column: RawBuilder<number>, nowMs: number) =>
  sql<number>`case when ${column} >= ${integer(nowMs)} then ${column} + 1 else ${integer(nowMs)} end`

const deleteScanners = async (trx: Db, scannerIds: readonly number[]): Promise<void> => {
  for (const ids of slicesOf(scannerIds, IDS_AT_ONCE)) {
    await trx.updateTable('host').set({ life_scanner_id: null }).where('life_scanner_id', 'in', ids).execute()
    await trx.deleteFrom('scanner').where('id', 'in', ids).execute()
  }
}

/** Most rows of a model change in the same way: each way is one statement. */
const byChange = <T extends { readonly change: object; readonly computed?: boolean }>(
  all: readonly T[],
): [T['change'], T[]][] =>
  [...Map.groupBy(all, ({ change, computed }) => JSON.stringify([change, computed])).values()].flatMap(same =>
    same[0] === undefined ? [] : [[same[0].change, same]],
  )

const updateScanners = async (
  trx: Db,
  scanners: ModelChanges['scanners'],
  by: string | null,
  nowMs: number,
): Promise<void> => {
  const stamps = { updated_at: nextVersion(sql.ref<number>('updated_at'), nowMs), updated_by: by }
  for (const [change, same] of byChange(scanners))
    await trx
      .updateTable('scanner')
      .set({ ...change, ...stamps })
      .where(
        'id',
        'in',
        same.map(({ kept }) => kept.held.id),
      )
      .execute()
}

const updateMetrics = async (
  trx: Db,
  metrics: ModelChanges['metrics'],
  by: string | null,
  nowMs: number,
): Promise<void> => {
  const stamps = { updated_at: nextVersion(sql.ref<number>('updated_at'), nowMs), updated_by: by }
  for (const [change, same] of byChange(metrics)) {
    const isComputed = same.every(one => one.computed)
    const folded = change.name === undefined ? {} : { name_folded: fold(change.name) }
    for (const some of slicesOf(same, IDS_AT_ONCE))
      await trx
        .updateTable('metric')
        .set({ ...change, ...folded, ...(isComputed ? {} : stamps) })
        .where(
          'id',
          'in',
          some.map(({ held }) => held.id),
        )
        .execute()
  }
}

/** One item on all the hosts that are to have it: its scanners, then the metrics that its kind always brings. */
const createScanners = async (
  trx: Db,
  { modelId, scanner, folded }: WantedScanner,
  hostIds: readonly number[],
  by: string | null,
  nowMs: number,
): Promise<void> => {
  const stamps = sql`${integer(nowMs)}, ${integer(nowMs)}, ${text(by)}`
  const v = scannerValues(scanner)
  const figures = [v.interval_seconds, v.retry_interval_seconds, v.timeout_ms, v.attempts].map(integer)
  const made = await sql<{
    id: number
  }>`insert into scanner (host_id, name, name_folded, kind, interval_seconds, retry_interval_seconds,
      timeout_ms, attempts, parameters, enabled, model_id, model_item, created_at, updated_at, updated_by)
    select id, ${text(scanner.name)}, ${text(folded)}, ${text(scanner.kind)}, ${sql.join(figures)}, ${text(v.parameters)},
      ${integer(v.enabled)}, ${integer(modelId)}, ${text(scanner.item)}, ${stamps} from host where id in (${sql.join(hostIds)})
    returning id`.execute(trx)
  const ids = sql.join(made.rows.map(row => row.id))
  for (const metric of initialMetrics(scanner.kind)) {
    const values = inheritedMetric(scanner.kind, scanner.name, metric.key, scanner)
    await sql`insert into metric (host_id, scanner_id, key, name, name_folded, unit, type, thresholds, formulas, attempts, no_data,
        enabled, created_at, updated_at, updated_by)
      select host_id, id, ${text(metric.key)}, ${text(values.name)}, ${text(fold(values.name))}, ${text(metric.unit)},
        ${text(metric.type)}, ${text(JSON.stringify(values.thresholds))}, ${text(JSON.stringify(values.formulas))},
        ${integer(values.attempts)}, ${text(values.noData)}, ${integer(values.enabled ? 1 : 0)}, ${stamps}
      from scanner where id in (${ids})`.execute(trx)
  }
}

/** Constants of a `select` say their type: PostgreSQL would take them for texts. */
const text = (value: string | null): RawBuilder<string> => sql`cast(${value} as text)`
const integer = (value: number | null): RawBuilder<number> => sql`cast(${value} as bigint)`
