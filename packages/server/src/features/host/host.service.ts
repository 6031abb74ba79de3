import type { DatatableRequest, Host, HostInput } from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { invalidField, notFound, stale } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import type { Database, Db } from '../../store/database.ts'
import { runDatatable, runSelect2 } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { insertScannerWithMetrics } from '../../store/scanner-creation.ts'
import { fromIso, toIsoOrNull } from '../../store/time.ts'
import { visibleTo } from '../../store/visible.ts'
import { type HostRow, hostColumns, hostList, toHost } from './host.store.ts'

export interface HostDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
  /** Orders a run of these scanners now; gives back how many probes were told. */
  readonly recheck: (scannerIds: readonly number[]) => number
}

type Select2Query = { term?: string | undefined; page?: number | undefined }

export const createHostService = (deps: HostDeps) => {
  const { now, changes, monitoring } = deps
  const { db } = deps.database
  const get = async (viewer: Viewer | 'system', id: number): Promise<Host> => {
    const row = await fetchOne<HostRow>(db, hostList(viewer), id)
    if (row === null) throw notFound("Cet équipement n'existe pas.")
    return toHost(row, monitoring)
  }

  const exists = async (table: 'site' | 'host_type' | 'host_model' | 'probe', id: number | null): Promise<boolean> =>
    id === null || (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  const check = async (input: HostInput, id: number): Promise<void> => {
    if (!(await exists('site', input.siteId))) throw invalidField('siteId', "Ce site n'existe pas.")
    if (!(await exists('host_type', input.typeId))) throw invalidField('typeId', "Ce type d'équipement n'existe pas.")
    if (!(await exists('host_model', input.modelId))) throw invalidField('modelId', "Ce modèle matériel n'existe pas.")
    if (!(await exists('probe', input.probeId))) throw invalidField('probeId', "Cette sonde n'existe pas.")
    if (input.lifeScannerId === null) return
    const life = await db
      .selectFrom('scanner')
      .select('id')
      .where('id', '=', input.lifeScannerId)
      .where('host_id', '=', id)
      .executeTakeFirst()
    if (life === undefined) throw invalidField('lifeScannerId', "Ce scanner n'est pas un scanner de cet équipement.")
  }

  const saved = async (id: number, action: 'created' | 'updated'): Promise<Host> => {
    await monitoring.reload()
    await monitoring.evaluation.between(effects => {
      const entry = monitoring.model.hosts.get(id)
      if (entry !== undefined) effects.hosts.add(entry)
    })
    changes.emit({ entity: 'host', ids: [id], action })
    return get('system', id)
  }

  const insert = async (trx: Db, viewer: Viewer, input: HostInput, withPing: boolean): Promise<number> => {
    const row = await trx
      .insertInto('host')
      .values({
        ...hostColumns(input),
        state: 'pending',
        severity_rank: 2,
        state_since: now(),
        created_at: now(),
        updated_at: now(),
        updated_by: viewer.login,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (withPing)
      await insertScannerWithMetrics(
        trx,
        { hostId: row.id, kind: 'ping', name: 'Ping', parameters: {} },
        viewer.login,
        now(),
      )
    return row.id
  }

  return {
    get,
    list: async (viewer: Viewer, site: string | undefined) => {
      const rows = await fetchAll<HostRow>(
        db,
        hostList(viewer),
        site === undefined ? undefined : { name: 'siteId', value: Number(site) },
      )
      return rows.map(row => toHost(row, monitoring))
    },
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const page = await runDatatable<HostRow>(deps.database, hostList(viewer), request)
      return { ...page, data: page.data.map(row => toHost(row, monitoring)) }
    },
    lastUpdate: async () => {
      const row = await db
        .selectFrom('host')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    types: () => db.selectFrom('host_type').select(['id', 'name', 'icon']).orderBy('name_folded').execute(),
    models: () => db.selectFrom('host_model').select(['id', 'name', 'manufacturer']).orderBy('name_folded').execute(),
    select2: (viewer: Viewer, query: Select2Query) => runSelect2(db, sql`host`, visibleTo(viewer), query),
    select2Model: (query: Select2Query) => runSelect2(db, sql`host_model`, sql<boolean>`1 = 1`, query),
    select2Type: (query: Select2Query) => runSelect2(db, sql`host_type`, sql<boolean>`1 = 1`, query),
    async create(viewer: Viewer, input: HostInput & { withPing: boolean }): Promise<Host> {
      await check(input, 0)
      return saved(await db.transaction().execute(trx => insert(trx, viewer, input, input.withPing)), 'created')
    },
    async update(viewer: Viewer, id: number, input: HostInput & { updatedAt: string }): Promise<Host> {
      const before = await get(viewer, id)
      if (fromIso(before.updatedAt) !== fromIso(input.updatedAt)) throw stale(before, before.updatedBy)
      await check(input, id)
      const changed = await db
        .updateTable('host')
        .set({
          ...hostColumns(input),
          updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
          updated_by: viewer.login,
        })
        .where('id', '=', id)
        .where('updated_at', '=', fromIso(before.updatedAt))
        .executeTakeFirst()
      if (Number(changed.numUpdatedRows) === 0) throw stale(await get(viewer, id), null)
      return saved(id, 'updated')
    },
    async delete(viewer: Viewer, id: number, query: { plan?: string | undefined }) {
      await get(viewer, id)
      const scanners = await db.selectFrom('scanner').select('id').where('host_id', '=', id).execute()
      const metrics = await db.selectFrom('metric').select('id').where('host_id', '=', id).execute()
      const plan = { sites: 0, hosts: 1, scanners: scanners.length, metrics: metrics.length }
      if (query.plan === 'true') return { deleted: false, plan }
      await db.deleteFrom('host').where('id', '=', id).execute()
      await deps.samples.forget(metrics.map(metric => metric.id))
      await monitoring.reload()
      changes.emit({ entity: 'host', ids: [id], action: 'deleted' })
      return { deleted: true, plan }
    },
    async check(viewer: Viewer, id: number) {
      await get(viewer, id)
      const scanners = [...(monitoring.model.hosts.get(id)?.scanners.values() ?? [])].filter(scanner => scanner.enabled)
      return { scanners: scanners.length, probes: deps.recheck(scanners.map(scanner => scanner.id)) }
    },
  }
}
export type HostService = ReturnType<typeof createHostService>
