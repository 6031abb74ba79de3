import { coordinateDigits, MAX_LATITUDE, type MapView } from './map-view.ts'

/** At zoom 0 the world is so wide, px; each step of 1 doubles it. */
const WORLD_PX = 256
const MAX_ZOOM = 20
const PLACE = /^(-?\d{1,2}(?:\.\d{1,6})?)_(-?\d{1,3}(?:\.\d{1,6})?)_(\d{1,2}(?:\.\d{1,2})?)$/

const plain = (value: number, digits: number): string => String(Number(value.toFixed(digits)))

/** A view as an address says it: latitude, longitude (as exact as a pixel tells), zoom: `45.7606_4.8596_9.5`. */
export const formatPlace = ({ centre: { latitude, longitude }, scale }: MapView): string => {
  const digits = coordinateDigits(scale)
  const zoom = Math.log2((scale * 2 * Math.PI) / WORLD_PX)
  return [plain(latitude, digits), plain(longitude, digits), plain(Math.max(0, zoom), 2)].join('_')
}

/** The view that an address says; null where it says none that there is: a mistyped link still opens. */
export const parsePlace = (text: string | null): MapView | null => {
  const found = PLACE.exec(text ?? '')
  if (found === null) return null
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = found.slice(1).map(Number)
  if (Math.abs(latitude) > MAX_LATITUDE || Math.abs(longitude) > 180 || zoom > MAX_ZOOM) return null
  return { centre: { latitude, longitude }, scale: (WORLD_PX * 2 ** zoom) / (2 * Math.PI) }
}
