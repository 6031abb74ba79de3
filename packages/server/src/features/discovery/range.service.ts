import {
  type DiscoveryRange,
  type DiscoveryRangeInput,
  type DiscoveryRangeUpdate,
  fold,
  holdsAddress,
} from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, notFound, stale } from '../../http/refusal.ts'
import { auditChange } from '../../store/audit-change.ts'
import { batches } from '../../store/batches.ts'
import type { Database, Db } from '../../store/database.ts'
import { checkReferences } from '../../store/host-references.ts'
import type { SiteProbes } from '../../store/site-probe.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import {
  countFindings,
  inputOf,
  intervalsOf,
  type RangeRow,
  rangeColumns,
  readLastRuns,
  readRanges,
  toRange,
} from './range.store.ts'
import { nextRunAt } from './recurrence.ts'
import type { RunService } from './run.service.ts'
import { texts } from './texts.ts'

export interface RangeDeps {
  readonly database: Database
  readonly now: () => number
  readonly siteProbes: SiteProbes
  readonly runs: RunService
}

export const createRangeService = ({ database, now, siteProbes, runs }: RangeDeps) => {
  const { db } = database
  const shown = async (rows: readonly RangeRow[]): Promise<DiscoveryRange[]> => {
    const ids = rows.map(({ id }) => id)
    const [lastRuns, counts, probes] = [
      await readLastRuns(db, ids),
      await countFindings(db, ids),
      await siteProbes.all(),
    ]
    return rows.map(row =>
      toRange(row, {
        run: lastRuns.get(row.id),
        counts: counts.get(row.id),
        runsOn: row.own_probe_name ?? probes.get(row.site_id)?.probeName ?? null,
      }),
    )
  }
  const rowOf = async (id: number, from: Db = db): Promise<RangeRow> => {
    const [row] = await readRanges(from, id)
    if (row === undefined) throw notFound(texts.noRange)
    return row
  }
  const get = async (id: number): Promise<DiscoveryRange> => {
    const [range] = await shown([await rowOf(id)])
    if (range === undefined) throw notFound(texts.noRange)
    return range
  }
  const check = async (trx: Db, { siteId, probeId, name }: DiscoveryRangeInput, except: number): Promise<void> => {
    await checkReferences(trx, { siteId, probeId })
    const held = await trx
      .selectFrom('discovery_range')
      .select('name')
      .where('name_folded', '=', fold(name))
      .where('id', '!=', except)
      .executeTakeFirst()
    if (held !== undefined)
      throw conflict(`Une autre plage s’appelle déjà « ${held.name} ».`, { fields: { name: 'Ce nom est déjà pris.' } })
  }
  const nextOf = async (trx: Db, input: DiscoveryRangeInput): Promise<number | null> => {
    const site = await trx
      .selectFrom('site')
      .select('time_zone')
      .where('id', '=', input.siteId)
      .executeTakeFirstOrThrow()
    return nextRunAt(input, site.time_zone, now())
  }
  const bare = ({ updatedAt: _, ...input }: DiscoveryRangeUpdate): DiscoveryRangeInput => input

  return {
    get,
    list: async () => shown(await readRanges(db, null)),
    async create(viewer: Viewer, input: DiscoveryRangeInput): Promise<DiscoveryRange> {
      const id = await transaction(db, async trx => {
        await check(trx, input, 0)
        const row = await trx
          .insertInto('discovery_range')
          .values({
            ...rangeColumns(input),
            ...{
              next_run_at: await nextOf(trx, input),
              created_at: now(),
              updated_at: now(),
              updated_by: viewer.login,
            },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const audited = {
          action: 'discovery-range-create',
          actor: viewer.login,
          object: `discovery-range ${row.id}`,
        } as const
        await auditChange(trx, { ...audited, name: input.name, before: null, after: input }, now())
        return row.id
      })
      return get(id)
    },
    async update(viewer: Viewer, id: number, body: DiscoveryRangeUpdate): Promise<DiscoveryRange> {
      const input = bare(body)
      const isSaved = await transaction(db, async trx => {
        const before = await rowOf(id, trx)
        const was = inputOf(before)
        if (before.updated_at !== fromIso(body.updatedAt)) return false
        if (runs.isActive(id) && (was.ranges !== input.ranges || was.exclusions !== input.exclusions))
          throw conflict('Une découverte de cette plage est en cours : arrêtez-la avant d’en changer les adresses.')
        await check(trx, input, id)
        await trx
          .updateTable('discovery_range')
          .set({
            ...rangeColumns(input),
            ...{
              next_run_at: await nextOf(trx, input),
              updated_at: Math.max(now(), before.updated_at + 1),
              updated_by: viewer.login,
            },
          })
          .where('id', '=', id)
          .execute()
        await dropOutside(trx, id, input)
        const audited = {
          action: 'discovery-range-update',
          actor: viewer.login,
          object: `discovery-range ${id}`,
        } as const
        await auditChange(trx, { ...audited, name: input.name, before: was, after: input }, now())
        return true
      })
      if (!isSaved) {
        const current = await get(id)
        throw stale(current, current.updatedBy)
      }
      return get(id)
    },
    async delete(viewer: Viewer, id: number) {
      const row = await rowOf(id)
      await runs.drop(id)
      const findings = await transaction(db, async trx => {
        const gone = await trx.deleteFrom('discovery_finding').where('range_id', '=', id).executeTakeFirst()
        await trx.deleteFrom('discovery_range').where('id', '=', id).execute()
        const audited = {
          action: 'discovery-range-delete',
          actor: viewer.login,
          object: `discovery-range ${id}`,
        } as const
        await auditChange(trx, { ...audited, name: row.name, before: inputOf(row), after: null }, now())
        return Number(gone.numDeletedRows)
      })
      return { deleted: true, findings }
    },
    /** Starts what is due; what was due while the server was stopped starts once. */
    async startDue(): Promise<void> {
      const due = await db
        .selectFrom('discovery_range')
        .innerJoin('site', 'site.id', 'discovery_range.site_id')
        .selectAll('discovery_range')
        .select('site.time_zone')
        .where('discovery_range.next_run_at', '<=', now())
        .where('discovery_range.enabled', '=', 1)
        .execute()
      for (const row of due) {
        const next = nextRunAt(inputOf({ ...row, site_name: '', own_probe_name: null }), row.time_zone, now())
        await db.updateTable('discovery_range').set({ next_run_at: next }).where('id', '=', row.id).execute()
        if (!runs.isActive(row.id)) await runs.start(row.id, null)
      }
    },
  }
}
export type RangeService = ReturnType<typeof createRangeService>

/** What was found at addresses that the range does not hold any more goes with them. */
const dropOutside = async (trx: Db, rangeId: number, input: DiscoveryRangeInput): Promise<void> => {
  const intervals = intervalsOf(input)
  const rows = await trx
    .selectFrom('discovery_finding')
    .select(['id', 'address'])
    .where('range_id', '=', rangeId)
    .execute()
  const outside = rows.filter(({ address }) => !holdsAddress(intervals, address)).map(({ id }) => id)
  for (const slice of batches(outside)) await trx.deleteFrom('discovery_finding').where('id', 'in', slice).execute()
}
