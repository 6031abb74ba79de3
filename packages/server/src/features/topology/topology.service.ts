import { TOPOLOGY_MAX, type Topology } from '@narval/contracts'
import { SEVERITIES } from '@narval/engine'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import { type HostEntry, type Model, runnerOf, type SiteEntry } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Database } from '../../store/database.ts'
import { hostTypeNames } from '../../store/names.ts'
import { toIso } from '../../store/time.ts'
import { seesHost, seesSome } from '../../store/visible.ts'

/** The dependencies of equipment, from memory: some 10 ms at 10,000 hosts. */
export const createTopologyService = (
  database: Database,
  { model, presence }: Pick<Monitoring, 'model' | 'presence'>,
  now: () => number,
) => ({
  /** Of one site with what its equipment is reached through, or of all. @throws Refusal for a site that one does not see. */
  async read(viewer: Viewer, siteId: number | null): Promise<Topology> {
    const isSeen = seesHost(viewer)
    const site = siteId === null ? null : model.sites.get(siteId)
    if (site === undefined || (site !== null && !seesSome(viewer)(site))) throw notFound("Ce site n'existe pas.")
    const all = site === null ? [...model.hosts.values()].filter(isSeen) : withAbove(site, isSeen)
    const hosts = parentsFirst(all).slice(0, TOPOLOGY_MAX)
    const types = await hostTypeNames(database.db)
    const told = new Set(hosts)
    const rows = hosts.map(host => ({
      id: host.id,
      name: host.name,
      siteId: host.site.id,
      typeName: host.facts.typeId === null ? null : (types.get(host.facts.typeId) ?? null),
      state: host.state,
      severity: host.severity,
      since: toIso(host.sinceMs),
      inMaintenance: host.maintenance !== null,
      parents: host.parents.filter(parent => told.has(parent)).map(({ id }) => id),
      probeId: probeOf(model, host),
    }))
    const probeIds = new Set(rows.map(({ probeId }) => probeId))
    return {
      hosts: rows,
      probes: [...presence.probes.values()]
        .filter(({ id }) => probeIds.has(id))
        .map(({ id, name }) => ({ id, name, state: presence.state(id) })),
      sites: [...new Set(hosts.map(({ site }) => site))].map(({ id, name }) => ({ id, name })),
      total: all.length,
      at: toIso(now()),
    }
  },
})
export type TopologyService = ReturnType<typeof createTopologyService>

/** Null: no probe does, the server itself listens. */
const probeOf = (model: Model, { life, scanners }: HostEntry): number | null => {
  const scanner = life?.scanner ?? [...scanners.values()].find(({ enabled, probeId }) => enabled && probeId !== null)
  const runner = scanner === undefined ? null : runnerOf(model, scanner)
  return runner === null || runner <= 0 ? null : runner
}

const withAbove = (site: SiteEntry, isSeen: (host: HostEntry) => boolean): HostEntry[] => {
  const found = new Set([...site.hosts.values()].filter(isSeen))
  for (const host of found) for (const parent of host.parents) if (isSeen(parent)) found.add(parent)
  return [...found]
}

const RANKS = new Map(SEVERITIES.map((severity, rank) => [severity, rank]))
const byWorst = (a: HostEntry, b: HostEntry): number =>
  (RANKS.get(a.severity) ?? 0) - (RANKS.get(b.severity) ?? 0) || a.folded.localeCompare(b.folded) || a.id - b.id

/** What others hang on before them, layer by layer; at the end those that stand alone, the worst first. */
const parentsFirst = (hosts: readonly HostEntry[]): HostEntry[] => {
  const among = new Set(hosts)
  const isRoot = ({ parents }: HostEntry): boolean => !parents.some(parent => among.has(parent))
  const isAlone = (host: HostEntry): boolean => isRoot(host) && !host.children.some(child => among.has(child))
  const sorted = hosts.toSorted(byWorst)
  const ordered = new Set(sorted.filter(host => isRoot(host) && !isAlone(host)))
  for (const host of ordered) for (const child of host.children) if (among.has(child)) ordered.add(child)
  // A circle, which forms refuse, hangs on nothing else.
  for (const host of sorted) if (!isAlone(host)) ordered.add(host)
  for (const host of sorted) ordered.add(host)
  return [...ordered]
}
