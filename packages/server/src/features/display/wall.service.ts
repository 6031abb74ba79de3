import { type HostGrid, WALL_PROBLEMS_MAX, WALL_SITES_MAX, type Wall, type WallProblem } from '@narval/contracts'
import { severityRank, worstOfCounts } from '@narval/engine'
import type { DisplayCaller, Viewer } from '../../http/caller.ts'
import { unavailable } from '../../http/refusal.ts'
import type { HostEntry, SiteEntry } from '../../monitoring/fleet/model.ts'
import { gridOf } from '../../monitoring/host-grid.ts'
import { countFleet, countSite } from '../../monitoring/live.ts'
import { type MetricListRow, metricList, toProblem } from '../../monitoring/metric-list.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { listProblems } from '../../monitoring/problem-list.ts'
import type { Database } from '../../store/database.ts'
import { fetchByIds } from '../../store/fetch.ts'
import { hostTypeNames } from '../../store/names.ts'
import { probesSeen as probesSeenBy } from '../../store/site-probe.ts'
import { toIso } from '../../store/time.ts'
import { seesHost, seesSome } from '../../store/visible.ts'

export interface WallDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly now: () => number
  /** Name of the product. */
  readonly product: () => string
}

type Who = Viewer | DisplayCaller
const isDisplay = (who: Who): who is DisplayCaller => 'displayId' in who
const seenBy = (who: Who): ((host: HostEntry) => boolean) => {
  if (!isDisplay(who)) return seesHost(who)
  const { site } = who
  return site === null ? () => true : host => host.site.id === site.id
}
const sitesSeenBy = (who: Who): ((site: SiteEntry) => boolean) => {
  if (!isDisplay(who)) return seesSome(who)
  return ({ id }) => who.site === null || who.site.id === id
}

const PROBLEMS = {
  ...{ draw: 0, start: 0, length: WALL_PROBLEMS_MAX, search: { value: '', regex: false }, order: [], columns: [] },
  filters: { view: 'unhandled' },
}

/** What walls show, of the sites that the account or the screen's token may see. */
export const createWallService = ({ database, monitoring, now, product }: WallDeps) => {
  const { model, presence } = monitoring
  const probesOf = async (who: Who) => {
    const states = (await probesSeen(database, who, [...presence.probes.keys()])).map(id => presence.state(id))
    const offline = states.filter(state => state === 'offline').length
    return { probes: offline + states.filter(state => state === 'online').length, probesOffline: offline }
  }
  const problemsOf = async (who: Who): Promise<Wall['problems']> => {
    const { filtered, page } = listProblems(model, PROBLEMS, seenBy(who))
    // Found by what is seen: what is read of them needs no second look.
    const ids = page.map(metric => metric.id)
    const rows = await fetchByIds<MetricListRow>(database.db, metricList('system'), ids)
    return { total: filtered, rows: rows.map(row => toWallProblem(toProblem(row, model))) }
  }
  return {
    async wall(who: Who): Promise<Wall> {
      // Old states are not shown as present ones: the screen says since when it has heard nothing.
      if (monitoring.evaluation.isBehind()) throw unavailable('Les mesures reçues attendent d’être jugées.')
      const sees = seenBy(who)
      return {
        ...countFleet(model, sees),
        ...(await probesOf(who)),
        name: isDisplay(who) ? who.name : null,
        siteName: isDisplay(who) ? (who.site?.name ?? null) : null,
        product: product(),
        problems: await problemsOf(who),
        sites: sitesOf([...model.sites.values()].filter(sitesSeenBy(who)), sees),
        at: toIso(now()),
      }
    },
    hosts: async (who: Who): Promise<HostGrid> => gridOf(model, seenBy(who), await hostTypeNames(database.db), now()),
  }
}
export type WallService = ReturnType<typeof createWallService>

/** Probes of the sites that one sees: a screen of one site is told of those that stand there. */
const probesSeen = async ({ db }: Database, who: Who, ids: readonly number[]): Promise<readonly number[]> => {
  if (!isDisplay(who)) return probesSeenBy(db, who, ids)
  if (who.site === null) return ids
  const rows = await db.selectFrom('probe').select('id').where('site_id', '=', who.site.id).execute()
  const own = new Set(rows.map(row => row.id))
  return ids.filter(id => own.has(id))
}

const toWallProblem = (row: WallProblem): WallProblem => ({
  id: row.id,
  severity: row.severity,
  kind: row.kind,
  since: row.since,
  value: row.value,
  information: row.information,
  inMaintenance: row.inMaintenance,
  name: row.name,
  key: row.key,
  unit: row.unit,
  type: row.type,
  states: row.states,
  thresholds: row.thresholds,
  hostName: row.hostName,
  siteName: row.siteName,
})

/** Worst first, then those with the most of it, then by name. */
const sitesOf = (sites: readonly SiteEntry[], sees: (host: HostEntry) => boolean): Wall['sites'] => {
  const told = sites.map(site => {
    const { counts } = countSite(site, sees)
    return { site, counts, severity: worstOfCounts(counts) ?? ('ok' as const) }
  })
  told.sort(
    (a, b) =>
      severityRank(a.severity) - severityRank(b.severity) ||
      b.counts[b.severity] - a.counts[a.severity] ||
      (a.site.folded < b.site.folded ? -1 : 1),
  )
  const rows = told.slice(0, WALL_SITES_MAX).map(({ site: { id, name, maintenance }, counts, severity }) => ({
    ...{ id, name, severity, counts: { ...counts } },
    inMaintenance: maintenance !== null,
  }))
  return { total: sites.length, rows }
}
