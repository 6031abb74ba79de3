import {
  type DatatableRequest,
  type Metric,
  type MetricInput,
  type MetricRuleReply,
  type MetricUpdate,
  metricDefinition,
  type SettingValue,
  type ThresholdFormulas,
  type Thresholds,
} from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalid, invalidField, notFound, stale } from '../../http/refusal.ts'
import { readableKeys, restoredFormulas, withReadableFormulas } from '../../monitoring/fleet/formula-names.ts'
import { createMetricsInMemory } from '../../monitoring/fleet/metric-memory.ts'
import { type MetricEntry, runnerOf } from '../../monitoring/fleet/model.ts'
import { fixedFaults, formulaFaults } from '../../monitoring/fleet/threshold-rules.ts'
import { toMetricLive } from '../../monitoring/live.ts'
import { type MetricListRow, metricInherits, metricList, toMetric } from '../../monitoring/metric-list.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { kindOf } from '../../monitoring/run/scanner-list.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import type { Database } from '../../store/database.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { fieldsFor } from '../../store/field-access.ts'
import { isNumeric } from '../../store/field-definitions.ts'
import { recomputeThresholds } from '../../store/field-formulas.ts'
import { everyMatch } from '../../store/matching.ts'
import { heldIds, runHeld } from '../../store/memory-list.ts'
import { modelScannerOf, modelsOf } from '../../store/model-changes.ts'
import { inheritedMetric, metricParameters } from '../../store/model-values.ts'
import { readRuleObject, rulesOf } from '../../store/rule-layers.ts'
import { fromIso, toIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { seesHost } from '../../store/visible.ts'
import { auditMetric, editedOf } from './metric-audit.ts'
import { type DataQuery, readMetricData } from './metric-data.ts'
import { type EventQuery, readMetricEvents } from './metric-event.ts'
import { metricColumns, ownFormulas } from './metric-own.ts'
import { explainMetric } from './metric-rule.ts'

export interface MetricDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
}

interface MetricServiceDeps extends MetricDeps {
  /** The platform's settings of collection, each with its origin. */
  readonly platform: () => readonly SettingValue[]
}

