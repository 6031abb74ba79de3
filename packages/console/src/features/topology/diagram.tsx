import { ActionIcon } from '@mantine/core'
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { MapPixel } from '../../lib/map-view.ts'
import { useMapSize } from '../../ui/use-map-drawing.ts'
import { useMapGestures } from '../../ui/use-map-gestures.ts'
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
}

const ZOOM = 1.3
const KEY_PX = 60
/** Smaller, texts are left out and boxes are filled with their colour. */
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
  const id = useId()
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
  const [isOver, setOver] = useState(false)
  useMapGestures(frame, {
    zoom,
    pan,
    pick: pixel => {
      const hit = stops.findLast(rect => within(rect, at(pixel)))
      if (hit === undefined) return
      setActive(hit.key)
      onAct(hit.key)
    },
    hover: pixel => setOver(pixel !== null && stops.some(rect => within(rect, at(pixel)))),
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = PANS[event.key]
    if (event.key === 'Escape') props.onClose()
    else if (by !== undefined && event.shiftKey) pan(by)
    else if (by !== undefined) go(stop === null ? null : stepFrom(stops, stop, event.key))
    else if (event.key === '+' || event.key === '=') zoom(ZOOM)
    else if (event.key === '-' || event.key === '−') zoom(1 / ZOOM)
    else if (event.key === '0') show(wholePose(drawing, size))
    else return
    event.preventDefault()
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
  return (
    <div className={classes.diagram} data-stale={props.stale || undefined}>
      <div
        ref={frame}
        className={classes.frame}
        role="application"
        aria-label={fr.diagram}
        aria-describedby={`${id}-help`}
        data-over={isOver || undefined}
        onKeyDown={onKeyDown}
        // Focus may not scroll the frame: the diagram is moved instead.
        onScroll={event => event.currentTarget.scrollTo(0, 0)}
      >
        <div
          className={classes.stage}
          data-far={pose.scale < FAR_SCALE || undefined}
          style={{ transform: `translate(${pose.x}px, ${pose.y}px) scale(${pose.scale})` }}
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
        </div>
      </div>
      <fieldset className={classes.buttons} aria-label={fr.zoom}>
        <ActionIcon variant="default" size={34} aria-label={fr.zoomIn} title={fr.zoomIn} onClick={() => zoom(ZOOM)}>
          <IconPlus size={17} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={fr.zoomOut}
          title={fr.zoomOut}
          onClick={() => zoom(1 / ZOOM)}
        >
          <IconMinus size={17} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={fr.all}
          title={fr.all}
          onClick={() => show(wholePose(drawing, size))}
        >
          <IconArrowsMaximize size={17} />
        </ActionIcon>
      </fieldset>
      <p className={classes.help} id={`${id}-help`}>
        {fr.help}
      </p>
    </div>
  )
}

const PANS: Readonly<Record<string, MapPixel>> = {
  ArrowLeft: [KEY_PX, 0],
  ArrowRight: [-KEY_PX, 0],
  ArrowUp: [0, KEY_PX],
  ArrowDown: [0, -KEY_PX],
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
