import { addressKey, type DiscoveryRole } from '@narval/contracts'
import type { Facts } from './findings.ts'

/** One found thing as the dependencies see it. */
export interface Node {
  readonly id: number
  readonly address: string
  readonly name: string
  readonly role: DiscoveryRole
  readonly hostId: number | null
  readonly facts: Pick<Facts, 'mac' | 'snmp' | 'neighbours' | 'hops'>
}
/** A host that is supervised already, wherever it was found. */
export interface SupervisedHost {
  readonly id: number
  readonly address: string
}

export interface ProposedParent {
  readonly source: 'lldp' | 'traceroute'
  /** One of the found things, or a host that was not found here. */
  readonly findingId: number | null
  readonly hostId: number | null
}

/** What passes packets on: others are reached through it. */
const CARRIERS: ReadonlySet<DiscoveryRole> = new Set(['router', 'switch', 'firewall', 'access-point'])

/**
 * Through what each found thing is reached. By LLDP: the neighbour that is nearer to the probe, counted in links from the
 * gateway, or from the first router on the traced ways; without any of them, end equipment hangs on the carrier that sees
 * it. By the traced way: the last router before it. No chain of parents ever closes on itself.
 */
export const proposeParents = (
  nodes: readonly Node[],
  hosts: readonly SupervisedHost[],
  gateway: string | null,
): ReadonlyMap<number, ProposedParent> => {
  const byAddress = new Map(nodes.map(node => [addressKey(node.address), node]))
  const links = linksOf(nodes, byAddress)
  const depths = depthsFrom(rootsOf(nodes, byAddress, gateway), links)
  const proposed = new Map<number, ProposedParent>()
  for (const node of nodes) {
    const parent = byLldp(node, links, depths) ?? byRoute(node, byAddress, hosts)
    if (parent === null || parent.findingId === node.id || (parent.hostId !== null && parent.hostId === node.hostId))
      continue
    if (!closes(proposed, node.id, parent.findingId)) proposed.set(node.id, parent)
  }
  return proposed
}

type Links = ReadonlyMap<Node, ReadonlySet<Node>>

/** Both ends of each LLDP neighbourhood whose other end was found too: by address, MAC address, or a name that one bears alone. */
const linksOf = (nodes: readonly Node[], byAddress: ReadonlyMap<string | null, Node>): Links => {
  const byMac = new Map<string, Node>()
  for (const node of nodes)
    for (const mac of [...(node.facts.snmp?.macs ?? []), ...(node.facts.mac === null ? [] : [node.facts.mac])])
      if (!byMac.has(mac)) byMac.set(mac, node)
  const names = Map.groupBy(nodes, node => shortName(node.facts.snmp?.sysName || node.name))
  const links = new Map<Node, Set<Node>>()
  const link = (one: Node, other: Node): void => void links.set(one, (links.get(one) ?? new Set<Node>()).add(other))
  for (const node of nodes)
    for (const { chassis, port, name, addresses } of node.facts.neighbours) {
      const named = name === '' ? [] : (names.get(shortName(name)) ?? [])
      const other =
        addresses.map(address => byAddress.get(addressKey(address))).find(one => one !== undefined) ??
        byMac.get(chassis) ??
        byMac.get(port) ??
        (named.length === 1 ? named[0] : undefined)
      if (other === undefined || other === node) continue
      link(node, other)
      link(other, node)
    }
  return links
}
const shortName = (name: string): string => (name.split('.')[0] ?? name).toLowerCase()

/** Where the ways of the probe begin. */
const rootsOf = (
  nodes: readonly Node[],
  byAddress: ReadonlyMap<string | null, Node>,
  gateway: string | null,
): ReadonlySet<Node> => {
  const firsts = [gateway, ...nodes.map(node => node.facts.hops?.[0] ?? null)].flatMap(address => address ?? [])
  return new Set(firsts.flatMap(address => byAddress.get(addressKey(address)) ?? []))
}

const depthsFrom = (roots: ReadonlySet<Node>, links: Links): ReadonlyMap<Node, number> => {
  const depths = new Map([...roots].map(node => [node, 0]))
  const next = [...roots]
  for (let node = next.shift(); node !== undefined; node = next.shift())
    for (const other of links.get(node) ?? [])
      if (!depths.has(other)) {
        depths.set(other, (depths.get(node) ?? 0) + 1)
        next.push(other)
      }
  return depths
}

const byLldp = (node: Node, links: Links, depths: ReadonlyMap<Node, number>): ProposedParent | null => {
  const around = [...(links.get(node) ?? [])].filter(({ role }) => CARRIERS.has(role))
  const depth = depths.get(node)
  const nearer =
    depth === undefined
      ? CARRIERS.has(node.role)
        ? []
        : around
      : around.filter(other => (depths.get(other) ?? Number.POSITIVE_INFINITY) < depth)
  // End equipment that several carriers see stands behind one that nobody can tell.
  const [parent, second] = nearer
  if (parent === undefined || (second !== undefined && depth === undefined)) return null
  return { source: 'lldp', findingId: parent.id, hostId: parent.hostId }
}

const byRoute = (
  { facts, address }: Node,
  byAddress: ReadonlyMap<string | null, Node>,
  hosts: readonly SupervisedHost[],
): ProposedParent | null => {
  const last = facts.hops?.at(-1) ?? null
  if (last === null || last === address) return null
  const found = byAddress.get(addressKey(last))
  if (found !== undefined) return { source: 'traceroute', findingId: found.id, hostId: found.hostId }
  const host = hosts.find(one => addressKey(one.address) === addressKey(last))
  return host === undefined ? null : { source: 'traceroute', findingId: null, hostId: host.id }
}

const closes = (proposed: ReadonlyMap<number, ProposedParent>, id: number, parent: number | null): boolean => {
  for (let at = parent, steps = 0; at !== null && steps <= proposed.size; steps += 1) {
    if (at === id) return true
    at = proposed.get(at)?.findingId ?? null
  }
  return false
}
