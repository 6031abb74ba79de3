import type { GeoPoint, MapPixel, MapSize, MapView } from '../lib/map-view.ts'
import classes from './map-drawing.module.css'
import { useMapDrawing } from './use-map-drawing.ts'

const words = { failed: 'Une partie du fond de carte n’a pas pu être chargée. Les points sont à leur place.' } as const
const NO_PLACES: readonly GeoPoint[] = []

interface MapGroundProps {
  readonly view: MapView
  readonly size: MapSize
  /** Other places, shown faintly. */
  readonly others?: readonly GeoPoint[]
  /** Without words and grid: too small for them. */
  readonly isBare?: boolean
  /** Where marks stand over it, px: words go beside them. */
  readonly marks?: readonly MapPixel[]
}

/** Land, sea and borders, from what the console brings: no tiles, no other host. Says when some of it could not be had. */
export const MapGround = ({ others = NO_PLACES, isBare = false, ...drawn }: MapGroundProps) => {
  const { canvas, failed } = useMapDrawing({ ...drawn, others, isBare })
  return (
    <>
      <canvas {...canvas} />
      {failed && !isBare && <p className={classes.failed}>{words.failed}</p>}
    </>
  )
}
