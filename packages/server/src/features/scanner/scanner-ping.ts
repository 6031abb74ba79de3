import type { DatatableReply, DatatableRequest, ScannerPing } from '@narval/contracts'
import { AVAILABILITY_KEY } from '@narval/contracts'
import { SEVERITIES, type Severity, severityRank } from '@narval/engine'
import type { Viewer } from '../../http/caller.ts'
import type { Model, ScannerEntry } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Presence } from '../../monitoring/probe/presence.ts'
import { type ScannerRow, scannerList } from '../../monitoring/run/scanner-list.ts'
import type { Database } from '../../store/database.ts'
import type { FilterValue } from '../../store/datatable.ts'
import { fetchByIds } from '../../store/fetch.ts'
import { amongIds, amongWords, flagged } from '../../store/memory-filters.ts'
import {
  createVisibleLists,
  type MemoryColumn,
  type MemoryList,
  pageInMemory,
  type Test,
  textColumn,
} from '../../store/memory-list.ts'
import { toIso, toIsoOrNull } from '../../store/time.ts'

/** Columns by the key of their metric. */
const FIGURES = {
  lossRatio: 'loss_ratio',
  rttMin: 'rtt_min',
  rttAvg: 'rtt_avg',
  rttMax: 'rtt_max',
  jitter: 'jitter',
} as const

const severityOf = (scanner: ScannerEntry): Severity => {
  let worst = severityRank('ok')
  for (const { enabled, state } of scanner.metrics.values())
    if (enabled) worst = Math.min(worst, severityRank(state.severity))
  return SEVERITIES[worst] ?? 'unknown'
}
/** A figure of the last run: one that is older, because the last run brought none, is no figure of now. */
const figureOf = (scanner: ScannerEntry, key: string): number | null => {
  const metric = scanner.metrics.get(key)
  return metric === undefined || metric.atMs !== scanner.metrics.get(AVAILABILITY_KEY)?.atMs ? null : metric.value
}
const figureColumns = Object.entries(FIGURES).map(
  ([column, key]) => [column, { sort: (scanner: ScannerEntry) => figureOf(scanner, key) }] as const,
)

const pingList = (presence: Presence): MemoryList<ScannerEntry> => {
  const probeName = ({ probeId }: ScannerEntry) => presence.probes.get(probeId ?? 0)?.name ?? null
  return {
    columns: new Map<string, MemoryColumn<ScannerEntry>>([
      ['id', { sort: scanner => scanner.id }],
      ['name', textColumn(scanner => scanner.folded)],
      ['hostName', textColumn(scanner => scanner.host.folded)],
      ['hostAddress', textColumn(scanner => scanner.host.facts.address)],
      ['siteName', textColumn(scanner => scanner.host.site.folded)],
      ['probeName', { sort: probeName }],
      ['enabled', { sort: scanner => Number(scanner.enabled) }],
      ['severity', { sort: scanner => severityRank(severityOf(scanner)) }],
      ['since', { sort: scanner => sinceOf(scanner) }],
      ['lastRun', { sort: scanner => scanner.lastRunMs }],
      ...figureColumns,
    ]),
    filters: new Map<string, (value: FilterValue) => Test<ScannerEntry>>([
      ['id', amongIds(scanner => scanner.id)],
      ['hostId', amongIds(scanner => scanner.host.id)],
      ['siteId', amongIds(scanner => scanner.host.site.id)],
      ['probeId', amongIds(scanner => scanner.probeId)],
      ['severity', amongWords(SEVERITIES, severityOf)],
      ['enabled', flagged(scanner => scanner.enabled)],
    ]),
    live: new Set(['severity', 'since', 'lastRun', 'probeName', ...Object.keys(FIGURES)]),
    order: [['hostName', 'asc']],
  }
}

/** Since when it is as it is: its availability, which all else follows. */
const sinceOf = (scanner: ScannerEntry): number | null => scanner.metrics.get(AVAILABILITY_KEY)?.state.sinceMs ?? null

function* pings(model: Model): Iterable<ScannerEntry> {
  for (const scanner of model.scanners.values()) if (scanner.kind === 'ping') yield scanner
}

/** The pings with their last values, sorted and filtered in memory: some 3 ms at 10,000 of them. */
export const createScannerPings = (database: Database, { model, presence }: Monitoring) => {
  const listOf = createVisibleLists(
    pingList(presence),
    () => model.version,
    () => pings(model),
    scanner => scanner.host,
  )
  return async (viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<ScannerPing>> => {
    const { total, filtered, page } = pageInMemory(listOf(viewer), request)
    const rows = await fetchByIds<ScannerRow>(
      database.db,
      scannerList(viewer),
      page.map(scanner => scanner.id),
    )
    const data = rows.flatMap(row => {
      const entry = model.scanners.get(row.id)
      return entry === undefined ? [] : [toPing(row, entry)]
    })
    return { draw: request.draw, recordsTotal: total, recordsFiltered: filtered, data }
  }
}
export type ScannerPings = ReturnType<typeof createScannerPings>

const toPing = (row: ScannerRow, entry: ScannerEntry): ScannerPing => ({
  id: row.id,
  name: row.name,
  hostId: row.host_id,
  hostName: row.host_name,
  hostAddress: row.host_address,
  siteId: row.site_id,
  siteName: row.site_name,
  probeId: row.effective_probe,
  probeName: row.probe_name,
  enabled: row.enabled === 1,
  severity: severityOf(entry),
  since: toIso(sinceOf(entry) ?? row.created_at),
  lossRatio: figureOf(entry, FIGURES.lossRatio),
  rttMin: figureOf(entry, FIGURES.rttMin),
  rttAvg: figureOf(entry, FIGURES.rttAvg),
  rttMax: figureOf(entry, FIGURES.rttMax),
  jitter: figureOf(entry, FIGURES.jitter),
  lastRun: toIsoOrNull(entry.lastRunMs),
  lastError: entry.lastError,
})
