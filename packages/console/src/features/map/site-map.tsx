import { Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo, useState } from 'react'
import {
  type MapPixel,
  type MapSize,
  type MapView,
  nearestTo,
  panBy,
  pixelOfWorld,
  stepOf,
  viewOf,
  zoomAt,
} from '../../lib/map-view.ts'
import { MapGround } from '../../ui/map-ground.tsx'
import { MapStage } from '../../ui/map-stage.tsx'
import { MARK_APART_PX, type Mark, markSites, type PlacedSite } from './clusters.ts'
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
  /** Of the site that is open. */
  readonly card: ReactNode
}

const HEIGHT = 'clamp(360px, calc(100vh - 330px), 760px)'
const BEYOND_PX = 24

/** The map with its marks; one tab stop for the map, then one for each mark in sight, the worst first. */
export const SiteMap = (props: SiteMapProps) => {
  const { frame, size, sites, selected, view, change, fly, onOpen } = props
  const step = stepOf(view.scale)
  const marks = useMemo(() => sortMarks(markSites(sites, step)), [sites, step])
  const placed = useMemo(
    () => marks.map(mark => ({ mark, at: pixelOfWorld(view, size, mark.at) })).filter(({ at }) => isNear(at, size)),
    [marks, view, size],
  )
  const covered = useMemo(() => placed.map(({ at }) => at), [placed])
  const [hovered, setHovered] = useState<string | null>(null)
  const [focused, setFocused] = useState<string | null>(null)

  const open = (mark: Mark): void => {
    const [first] = mark.sites
    const near = viewOf(mark.sites, size, MARK_NEAREST)
    if (first === undefined || near === null) return
    const parts = mark.sites.length > 1 && markSites(mark.sites, stepOf(near.scale)).length > 1
    if (!parts) onOpen(mark.sites)
    else {
      fly(near)
      // Its mark is about to vanish, and the focus with it.
      if (document.activeElement !== frame.current) frame.current?.focus({ preventScroll: true })
    }
  }
  const markAt = (pixel: MapPixel): Mark | null =>
    nearestTo(pixel, placed, ({ at }) => at, MARK_APART_PX / 2)?.mark ?? null
  const hand = {
    zoom: (factor: number, at: MapPixel = [size.width / 2, size.height / 2]): void =>
      change(current => zoomAt(current, size, at, factor)),
    pan: (by: MapPixel): void => change(current => panBy(current, size, by)),
    pick: (at: MapPixel): void => {
      const mark = markAt(at)
      if (mark !== null) open(mark)
    },
    hover: (at: MapPixel | null) => {
      const mark = at === null ? null : markAt(at)
      setHovered(mark?.key ?? null)
      return mark === null ? null : 'pointer'
    },
  } as const
  const onKey = ({ key }: KeyboardEvent): boolean => {
    if (key === 'Escape') props.onClose()
    return key === 'Escape'
  }
  const told = placed.find(({ mark }) => mark.key === (hovered ?? focused))
  const presets = (
    <>
      <Button variant="default" size="compact-sm" onClick={() => fly(worldView(size))}>
        {fr.world}
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => fly(mainlandView(size))}>
        {fr.france}
      </Button>
    </>
  )
  return (
    <MapStage
      {...{ frame, hand, onKey }}
      label={fr.map}
      help={fr.help}
      height={HEIGHT}
      home={{ label: fr.all, go: props.onAll }}
      isStale={props.stale}
      beside={presets}
      card={props.card}
    >
      <MapGround view={view} size={size} marks={covered} />
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
    </MapStage>
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
