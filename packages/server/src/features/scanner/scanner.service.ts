import type { DatatableRequest, Scanner, ScannerInput, ScannerUpdate, Settings } from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalidField, notFound, stale } from '../../http/refusal.ts'
import { withReadableFormulas } from '../../monitoring/fleet/formula-names.ts'
import { type MetricListRow, metricList, toMetric } from '../../monitoring/metric-list.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { type ScannerRow, scannerList, toScanner } from '../../monitoring/run/scanner-list.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import type { Database } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { modelScannerOf, modelsOf } from '../../store/model-changes.ts'
import { insertScannerWithMetrics } from '../../store/scanner-creation.ts'
import { fromIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { visibleHost } from '../../store/visible.ts'
import { auditScanner } from './scanner-audit.ts'
import { inheritedInput, ownFields, scannerColumns } from './scanner-own.ts'
import { checkedParameters } from './scanner-parameters.ts'
import { checkSchedule } from './scanner-schedule.ts'

export interface ScannerDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
  readonly settings: () => Settings
}

interface ScannerServiceDeps extends ScannerDeps {
  /** Asks the probes of these scanners to run them now; how many probes were told. */
  readonly recheck: (scannerIds: readonly number[]) => number
}

export const createScannerService = (deps: ScannerServiceDeps) => {
  const { now, changes, monitoring } = deps
  const { db } = deps.database
  const shown = async (rows: readonly ScannerRow[]): Promise<Scanner[]> => {
    const models = await modelsOf(db, rows)
    return rows.map(row => toScanner(row, monitoring, deps.settings(), models))
  }
  const rowOf = async (viewer: Viewer | 'system', id: number): Promise<ScannerRow> => {
    const row = await fetchOne<ScannerRow>(db, scannerList(viewer), id)
    if (row === null) throw notFound("Ce scanner n'existe pas.")
    return row
  }
  const get = async (viewer: Viewer | 'system', id: number): Promise<Scanner> => {
    const row = await rowOf(viewer, id)
    return toScanner(row, monitoring, deps.settings(), await modelsOf(db, [row]))
  }

  const check = async (viewer: Viewer, input: ScannerInput): Promise<void> => {
    const host = db.selectFrom('host').select('id').where('id', '=', input.hostId).where(visibleHost(viewer))
    if ((await host.executeTakeFirst()) === undefined) throw invalidField('hostId', "Cet équipement n'existe pas.")
    if (
      input.probeId !== null &&
      (await db.selectFrom('probe').select('id').where('id', '=', input.probeId).executeTakeFirst()) === undefined
    )
      throw invalidField('probeId', "Cette sonde n'existe pas.")
    checkSchedule(input, deps.settings())
  }
  const settle = async (id: number, action: 'created' | 'updated' | 'deleted', hostId: number): Promise<void> => {
    await monitoring.reloadHosts([hostId])
    await monitoring.evaluation.between(effects => {
      const host = monitoring.model.hosts.get(hostId)
      if (host !== undefined) effects.hosts.add(host)
    })
    changes.emit({ entity: 'scanner', ids: [id], action, hostIds: [hostId] })
  }

  return {
    get,
    list: async (viewer: Viewer, host: number | undefined) =>
      shown(
        await fetchAll<ScannerRow>(
          db,
          scannerList(viewer),
          host === undefined ? undefined : { name: 'hostId', value: host },
        ),
      ),
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const page = await runDatatable<ScannerRow>(deps.database, scannerList(viewer), request)
      return { ...page, data: await shown(page.data) }
    },
    metrics: async (viewer: Viewer, id: number) => {
      await get(viewer, id)
      const rows = await fetchAll<MetricListRow>(db, metricList(viewer), { name: 'scannerId', value: id })
      const models = await modelsOf(db, rows)
      const metrics = rows.map(row => toMetric(row, monitoring.model, models))
      return withReadableFormulas(deps.database, viewer, metrics)
    },
    check: async (viewer: Viewer, id: number) => {
      const { enabled } = await get(viewer, id)
      if (!enabled) throw conflict('Ce scanner est désactivé.')
      return { probes: deps.recheck([id]) }
    },
    /** Its last runs, wherever they took place. */
    runs: async (viewer: Viewer, id: number) => {
      await rowOf(viewer, id)
      const entry = monitoring.model.scanners.get(id)
      return entry === undefined ? { runs: [], missed: 0 } : monitoring.runs.of(entry, now())
    },
    lastUpdate: async () => {
      const row = await db
        .selectFrom('scanner')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    async create(viewer: Viewer, input: ScannerInput): Promise<Scanner> {
      await check(viewer, input)
      const parameters = checkedParameters(input.kind, input.parameters)
      const id = await transaction(db, async trx => {
        const made = await insertScannerWithMetrics(trx, { ...input, parameters }, viewer.login, now())
        await auditScanner(trx, viewer, 'create', made, null, { ...input, parameters }, now())
        return made
      })
      await settle(id, 'created', input.hostId)
      return get('system', id)
    },
    async update(viewer: Viewer, id: number, body: ScannerUpdate): Promise<Scanner> {
      const row = await rowOf(viewer, id)
      const models = await modelsOf(db, [row])
      const before = toScanner(row, monitoring, deps.settings(), models)
      if (fromIso(before.updatedAt) !== fromIso(body.updatedAt)) throw stale(before, before.updatedBy)
      refuseOther(before, body)
      const said = modelScannerOf(models, row)
      const own = said === null ? [] : ownFields(body, said, before)
      const input = said === null ? body : inheritedInput(body, said, own)
      await check(viewer, input)
      const saved = { ...input, parameters: checkedParameters(input.kind, input.parameters) }
      const isSaved = await transaction(db, async trx => {
        const changed = await trx
          .updateTable('scanner')
          .set({
            ...scannerColumns(saved, own),
            updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .where('updated_at', '=', fromIso(before.updatedAt))
          .executeTakeFirst()
        if (Number(changed.numUpdatedRows) === 0) return false
        await auditScanner(trx, viewer, 'update', id, before, { ...saved, overrides: [...own] }, now())
        return true
      })
      if (!isSaved) throw stale(await get(viewer, id), null)
      await settle(id, 'updated', before.hostId)
      return get('system', id)
    },
    async delete(viewer: Viewer, id: number) {
      const before = await get(viewer, id)
      const { hostId } = before
      if (before.modelId !== null)
        throw fromModel(before, 'ne se supprime pas seul : désactivez-le, ou retirez le modèle de l’équipement')
      const metrics = await db.selectFrom('metric').select('id').where('scanner_id', '=', id).execute()
      await transaction(db, async trx => {
        await trx.updateTable('host').set({ life_scanner_id: null }).where('life_scanner_id', '=', id).execute()
        await trx.deleteFrom('scanner').where('id', '=', id).execute()
        await auditScanner(trx, viewer, 'delete', id, before, null, now())
      })
      await deps.samples.forget(metrics.map(metric => metric.id))
      await settle(id, 'deleted', hostId)
      return { deleted: true, metrics: metrics.length }
    },
  }
}
export type ScannerService = ReturnType<typeof createScannerService>

const fromModel = (scanner: Scanner, why: string) =>
  conflict(`Ce scanner vient du modèle de supervision « ${scanner.modelName ?? ''} » : il ${why}.`)

/** What never changes of a scanner; of one that comes from a model, its name too. */
const refuseOther = (before: Scanner, input: ScannerInput): void => {
  const isOther = input.kind !== before.kind || input.hostId !== before.hostId
  if (before.modelId !== null && (isOther || input.name !== before.name))
    throw fromModel(before, 'ne change ni de nom, ni de type, ni d’équipement')
  if (input.kind !== before.kind) throw invalidField('kind', "Le type d'un scanner ne change pas : créez-en un autre.")
  if (input.hostId !== before.hostId)
    throw invalidField('hostId', "Un scanner ne change pas d'équipement : créez-en un autre.")
}
