import {
  type DatatableRequest,
  fold,
  type Metric,
  type MetricInput,
  type MetricUpdate,
  metricDefinition,
  type Thresholds,
} from '@narval/contracts'
import { thresholdFaults } from '@narval/engine'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalid, invalidField, notFound, stale } from '../../http/refusal.ts'
import { toMetricLive } from '../../monitoring/live.ts'
import { type MetricListRow, metricList, toMetric } from '../../monitoring/metric-list.ts'
import { METRIC_MEMORY } from '../../monitoring/metric-memory.ts'
import type { MetricEntry } from '../../monitoring/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import type { Database } from '../../store/database.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { type Held, runHeld } from '../../store/memory-list.ts'
import { fromIso, toIso, toIsoOrNull } from '../../store/time.ts'
import { seesSite } from '../../store/visible.ts'
import { type DataQuery, readMetricData } from './metric-data.ts'
import { THRESHOLD_FAULT_TEXTS } from './threshold-texts.ts'

export interface MetricDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
}

export const createMetricService = (deps: MetricDeps) => {
  const { now, changes, monitoring, samples } = deps
  const { db } = deps.database
  const get = async (viewer: Viewer | 'system', id: number): Promise<Metric> => {
    const row = await fetchOne<MetricListRow>(db, metricList(viewer), id)
    if (row === null) throw notFound("Cette métrique n'existe pas.")
    return toMetric(row, monitoring.model)
  }
  const listBy = async (viewer: Viewer, filter?: { name: string; value: number }): Promise<Metric[]> =>
    (await fetchAll<MetricListRow>(db, metricList(viewer), filter)).map(row => toMetric(row, monitoring.model))

  const checkThresholds = (thresholds: Thresholds): void => {
    const faults = thresholdFaults(thresholds).map(
      ({ field, code }) => [`thresholds.${field}`, THRESHOLD_FAULT_TEXTS[code]] as const,
    )
    if (faults.length > 0)
      throw invalid([...new Set(faults.map(([, message]) => `${message}.`))], Object.fromEntries(faults))
  }
  const saved = async (id: number, action: 'created' | 'updated'): Promise<Metric> => {
    await monitoring.reload()
    await monitoring.evaluation.between(effects => {
      const entry = monitoring.model.metrics.get(id)
      if (entry !== undefined) effects.hosts.add(entry.scanner.host)
    })
    changes.emit({ entity: 'metric', ids: [id], action })
    return get('system', id)
  }
  const entries = (ids: readonly number[]) => ids.flatMap(id => monitoring.model.metrics.get(id) ?? [])

  return {
    get,
    list: (viewer: Viewer, host: number | undefined) =>
      listBy(viewer, host === undefined ? undefined : { name: 'hostId', value: host }),
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const sees = seesSite(viewer)
      const held: Held<MetricEntry> = {
        list: METRIC_MEMORY,
        all: monitoring.model.metrics.values(),
        visible: metric => sees(metric.scanner.host.site.id),
      }
      const page = await runHeld<MetricListRow, MetricEntry>(deps.database, metricList(viewer), held, request)
      return { ...page, data: page.data.map(row => toMetric(row, monitoring.model)) }
    },
    lastUpdate: async () => {
      const row = await db
        .selectFrom('metric')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    live: (query: { host?: number | undefined; ids?: number[] | undefined }) => {
      const host = query.host === undefined ? undefined : monitoring.model.hosts.get(query.host)
      const own =
        host === undefined ? [] : [...host.scanners.values()].flatMap(scanner => [...scanner.metrics.values()])
      return [...entries(query.ids ?? []), ...own].map(toMetricLive)
    },
    lastData: async (ids: readonly number[] | undefined) =>
      (await samples.last(entries(ids ?? []).map(metric => metric.id))).map(({ series, atMs, value }) => ({
        id: series,
        at: toIso(atMs),
        value,
      })),
    data: (query: DataQuery) => readMetricData(samples, monitoring, query, now()),
    async create(viewer: Viewer, input: MetricInput): Promise<Metric> {
      const scanner = await db.selectFrom('scanner').selectAll().where('id', '=', input.scannerId).executeTakeFirst()
      if (scanner === undefined) throw invalidField('scannerId', "Ce scanner n'existe pas.")
      const entry = monitoring.model.scanners.get(scanner.id)
      const definition = entry === undefined ? null : metricDefinition(entry.kind, input.key)
      if (definition === null) throw invalidField('key', 'Ce type de scanner ne produit pas cette clé.')
      if (entry?.metrics.has(input.key))
        throw conflict('Ce scanner a déjà cette métrique.', { fields: { key: 'Cette clé est déjà prise.' } })
      checkThresholds(input.thresholds)
      const row = await db
        .insertInto('metric')
        .values({
          ...columnsOf(input),
          host_id: scanner.host_id,
          scanner_id: scanner.id,
          key: input.key,
          unit: definition.unit,
          type: definition.type,
          created_at: now(),
          updated_at: now(),
          updated_by: viewer.login,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return saved(row.id, 'created')
    },
    async update(viewer: Viewer, id: number, input: MetricUpdate): Promise<Metric> {
      const before = await get(viewer, id)
      if (fromIso(before.updatedAt) !== fromIso(input.updatedAt)) throw stale(before, before.updatedBy)
      checkThresholds(input.thresholds)
      const changed = await db
        .updateTable('metric')
        .set({
          ...columnsOf(input),
          updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
          updated_by: viewer.login,
        })
        .where('id', '=', id)
        .where('updated_at', '=', fromIso(before.updatedAt))
        .executeTakeFirst()
      if (Number(changed.numUpdatedRows) === 0) throw stale(await get(viewer, id), null)
      return saved(id, 'updated')
    },
    async delete(viewer: Viewer, id: number) {
      const { hostId } = await get(viewer, id)
      await db.deleteFrom('metric').where('id', '=', id).execute()
      await samples.forget([id])
      await monitoring.reload()
      await monitoring.evaluation.between(effects => {
        const host = monitoring.model.hosts.get(hostId)
        if (host !== undefined) effects.hosts.add(host)
      })
      changes.emit({ entity: 'metric', ids: [id], action: 'deleted' })
      return { deleted: true }
    },
  }
}
export type MetricService = ReturnType<typeof createMetricService>

const columnsOf = (input: Omit<MetricUpdate, 'updatedAt'>) => ({
  name: input.name,
  name_folded: fold(input.name),
  thresholds: JSON.stringify(input.thresholds),
  attempts: input.attempts,
  no_data: input.noData,
  enabled: input.enabled ? (1 as const) : (0 as const),
})
