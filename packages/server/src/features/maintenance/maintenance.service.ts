import {
  type DatatableRequest,
  grants,
  MAINTENANCE_MAX_MINUTES,
  MAINTENANCE_MAX_NAMES,
  type Maintenance,
  type MaintenanceInput,
  type MaintenanceUpdate,
} from '@narval/contracts'
import type { RawBuilder } from 'kysely'
import type { ToldToOthers } from '../../account-notice.ts'
import type { Changes } from '../../changes.ts'
import { type Viewer, where } from '../../http/caller.ts'
import { conflict, invalid, invalidField, notFound, stale } from '../../http/refusal.ts'
import type { MaintenanceRow, NamedObjects } from '../../monitoring/maintenance/maintenance.store.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { FIRST_PAGE, runDatatable } from '../../store/datatable.ts'
import { lastUpdateOf } from '../../store/last-update.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import {
  coveredSeen,
  insertObjects,
  maintenanceList,
  NOTHING_COVERED,
  planColumns,
  readLastRuns,
  readNamed,
  readRunsOf,
  seenMaintenance,
  toMaintenance,
  whollySeen,
  whollySeenOf,
} from './maintenance.store.ts'
import { checkSchedule } from './maintenance-calendar.ts'
import type { MaintenanceObjects } from './maintenance-objects.ts'
import { toldOf } from './maintenance-told.ts'

export interface MaintenanceDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly objects: MaintenanceObjects
  readonly changes: Changes
  readonly now: () => number
  /** Tells the others who are signed in. */
  readonly tell: (viewer: Viewer, told: ToldToOthers) => void
}

const MINUTE_MS = 60_000
/** One that ended longer ago is planned anew rather than opened again. */
const REOPEN_MS = 24 * 3_600_000
const RUNS = 50
const LISTED = 200
/** Names that a line of a list tells of each kind. */
const NAMES_IN_LIST = 3

