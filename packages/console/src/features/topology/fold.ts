import type { Severity } from '@narval/engine'
import { rankOf, worstOf } from '../../lib/severity-rank.ts'
import { type Graph, type GraphNode, isCut } from './graph.ts'

/** More than so many are not drawn unasked: leaves are folded under what they hang on, then whole branches. */
export const DRAWN_MAX = 400
/** So many leaves under the same parents, or more, stand in one block. */
const BLOCK_LEAST = 5
/** A block shows at most so many. */
export const CELLS_MAX = 200

/** What is drawn as one: a host or a probe, or several that hang on the same. */
export interface Box {
  readonly key: string
  readonly parents: readonly string[]
  /** Null: several. */
  readonly node: GraphNode | null
  /** Of several, when opened: each of them, those in trouble first to be kept, by name. */
  readonly cells: readonly GraphNode[]
  /** How many hosts it stands for, with all that is hidden below; `kind` says whether it can be opened to cells. */
  readonly count: number
  readonly kind: 'one' | 'leaves' | 'branches'
  readonly open: boolean
  readonly severity: Severity | null
}
export interface Folded {
  readonly boxes: readonly Box[]
  readonly edges: readonly { readonly from: string; readonly to: string; readonly cut: boolean }[]
}

export interface FoldOptions {
  /** What somebody opened or closed, by key. */
  readonly toggled: ReadonlyMap<string, boolean>
  /** Drawn whatever is folded around them. */
  readonly kept: ReadonlySet<string>
}

interface Siblings {
  readonly parents: readonly string[]
  readonly depth: number
  readonly leaves: GraphNode[]
  readonly branches: GraphNode[]
}

const siblingsOf = ({ nodes, children, depth }: Graph): Siblings[] => {
  const sets = new Map<string, Siblings>()
  for (const node of nodes.values()) {
    const parents = node.parents.toSorted()
    const key = parents.join(',')
    const known = sets.get(key) ?? { parents, depth: depth.get(node.key) ?? 0, leaves: [], branches: [] }
    sets.set(key, known)
    if ((children.get(node.key)?.length ?? 0) > 0 || node.probe !== null) known.branches.push(node)
    else known.leaves.push(node)
  }
  return [...sets.values()].toSorted((a, b) => a.depth - b.depth)
}

const COLLATOR = new Intl.Collator('fr', { numeric: true })
const byName = (a: GraphNode, b: GraphNode): number =>
  COLLATOR.compare(a.name, b.name) || COLLATOR.compare(a.key, b.key)

const cellsOf = (nodes: readonly GraphNode[]): GraphNode[] =>
  nodes
    .toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity) || byName(a, b))
    .slice(0, CELLS_MAX)
    .toSorted(byName)

const boxOf = (node: GraphNode): Box => ({
  ...{ key: node.key, parents: node.parents, node, cells: [], count: 1, kind: 'one', open: true },
  severity: node.severity,
})

/** What of a graph is drawn: all of it up to 400, else what leads to the rest, which is counted. */
export const fold = (graph: Graph, { toggled, kept }: FoldOptions): Folded => {
  const fits = graph.nodes.size <= DRAWN_MAX
  const drawn = new Set<string>()
  const boxes: Box[] = []
  const groups: (Box & { readonly members: readonly GraphNode[] })[] = []
  const group = (
    kind: 'leaves' | 'branches',
    parents: readonly string[],
    members: readonly GraphNode[],
    open: boolean,
  ) =>
    groups.push({
      ...{ key: `${kind}:${parents.join(',')}`, parents, node: null, kind, open, members },
      ...{
        cells: kind === 'leaves' && open ? cellsOf(members) : [],
        count: members.length,
        severity: worstOf(members.map(({ severity }) => severity)),
      },
    })
  const draw = (nodes: readonly GraphNode[]): void => {
    for (const node of nodes) {
      drawn.add(node.key)
      boxes.push(boxOf(node))
    }
  }
  for (const { parents, leaves, branches } of siblingsOf(graph)) {
    const isReached = parents.length === 0 || parents.some(parent => drawn.has(parent))
    const always = [...branches, ...leaves].filter(({ key }) => kept.has(key))
    if (!isReached) {
      draw(always)
      continue
    }
    const asked = toggled.get(`branches:${parents.join(',')}`)
    const room = drawn.size + groups.length + branches.length <= DRAWN_MAX
    if (parents.length === 0 || (asked ?? (fits || room))) draw(branches.toSorted(byName))
    else {
      draw(always.filter(node => branches.includes(node)))
      const hidden = branches.filter(({ key }) => !kept.has(key))
      if (hidden.length > 0) group('branches', parents, hidden, false)
    }
    const key = `leaves:${parents.join(',')}`
    if (leaves.length < (fits ? BLOCK_LEAST : 2)) draw(leaves.toSorted(byName))
    else {
      const open = toggled.get(key) ?? fits
      const single = leaves.filter(node => kept.has(node.key) && !open)
      draw(single)
      const others = leaves.filter(node => !single.includes(node))
      if (others.length > 0) group('leaves', parents, others, open)
    }
  }
  // What stands in a block is not counted again with a branch that leads to it as well.
  const counted = new Set(
    groups.flatMap(({ kind, members }) => (kind === 'leaves' ? members.map(({ key }) => key) : [])),
  )
  const counting = groups.map(({ members, ...box }) =>
    box.kind === 'branches' ? { ...box, ...below(graph, members, drawn, counted) } : box,
  )
  const all = [...boxes, ...counting].map(box => ({ ...box, parents: box.parents.filter(parent => drawn.has(parent)) }))
  return { boxes: all, edges: edgesOf(graph, all, new Map(groups.map(one => [one.key, one.members]))) }
}

/** What hidden branches hide, each host counted once. */
const below = (graph: Graph, tops: readonly GraphNode[], drawn: ReadonlySet<string>, counted: Set<string>) => {
  const found: GraphNode[] = []
  const waiting = tops.map(({ key }) => key)
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const node = graph.nodes.get(key)
    if (node === undefined || drawn.has(key) || counted.has(key)) continue
    counted.add(key)
    found.push(node)
    waiting.push(...(graph.children.get(key) ?? []))
  }
  return { count: found.length, severity: worstOf(found.map(({ severity }) => severity)) }
}

const edgesOf = (
  { nodes }: Graph,
  boxes: readonly Box[],
  members: ReadonlyMap<string, readonly GraphNode[]>,
): Folded['edges'] =>
  boxes.flatMap(box =>
    box.parents.map(from => ({
      from,
      to: box.key,
      cut: (box.node === null ? (members.get(box.key) ?? []) : [box.node]).every(node => isCut(nodes.get(from), node)),
    })),
  )
