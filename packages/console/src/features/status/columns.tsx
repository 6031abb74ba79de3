import { useElementSize, useMergedRef } from '@mantine/hooks'
import { SEVERITIES, type Severity } from '@narval/engine'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { formatDuration, formatNumber, formatRatio } from '../../lib/format.ts'
import classes from './columns.module.css'
import { fr } from './fr.ts'
import {
  HOUR_MS,
  highest,
  roundAbove,
  type StatusColumn,
  shareOf,
  stackOf,
  totalOf,
  unwatchedMs,
} from './status-columns.ts'

const HEIGHT = 200
const AXIS = 22
const MIN_STEP = 6
const MAX_STEP = 64

interface ColumnsProps {
  readonly label: string
  readonly columns: readonly StatusColumn[]
  readonly shown: readonly Severity[]
  readonly nowMs: number
  /** Start of the chosen column. */
  readonly selected: number | null
  readonly onSelect: (fromMs: number) => void
  /** The column that is looked at, by pointer or by focus. */
  readonly onLook: (column: StatusColumn | null) => void
}

/** « vendredi 20 novembre, 14 h – 15 h », or the day. */
export const columnTime = ({ fromMs, untilMs }: StatusColumn): string =>
  untilMs - fromMs > HOUR_MS ? fr.day(fromMs) : fr.hour(fromMs, untilMs)

/** « Erreur 0,8 %, OK 99,2 %, non surveillé pendant 20 min ». */
const figuresOf = (column: StatusColumn, nowMs: number): string => {
  const lost = unwatchedMs(column, nowMs)
  const figures = SEVERITIES.filter(severity => column.sums[severity] > 0).map(severity =>
    fr.figure(common.severity[severity], formatRatio(shareOf(column, severity))),
  )
  if (totalOf(column) === 0) return fr.nothingWatched
  return [...figures, ...(lost > 0 ? [fr.unwatchedFor(formatDuration(lost))] : [])].join(', ')
}

/** Hours or days as columns of stacked states, each a button: arrows go from one to the next, Enter chooses. */
export const Columns = ({ label, columns, shown, nowMs, selected, onSelect, onLook }: ColumnsProps) => {
  const { ref, width } = useElementSize()
  const scroller = useRef<HTMLElement>(null)
  const scrollerRef = useMergedRef(ref, scroller)
  const plot = useRef<HTMLDivElement>(null)
  const patterns = useId()
  const [active, setActive] = useState<number | null>(null)
  const step = Math.min(MAX_STEP, Math.max(MIN_STEP, width / Math.max(1, columns.length)))
  const drawn = Math.max(width, step * columns.length)
  const left = drawn - step * columns.length
  const max = roundAbove(highest(columns, shown))
  const chosen = columns.findIndex(column => column.fromMs === (active ?? selected))
  const current = chosen < 0 ? columns.length - 1 : chosen
  // The newest are seen first where not all of them are.
  useEffect(() => {
    if (scroller.current !== null) scroller.current.scrollLeft = drawn
  }, [drawn])

  const go = (index: number): void => {
    const node = plot.current?.children[Math.max(0, Math.min(columns.length - 1, index))]
    if (node instanceof HTMLElement) node.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: columns.length - 1 },
    }
    const to = moves[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    go(to)
  }

  return (
    <div className={classes.chart}>
      <div className={classes.scale} aria-hidden>
        <span>{formatNumber(max, 1)}</span>
        <span>{formatNumber(max / 2, 1)}</span>
        <span>0</span>
      </div>
      <section className={classes.scroller} aria-label={label} ref={scrollerRef}>
        <svg className={classes.defs} width={0} height={0} aria-hidden>
          <Patterns id={patterns} />
        </svg>
        <div ref={plot} className={classes.plot} style={{ width: drawn, paddingLeft: left }}>
          {columns.map((column, index) => (
            <button
              key={column.fromMs}
              type="button"
              className={classes.column}
              style={{ width: step }}
              tabIndex={index === current ? 0 : -1}
              aria-pressed={column.fromMs === selected}
              aria-label={fr.columnName(columnTime(column), figuresOf(column, nowMs))}
              onClick={() => onSelect(column.fromMs)}
              onKeyDown={onKeyDown}
              onPointerEnter={() => onLook(column)}
              onPointerLeave={() => onLook(null)}
              onFocus={() => {
                setActive(column.fromMs)
                onLook(column)
              }}
              onBlur={() => onLook(null)}
            >
              <svg width={step} height={HEIGHT} aria-hidden>
                <Stack column={column} shown={shown} max={max} step={step} nowMs={nowMs} patterns={patterns} />
              </svg>
            </button>
          ))}
        </div>
        <svg width={drawn} height={AXIS} aria-hidden className={classes.axis}>
          <Axis columns={columns} left={left} step={step} />
        </svg>
      </section>
    </div>
  )
}