export const createMaintenanceService = (deps: MaintenanceDeps) => {
  const { database, monitoring, now } = deps
  const { db } = database
  const { maintenances } = monitoring

  const shown = async (viewer: Viewer, rows: readonly MaintenanceRow[], names: number): Promise<Maintenance[]> => {
    const ids = rows.map(({ id }) => id)
    const [named, runs] = [await readNamed(db, viewer, ids, names), await readLastRuns(db, ids)]
    const whole = await whollySeenOf(db, viewer, ids)
    const changed = grants(viewer.claims, 'incident_write')
      ? await whollySeenOf(db, where(viewer, 'incident_write'), ids)
      : new Set<number>()
    const covered = ids.every(id => whole.has(id)) ? null : coveredSeen(monitoring.model, viewer)
    return rows.map(row => {
      const now = maintenances.now(row.id)
      const mayChange = changed.has(row.id)
      if (whole.has(row.id)) return toMaintenance(row, named.get(row.id), now, runs.get(row.id), mayChange)
      const seen = covered?.(row.id) ?? NOTHING_COVERED
      return toMaintenance(row, named.get(row.id), now && { ...now, covered: seen }, undefined, mayChange)
    })
  }
  const rowOf = async (from: Db, id: number): Promise<MaintenanceRow> => {
    const row = await from.selectFrom('maintenance').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw notFound("Cette maintenance n'existe pas.")
    return row
  }
  const get = async (viewer: Viewer, id: number): Promise<Maintenance> => {
    await requireSeen(id, seenMaintenance(viewer))
    const [found] = await shown(viewer, [await rowOf(db, id)], MAINTENANCE_MAX_NAMES)
    if (found === undefined) throw notFound("Cette maintenance n'existe pas.")
    return found
  }
  const requireSeen = async (id: number, seen: RawBuilder<boolean>): Promise<void> => {
    const row = await db.selectFrom('maintenance').select('id').where('id', '=', id).where(seen).executeTakeFirst()
    if (row === undefined) throw notFound("Cette maintenance n'existe pas.")
  }
  const saved = async (
    viewer: Viewer,
    id: number,
    action: 'created' | 'updated',
    by?: { id: number; login: string },
  ) => {
    await maintenances.changed(by)
    deps.changes.emit({ entity: 'maintenance', ids: [id], action })
    return get(viewer, id)
  }
  const change = async (viewer: Viewer, id: number, values: MovedWindows): Promise<void> => {
    await transaction(db, async trx => {
      const before = await rowOf(trx, id)
      const stamps = { updated_at: Math.max(now(), before.updated_at + 1), updated_by: viewer.login }
      await trx
        .updateTable('maintenance')
        .set({ ...values, ...stamps })
        .where('id', '=', id)
        .execute()
      const old = Object.fromEntries(Object.entries(before).filter(([name]) => Object.hasOwn(values, name)))
      await auditChange(trx, { ...lineOf(viewer, 'maintenance-update', before), before: old, after: values }, now())
    })
  }
  const openRun = (id: number) =>
    db
      .selectFrom('maintenance_run')
      .selectAll()
      .where('maintenance_id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()

  return {
    get,
    list: async (viewer: Viewer) => (await shownPage(viewer, FIRST_PAGE_OF_ALL)).data,
    datatable: (viewer: Viewer, request: DatatableRequest) => shownPage(viewer, request),
    lastUpdate: () => lastUpdateOf(database, 'maintenance'),
    /** Reports name all that was covered: who does not see all of it is told of none. */
    async runs(viewer: Viewer, id: number) {
      await get(viewer, id)
      const isWhole = await requireSeen(id, whollySeen(viewer)).then(
        () => true,
        () => false,
      )
      if (!isWhole) return []
      return readRunsOf(db, id, RUNS)
    },

    async create(viewer: Viewer, input: MaintenanceInput): Promise<Maintenance> {
      checkSchedule(input.schedule)
      refusePast(input.schedule, now())
      const objects = await deps.objects(viewer, input)
      requireSome(objects)
      const id = await transaction(db, async trx => {
        const stamps = { created_at: now(), updated_at: now(), updated_by: viewer.login }
        const row = await trx
          .insertInto('maintenance')
          .values({
            ...{ ...planColumns(input), ...stamps, author: viewer.login },
            ...{ extra_from: null, extra_to: null, skipped_through: null },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await insertObjects(trx, row.id, objects)
        const line = lineOf(viewer, 'maintenance-create', { id: row.id, comment: input.comment })
        await auditChange(trx, { ...line, before: null, after: auditedOf(input, objects) }, now())
        return row.id
      })
      const made = await saved(viewer, id, 'created')
      deps.tell(viewer, await toldOf(db, viewer, made, now()))
      return made
    },

    async update(viewer: Viewer, id: number, input: MaintenanceUpdate): Promise<Maintenance> {
      checkSchedule(input.schedule)
      const objects = input.targets === undefined ? null : await deps.objects(viewer, input.targets)
      if (objects !== null) requireSome(objects)
      await requireSeen(id, whollySeen(viewer))
      const current = await get(viewer, id)
      const isMoved = JSON.stringify(current.schedule) !== JSON.stringify(input.schedule)
      if (isMoved) refusePast(input.schedule, now())
      await transaction(db, async trx => {
        const before = await rowOf(trx, id)
        if (before.updated_at !== fromIso(input.updatedAt)) throw stale(current, before.updated_by)
        const stamps = { updated_at: Math.max(now(), before.updated_at + 1), updated_by: viewer.login }
        const again = isMoved ? reopening(current, input.schedule, now()) : {}
        await trx
          .updateTable('maintenance')
          .set({ ...planColumns(input), ...stamps, ...again })
          .where('id', '=', id)
          .execute()
        if (objects !== null) {
          await trx.deleteFrom('maintenance_object').where('maintenance_id', '=', id).execute()
          await insertObjects(trx, id, objects)
        }
        const line = lineOf(viewer, 'maintenance-update', before)
        const counts = { sites: current.siteCount, hosts: current.hostCount, metrics: current.metricCount }
        await auditChange(
          trx,
          {
            ...line,
            before: { ...plainOf(current), ...counts },
            after: { ...plainOf(input), ...(objects === null ? counts : countsOf(objects)) },
          },
          now(),
        )
      })
      return saved(viewer, id, 'updated')
    },

    async delete(viewer: Viewer, id: number) {
      await requireSeen(id, whollySeen(viewer))
      await rowOf(db, id)
      await maintenances.endBefore({ id, login: viewer.login })
      await transaction(db, async trx => {
        const before = await rowOf(trx, id)
        await trx
          .updateTable('maintenance_run')
          .set({ ended_at: now(), ended_by: viewer.login })
          .where('maintenance_id', '=', id)
          .where('ended_at', 'is', null)
          .execute()
        await trx.deleteFrom('maintenance').where('id', '=', id).execute()
        await auditChange(
          trx,
          { ...lineOf(viewer, 'maintenance-delete', before), before: { comment: before.comment }, after: null },
          now(),
        )
      })
      await maintenances.changed()
      deps.changes.emit({ entity: 'maintenance', ids: [id], action: 'deleted' })
      return { deleted: true }
    },

    async end(viewer: Viewer, id: number): Promise<Maintenance> {
      await requireSeen(id, whollySeen(viewer))
      const { state, schedule } = await get(viewer, id)
      if (state !== 'running' && state !== 'armed') throw conflict('Cette maintenance n’est pas en cours.')
      const run = await openRun(id)
      const row = await rowOf(db, id)
      const nowMs = now()
      if (run !== undefined && row.flexible_minutes !== null)
        await db.updateTable('maintenance_run').set({ until: nowMs }).where('id', '=', run.id).execute()
      const beside = row.extra_to !== null && row.extra_to > nowMs ? { extra_from: null, extra_to: null } : {}
      const own = schedule.kind === 'one-off' ? endOnce(row, nowMs) : { skipped_through: nowMs }
      await change(viewer, id, { ...own, ...beside })
      return saved(viewer, id, 'updated', { id, login: viewer.login })
    },

    async extend(viewer: Viewer, id: number, minutes: number): Promise<Maintenance> {
      await requireSeen(id, whollySeen(viewer))
      const nowMs = now()
      const row = await rowOf(db, id)
      const run = await openRun(id)
      const ms = minutes * MINUTE_MS
      if (run === undefined) {
        const [last] = await readRunsOf(db, id, 1)
        if (last?.endedAt == null || fromIso(last.endedAt) < nowMs - REOPEN_MS)
          throw conflict('Cette maintenance n’est pas en cours.')
        await change(viewer, id, { extra_from: nowMs, extra_to: nowMs + ms })
      } else {
        const until = run.until + ms
        if (until - run.started_at > MAINTENANCE_MAX_MINUTES * MINUTE_MS)
          throw invalidField('minutes', `Une plage dure au plus ${MAINTENANCE_MAX_MINUTES / 1_440} jours.`)
        if (row.flexible_minutes !== null && row.extra_to === null)
          await db.updateTable('maintenance_run').set({ until }).where('id', '=', run.id).execute()
        const isOnce = row.kind === 'one-off' && row.flexible_minutes === null && row.ends_at === run.until
        const moved = isOnce ? { ends_at: until } : { extra_from: run.occurrence_at, extra_to: until }
        await change(viewer, id, row.flexible_minutes !== null && row.extra_to === null ? {} : moved)
      }
      const made = await saved(viewer, id, 'updated')
      deps.tell(viewer, await toldOf(db, viewer, made, now()))
      return made
    },
  }

  async function shownPage(viewer: Viewer, request: DatatableRequest) {
    const page = await runDatatable<MaintenanceRow>(database, maintenanceList(maintenances.standing(), viewer), request)
    return { ...page, data: await shown(viewer, page.data, NAMES_IN_LIST) }
  }
}
export type MaintenanceService = ReturnType<typeof createMaintenanceService>

type MovedWindows = Partial<Pick<MaintenanceRow, 'ends_at' | 'extra_from' | 'extra_to' | 'skipped_through'>>

const FIRST_PAGE_OF_ALL: DatatableRequest = { ...FIRST_PAGE, length: LISTED }

const lineOf = (
  viewer: Viewer,
  action: `maintenance-${'create' | 'update' | 'delete'}`,
  { id, comment }: { readonly id: number; readonly comment: string },
) => ({ action, actor: viewer.login, object: `maintenance ${id}`, name: comment })

type Plan = Pick<MaintenanceInput, 'comment' | 'schedule' | 'flexibleMinutes' | 'propagate'>
const plainOf = ({ comment, schedule, flexibleMinutes, propagate }: Plan) => ({
  ...{ comment, schedule, flexibleMinutes, propagate },
})
const countsOf = ({ sites, hosts, metrics }: NamedObjects) => ({
  ...{ sites: sites.length, hosts: hosts.length, metrics: metrics.length },
})
/** An audit line tells few objects by their ids, many by their number. */
const auditedOf = (input: MaintenanceInput, objects: NamedObjects) => ({ ...plainOf(input), ...countsOf(objects) })

const requireSome = ({ sites, hosts, metrics }: NamedObjects): void => {
  if (sites.length + hosts.length + metrics.length === 0)
    throw invalid(['Choisir au moins un site, un équipement ou une métrique.'], { sites: 'Choisir au moins un objet' })
}

const refusePast = (schedule: MaintenanceInput['schedule'], nowMs: number): void => {
  if (schedule.kind === 'one-off' && Date.parse(schedule.to) <= nowMs)
    throw invalidField('schedule.to', 'Cette plage est déjà passée.')
}

/** One that was over and whose end is moved beyond now takes place again from now. */
const reopening = (current: Maintenance, schedule: MaintenanceInput['schedule'], nowMs: number) =>
  current.state === 'over' && schedule.kind === 'one-off' && Date.parse(schedule.from) <= nowMs
    ? { extra_from: nowMs, extra_to: Date.parse(schedule.to) }
    : { extra_from: null, extra_to: null }

/** It ends now, unless its own window was over and another one beside it runs. */
const endOnce = (row: MaintenanceRow, nowMs: number) =>
  row.ends_at !== null && row.ends_at > nowMs && row.starts_at <= nowMs ? { ends_at: nowMs } : {}
