import { ActionIcon, Button } from '@mantine/core'
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useId, useMemo, useState } from 'react'
import { type MapPixel, type MapSize, type MapView, panBy, pixelOfWorld, viewOf, zoomAt } from '../../lib/map-view.ts'
import { useMapDrawing } from '../../ui/use-map-drawing.ts'
import { useMapGestures } from '../../ui/use-map-gestures.ts'
import { MARK_APART_PX, type Mark, markSites, type PlacedSite, stepOf } from './clusters.ts'
import { fr } from './fr.ts'
import { MapMark, markLabel, sortMarks } from './map-mark.tsx'
import { MARK_NEAREST, mainlandView, worldView } from './presets.ts'
import classes from './site-map.module.css'

interface SiteMapProps {
  readonly frame: RefObject<HTMLDivElement | null>
  readonly size: MapSize
  readonly sites: readonly PlacedSite[]
  readonly selected: number | null
  readonly view: MapView
  readonly change: (next: (view: MapView) => MapView) => void
  readonly fly: (view: MapView) => void
  readonly onAll: () => void
  /** Several: at one place, whatever one zooms. */
  readonly onOpen: (sites: readonly PlacedSite[]) => void
  readonly onClose: () => void
  readonly stale: boolean
}

const NO_PLACES: readonly [] = []
const KEY_PX = 60
const BEYOND_PX = 24
const ZOOM = 1.8

/** The map with its marks; one tab stop for the map, then one for each mark in sight, the worst first. */
export const SiteMap = (props: SiteMapProps) => {
  const { frame, size, sites, selected, view, change, fly, onOpen } = props
  const id = useId()
  const step = stepOf(view)
  const marks = useMemo(() => sortMarks(markSites(sites, step)), [sites, step])
  const placed = useMemo(
    () => marks.map(mark => ({ mark, at: pixelOfWorld(view, size, mark.at) })).filter(({ at }) => isNear(at, size)),
    [marks, view, size],
  )
  const covered = useMemo(() => placed.map(({ at }) => at), [placed])
  const { canvas, failed } = useMapDrawing({ view, size, others: NO_PLACES, marks: covered })
  const [hovered, setHovered] = useState<string | null>(null)
  const [focused, setFocused] = useState<string | null>(null)

  const open = (mark: Mark): void => {
    const [first] = mark.sites
    const near = viewOf(mark.sites, size, MARK_NEAREST)
    if (first === undefined || near === null) return
    const parts = mark.sites.length > 1 && markSites(mark.sites, stepOf(near)).length > 1
    if (!parts) onOpen(mark.sites)
    else {
      fly(near)
      // Its mark is about to vanish, and the focus with it.
      if (document.activeElement !== frame.current) frame.current?.focus({ preventScroll: true })
    }
  }
  const markAt = (at: MapPixel | null): Mark | null => (at === null ? null : nearest(placed, at))
  const zoom = (factor: number, at: MapPixel = [size.width / 2, size.height / 2]): void =>
    change(current => zoomAt(current, size, at, factor))

  useMapGestures(frame, {
    zoom,
    pan: by => change(current => panBy(current, size, by)),
    pick: at => {
      const mark = markAt(at)
      if (mark !== null) open(mark)
    },
    hover: at => setHovered(markAt(at)?.key ?? null),
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = ARROWS[event.key]
    const factor = ZOOM_KEYS[event.key]
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') props.onClose()
    else if (by !== undefined) change(current => panBy(current, size, by))
    else if (factor !== undefined) zoom(factor)
    else return
    event.preventDefault()
  }
  const told = placed.find(({ mark }) => mark.key === (hovered ?? focused))
  return (
    <div className={classes.map} data-stale={props.stale || undefined}>
      <div
        ref={frame}
        className={classes.frame}
        role="application"
        aria-label={fr.map}
        aria-describedby={`${id}-help`}
        data-over={hovered !== null || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is driven by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <canvas {...canvas} />
        {placed.map(({ mark, at }) => (
          <MapMark
            key={mark.key}
            mark={mark}
            x={at[0]}
            y={at[1]}
            isSelected={mark.sites.some(site => site.id === selected)}
            onOpen={open}
            onFocus={setFocused}
          />
        ))}
        {told !== undefined && <Told label={markLabel(told.mark)} at={told.at} size={size} />}
        <span className={classes.source}>{fr.source}</span>
        {failed && <p className={classes.failed}>{fr.failed}</p>}
      </div>
      <fieldset className={classes.buttons} aria-label={fr.views}>
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
        <ActionIcon variant="default" size={34} aria-label={fr.all} title={fr.all} onClick={props.onAll}>
          <IconArrowsMaximize size={17} />
        </ActionIcon>
      </fieldset>
      <div className={classes.presets}>
        <Button variant="default" size="compact-sm" onClick={() => fly(worldView(size))}>
          {fr.world}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => fly(mainlandView(size))}>
          {fr.france}
        </Button>
      </div>
      <p className={classes.help} id={`${id}-help`}>
        {fr.help}
      </p>
    </div>
  )
}

/** What a mark stands for, in words, beside it and within the map. */
const Told = ({
  label,
  at: [x, y],
  size,
}: {
  readonly label: string
  readonly at: MapPixel
  readonly size: MapSize
}) => (
  <span
    className={classes.told}
    data-left={x > size.width / 2 || undefined}
    style={{ transform: `translate(${x}px, ${y}px)` }}
    aria-hidden
  >
    <span>{label}</span>
  </span>
)

const isNear = ([x, y]: MapPixel, { width, height }: MapSize): boolean =>
  x > -BEYOND_PX && y > -BEYOND_PX && x < width + BEYOND_PX && y < height + BEYOND_PX

const nearest = (placed: readonly { readonly mark: Mark; readonly at: MapPixel }[], [x, y]: MapPixel): Mark | null => {
  let best: Mark | null = null
  let least = MARK_APART_PX / 2
  for (const { mark, at } of placed) {
    const distance = Math.hypot(at[0] - x, at[1] - y)
    if (distance >= least) continue
    least = distance
    best = mark
  }
  return best
}

const ARROWS: Readonly<Record<string, MapPixel>> = {
  ArrowLeft: [KEY_PX, 0],
  ArrowRight: [-KEY_PX, 0],
  ArrowUp: [0, KEY_PX],
  ArrowDown: [0, -KEY_PX],
}
const ZOOM_KEYS: Readonly<Record<string, number>> = { '+': ZOOM, '=': ZOOM, '-': 1 / ZOOM, '−': 1 / ZOOM }