interface StackProps {
  readonly column: StatusColumn
  readonly shown: readonly Severity[]
  readonly max: number
  readonly step: number
  readonly nowMs: number
  readonly patterns: string
}

const Stack = ({ column, shown, max, step, nowMs, patterns }: StackProps) => {
  const gap = step >= 12 ? 2 : 1
  const stack = stackOf(column, shown, max, HEIGHT)
  const top = stack.at(-1)?.y ?? HEIGHT
  const lost = unwatchedMs(column, nowMs)
  // As high as it would have been, at least to be seen.
  const share = column.watchedMs === 0 ? 0 : lost / column.watchedMs
  const missing = lost === 0 ? 0 : Math.min(top, Math.max(6, (HEIGHT - top) * share))
  return (
    <>
      {stack.map(({ severity, y, height }) => (
        <rect
          key={severity}
          x={gap / 2}
          y={y}
          width={step - gap}
          height={height}
          fill={`url(#${patterns}${severity})`}
        />
      ))}
      {missing > 0 && (
        <rect
          className={classes.unwatched}
          x={gap / 2 + 0.5}
          y={top - missing + 0.5}
          width={Math.max(1, step - gap - 1)}
          height={Math.max(1, missing - 1)}
        />
      )}
    </>
  )
}

/** Told without colour too: full, striped, dotted, pale. */
export const Patterns = ({ id }: { readonly id: string }) => (
  <defs>
    <pattern id={`${id}error`} width="4" height="4" patternUnits="userSpaceOnUse">
      <rect width="4" height="4" fill="var(--error)" />
    </pattern>
    <pattern id={`${id}warning`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill="var(--warning)" />
      <rect width="2" height="6" fill="var(--surface-card)" opacity="0.55" />
    </pattern>
    <pattern id={`${id}unknown`} width="5" height="5" patternUnits="userSpaceOnUse">
      <rect width="5" height="5" fill="var(--unknown)" />
      <circle cx="2.5" cy="2.5" r="1.1" fill="var(--surface-card)" opacity="0.75" />
    </pattern>
    <pattern id={`${id}ok`} width="4" height="4" patternUnits="userSpaceOnUse">
      <rect width="4" height="4" fill="var(--ok)" opacity="0.5" />
    </pattern>
  </defs>
)

/** Pixels that a word of the axis takes. */
const WORD_PX = 52

const Axis = ({ columns, left, step }: { columns: readonly StatusColumn[]; left: number; step: number }) => {
  let free = Number.NEGATIVE_INFINITY
  const isHourly = columns.some(({ fromMs, untilMs }) => untilMs - fromMs <= HOUR_MS)
  const isLong = columns.length > 48
  return (
    <g>
      {columns.map(({ fromMs }, index) => {
        const x = left + index * step
        const hour = new Date(fromMs).getHours()
        const isWanted = !isHourly || (isLong ? hour === 0 : hour % 3 === 0)
        if (!isWanted || x < free) return null
        free = x + WORD_PX
        return (
          <text key={fromMs} x={x} y={16}>
            {isHourly && !isLong ? fr.clock(fromMs) : fr.shortDay(fromMs)}
          </text>
        )
      })}
    </g>
  )
}