export const createMetricService = (deps: MetricServiceDeps) => {
  const { now, changes, monitoring, samples } = deps
  const { db } = deps.database
  const inMemory = createMetricsInMemory(monitoring.model)
  const rowOf = async (viewer: Viewer | 'system', id: number): Promise<MetricListRow> => {
    const row = await fetchOne<MetricListRow>(db, metricList(viewer), id)
    if (row === null) throw notFound("Cette métrique n'existe pas.")
    return row
  }
  const get = async (viewer: Viewer | 'system', id: number): Promise<Metric> => {
    const [metric] = await shown(viewer, [await rowOf(viewer, id)])
    if (metric === undefined) throw notFound("Cette métrique n'existe pas.")
    return metric
  }
  const shown = async (viewer: Viewer | 'system', rows: readonly MetricListRow[]): Promise<Metric[]> => {
    const models = await modelsOf(db, rows)
    const metrics = rows.map(row => toMetric(row, monitoring.model, models))
    return withReadableFormulas(deps.database, viewer, metrics)
  }
  const listBy = async (viewer: Viewer, filter?: { name: string; value: number }): Promise<Metric[]> =>
    shown(viewer, await fetchAll<MetricListRow>(db, metricList(viewer), filter))

  /** Refuses thresholds that contradict each other, and formulas newly written that can't be read or use a field that he may not read. */
  const checkThresholds = async (
    viewer: Viewer,
    thresholds: Thresholds,
    formulas: ThresholdFormulas,
    written: ThresholdFormulas,
  ) => {
    const numeric = (await fieldsFor(deps.database, viewer, 'host')).filter(one => isNumeric(one.definition.type))
    const known = new Set(numeric.map(one => one.definition.key))
    const faults = [
      ...fixedFaults(thresholds, formulas).map(([side, message]) => [`thresholds.${side}`, message] as const),
      ...formulaFaults(written, known).map(([side, message]) => [`formulas.${side}`, message] as const),
    ]
    if (faults.length > 0)
      throw invalid([...new Set(faults.map(([, message]) => `${message}.`))], Object.fromEntries(faults))
  }
  /** Monitoring knows of the change, and the host is judged again. */
  const settle = async (hostId: number): Promise<void> => {
    await monitoring.reloadHosts([hostId])
    await monitoring.evaluation.between(effects => {
      const host = monitoring.model.hosts.get(hostId)
      if (host !== undefined) effects.hosts.add(host)
    })
  }
  const saved = async (viewer: Viewer, id: number, hostId: number, action: 'created' | 'updated'): Promise<Metric> => {
    await settle(hostId)
    changes.emit({ entity: 'metric', ids: [id], action, hostIds: [hostId] })
    return get(viewer, id)
  }
  /** Those that the viewer sees: of the others not even that they are. */
  const entries = (viewer: Viewer, ids: readonly number[]): MetricEntry[] => {
    const sees = seesHost(viewer)
    return [...new Set(ids)].flatMap(id => {
      const entry = monitoring.model.metrics.get(id)
      return entry !== undefined && sees(entry.scanner.host) ? entry : []
    })
  }

  return {
    get,
    list: (viewer: Viewer, host: number | undefined) =>
      listBy(viewer, host === undefined ? undefined : { name: 'hostId', value: host }),
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const page = await runHeld<MetricListRow, MetricEntry>(
        deps.database,
        metricList(viewer),
        inMemory(viewer),
        request,
      )
      return { ...page, data: await shown(viewer, page.data) }
    },
    everything: (viewer: Viewer, request: DatatableRequest) =>
      everyMatch<MetricListRow, Metric>(
        deps.database,
        metricList(viewer),
        request,
        rows => shown(viewer, rows),
        heldIds(inMemory(viewer)),
      ),
    /** Which rule gave its present state. */
    async rule(viewer: Viewer, id: number): Promise<MetricRuleReply> {
      const metric = await get(viewer, id)
      const entry = monitoring.model.metrics.get(id)
      const object = await readRuleObject(db, viewer, 'metric', id)
      if (entry === undefined || object === null) throw notFound("Cette métrique n'existe pas.")
      const runner = runnerOf(monitoring.model, entry.scanner)
      const probe = runner === null ? null : (monitoring.presence.probes.get(runner)?.name ?? null)
      return explainMetric(metric, entry, rulesOf(object, 'metric', id, deps.platform()), probe)
    },
    lastUpdate: async () => {
      const row = await db
        .selectFrom('metric')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    live: (viewer: Viewer, query: { host?: number | undefined; ids?: number[] | undefined }) => {
      const host = query.host === undefined ? undefined : monitoring.model.hosts.get(query.host)
      const own =
        host === undefined || !seesHost(viewer)(host)
          ? []
          : [...host.scanners.values()].flatMap(scanner => [...scanner.metrics.values()])
      return [...entries(viewer, query.ids ?? []), ...own].map(toMetricLive)
    },
    lastData: async (viewer: Viewer, ids: readonly number[] | undefined) =>
      (await samples.last(entries(viewer, ids ?? []).map(metric => metric.id))).map(({ series, atMs, value }) => ({
        id: series,
        at: toIso(atMs),
        value,
      })),
    data: (viewer: Viewer, query: DataQuery) => readMetricData(samples, entries(viewer, query.ids ?? []), query, now()),
    events: (viewer: Viewer, query: EventQuery) => readMetricEvents(db, viewer, entries(viewer, query.ids), query),
    async create(viewer: Viewer, input: MetricInput): Promise<Metric> {
      const scanner = await db.selectFrom('scanner').selectAll().where('id', '=', input.scannerId).executeTakeFirst()
      const entry = monitoring.model.scanners.get(scanner?.id ?? 0)
      if (scanner === undefined || (entry !== undefined && !seesHost(viewer)(entry.host)))
        throw invalidField('scannerId', "Ce scanner n'existe pas.")
      const parameters = metricParameters(kindOf(scanner.kind), scanner.parameters)
      const definition = entry === undefined ? null : metricDefinition(entry.kind, input.key, parameters)
      if (definition === null) throw invalidField('key', 'Ce type de scanner ne produit pas cette clé.')
      if (entry?.metrics.has(input.key))
        throw conflict('Ce scanner a déjà cette métrique.', { fields: { key: 'Cette clé est déjà prise.' } })
      await checkThresholds(viewer, input.thresholds, input.formulas ?? {}, input.formulas ?? {})
      const models = await modelsOf(db, [scanner])
      const model = modelScannerOf(models, scanner)
      const inherited = inheritedMetric(kindOf(scanner.kind), scanner.name, input.key, model, parameters)
      const row = await transaction(db, async trx => {
        const made = await trx
          .insertInto('metric')
          .values({
            ...metricColumns(input, inherited, null),
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
        await recomputeThresholds(trx, [scanner.host_id])
        await auditMetric(trx, viewer, 'create', made.id, null, input, now())
        return made
      })
      return saved(viewer, row.id, scanner.host_id, 'created')
    },
    async update(viewer: Viewer, id: number, sent: MetricUpdate): Promise<Metric> {
      const row = await rowOf(viewer, id)
      const models = await modelsOf(db, [row])
      const before = toMetric(row, monitoring.model, models)
      if (fromIso(before.updatedAt) !== fromIso(sent.updatedAt)) throw stale(await get(viewer, id), before.updatedBy)
      const inherits = metricInherits(row, models)
      const readable = await readableKeys(deps.database, viewer)
      const { formulas, written } = restoredFormulas(
        sent.formulas ?? {},
        [before.formulas, inherits.formulas],
        readable,
      )
      const input = sent.formulas === undefined ? sent : { ...sent, formulas }
      const columns = metricColumns(input, inherits, row)
      if (columns.overrides.includes('thresholds'))
        await checkThresholds(viewer, input.thresholds, ownFormulas(input, row), written)
      const isSaved = await transaction(db, async trx => {
        const changed = await trx
          .updateTable('metric')
          .set({
            ...columns,
            updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .where('updated_at', '=', fromIso(before.updatedAt))
          .executeTakeFirst()
        if (Number(changed.numUpdatedRows) === 0) return false
        if (columns.formulas !== '{}') await recomputeThresholds(trx, [before.hostId])
        await auditMetric(trx, viewer, 'update', id, before, editedOf(columns), now())
        return true
      })
      if (!isSaved) throw stale(await get(viewer, id), null)
      return saved(viewer, id, before.hostId, 'updated')
    },
    async delete(viewer: Viewer, id: number) {
      const row = await rowOf(viewer, id)
      const before = toMetric(row, monitoring.model, await modelsOf(db, [row]))
      const { hostId } = before
      await transaction(db, async trx => {
        await trx.deleteFrom('metric').where('id', '=', id).execute()
        await auditMetric(trx, viewer, 'delete', id, before, null, now())
      })
      await samples.forget([id])
      await settle(hostId)
      changes.emit({ entity: 'metric', ids: [id], action: 'deleted', hostIds: [hostId] })
      return { deleted: true }
    },
  }
}
export type MetricService = ReturnType<typeof createMetricService>
