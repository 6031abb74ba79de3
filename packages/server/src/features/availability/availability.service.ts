import {
  AVAILABILITY_DEFAULT_DAYS,
  AVAILABILITY_MAX_DAYS,
  AVAILABILITY_MAX_INTERVALS,
  type AvailabilityOfHost,
  type AvailabilityQuery,
  type AvailabilityRow,
  type AvailabilityRulesQuery,
  type AvailabilitySummary,
  availabilityQuery,
  type DatatableReply,
  type DatatableRequest,
  fieldErrors,
} from '@narval/contracts'
import { type AvailabilityTotals, DEFAULT_AVAILABILITY_RULES } from '@narval/engine'
import type { Viewer } from '../../http/caller.ts'
import { invalid, invalidField, notFound } from '../../http/refusal.ts'
import type { HostEntry } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database } from '../../store/database.ts'
import { matchedInMemory, pageInMemory } from '../../store/memory-list.ts'
import { toIso } from '../../store/time.ts'
import { seesSite } from '../../store/visible.ts'
import { readIncidents } from './availability.store.ts'
import { type Asked, computeHost, computeHosts } from './availability-hosts.ts'
import { AVAILABILITY_LIST, type ListedRow, rowsOf, sumOf, toRow } from './availability-rows.ts'
import { tellInterval } from './told-interval.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** A report is read page by page, with its sum: computed once for all of them. */
const KEPT_MS = 10_000
const MAX_KEPT = 4

/** Times of the hosts that a report is about, whoever may see them. */
interface Report {
  readonly asked: Asked
  readonly totals: ReadonlyMap<HostEntry, AvailabilityTotals>
}

export const createAvailabilityService = (database: Database, monitoring: Monitoring, now: () => number) => {
  const { db } = database
  const { model } = monitoring
  const kept = new Map<string, { readonly atMs: number; readonly report: Promise<Report> }>()

  const compute = async (query: AvailabilityQuery): Promise<Report> => {
    const asked = askedOf(query, now())
    return { asked, totals: await computeHosts(db, [...model.hosts.values()].filter(askedHosts(query)), asked) }
  }
  const reportOf = (query: AvailabilityQuery): Promise<Report> => {
    const { by: _, ...same } = query
    const key = JSON.stringify([model.version, same])
    const held = kept.get(key)
    if (held !== undefined && now() - held.atMs < KEPT_MS && now() >= held.atMs) return held.report
    const report = compute(query)
    kept.delete(key)
    kept.set(key, { atMs: now(), report })
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? key)
    report.catch(() => kept.delete(key))
    return report
  }
  /** What of a report somebody may see. */
  const seen = async (viewer: Viewer, query: AvailabilityQuery) => {
    const { asked, totals } = await reportOf(query)
    const sees = seesSite(viewer)
    return { asked, hosts: [...totals].filter(([host]) => sees(host.site.id)) }
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
      const request = { draw: 0, start: 0, length: -1, search: NO_SEARCH, order: [], columns: [], filters: {} }
      return matchedInMemory(heldList(await listed(viewer, query)), request).found.map(toRow)
    },
    async summary(viewer: Viewer, query: AvailabilityQuery): Promise<AvailabilitySummary> {
      const { asked, hosts } = await seen(viewer, query)
      return { ...spanOf(asked), total: sumOf(hosts, asked.rules) }
    },
    async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<AvailabilityRow>> {
      const rows = await listed(viewer, filtersOf(request.filters))
      const { total, filtered, page } = pageInMemory(heldList(rows), { ...request, filters: {} })
      return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data: page.map(toRow) }
    },
    /** All that a request matches, in its order. */
    async everything(viewer: Viewer, request: DatatableRequest): Promise<AvailabilityRow[]> {
      const rows = await listed(viewer, filtersOf(request.filters))
      return matchedInMemory(heldList(rows), { ...request, filters: {} }).found.map(toRow)
    },
    async ofHost(viewer: Viewer, id: number, query: AvailabilityRulesQuery, all = false): Promise<AvailabilityOfHost> {
      const host = model.hosts.get(id)
      if (host === undefined || !seesSite(viewer)(host.site.id)) throw notFound("Cet équipement n'existe pas.")
      const asked = askedOf(query, now())
      const { intervals, totals, runs } = await computeHost(db, host, asked)
      const life = host.life
      const about = { id, lifeId: life?.id ?? null, probeId: life?.scanner.probeId ?? null }
      const incidents = await readIncidents(db, about, asked.period)
      const told = all ? intervals : intervals.slice(0, AVAILABILITY_MAX_INTERVALS)
      const [row] = rowsOf([[host, totals]], 'host', asked.rules, await typeNames())
      if (row === undefined) throw notFound("Cet équipement n'existe pas.")
      return {
        ...spanOf(asked),
        row: toRow(row),
        intervals: told.map(interval => tellInterval(interval, incidents, runs)),
        intervalCount: intervals.length,
      }
    },
  }
}
export type AvailabilityService = ReturnType<typeof createAvailabilityService>

/** Whether a report is about a host. */
const askedHosts = (query: AvailabilityQuery): ((host: HostEntry) => boolean) => {
  const [hosts, sites, types] = [query.host, query.site, query.type].map(ids =>
    ids === undefined ? null : new Set(ids),
  )
  return ({ id, site, facts }) =>
    hosts?.has(id) !== false && sites?.has(site.id) !== false && types?.has(facts.typeId ?? 0) !== false
}

const NO_SEARCH = { value: '', regex: false } as const

const spanOf = ({ period }: Asked) => ({ from: toIso(period.fromMs), to: toIso(period.toMs) })

/** What is asked, up to now at most. @throws Refusal for a period that cannot be. */
const askedOf = (query: AvailabilityRulesQuery, nowMs: number): Asked => {
  const endMs = query.to === undefined ? Math.floor(nowMs / MINUTE_MS) * MINUTE_MS : Date.parse(query.to)
  const fromMs = query.from === undefined ? endMs - AVAILABILITY_DEFAULT_DAYS * DAY_MS : Date.parse(query.from)
  if (!(endMs > fromMs)) throw invalidField('to', 'La fin de la période doit suivre son début.')
  if (endMs - fromMs > AVAILABILITY_MAX_DAYS * DAY_MS)
    throw invalidField('to', `Une période dure au plus ${AVAILABILITY_MAX_DAYS} jours.`)
  if (fromMs >= nowMs) throw invalidField('from', 'Cette période n’a pas encore commencé.')
  const { maintenance, unreachable, unknown } = query
  return {
    period: { fromMs, toMs: Math.min(endMs, nowMs) },
    rules: {
      maintenance: maintenance ?? DEFAULT_AVAILABILITY_RULES.maintenance,
      unreachable: unreachable ?? DEFAULT_AVAILABILITY_RULES.unreachable,
      unknown: unknown ?? DEFAULT_AVAILABILITY_RULES.unknown,
    },
    serviceHours: query.hours !== 'all',
  }
}

/** Filters of a list are what the query of a report says. */
const filtersOf = (filters: DatatableRequest['filters']): AvailabilityQuery => {
  const unknown = Object.keys(filters).filter(name => !Object.hasOwn(availabilityQuery.shape, name))
  if (unknown.length > 0) throw invalid(unknown.map(name => `Le filtre « ${name} » n'existe pas.`))
  const parsed = availabilityQuery.safeParse(filters)
  if (parsed.success) return parsed.data
  const errors = fieldErrors(parsed.error)
  throw invalid(
    errors.map(({ field, message }) => `${field} : ${message}.`),
    Object.fromEntries(errors.map(({ field, message }) => [field, message])),
  )
}
