import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type MapPixel, stepOf } from '../../lib/map-view.ts'
import { MapStage } from '../../ui/map-stage.tsx'
import { useMapSize } from '../../ui/use-map-drawing.ts'
import classes from './diagram.module.css'
import { DiagramBox } from './diagram-box.tsx'
import {
  type Diagram as Drawing,
  diagramOf,
  layOutFolded,
  type Rect,
  shapeOf,
  stepFrom,
  stopsOf,
} from './diagram-layout.ts'
import { FarSigns, sheetScale } from './far-signs.tsx'
import type { Folded } from './fold.ts'
import { fr } from './fr.ts'
import { usePanZoom, wholePose } from './use-pan-zoom.ts'

interface DiagramProps {
  readonly folded: Folded
  /** What one looks for, with all above and below it: put in the middle, the rest is faint. */
  readonly focus: string | null
  readonly lit: ReadonlySet<string> | null
  readonly selected: string | null
  readonly stale: boolean
  /** A host, a probe or a group, by its key. */
  readonly onAct: (key: string) => void
  readonly onClose: () => void
  /** Of the host or the probe that is open. */
  readonly card: ReactNode
}

const HEIGHT = 'clamp(380px, calc(100vh - 290px), 820px)'
/** Smaller, texts are left out and signs say each severity. */
const FAR_SCALE = 0.42
const READABLE = 0.6

const within = (rect: Rect, [x, y]: MapPixel): boolean =>
  x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height

/** The layout of what is drawn; made again when boxes or ways come or go, not when states change. */
const useDrawing = (folded: Folded): Drawing => {
  const shape = shapeOf(folded)
  const kept = useRef<{ readonly shape: string; readonly layout: ReturnType<typeof layOutFolded> } | null>(null)
  return useMemo(() => {
    if (kept.current?.shape !== shape) kept.current = { shape, layout: layOutFolded(folded) }
    return diagramOf(folded, kept.current.layout)
  }, [folded, shape])
}

/** Boxes in layers from left to right, moved, scaled and walked through; one tab stop. */
export const Diagram = (props: DiagramProps) => {
  const { folded, focus, lit, selected, onAct } = props
  const frame = useRef<HTMLDivElement>(null)
  const size = useMapSize(frame)
  const drawing = useDrawing(folded)
  const stops = useMemo(() => stopsOf(drawing), [drawing])
  const initial = useMemo(() => {
    const whole = wholePose(drawing, size)
    // A diagram that could not be read whole begins at what everything hangs on.
    const root = stops[0]
    if (whole.scale >= READABLE || root === undefined) return whole
    return { scale: READABLE, x: 24, y: size.height / 2 - (root.y + root.height / 2) * READABLE }
  }, [drawing, size, stops])
  const { pose, zoom, pan, show, centre, reveal } = usePanZoom(initial, size)
  const [active, setActive] = useState<string | null>(null)
  const stop = stops.some(({ key }) => key === active) ? active : (stops[0]?.key ?? null)

  const rectOf = (key: string) => stops.find(one => one.key === key)
  const onFocusChange = useEffectEvent((key: string): void => {
    const rect = rectOf(key)
    if (rect === undefined) return
    centre(rect)
    setActive(key)
  })
  const isMeasured = frame.current !== null && size.width === frame.current.clientWidth
  useEffect(() => {
    if (focus !== null && isMeasured) onFocusChange(focus)
  }, [focus, isMeasured])

  const at = ([x, y]: MapPixel): MapPixel => [(x - pose.x) / pose.scale, (y - pose.y) / pose.scale]
  const hand = {
    zoom,
    pan,
    pick: (pixel: MapPixel): void => {
      const hit = stops.findLast(rect => within(rect, at(pixel)))
      if (hit === undefined) return
      setActive(hit.key)
      onAct(hit.key)
    },
    hover: (pixel: MapPixel | null) =>
      pixel !== null && stops.some(rect => within(rect, at(pixel))) ? 'pointer' : null,
  } as const
  const onKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const isStep = key.startsWith('Arrow') && !shiftKey
    if (key === 'Escape') props.onClose()
    else if (isStep) go(stop === null ? null : stepFrom(stops, stop, key))
    return isStep || key === 'Escape'
  }
  const go = (key: string | null): void => {
    const rect = key === null ? undefined : rectOf(key)
    if (key === null || rect === undefined) return
    setActive(key)
    reveal(rect)
    frame.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true })
  }
  const onFocus = useCallback((key: string): void => setActive(key), [])
  const act = useEffectEvent(onAct)
  const onBoxAct = useCallback((key: string): void => act(key), [])
  const isFar = pose.scale < FAR_SCALE
  return (
    <MapStage
      {...{ frame, hand, onKey }}
      label={fr.diagram}
      help={fr.help}
      height={HEIGHT}
      home={{ label: fr.all, go: () => show(wholePose(drawing, size)) }}
      isWalked
      isStale={props.stale}
      card={props.card}
    >
      <div
        className={classes.sheet}
        data-far={isFar || undefined}
        style={{
          transform: `translate(${pose.x}px, ${pose.y}px) scale(${pose.scale})`,
          ...(isFar && sheetScale(pose.scale)),
        }}
      >
        <Ways drawing={drawing} folded={folded} lit={lit} />
        {drawing.boxes.map(drawn => (
          <DiagramBox
            key={drawn.box.key}
            drawn={drawn}
            stop={stop}
            selected={selected ?? focus}
            dim={lit !== null && !lit.has(drawn.box.key) && !drawn.cells.some(({ node }) => lit.has(node.key))}
            lit={lit}
            onAct={onBoxAct}
            onFocus={onFocus}
          />
        ))}
        {isFar && <FarSigns drawing={drawing} step={stepOf(pose.scale)} lit={lit} />}
      </div>
    </MapStage>
  )
}

interface WaysProps {
  readonly drawing: Drawing
  readonly folded: Folded
  readonly lit: ReadonlySet<string> | null
}

const Ways = memo(({ drawing, folded, lit }: WaysProps) => (
  <svg className={classes.ways} width={drawing.width} height={drawing.height} aria-hidden="true">
    {drawing.paths.map(({ key, from, to, d }, index) => (
      <path
        key={key}
        d={d}
        data-cut={folded.edges[index]?.cut || undefined}
        data-dim={(lit !== null && !(lit.has(from) && lit.has(to))) || undefined}
      />
    ))}
  </svg>
))
