import { type ActedObject, CHECKS, type CheckNowBody, type DatatableRequest } from '@narval/contracts'
import { sql } from 'kysely'
import type { Actors } from '../../actors.ts'
import type { Viewer } from '../../http/caller.ts'
import { createMetricsInMemory } from '../../monitoring/fleet/metric-memory.ts'
import { type MetricEntry, type ScannerEntry, SERVER_RUNNER } from '../../monitoring/fleet/model.ts'
import { metricList } from '../../monitoring/metric-list.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { matchingProblems } from '../../monitoring/problem-list.ts'
import { batches } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import { type BulkTarget, targetIds } from '../../store/matching.ts'
import { heldIds } from '../../store/memory-list.ts'
import { seesHost, visibleIncident } from '../../store/visible.ts'
import { incidentList } from './incident.store.ts'
import { inNobodysCharge } from './owner.ts'

/** The ids of a list's objects that ids or a filter stand for. */
export type FindTargets = (viewer: Viewer, target: BulkTarget) => Promise<readonly number[]>

export interface ActedDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly actors: Actors
  readonly hosts: FindTargets
  readonly sites: FindTargets
}
interface Acted {
  readonly of: ActedObject
  readonly ids?: readonly number[] | undefined
  readonly filter?: DatatableRequest | undefined
}

const OPEN_OF = {
  metric: sql`incident.metric_id`,
  host: sql`incident.host_id`,
  // Equipment may have moved since.
  site: sql`coalesce(host.site_id, incident.site_id)`,
} as const

/** What an action on rows of any list is about. */
export const createActed = (deps: ActedDeps) => {
  const { database, monitoring, actors } = deps
  const { model } = monitoring

  const metricIds = async (viewer: Viewer, { of, ids, filter }: Acted): Promise<readonly number[]> =>
    of === 'problem' && filter !== undefined
      ? matchingProblems(model, filter, seesHost(viewer)).map(({ id }) => id)
      : targetIds(database, metricList(viewer), { ids, filter }, heldIds(createMetricsInMemory(model)(viewer)))

  const incidentIds = async (viewer: Viewer, { ids, filter }: Acted): Promise<readonly number[]> => {
    const nobodys = filter?.filters?.owned === undefined ? undefined : await inNobodysCharge(database.db, actors)
    return targetIds(database, incidentList(viewer, nobodys), { ids, filter })
  }

  const openOf = async (viewer: Viewer, kind: keyof typeof OPEN_OF, ids: readonly number[]): Promise<number[]> => {
    const found: number[] = []
    for (const some of batches(ids)) {
      const answer = await sql<{
        id: number
      }>`select incident.id from incident left join host on host.id = incident.host_id
        where ${visibleIncident(viewer)} and incident.closed_at is null and ${OPEN_OF[kind]} in (${sql.join(some)})
        order by incident.id`.execute(database.db)
      found.push(...answer.rows.map(row => row.id))
    }
    return found
  }

  const scannersOf = async (viewer: Viewer, acted: Acted): Promise<ScannerEntry[]> => {
    if (acted.of === 'host' || acted.of === 'site') {
      const ids = await (acted.of === 'host' ? deps.hosts : deps.sites)(viewer, acted)
      const hosts =
        acted.of === 'host'
          ? ids.flatMap(id => model.hosts.get(id) ?? [])
          : ids.flatMap(id => [...(model.sites.get(id)?.hosts.values() ?? [])].filter(seesHost(viewer)))
      return hosts.flatMap(host => [...host.scanners.values()])
    }
    const ids = acted.of === 'incident' ? await metricsOf(viewer, acted) : await metricIds(viewer, acted)
    return ids.flatMap(id => model.metrics.get(id) ?? []).map((metric: MetricEntry) => metric.scanner)
  }
  const metricsOf = async (viewer: Viewer, acted: Acted): Promise<number[]> => {
    const found: number[] = []
    for (const ids of batches(await incidentIds(viewer, acted))) {
      const rows = await database.db.selectFrom('incident').select('metric_id').where('id', 'in', ids).execute()
      found.push(...rows.flatMap(row => row.metric_id ?? []))
    }
    return found
  }

  return {
    /** The incidents: those named, or the open ones of what is named. */
    async incidents(viewer: Viewer, acted: Acted): Promise<readonly number[]> {
      if (acted.of === 'incident') return incidentIds(viewer, acted)
      if (acted.of === 'host') return openOf(viewer, 'host', await deps.hosts(viewer, acted))
      if (acted.of === 'site') return openOf(viewer, 'site', await deps.sites(viewer, acted))
      return openOf(viewer, 'metric', await metricIds(viewer, acted))
    },
    /** The rows themselves: of a problem its metric. */
    rows(viewer: Viewer, acted: Acted): Promise<readonly number[]> {
      if (acted.of === 'incident') return incidentIds(viewer, acted)
      if (acted.of === 'host') return deps.hosts(viewer, acted)
      return acted.of === 'site' ? deps.sites(viewer, acted) : metricIds(viewer, acted)
    },
    /** The metrics that incidents are about; one of a probe or of a link has none. */
    metricsOfIncidents: (viewer: Viewer, target: BulkTarget): Promise<readonly number[]> =>
      metricsOf(viewer, { of: 'incident', ...target }),
    /** The scanners that a probe can run at once for it. */
    async scanners(viewer: Viewer, acted: CheckNowBody): Promise<readonly number[]> {
      const runnable = (await scannersOf(viewer, acted)).filter(
        ({ enabled, host, kind, probeId }) =>
          enabled && host.enabled && CHECKS[kind].passive !== true && probeId !== SERVER_RUNNER,
      )
      return [...new Set(runnable.map(({ id }) => id))]
    },
  }
}
export type ActedTargets = ReturnType<typeof createActed>
