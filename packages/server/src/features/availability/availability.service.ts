import {
  AVAILABILITY_MAX_INTERVALS,
  type AvailabilityOfHost,
  type AvailabilityQuery,
  type AvailabilityRow,
  type AvailabilityRulesQuery,
  type AvailabilitySummary,
  availabilityQuery,
  type DatatableReply,
  type DatatableRequest,
} from '@narval/contracts'
import { type AvailabilityRules, type AvailabilityTotals, DEFAULT_AVAILABILITY_RULES } from '@narval/engine'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import type { HostEntry } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database } from '../../store/database.ts'
import { matchedInMemory, pageInMemory } from '../../store/memory-list.ts'
import { seesHost } from '../../store/visible.ts'
import { type Asked, aboutOf, askedPeriod, type Computed, createKeptReports, filtersBy, WHOLE } from './asked.ts'
import { readIncidents } from './availability.store.ts'
import { HOSTS } from './availability-hosts.ts'
import { AVAILABILITY_LIST, askedHosts, type ListedRow, rowsOf, sumOf, toRow } from './availability-rows.ts'
import { computeAll, computeOne } from './computing.ts'
import { tellInterval } from './told-interval.ts'

/** Times of the hosts that a report is about, whoever may see them. */
interface Report {
  readonly asked: Asked<AvailabilityRules>
  readonly totals: ReadonlyMap<HostEntry, AvailabilityTotals>
}

export const createAvailabilityService = (database: Database, monitoring: Monitoring, now: () => number) => {
  const { db } = database
  const { model } = monitoring
  const kept = createKeptReports<Report>(now)

  const compute = async (query: AvailabilityQuery): Promise<Report> => {
    const asked = askedOf(query, now())
    return { asked, totals: await computeAll(HOSTS, db, [...model.hosts.values()].filter(askedHosts(query)), asked) }
  }
  const reportOf = ({ by: _, ...query }: AvailabilityQuery): Promise<Computed<Report>> =>
    kept(JSON.stringify([model.version, query]), () => compute(query))
  /** What of a report somebody may see. */
  const seen = async (viewer: Viewer, query: AvailabilityQuery) => {
    const { atMs, report } = await reportOf(query)
    const { asked, totals } = report
    const sees = seesHost(viewer)
    return { asked, atMs, hosts: [...totals].filter(([host]) => sees(host)) }
  }
  const typeNames = async (): Promise<ReadonlyMap<number, string>> =>
    new Map((await db.selectFrom('host_type').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]))
  const listed = async (viewer: Viewer, query: AvailabilityQuery): Promise<ListedRow[]> => {
    const { asked, hosts } = await seen(viewer, query)
    return rowsOf(hosts, query.by ?? 'host', asked.rules, await typeNames())
  }
  const heldList = (rows: readonly ListedRow[]) => ({ list: AVAILABILITY_LIST, all: rows, visible: () => true })

  return {
    /** Every row, the least available first. */
    async list(viewer: Viewer, query: AvailabilityQuery): Promise<AvailabilityRow[]> {
      return matchedInMemory(heldList(await listed(viewer, query)), WHOLE).found.map(toRow)
    },
    async summary(viewer: Viewer, query: AvailabilityQuery): Promise<AvailabilitySummary> {
      const { asked, atMs, hosts } = await seen(viewer, query)
      return { ...aboutOf(asked, atMs), total: sumOf(hosts, asked.rules) }
    },
    async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<AvailabilityRow>> {
      const rows = await listed(viewer, filtersBy(availabilityQuery, request.filters))
      const { total, filtered, page } = pageInMemory(heldList(rows), { ...request, filters: {} })
      return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data: page.map(toRow) }
    },
    /** All that a request matches, in its order. */
    async everything(viewer: Viewer, request: DatatableRequest): Promise<AvailabilityRow[]> {
      const rows = await listed(viewer, filtersBy(availabilityQuery, request.filters))
      return matchedInMemory(heldList(rows), { ...request, filters: {} }).found.map(toRow)
    },
    async ofHost(viewer: Viewer, id: number, query: AvailabilityRulesQuery, all = false): Promise<AvailabilityOfHost> {
      const host = model.hosts.get(id)
      if (host === undefined || !seesHost(viewer)(host)) throw notFound("Cet équipement n'existe pas.")
      const nowMs = now()
      const asked = askedOf(query, nowMs)
      const { intervals, totals, runs } = await computeOne(HOSTS, db, host, asked)
      const life = host.life
      const about = { id, lifeId: life?.id ?? null, probeId: life?.scanner.probeId ?? null }
      const incidents = await readIncidents(db, viewer, about, asked.period)
      const told = all ? intervals : intervals.slice(0, AVAILABILITY_MAX_INTERVALS)
      const [row] = rowsOf([[host, totals]], 'host', asked.rules, await typeNames())
      if (row === undefined) throw notFound("Cet équipement n'existe pas.")
      return {
        ...aboutOf(asked, nowMs),
        row: toRow(row),
        intervals: told.map(interval => tellInterval(interval, incidents, runs)),
        intervalCount: intervals.length,
      }
    },
  }
}
export type AvailabilityService = ReturnType<typeof createAvailabilityService>

/** @throws Refusal for a period that cannot be. */
const askedOf = (query: AvailabilityRulesQuery, nowMs: number): Asked<AvailabilityRules> => {
  const { maintenance, unreachable, unknown } = query
  return {
    period: askedPeriod(query, nowMs),
    rules: {
      maintenance: maintenance ?? DEFAULT_AVAILABILITY_RULES.maintenance,
      unreachable: unreachable ?? DEFAULT_AVAILABILITY_RULES.unreachable,
      unknown: unknown ?? DEFAULT_AVAILABILITY_RULES.unknown,
    },
    serviceHours: query.hours !== 'all',
  }
}
