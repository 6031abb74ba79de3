import type { HostStateName, Topology, TopologyHost, TopologyProbe } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { HOST_STATE_SEVERITY } from '../../ui/severity.tsx'

/** A host or a probe: what one reaches others through. */
export interface GraphNode {
  /** `h12` or `p3`. */
  readonly key: string
  readonly name: string
  /** In whose colour it is shown; null is neutral. */
  readonly severity: Severity | null
  readonly host: TopologyHost | null
  readonly probe: TopologyProbe | null
  readonly parents: readonly string[]
}

/** Without circles; parents come before what hangs on them. */
export interface Graph {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly children: ReadonlyMap<string, readonly string[]>
  /** How many steps from what hangs on nothing, at most. */
  readonly depth: ReadonlyMap<string, number>
}

export const hostKey = (id: number): string => `h${id}`
const probeKey = (id: number): string => `p${id}`

/** The severity in whose colour a host is shown: that of its state, and of its metrics while it can be reached. */
export const severityOf = (host: { readonly state: HostStateName; readonly severity: Severity }): Severity | null => {
  const own = HOST_STATE_SEVERITY[host.state]
  return own === 'ok' ? host.severity : own
}

const PROBE_SEVERITY: Readonly<Record<TopologyProbe['state'], Severity | null>> = {
  online: 'ok',
  offline: 'error',
  pending: null,
  revoked: null,
}

const nodesOf = ({ hosts, probes }: Topology): GraphNode[] => {
  const known = new Set(probes.map(({ id }) => id))
  return [
    ...probes.map(probe => ({
      ...{ key: probeKey(probe.id), name: probe.name, severity: PROBE_SEVERITY[probe.state] },
      ...{ host: null, probe, parents: [] },
    })),
    ...hosts.map(host => ({
      ...{ key: hostKey(host.id), name: host.name, severity: severityOf(host), host, probe: null },
      parents:
        host.parents.length > 0
          ? host.parents.map(hostKey)
          : host.probeId !== null && known.has(host.probeId)
            ? [probeKey(host.probeId)]
            : [],
    })),
  ]
}

/** Each probe above what it reaches without another host between, and each host above what hangs on it. */
export const graphOf = (topology: Topology): Graph => {
  const all = new Map(nodesOf(topology).map(node => [node.key, node]))
  const nodes = new Map<string, GraphNode>()
  const depth = new Map<string, number>()
  const children = new Map<string, string[]>()
  const below = new Map<string, string[]>()
  const waits = new Map<string, number>()
  for (const { key, parents } of all.values()) {
    const above = new Set(parents.filter(parent => all.has(parent) && parent !== key))
    waits.set(key, above.size)
    for (const parent of above) below.set(parent, [...(below.get(parent) ?? []), key])
  }
  const ready = [...all.keys()].filter(key => waits.get(key) === 0)
  const rest = all.keys()
  while (nodes.size < all.size) {
    let key = ready.shift()
    if (key === undefined) {
      // A circle, which the server refuses: it is opened where one first comes to it.
      key = rest.next().value
      if (key === undefined) break
    }
    const node = all.get(key)
    if (node === undefined || nodes.has(key)) continue
    const parents = [...new Set(node.parents)].filter(parent => nodes.has(parent))
    nodes.set(key, { ...node, parents })
    depth.set(key, Math.max(-1, ...parents.map(parent => depth.get(parent) ?? 0)) + 1)
    for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), key])
    for (const child of below.get(key) ?? []) {
      const left = (waits.get(child) ?? 0) - 1
      waits.set(child, left)
      if (left === 0) ready.push(child)
    }
  }
  return { nodes, children, depth }
}

/** All above a node and all below it, itself included. */
export const chainOf = ({ nodes, children }: Graph, key: string): ReadonlySet<string> => {
  const up = new Set([key])
  for (const one of up) for (const parent of nodes.get(one)?.parents ?? []) up.add(parent)
  const down = new Set([key])
  for (const one of down) for (const child of children.get(one) ?? []) down.add(child)
  return new Set([...up, ...down])
}

/** Nothing passes from one to the other any more: what is above is silent, and what is below can't be reached. */
export const isCut = (above: GraphNode | undefined, below: GraphNode): boolean => {
  if (above === undefined) return false
  if (above.probe !== null) return above.probe.state === 'offline'
  return below.host?.state === 'unreachable' && (above.host?.state === 'down' || above.host?.state === 'unreachable')
}
