import {
  type DatatableRequest,
  HOST_NEIGHBOURS_MAX,
  HOST_STATES,
  type Host,
  type HostInput,
  type HostNeighbours,
  type Select2QueryFor,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import { type Viewer, where } from '../../http/caller.ts'
import { invalidField, notFound, stale } from '../../http/refusal.ts'
import type { HostEntry } from '../../monitoring/fleet/model.ts'
import { severityOf } from '../../monitoring/monitoring.store.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import { auditChange } from '../../store/audit-change.ts'
import { countComments } from '../../store/comments.ts'
import type { Database, Db } from '../../store/database.ts'
import { runSelect2 } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { recomputeThresholds } from '../../store/field-formulas.ts'
import { fieldColumns, fieldTexts, type ToldValues, withFields } from '../../store/field-lists.ts'
import { checkReferences, unseenFault } from '../../store/host-references.ts'
import { lastUpdateOf } from '../../store/last-update.ts'
import { lock } from '../../store/lock.ts'
import { everyMatch } from '../../store/matching.ts'
import { heldIds, runHeld } from '../../store/memory-list.ts'
import { applyModels } from '../../store/model-inheritance.ts'
import { hostColumns } from '../../store/object-columns.ts'
import { deleteHosts } from '../../store/owned-deletion.ts'
import { insertScannerWithMetrics } from '../../store/scanner-creation.ts'
import type { ProbeChoice, SiteProbes } from '../../store/site-probe.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { namesSeen, seesAll, visibleHost } from '../../store/visible.ts'
import { fieldsOf, type HostRow, hostList, toHost } from './host.store.ts'
import { hostColumnsOf } from './host-export.ts'
import { hostsAbove, linksOf, neighboursOf, saveMonitoringModels, saveParents } from './host-links.ts'
import { createHostsInMemory } from './host-memory.ts'

export interface HostDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
  /** Orders a run of these scanners now; gives back how many probes were told. */
  readonly siteProbes: SiteProbes
  readonly recheck: (scannerIds: readonly number[]) => number
}

type Select2Query = { term?: string | undefined; page?: number | undefined }

