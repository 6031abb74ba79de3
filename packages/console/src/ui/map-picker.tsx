import { ActionIcon } from '@mantine/core'
import { IconCurrentLocation, IconMapPinFilled, IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { formatNumber } from '../lib/format.ts'
import {
  AROUND_SCALE,
  FRANCE,
  type GeoPoint,
  type MapPixel,
  type MapSize,
  type MapView,
  panBy,
  pixelOf,
  pointAt,
  zoomAt,
} from '../lib/map-view.ts'
import hiding from './hidden.module.css'
import classes from './map-picker.module.css'
import { useMapDrawing, useMapSize } from './use-map-drawing.ts'
import { useMapGestures } from './use-map-gestures.ts'

const words = {
  zoomIn: 'Agrandir la carte',
  zoomOut: 'Réduire la carte',
  recentre: 'Revenir au point',
  help: 'Flèches\u202f: déplacer le point. + et −\u202f: agrandir, réduire. Clic\u202f: placer le point.',
  helpRead: 'Flèches\u202f: déplacer la carte. + et −\u202f: agrandir, réduire.',
  none: 'Aucun point choisi',
  at: ({ latitude, longitude }: GeoPoint) =>
    `Latitude ${formatNumber(latitude, 5)}, longitude ${formatNumber(longitude, 5)}`,
  failed: 'Le fond de carte n’a pas pu être chargé. Le point reste réglable.',
} as const

/** Other places, shown faintly; their name appears under the pointer. */
export interface MapPlace extends GeoPoint {
  readonly id: number
  readonly name: string
}

interface MapPickerProps {
  /** Says what the map is for. */
  readonly label: string
  readonly value: GeoPoint | null
  /** Without it the map only shows. */
  readonly onPick?: (point: GeoPoint) => void
  readonly others?: readonly MapPlace[]
  readonly height?: number
}

const NO_PLACES: readonly MapPlace[] = []
const KEY_STEP_PX = 10
const KEY_LEAP_PX = 60
const HOVER_PX = 9

/** A map drawn from what the console brings: no tiles, no other host. One point is chosen by click or by keyboard. */
export const MapPicker = ({ label, value, onPick, others = NO_PLACES, height = 320 }: MapPickerProps) => {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const size = useMapSize(frame)
  const [view, setView] = useState<MapView>(() => (value === null ? FRANCE : { centre: value, scale: AROUND_SCALE }))
  const [hovered, setHovered] = useState<MapPlace | null>(null)
  const { canvas, failed } = useMapDrawing({ view, size, others })
  const pin = value === null ? null : pixelOf(view, size, value)
  const zoom = (factor: number, at: MapPixel = pin ?? middleOf(size)): void =>
    setView(current => zoomAt(current, size, isInside(at, size) ? at : middleOf(size), factor))

  useFollow(value, size, setView)
  useMapGestures(frame, {
    zoom,
    pan: by => setView(current => panBy(current, size, by)),
    pick: at => onPick?.(pointAt(view, size, at)),
    hover: at => setHovered(at === null ? null : nearest(others, view, size, at)),
  })

  const onKeyDown = (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key]
    const factor = ZOOM_KEYS[event.key]
    if (arrow === undefined && factor === undefined) return
    event.preventDefault()
    if (factor !== undefined) zoom(factor)
    if (arrow === undefined) return
    const step = event.shiftKey ? KEY_LEAP_PX : KEY_STEP_PX
    const [x, y] = [arrow[0] * step, arrow[1] * step]
    if (onPick === undefined) setView(current => panBy(current, size, [-4 * x, -4 * y]))
    else if (pin === null) onPick(pointAt(view, size, middleOf(size)))
    else onPick(pointAt(view, size, [pin[0] + x, pin[1] + y]))
  }

  const hoverAt = hovered === null ? null : pixelOf(view, size, hovered)
  return (
    <div className={classes.map}>
      <div
        ref={frame}
        className={classes.frame}
        style={{ height }}
        role="application"
        aria-label={label}
        aria-describedby={`${id}-help`}
        data-pick={onPick !== undefined || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is driven by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <canvas {...canvas} />
        {hoverAt !== null && (
          <span className={classes.name} style={{ transform: `translate(${hoverAt[0]}px, ${hoverAt[1]}px)` }}>
            {hovered?.name}
          </span>
        )}
        {pin !== null && isInside(pin, size) && (
          <span className={classes.pin} style={{ transform: `translate(${pin[0]}px, ${pin[1]}px)` }} data-pin>
            <IconMapPinFilled size={30} aria-hidden />
          </span>
        )}
        {failed && <p className={classes.failed}>{words.failed}</p>}
      </div>
      <div className={classes.buttons}>
        <ActionIcon variant="default" size={32} aria-label={words.zoomIn} onClick={() => zoom(1.8)}>
          <IconPlus size={16} />
        </ActionIcon>
        <ActionIcon variant="default" size={32} aria-label={words.zoomOut} onClick={() => zoom(1 / 1.8)}>
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={32}
          aria-label={words.recentre}
          onClick={() => setView(value === null ? FRANCE : { centre: value, scale: AROUND_SCALE })}
        >
          <IconCurrentLocation size={16} />
        </ActionIcon>
      </div>
      <p className={classes.help} id={`${id}-help`}>
        {onPick === undefined ? words.helpRead : words.help}
      </p>
      <output className={hiding.hidden} aria-live="polite">
        {value === null ? words.none : words.at(value)}
      </output>
    </div>
  )
}

const ARROWS: Readonly<Record<string, MapPixel>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const ZOOM_KEYS: Readonly<Record<string, number>> = { '+': 1.8, '=': 1.8, '-': 1 / 1.8, '−': 1 / 1.8 }

const middleOf = ({ width, height }: MapSize): MapPixel => [width / 2, height / 2]
const isInside = ([x, y]: MapPixel, { width, height }: MapSize): boolean =>
  x >= 0 && y >= 0 && x <= width && y <= height

const nearest = (places: readonly MapPlace[], view: MapView, size: MapSize, at: MapPixel): MapPlace | null => {
  let best: MapPlace | null = null
  let least = HOVER_PX
  for (const place of places) {
    const [x, y] = pixelOf(view, size, place)
    const distance = Math.hypot(x - at[0], y - at[1])
    if (distance < least) {
      best = place
      least = distance
    }
  }
  return best
}

/** A point that left the map, by a key or by the fields beside it, is brought back into sight. */
const useFollow = (
  value: GeoPoint | null,
  size: MapSize,
  setView: (change: (view: MapView) => MapView) => void,
): void => {
  const { width, height } = size
  const [latitude, longitude] = [value?.latitude, value?.longitude]
  useEffect(() => {
    if (latitude === undefined || longitude === undefined) return
    const centre = { latitude, longitude }
    setView(view =>
      isInside(pixelOf(view, { width, height }, centre), { width, height }) ? view : { ...view, centre },
    )
  }, [latitude, longitude, width, height, setView])
}
