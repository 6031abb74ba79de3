import type { Severity, SeverityCounts } from '@narval/engine'
import { SEVERITIES, worstOfCounts } from '@narval/engine'

/** What a tree needs to know of a node; siblings keep the order in which they come, unless their severity differs. */
export interface TreeNode {
  readonly id: number
  readonly name: string
  readonly parentId: number | null
  readonly hosts: number
  readonly counts: SeverityCounts
}

/** A node with all that stands under it. */
export interface TreeTotal {
  readonly hosts: number
  readonly counts: SeverityCounts
  /** Null: no equipment that is judged. */
  readonly severity: Severity | null
  /** How many nodes stand under it, at any depth. */
  readonly below: number
}

export interface Forest<T extends TreeNode> {
  readonly nodes: ReadonlyMap<number, T>
  /** Worst severity first, then in the order given; null holds those without a parent that is known. */
  readonly children: ReadonlyMap<number | null, readonly T[]>
  readonly totals: ReadonlyMap<number, TreeTotal>
}

/** Adds up each node with what stands under it, in one pass from the leaves; whatever the depth, without recursion. */
export const forestOf = <T extends TreeNode>(list: readonly T[]): Forest<T> => {
  const nodes = new Map(list.map(node => [node.id, node]))
  const grouped = new Map<number | null, T[]>()
  for (const node of list) {
    const parent = node.parentId !== null && nodes.has(node.parentId) ? node.parentId : null
    const group = grouped.get(parent)
    if (group === undefined) grouped.set(parent, [node])
    else group.push(node)
  }
  const totals = totalsOf(grouped)
  const rank = (node: T): number => rankOf(totals.get(node.id)?.severity ?? null)
  const children = new Map([...grouped].map(([id, group]) => [id, group.toSorted((a, b) => rank(a) - rank(b))]))
  return { nodes, children, totals }
}

const rankOf = (severity: Severity | null): number =>
  severity === null ? SEVERITIES.length : SEVERITIES.indexOf(severity)

const totalsOf = <T extends TreeNode>(children: ReadonlyMap<number | null, readonly T[]>): Map<number, TreeTotal> => {
  const order: T[] = [...(children.get(null) ?? [])]
  for (let index = 0; index < order.length; index += 1) {
    const node = order[index]
    if (node !== undefined) order.push(...(children.get(node.id) ?? []))
  }
  const totals = new Map<number, TreeTotal>()
  for (const node of order.toReversed()) {
    const counts = { ...node.counts }
    let { hosts } = node
    let below = 0
    for (const child of children.get(node.id) ?? []) {
      const total = totals.get(child.id)
      if (total === undefined) continue
      for (const severity of SEVERITIES) counts[severity] += total.counts[severity]
      hosts += total.hosts
      below += total.below + 1
    }
    totals.set(node.id, { hosts, counts, below, severity: worstOfCounts(counts) })
  }
  return totals
}

export interface TreeRow<T> {
  readonly node: T
  /** 1 at the top, as `aria-level` counts. */
  readonly level: number
  readonly position: number
  readonly siblings: number
  /** Null: nothing to expand. */
  readonly expanded: boolean | null
  /** False: kept only because something under it is what one looks for. */
  readonly matches: boolean
}

/** The rows to show, from the top. With `isMatch`, what matches with its ancestors, all expanded. */
export const treeRows = <T extends TreeNode>(
  { nodes, children }: Forest<T>,
  expanded: ReadonlySet<number>,
  isMatch: ((node: T) => boolean) | null,
): TreeRow<T>[] => {
  const kept = isMatch === null ? null : withAncestors(nodes, isMatch)
  const shown = (parent: number | null): readonly T[] => {
    const group = children.get(parent) ?? []
    return kept === null ? group : group.filter(node => kept.has(node.id))
  }
  const rows: TreeRow<T>[] = []
  const waiting = [{ group: shown(null), next: 0, level: 1 }]
  for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
    const { group, level } = top
    const node = group[top.next]
    top.next += 1
    if (node === undefined) {
      waiting.pop()
      continue
    }
    const under = shown(node.id)
    const open = under.length === 0 ? null : kept !== null || expanded.has(node.id)
    const matches = isMatch === null || isMatch(node)
    rows.push({ node, level, position: top.next, siblings: group.length, expanded: open, matches })
    if (open === true) waiting.push({ group: under, next: 0, level: level + 1 })
  }
  return rows
}

const withAncestors = <T extends TreeNode>(
  nodes: ReadonlyMap<number, T>,
  isMatch: (node: T) => boolean,
): ReadonlySet<number> => {
  const kept = new Set<number>()
  for (const node of nodes.values()) {
    if (!isMatch(node)) continue
    for (let up: T | undefined = node; up !== undefined && !kept.has(up.id); up = parentOf(nodes, up)) kept.add(up.id)
  }
  return kept
}

const parentOf = <T extends TreeNode>(nodes: ReadonlyMap<number, T>, node: T): T | undefined =>
  node.parentId === null ? undefined : nodes.get(node.parentId)

/** The chain above a node, from the top down to its parent. */
export const ancestorsOf = <T extends TreeNode>(nodes: ReadonlyMap<number, T>, id: number): readonly T[] => {
  const chain: T[] = []
  const seen = new Set([id])
  let node = nodes.get(id)
  for (let up = node && parentOf(nodes, node); up !== undefined && !seen.has(up.id); up = parentOf(nodes, up)) {
    seen.add(up.id)
    chain.unshift(up)
    node = up
  }
  return chain
}

/** A node and everything under it. */
export const subtreeOf = <T extends TreeNode>({ children }: Forest<T>, id: number): ReadonlySet<number> => {
  const found = new Set([id])
  for (const one of found) for (const child of children.get(one) ?? []) found.add(child.id)
  return found
}