export const createHostService = (deps: HostDeps) => {
  const { now, changes, monitoring, database } = deps
  const { db } = database
  const inMemory = createHostsInMemory(monitoring.model)
  const list = (viewer: Viewer) => withFields(database, viewer, 'host', hostList(viewer))
  /** The probes of sites, with the names of those sites alone that one sees. */
  const probesNamed = async (viewer: Viewer | 'system'): Promise<ReadonlyMap<number, ProbeChoice>> => {
    const all = await deps.siteProbes.all()
    if (seesAll(viewer)) return all
    const named = await namesSeen(db, viewer)
    const told = ({ originId, originName, ...choice }: ProbeChoice): ProbeChoice => ({
      ...{ ...choice, originId },
      originName: originId === null || originName === null ? originName : named(originId, originName),
    })
    return new Map([...all].map(([id, choice]) => [id, told(choice)]))
  }
  const shown = async (
    viewer: Viewer | 'system',
    rows: readonly HostRow[],
    within: Db = db,
    told: ToldValues = 'in-force',
  ): Promise<Host[]> => {
    const links = await linksOf(
      within,
      rows.map(row => row.id),
      viewer,
    )
    // In a transaction only the fields are wanted, and SQLite has no second connection to ask for more.
    const siteProbes = within === db ? await probesNamed(viewer) : new Map()
    const owners = within === db ? rows.map(row => ({ id: row.id, typeId: row.type_id })) : []
    const customFields = await fieldTexts(database, viewer, 'host', owners, told)
    const around = { links, siteProbes, customFields }
    return rows.map(row => toHost(row, around, monitoring))
  }
  const get = async (viewer: Viewer | 'system', id: number, within: Db = db): Promise<Host> => {
    const row = await fetchOne<HostRow>(within, hostList(viewer), id)
    const [host] = row === null ? [] : await shown(viewer, [row], within)
    if (host === undefined) throw notFound("Cet équipement n'existe pas.")
    return host
  }

  const saved = async (viewer: Viewer, id: number, action: 'created' | 'updated'): Promise<Host> => {
    await monitoring.reloadHosts([id])
    await monitoring.evaluation.between(effects => {
      const entry = monitoring.model.hosts.get(id)
      if (entry !== undefined) effects.hosts.add(entry)
    })
    changes.emit({ entity: 'host', ids: [id], action })
    return get(viewer, id)
  }
  const recorded = (trx: Db, viewer: Viewer, id: number, before: Host | null, after: Host | null) =>
    auditChange(
      trx,
      {
        action: before === null ? 'host-create' : after === null ? 'host-delete' : 'host-update',
        actor: viewer.login,
        object: `host ${id}`,
        name: (after ?? before)?.name ?? '',
        before: before === null ? null : fieldsOf(before),
        after: after === null ? null : fieldsOf(after),
      },
      now(),
    )

  /** @returns the metrics that the models took away. */
  const saveLinks = async (trx: Db, viewer: Viewer, id: number, input: HostInput): Promise<readonly number[]> => {
    await saveParents(trx, id, input.parentIds)
    await saveMonitoringModels(trx, id, input.monitoringModelIds)
    await lock(database, trx, 'monitoring-models')
    return (await applyModels(trx, [id], viewer.login, now())).deletedMetricIds
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
    await saveLinks(trx, viewer, row.id, input)
    return row.id
  }

  return {
    get,
    list: async (viewer: Viewer, site: string | undefined) =>
      shown(
        viewer,
        await fetchAll<HostRow>(
          db,
          hostList(viewer),
          site === undefined ? undefined : { name: 'siteId', value: Number(site) },
        ),
      ),
    datatable: async (viewer: Viewer, request: DatatableRequest) => {
      const page = await runHeld<HostRow, HostEntry>(database, await list(viewer), inMemory(viewer), request)
      return { ...page, data: await shown(viewer, page.data) }
    },
    columns: async (viewer: Viewer) => [
      ...(await hostColumnsOf(db)),
      ...(await fieldColumns(database, viewer, 'host')),
    ],
    everything: async (viewer: Viewer, request: DatatableRequest, told: ToldValues) =>
      everyMatch<HostRow, Host>(
        database,
        await list(viewer),
        request,
        rows => shown(viewer, rows, db, told),
        heldIds(inMemory(viewer)),
      ),
    lastUpdate: () => lastUpdateOf(database, 'host'),
    async neighbours(viewer: Viewer, id: number): Promise<HostNeighbours> {
      await get(viewer, id)
      const { parents, children } = await neighboursOf(db, viewer, id, HOST_NEIGHBOURS_MAX)
      const toNeighbour = (row: (typeof parents)[number]): HostNeighbours['parents'][number] => ({
        id: row.id,
        name: row.name,
        siteId: row.site_id,
        siteName: row.site_name,
        state: HOST_STATES.find(state => state === row.state) ?? 'pending',
        severity: severityOf(row.severity_rank),
      })
      return { parents: parents.map(toNeighbour), children: children.map(toNeighbour) }
    },
    /** `claim`: those where one holds it. */
    select2: (viewer: Viewer, { claim, ...query }: Select2QueryFor) =>
      runSelect2(db, sql`host`, visibleHost(claim === undefined ? viewer : where(viewer, claim)), query),
    select2Model: (query: Select2Query) => runSelect2(db, sql`host_model`, sql<boolean>`1 = 1`, query),
    select2Type: (query: Select2Query) => runSelect2(db, sql`host_type`, sql<boolean>`1 = 1`, query),
    async create(viewer: Viewer, input: HostInput & { withPing: boolean }): Promise<Host> {
      const id = await transaction(db, async trx => {
        await checkHost(trx, viewer, input, 0)
        const created = await insert(trx, viewer, input, input.withPing)
        await recorded(trx, viewer, created, null, await get('system', created, trx))
        return created
      })
      return saved(viewer, id, 'created')
    },
    async update(viewer: Viewer, id: number, given: HostInput & { updatedAt: string }): Promise<Host> {
      const { parentIds: shownParents } = await get(viewer, id)
      const lost = await transaction(db, async trx => {
        await lock(database, trx, 'host-parents')
        const before = await get('system', id, trx)
        if (fromIso(before.updatedAt) !== fromIso(given.updatedAt))
          throw stale(await get(viewer, id, trx), before.updatedBy)
        await checkHost(trx, viewer, given, id, before.parentIds)
        // Parents that one does not see stay.
        const hidden = before.parentIds.filter(parent => !shownParents.includes(parent))
        const input = { ...given, parentIds: [...new Set([...given.parentIds, ...hidden])] }
        const changed = await trx
          .updateTable('host')
          .set({
            ...hostColumns(input),
            updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .where('updated_at', '=', fromIso(before.updatedAt))
          .executeTakeFirst()
        if (Number(changed.numUpdatedRows) === 0) throw stale(await get(viewer, id, trx), null)
        const lostMetrics = await saveLinks(trx, viewer, id, input)
        // Its type and its models say which fields it has, and their values.
        await recomputeThresholds(trx, [id])
        await recorded(trx, viewer, id, before, await get('system', id, trx))
        return lostMetrics
      })
      await deps.samples.forget(lost)
      return saved(viewer, id, 'updated')
    },
    async delete(viewer: Viewer, id: number, query: { plan?: string | undefined }) {
      const host = await get(viewer, id)
      const scanners = await db.selectFrom('scanner').select('id').where('host_id', '=', id).execute()
      const metrics = await db.selectFrom('metric').select('id').where('host_id', '=', id).execute()
      const comments = await countComments(db, 'host', [id])
      const plan = { sites: 0, hosts: 1, scanners: scanners.length, metrics: metrics.length, comments }
      if (query.plan === 'true') return { deleted: false, plan }
      await transaction(db, async trx => {
        await deleteHosts(trx, [id])
        await recorded(trx, viewer, id, host, null)
      })
      await deps.samples.forget(metrics.map(metric => metric.id))
      await monitoring.reloadHosts([id])
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

const checkHost = async (
  db: Db,
  viewer: Viewer,
  input: HostInput,
  id: number,
  parentsBefore: readonly number[] = [],
): Promise<void> => {
  const added = input.parentIds.filter(parent => !parentsBefore.includes(parent))
  await checkReferences(db, { ...input, parentIds: added }, viewer)
  const unseen = unseenFault(viewer, input)
  if (unseen !== null) throw invalidField('tags', unseen)
  if (input.parentIds.includes(id) || (id !== 0 && (await hostsAbove(db, input.parentIds)).has(id)))
    throw invalidField('parentIds', 'Un équipement ne peut dépendre de lui-même, même de loin.')
  if (input.lifeScannerId === null) return
  const life = await db
    .selectFrom('scanner')
    .select('id')
    .where('id', '=', input.lifeScannerId)
    .where('host_id', '=', id)
    .executeTakeFirst()
  if (life === undefined) throw invalidField('lifeScannerId', "Ce scanner n'est pas un scanner de cet équipement.")
}
