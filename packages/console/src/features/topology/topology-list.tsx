import type { Severity } from '@narval/engine'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { fr as words } from '../../i18n/fr.ts'
import { rankOf } from '../../lib/severity-rank.ts'
import { Card } from '../../ui/page.tsx'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import type { Graph, GraphNode } from './graph.ts'
import classes from './topology-list.module.css'

interface TopologyListProps {
  readonly graph: Graph
  /** Shown whatever is folded: what one looks for, with all above it. */
  readonly lit: ReadonlySet<string> | null
}

/** Up to so many, all of it is open at once. */
const WHOLE = 150
const COLLATOR = new Intl.Collator('fr', { numeric: true })
type Worst = ReadonlyMap<string, Severity | null>

/** The worst of each node with all below it: parents come before what hangs on them. */
const worstBelow = ({ nodes }: Graph): Worst => {
  const worst = new Map<string, Severity | null>()
  for (const { key, severity, parents } of [...nodes.values()].toReversed()) {
    const own = worst.get(key) ?? null
    const now = rankOf(own) < rankOf(severity) ? own : severity
    worst.set(key, now)
    for (const parent of parents) if (rankOf(now) < rankOf(worst.get(parent) ?? null)) worst.set(parent, now)
  }
  return worst
}

const byWorst =
  (worst: Worst) =>
  (a: GraphNode, b: GraphNode): number =>
    rankOf(worst.get(a.key) ?? null) - rankOf(worst.get(b.key) ?? null) || COLLATOR.compare(a.name, b.name)

/** The same as the diagram, as lists within lists: the worst first, what hangs on several told whole once. */
export const TopologyList = ({ graph, lit }: TopologyListProps) => {
  const worst = useMemo(() => worstBelow(graph), [graph])
  const roots = useMemo(
    () => [...graph.nodes.values()].filter(({ parents }) => parents.length === 0).toSorted(byWorst(worst)),
    [graph, worst],
  )
  return (
    <Card>
      <ul className={classes.list} aria-label={fr.list}>
        {roots.map(node => (
          <Branch key={node.key} {...{ node, graph, lit, worst }} level={0} from={null} />
        ))}
      </ul>
    </Card>
  )
}

interface BranchProps extends TopologyListProps {
  readonly node: GraphNode
  readonly worst: Worst
  readonly level: number
  readonly from: string | null
}

const Branch = ({ node, graph, lit, worst, level, from }: BranchProps) => {
  // Of several parents, it is told whole under the first.
  const isFirst = from === null || node.parents[0] === from
  const children = useMemo(
    () =>
      isFirst
        ? (graph.children.get(node.key) ?? []).flatMap(key => graph.nodes.get(key) ?? []).toSorted(byWorst(worst))
        : [],
    [graph, node, isFirst, worst],
  )
  const [chosen, setOpen] = useState<boolean | null>(null)
  const open = chosen ?? (graph.nodes.size <= WHOLE || level === 0 || lit?.has(node.key) === true)
  const { host, probe } = node
  const below = worst.get(node.key) ?? null
  const isWorse = !open && children.length > 0 && rankOf(below) < rankOf(node.severity)
  const word = host === null ? (probe === null ? '' : fr.probeStates[probe.state]) : words.hostState[host.state]
  return (
    <li>
      <div className={classes.row} data-lit={lit?.has(node.key) || undefined}>
        {children.length > 0 ? (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={open}
            aria-label={open ? fr.shut(node.name) : fr.open(node.name)}
            onClick={() => setOpen(!open)}
          >
            {open ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          </button>
        ) : (
          <span className={classes.toggle} />
        )}
        {node.severity !== null && <SeverityIcon severity={node.severity} size={15} />}
        {host === null ? <strong>{node.name}</strong> : <Link to={`/host/${host.id}`}>{node.name}</Link>}
        <span className={classes.word}>
          {word}
          {host?.inMaintenance === true && `, ${fr.inMaintenance}`}
          {children.length > 0 && ` · ${fr.hosts(children.length)}`}
          {!isFirst && ` ${fr.again}`}
        </span>
        {isWorse && below !== null && <SeverityBadge severity={below}>{fr.below(words.severity[below])}</SeverityBadge>}
      </div>
      {open && children.length > 0 && (
        <ul className={classes.list}>
          {children.map(child => (
            <Branch key={child.key} {...{ node: child, graph, lit, worst }} level={level + 1} from={node.key} />
          ))}
        </ul>
      )}
    </li>
  )
}
