import type { MaintenanceInput } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import { createMetricsInMemory } from '../../monitoring/fleet/metric-memory.ts'
import type { NamedObjects } from '../../monitoring/maintenance/maintenance.store.ts'
import { metricList } from '../../monitoring/metric-list.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { matchingProblems } from '../../monitoring/problem-list.ts'
import type { Database } from '../../store/database.ts'
import { type BulkTarget, targetIds } from '../../store/matching.ts'
import { heldIds } from '../../store/memory-list.ts'
import { seesHost } from '../../store/visible.ts'

/** The ids of a list's objects that ids or a filter stand for. */
export type FindTargets = (viewer: Viewer, target: BulkTarget) => Promise<readonly number[]>

export interface ObjectDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly hosts: FindTargets
  readonly sites: FindTargets
  /** Those of the metrics that incidents are about. */
  readonly incidents: FindTargets
}
type Targets = Pick<MaintenanceInput, 'sites' | 'hosts' | 'metrics' | 'incidents' | 'filter'>

export interface FoundObjects extends NamedObjects {
  /** How many the filter stands for; null without one. */
  readonly matched: number | null
}

/** What a maintenance is to cover: the objects named, that must exist, and all that a list's request matches now. */
export const createMaintenanceObjects = ({ database, monitoring, ...deps }: ObjectDeps) => {
  const inMemory = createMetricsInMemory(monitoring.model)
  const metrics: FindTargets = (viewer, target) =>
    targetIds(database, metricList(viewer), target, heldIds(inMemory(viewer)))
  const find = { sites: deps.sites, hosts: deps.hosts, metrics }

  const named = async (viewer: Viewer, kind: keyof typeof find, ids: readonly number[]): Promise<readonly number[]> => {
    if (ids.length === 0) return []
    const found = await find[kind](viewer, { ids })
    if (found.length < new Set(ids).size)
      throw invalid(['Un des objets choisis n’existe plus.'], { [kind]: 'Un des objets choisis n’existe plus.' })
    return found
  }
  const matching = async (viewer: Viewer, filter: NonNullable<Targets['filter']>): Promise<readonly number[]> => {
    const { list, request } = filter
    if (list === 'incidents') return deps.incidents(viewer, { filter: request })
    return list === 'problems'
      ? matchingProblems(monitoring.model, request, seesHost(viewer)).map(({ id }) => id)
      : find[list](viewer, { filter: request })
  }

  return async (viewer: Viewer, targets: Targets): Promise<FoundObjects> => {
    const [sites, hosts, alone, troubled] = [
      await named(viewer, 'sites', targets.sites),
      await named(viewer, 'hosts', targets.hosts),
      await named(viewer, 'metrics', targets.metrics),
      targets.incidents.length === 0 ? [] : await deps.incidents(viewer, { ids: targets.incidents }),
    ]
    const own = [...new Set([...alone, ...troubled])]
    const { filter } = targets
    if (filter === undefined) return { sites, hosts, metrics: own, matched: null }
    const found = await matching(viewer, filter)
    const kind = filter.list === 'sites' || filter.list === 'hosts' ? filter.list : 'metrics'
    const all = { sites, hosts, metrics: own }
    return { ...all, [kind]: [...new Set([...all[kind], ...found])], matched: found.length }
  }
}
export type MaintenanceObjects = ReturnType<typeof createMaintenanceObjects>
