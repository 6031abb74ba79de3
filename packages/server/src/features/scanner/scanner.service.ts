import {
  CHECK_PARAMETERS,
  type DatatableRequest,
  fieldErrors,
  fold,
  type Scanner,
  type ScannerInput,
  type Settings,
} from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { invalid, invalidField, notFound, stale } from '../../http/refusal.ts'
import { type MetricListRow, metricList, toMetric } from '../../monitoring/metric-list.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { effectiveSchedule, type ScannerRow, scannerList, toScanner } from '../../monitoring/scanner-list.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import type { Database } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { insertScannerWithMetrics } from '../../store/scanner-creation.ts'
import { fromIso, toIsoOrNull } from '../../store/time.ts'

export interface ScannerDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
  readonly settings: () => Settings
}

const scheduleColumns = (input: ScannerInput) => ({
  interval_seconds: input.intervalSeconds,
  retry_interval_seconds: input.retryIntervalSeconds,
  timeout_ms: input.timeoutMs,
  attempts: input.attempts,
})

export const createScannerService = (deps: ScannerDeps) => {
  const { now, changes, monitoring } = deps
  const { db } = deps.database
  const shown = (row: ScannerRow): Scanner => toScanner(row, monitoring.model, deps.settings())
  const get = async (viewer: Viewer | 'system', id: number): Promise<Scanner> => {
    const row = await fetchOne<ScannerRow>(db, scannerList(viewer), id)
    if (row === null) throw notFound("Ce scanner n'existe pas.")
    return shown(row)
  }

  /** The parameters in the shape of their kind, or what is wrong with them, field by field. */
  const parametersOf = (input: ScannerInput): Record<string, unknown> => {
    const parsed = CHECK_PARAMETERS[input.kind].safeParse(input.parameters)
    if (parsed.success) return parsed.data
    const errors = fieldErrors(parsed.error).map(({ field, message }) => [`parameters.${field}`, message] as const)
    throw invalid(
      errors.map(([field, message]) => `${field} : ${message}.`),
      Object.fromEntries(errors),
    )
  }
  const check = async (input: ScannerInput): Promise<void> => {
    if ((await db.selectFrom('host').select('id').where('id', '=', input.hostId).executeTakeFirst()) === undefined)
      throw invalidField('hostId', "Cet équipement n'existe pas.")
    if (
      input.probeId !== null &&
      (await db.selectFrom('probe').select('id').where('id', '=', input.probeId).executeTakeFirst()) === undefined
    )
      throw invalidField('probeId', "Cette sonde n'existe pas.")
    if (input.intervalSeconds !== null && (input.retryIntervalSeconds ?? 0) > input.intervalSeconds)
      throw invalidField(
        'retryIntervalSeconds',
        "L'intervalle entre deux tentatives ne peut dépasser l'intervalle de contrôle.",
      )
    const { retryIntervalSeconds } = effectiveSchedule(scheduleColumns(input), deps.settings())
    if ((input.timeoutMs ?? 0) > retryIntervalSeconds * 1_000)
      throw invalidField(
        'timeoutMs',
        `Le délai d'attente ne peut dépasser l'intervalle entre deux tentatives (${retryIntervalSeconds} s).`,
      )
  }
  const settle = async (id: number, action: 'created' | 'updated' | 'deleted', hostId: number): Promise<void> => {
    await monitoring.reload()
    await monitoring.evaluation.between(effects => {
      const host = monitoring.model.hosts.get(hostId)
      if (host !== undefined) effects.hosts.add(host)
    })
    changes.emit({ entity: 'scanner', ids: [id], action })
  }

  return {
    get,
    list: async (viewer: Viewer, host: number | undefined) =>
      (
        await fetchAll<ScannerRow>(
          db,
          scannerList(viewer),
          host === undefined ? undefined : { name: 'hostId', value: host },
        )
      ).map(shown),
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const page = await runDatatable<ScannerRow>(deps.database, scannerList(viewer), request)
      return { ...page, data: page.data.map(shown) }
    },
    metrics: async (viewer: Viewer, id: number) => {
      await get(viewer, id)
      const rows = await fetchAll<MetricListRow>(db, metricList(viewer), { name: 'scannerId', value: id })
      return rows.map(row => toMetric(row, monitoring.model))
    },
    lastUpdate: async () => {
      const row = await db
        .selectFrom('scanner')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    async create(viewer: Viewer, input: ScannerInput): Promise<Scanner> {
      await check(input)
      const parameters = parametersOf(input)
      const id = await db
        .transaction()
        .execute(trx => insertScannerWithMetrics(trx, { ...input, parameters }, viewer.login, now()))
      await settle(id, 'created', input.hostId)
      return get('system', id)
    },
    async update(viewer: Viewer, id: number, input: ScannerInput & { updatedAt: string }): Promise<Scanner> {
      const before = await get(viewer, id)
      if (fromIso(before.updatedAt) !== fromIso(input.updatedAt)) throw stale(before, before.updatedBy)
      if (input.kind !== before.kind)
        throw invalidField('kind', "Le type d'un scanner ne change pas : créez-en un autre.")
      if (input.hostId !== before.hostId)
        throw invalidField('hostId', "Un scanner ne change pas d'équipement : créez-en un autre.")
      await check(input)
      const changed = await db
        .updateTable('scanner')
        .set({
          name: input.name,
          name_folded: fold(input.name),
          probe_id: input.probeId,
          ...scheduleColumns(input),
          parameters: JSON.stringify(parametersOf(input)),
          enabled: input.enabled ? 1 : 0,
          updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
          updated_by: viewer.login,
        })
        .where('id', '=', id)
        .where('updated_at', '=', fromIso(before.updatedAt))
        .executeTakeFirst()
      if (Number(changed.numUpdatedRows) === 0) throw stale(await get(viewer, id), null)
      await settle(id, 'updated', before.hostId)
      return get('system', id)
    },
    async delete(viewer: Viewer, id: number) {
      const { hostId } = await get(viewer, id)
      const metrics = await db.selectFrom('metric').select('id').where('scanner_id', '=', id).execute()
      await db.transaction().execute(async trx => {
        await trx.updateTable('host').set({ life_scanner_id: null }).where('life_scanner_id', '=', id).execute()
        await trx.deleteFrom('scanner').where('id', '=', id).execute()
      })
      await deps.samples.forget(metrics.map(metric => metric.id))
      await settle(id, 'deleted', hostId)
      return { deleted: true, metrics: metrics.length }
    },
  }
}
export type ScannerService = ReturnType<typeof createScannerService>
