import { IconCurrentLocation, IconMapPinFilled } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../lib/format.ts'
import {
  AROUND_SCALE,
  FRANCE,
  type GeoPoint,
  type MapPixel,
  type MapSize,
  type MapView,
  nearestTo,
  panBy,
  pixelOf,
  pointAt,
  zoomAt,
} from '../lib/map-view.ts'
import hiding from './hidden.module.css'
import { MapGround } from './map-ground.tsx'
import classes from './map-picker.module.css'
import { MapStage } from './map-stage.tsx'
import { useMapSize } from './use-map-drawing.ts'

const words = {
  recentre: 'Revenir au point',
  help: 'Flèches\u202f: déplacer le point. + et −\u202f: agrandir, réduire. 0\u202f: revenir au point. Clic\u202f: placer le point.',
  helpRead: 'Flèches\u202f: déplacer la carte. + et −\u202f: agrandir, réduire. 0\u202f: revenir au point.',
  none: 'Aucun point choisi',
  at: ({ latitude, longitude }: GeoPoint) =>
    `Latitude ${formatNumber(latitude, 5)}, longitude ${formatNumber(longitude, 5)}`,
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

/** Around the point; without one, France. */
const homeOf = (value: GeoPoint | null): MapView => (value === null ? FRANCE : { centre: value, scale: AROUND_SCALE })

/** A map on which one point is chosen, by click or by keyboard, or only shown. */
export const MapPicker = ({ label, value, onPick, others = NO_PLACES, height = 320 }: MapPickerProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const size = useMapSize(frame)
  const [view, setView] = useState<MapView>(() => homeOf(value))
  const [hovered, setHovered] = useState<MapPlace | null>(null)
  const pin = value === null ? null : pixelOf(view, size, value)
  useFollow(value, size, setView)

  const onKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const arrow = ARROWS[key]
    if (arrow === undefined || onPick === undefined) return false
    const step = shiftKey ? KEY_LEAP_PX : KEY_STEP_PX
    const to: MapPixel = pin === null ? middleOf(size) : [pin[0] + arrow[0] * step, pin[1] + arrow[1] * step]
    onPick(pointAt(view, size, to))
    return true
  }
  const hand = {
    zoom: (factor: number, at: MapPixel = pin ?? middleOf(size)): void =>
      setView(current => zoomAt(current, size, isInside(at, size) ? at : middleOf(size), factor)),
    pan: (by: MapPixel): void => setView(current => panBy(current, size, by)),
    pick: (at: MapPixel): void => onPick?.(pointAt(view, size, at)),
    hover: (at: MapPixel | null) => {
      setHovered(at === null ? null : nearestTo(at, others, place => pixelOf(view, size, place), HOVER_PX))
      return onPick === undefined ? null : 'crosshair'
    },
  } as const
  const home = {
    label: words.recentre,
    icon: <IconCurrentLocation size={17} />,
    go: () => setView(homeOf(value)),
  }
  const hoverAt = hovered === null ? null : pixelOf(view, size, hovered)
  return (
    <div>
      <MapStage
        {...{ frame, label, height, hand, home, onKey }}
        help={onPick === undefined ? words.helpRead : words.help}
      >
        <MapGround {...{ view, size, others }} />
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
      </MapStage>
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

const middleOf = ({ width, height }: MapSize): MapPixel => [width / 2, height / 2]
const isInside = ([x, y]: MapPixel, { width, height }: MapSize): boolean =>
  x >= 0 && y >= 0 && x <= width && y <= height

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
