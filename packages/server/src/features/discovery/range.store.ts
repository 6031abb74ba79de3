import {
  type AddressInterval,
  DISCOVERY_METHODS,
  DISCOVERY_RECURRENCES,
  DISCOVERY_RUN_STATES,
  type DiscoveryRange,
  type DiscoveryRangeInput,
  type DiscoveryRun,
  FINDING_STATES,
  type FindingState,
  fold,
  rangeIntervals,
} from '@narval/contracts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { DiscoveryTables } from '../../store/tables/discovery.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'
import { STATE_SQL } from './finding.store.ts'

export type RangeRow = Selectable<DiscoveryTables['discovery_range']> & {
  site_name: string
  time_zone: string
  own_probe_name: string | null
}
export type RunRow = Selectable<DiscoveryTables['discovery_run']>

/** Ranges by their names; all, or one. */
export const readRanges = (db: Db, id: number | null): Promise<RangeRow[]> => {
  const all = db
    .selectFrom('discovery_range')
    .innerJoin('site', 'site.id', 'discovery_range.site_id')
    .leftJoin('probe', 'probe.id', 'discovery_range.probe_id')
    .selectAll('discovery_range')
    .select(['site.name as site_name', 'site.time_zone', 'probe.name as own_probe_name'])
    .orderBy('discovery_range.name_folded')
    .orderBy('discovery_range.id')
  return (id === null ? all : all.where('discovery_range.id', '=', id)).execute()
}

/** The last run of each of these ranges. */
export const readLastRuns = async (db: Db, rangeIds: readonly number[]): Promise<Map<number, RunRow>> => {
  if (rangeIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('discovery_run')
    .selectAll()
    .where('id', 'in', eb =>
      eb
        .selectFrom('discovery_run')
        .select(inner => inner.fn.max('id').as('id'))
        .where('range_id', 'in', rangeIds)
        .groupBy('range_id'),
    )
    .execute()
  return new Map(rows.map(row => [row.range_id, row]))
}

type Counts = Record<FindingState, number>
const noCounts = (): Counts => ({ new: 0, changed: 0, vanished: 0, known: 0, ignored: 0 })

/** How many findings of each state these ranges have. */
export const countFindings = async (db: Db, rangeIds: readonly number[]): Promise<Map<number, Counts>> => {
  const counts = new Map(rangeIds.map(id => [id, noCounts()]))
  if (rangeIds.length === 0) return counts
  const answer = await sql<{ range_id: number; state: string; n: number }>`
    select finding.range_id, ${STATE_SQL} as state, count(*) as n from discovery_finding finding
    where finding.range_id in (${sql.join(rangeIds)}) group by 1, 2`.execute(db)
  for (const { range_id, state, n } of answer.rows) {
    const known = FINDING_STATES.find(one => one === state)
    const own = counts.get(range_id)
    if (known !== undefined && own !== undefined) own[known] = Number(n)
  }
  return counts
}

/** What one sends of a range, as it is kept. */
export const inputOf = (row: RangeRow): DiscoveryRangeInput => ({
  name: row.name,
  siteId: row.site_id,
  probeId: row.probe_id,
  ranges: row.ranges,
  exclusions: row.exclusions,
  methods: DISCOVERY_METHODS.filter(method => listOf(row.methods).includes(method)),
  ports: listOf(row.ports).filter(port => typeof port === 'number'),
  rate: row.rate,
  recurrence: DISCOVERY_RECURRENCES.find(one => one === row.recurrence) ?? 'manual',
  atHour: row.at_hour,
  weekday: row.weekday,
  enabled: row.enabled === 1,
})
const listOf = (text: string): unknown[] => {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list : []
}

export const rangeColumns = (input: DiscoveryRangeInput) => ({
  name: input.name,
  name_folded: fold(input.name),
  site_id: input.siteId,
  probe_id: input.probeId,
  ranges: input.ranges,
  exclusions: input.exclusions,
  methods: JSON.stringify(input.methods),
  ports: JSON.stringify(input.ports),
  rate: input.rate,
  recurrence: input.recurrence,
  at_hour: input.atHour,
  weekday: input.weekday,
  enabled: input.enabled ? (1 as const) : (0 as const),
})

/** The addresses of a range that is kept. */
export const intervalsOf = (row: Pick<RangeRow, 'ranges' | 'exclusions'>): readonly AddressInterval[] =>
  rangeIntervals(row).intervals

export const toRun = (row: RunRow): DiscoveryRun => ({
  id: row.id,
  rangeId: row.range_id,
  probeName: row.probe_name,
  state: DISCOVERY_RUN_STATES.find(state => state === row.state) ?? 'failed',
  total: row.total,
  done: row.done,
  found: row.found,
  added: row.added,
  changed: row.changed,
  vanished: row.vanished,
  error: row.error,
  notes: listOf(row.notes).map(String),
  startedBy: row.started_by,
  createdAt: toIso(row.created_at),
  startedAt: toIsoOrNull(row.started_at),
  endedAt: toIsoOrNull(row.ended_at),
})

export const toRange = (
  row: RangeRow,
  around: { readonly run: RunRow | undefined; readonly counts: Counts | undefined; readonly runsOn: string | null },
): DiscoveryRange => ({
  id: row.id,
  ...inputOf(row),
  siteName: row.site_name,
  probeName: row.own_probe_name,
  runsOn: around.runsOn,
  addresses: rangeIntervals(row).size,
  nextRun: toIsoOrNull(row.next_run_at),
  lastRun: around.run === undefined ? null : toRun(around.run),
  findings: around.counts ?? noCounts(),
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
  updatedBy: row.updated_by,
})
