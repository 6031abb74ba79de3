export interface GeoPoint {
  readonly latitude: number
  readonly longitude: number
}
/** What a map shows: its centre, and how many px an angle of one radian takes at the equator. */
export interface MapView {
  readonly centre: GeoPoint
  readonly scale: number
}
export interface MapSize {
  readonly width: number
  readonly height: number
}
export type MapPixel = readonly [x: number, y: number]

/** Mainland France with Corsica, in a map some 340 px wide or more. */
export const FRANCE: MapView = { centre: { latitude: 46.6, longitude: 2.4 }, scale: 1_150 }
/** Around one site: its region, some 900 km across; nearer, outlines of countries show nothing. */
export const AROUND_SCALE = 2_400
const MIN_SCALE = 60
const MAX_SCALE = 1_500_000
/** Where Mercator's world ends. */
export const MAX_LATITUDE = 85

/** Mercator's plane, whose world is 2π wide and as high; y grows to the south. */
export type WorldPoint = readonly [x: number, y: number]

/** Where a point stands on Mercator's plane. */
export const worldOf = ({ latitude, longitude }: GeoPoint): WorldPoint => [radians(longitude), -mercatorY(latitude)]

/** The point of a place of that plane. */
export const pointOf = ([x, y]: WorldPoint): GeoPoint => ({
  latitude: latitudeOf(-y),
  longitude: wrapped((x * 180) / Math.PI),
})

/** Where a place of the plane stands in the map, px; of the worlds side by side, that of the nearest. */
export const pixelOfWorld = ({ centre, scale }: MapView, { width, height }: MapSize, [x, y]: WorldPoint): MapPixel => {
  const [middleX, middleY] = worldOf(centre)
  return [width / 2 + around(x - middleX) * scale, height / 2 + (y - middleY) * scale]
}

/** Where a point stands in the map, px; it may be outside. */
export const pixelOf = (view: MapView, size: MapSize, point: GeoPoint): MapPixel =>
  pixelOfWorld(view, size, worldOf(point))

const exactPointAt = ({ centre, scale }: MapView, { width, height }: MapSize, [x, y]: MapPixel): GeoPoint => {
  const [middleX, middleY] = worldOf(centre)
  return pointOf([middleX + (x - width / 2) / scale, middleY + (y - height / 2) / scale])
}

/** Decimals of a degree that a pixel tells at this scale: 2 to 6. */
export const coordinateDigits = (scale: number): number =>
  Math.max(2, Math.min(6, Math.ceil(Math.log10((scale * Math.PI) / 180))))

/** The point under a pixel, in degrees, rounded to what the pixel tells. */
export const pointAt = (view: MapView, size: MapSize, pixel: MapPixel): GeoPoint => {
  const { latitude, longitude } = exactPointAt(view, size, pixel)
  const digits = coordinateDigits(view.scale)
  return { latitude: rounded(within(latitude, MAX_LATITUDE), digits), longitude: rounded(wrapped(longitude), digits) }
}

/** The same view nearer (over 1) or farther, the pixel staying over the same point. */
export const zoomAt = (view: MapView, size: MapSize, pixel: MapPixel, factor: number): MapView => {
  const scale = Math.max(leastScale(size), Math.min(MAX_SCALE, view.scale * factor))
  const ratio = view.scale / scale
  const middle: MapPixel = [size.width / 2, size.height / 2]
  const shift: MapPixel = [(pixel[0] - middle[0]) * (1 - ratio), (pixel[1] - middle[1]) * (1 - ratio)]
  return { ...panBy(view, size, [-shift[0], -shift[1]]), scale }
}

/** The same view, no nearer and no farther than a map of this size goes. */
export const bounded = (view: MapView, size: MapSize): MapView =>
  zoomAt(view, size, [size.width / 2, size.height / 2], 1)

/** The view after its content was moved by so many px. */
export const panBy = (view: MapView, size: MapSize, [x, y]: MapPixel): MapView => {
  const { latitude, longitude } = exactPointAt(view, size, [size.width / 2 - x, size.height / 2 - y])
  return { ...view, centre: { longitude, latitude: within(latitude, MAX_LATITUDE) } }
}

/**
 * The view on the way from one to another, `share` from 0 to 1: the scale by equal factors, the middle so that what is in
 * sight at both ends is so all the way.
 */
export const viewBetween = (from: MapView, to: MapView, share: number): MapView => {
  const [fromX, fromY] = worldOf(from.centre)
  const [toX, toY] = worldOf(to.centre)
  const scale = from.scale * (to.scale / from.scale) ** share
  // The middle of the nearer end goes straight over the screen, at an even pace.
  const part = to.scale >= from.scale ? 1 - ((1 - share) * from.scale) / scale : (share * to.scale) / scale
  return { centre: pointOf([fromX + around(toX - fromX) * part, fromY + (toY - fromY) * part]), scale }
}

/** The view that holds all these points with a margin, no nearer than `nearest`. Null without any. */
export const viewOf = (points: readonly GeoPoint[], size: MapSize, nearest = AROUND_SCALE): MapView | null => {
  const first = points[0]
  if (first === undefined) return null
  const [south, north] = extent(points.map(point => point.latitude))
  const [west, east] = extent(points.map(point => point.longitude))
  const top = mercatorY(north)
  const bottom = mercatorY(south)
  const wide = (size.width * 0.8) / Math.max(1e-9, ((east - west) * Math.PI) / 180)
  const high = (size.height * 0.8) / Math.max(1e-9, top - bottom)
  const centre = { longitude: (west + east) / 2, latitude: latitudeOf((top + bottom) / 2) }
  return { centre, scale: Math.max(leastScale(size), Math.min(wide, high, nearest)) }
}

/** A scale, the same for all within half a doubling: what is made from it does not dance while one zooms. Never larger. */
export const stepOf = (scale: number): number => 2 ** (Math.floor(Math.log2(scale) * 2) / 2)

/** Of these, that which stands nearest to a pixel, less than `within` px away; null: none does. */
export const nearestTo = <T>(
  [x, y]: MapPixel,
  things: readonly T[],
  where: (thing: T) => MapPixel,
  within: number,
): T | null => {
  let best: T | null = null
  let least = within
  for (const thing of things) {
    const at = where(thing)
    const distance = Math.hypot(at[0] - x, at[1] - y)
    if (distance >= least) continue
    least = distance
    best = thing
  }
  return best
}

/** The world is not shown smaller than the map is wide: it would be seen twice. */
const leastScale = ({ width }: MapSize): number => Math.max(MIN_SCALE, width / (2 * Math.PI))
const extent = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)]
const mercatorY = (latitude: number): number =>
  Math.log(Math.tan(Math.PI / 4 + (within(latitude, MAX_LATITUDE) * Math.PI) / 360))
const latitudeOf = (y: number): number => ((2 * Math.atan(Math.exp(y)) - Math.PI / 2) * 180) / Math.PI
const within = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value))
const radians = (degrees: number): number => (degrees * Math.PI) / 180
const around = (x: number): number => x - 2 * Math.PI * Math.round(x / (2 * Math.PI))
const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
