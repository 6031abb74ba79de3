import { IconChevronDown, IconChevronRight, IconHeartRateMonitor } from '@tabler/icons-react'
import { memo } from 'react'
import { fr as words } from '../../i18n/fr.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import classes from './diagram.module.css'
import type { DrawnBox, Rect } from './diagram-layout.ts'
import { fr } from './fr.ts'
import type { GraphNode } from './graph.ts'

/** « routeur-1, Indisponible ». */
export const nodeLabel = ({ name, host, probe }: GraphNode): string =>
  [
    name,
    host === null ? (probe === null ? '' : fr.probeStates[probe.state]) : words.hostState[host.state],
    host?.inMaintenance === true ? fr.inMaintenance : '',
  ]
    .filter(Boolean)
    .join(', ')

const groupText = ({ box }: DrawnBox): string =>
  box.kind === 'branches' ? fr.hiddenBranch(box.count) : fr.group(box.count)

const placeOf = ({ x, y, width, height }: Rect) => ({ left: x, top: y, width, height })

interface DiagramBoxProps {
  readonly drawn: DrawnBox
  /** The key that holds the tab stop, where it is here. */
  readonly stop: string | null
  readonly selected: string | null
  readonly dim: boolean
  /** Cells that are part of what one looks at; null: all. */
  readonly lit: ReadonlySet<string> | null
  readonly onAct: (key: string) => void
  readonly onFocus: (key: string) => void
}

/** A host, a probe, or several in one block. */
export const DiagramBox = memo((props: DiagramBoxProps) => {
  const { drawn, stop, selected, dim, onAct, onFocus } = props
  const { box } = drawn
  const { node } = box
  const act = (key: string) => ({
    type: 'button' as const,
    tabIndex: key === stop ? 0 : -1,
    'data-key': key,
    // A pointer's click is the diagram's, which tells it from a drag.
    onClick: (event: { readonly detail: number }) => event.detail === 0 && onAct(key),
    onFocus: () => onFocus(key),
  })
  if (node !== null)
    return (
      <button
        {...act(box.key)}
        className={classes.box}
        style={placeOf(drawn)}
        data-severity={box.severity ?? undefined}
        data-probe={node.probe !== null || undefined}
        data-selected={selected === box.key || undefined}
        data-dim={dim || undefined}
        data-off={node.host?.state === 'disabled' || undefined}
        aria-label={nodeLabel(node)}
        title={nodeLabel(node)}
      >
        <Sign node={node} />
        <span className={classes.name}>{node.name}</span>
      </button>
    )
  const text = groupText(drawn)
  return (
    <>
      {box.open && <div className={classes.block} style={placeOf(drawn)} data-severity={box.severity ?? undefined} />}
      <button
        {...act(box.key)}
        className={box.open ? classes.blockHead : classes.group}
        style={{ ...placeOf(drawn), ...(box.open && { height: 30 }) }}
        data-severity={box.severity ?? undefined}
        data-dim={dim || undefined}
        aria-expanded={box.open}
        aria-label={box.open ? fr.closeGroup(text) : fr.openGroup(text)}
      >
        {box.severity !== null && <SeverityIcon severity={box.severity} size={15} />}
        <span className={classes.name}>{text}</span>
        {box.open ? <IconChevronDown size={15} aria-hidden /> : <IconChevronRight size={15} aria-hidden />}
      </button>
      {drawn.cells.map(cell => (
        <button
          key={cell.node.key}
          {...act(cell.node.key)}
          className={classes.cell}
          style={placeOf(cell)}
          data-severity={cell.node.severity ?? undefined}
          data-selected={selected === cell.node.key || undefined}
          data-dim={(props.lit !== null && !props.lit.has(cell.node.key)) || undefined}
          data-off={cell.node.host?.state === 'disabled' || undefined}
          aria-label={nodeLabel(cell.node)}
          title={nodeLabel(cell.node)}
        >
          <Sign node={cell.node} />
          <span className={classes.name}>{cell.node.name}</span>
        </button>
      ))}
      {box.open && box.count > drawn.cells.length && (
        <span
          className={classes.more}
          style={{ left: drawn.x + 12, top: drawn.y + drawn.height - 28, width: drawn.width - 24 }}
        >
          {fr.moreCells(box.count - drawn.cells.length)}
        </span>
      )}
    </>
  )
})

const Sign = ({ node }: { readonly node: GraphNode }) => {
  if (node.probe !== null)
    return (
      <>
        <IconHeartRateMonitor size={17} aria-hidden />
        {node.severity !== null && <SeverityIcon severity={node.severity} size={15} />}
      </>
    )
  if (node.severity === null) return <span className={classes.neutral} />
  return <SeverityIcon severity={node.severity} size={15} />
}
