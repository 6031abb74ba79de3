import { FRANCE, type GeoPoint, type MapSize, type MapView, viewOf } from '../../lib/map-view.ts'

const box = (north: number, west: number, south: number, east: number): readonly GeoPoint[] => [
  { latitude: north, longitude: west },
  { latitude: south, longitude: east },
]

/** Overseas departments, each too far from the others for one map. */
export const OVERSEAS = [
  { key: 'guadeloupe', corners: box(16.52, -61.82, 15.82, -60.98) },
  { key: 'martinique', corners: box(14.89, -61.24, 14.38, -60.8) },
  { key: 'guyane', corners: box(5.78, -54.65, 2.1, -51.6) },
  { key: 'reunion', corners: box(-20.86, 55.2, -21.4, 55.85) },
  { key: 'mayotte', corners: box(-12.63, 45, -13.02, 45.32) },
] as const
export type Overseas = (typeof OVERSEAS)[number]

const MAINLAND = box(51.1, -5.2, 41.35, 9.6)
const WORLD = box(74, -179, -56, 179)
/** No limit of its own. */
const ANY_SCALE = 1_000_000
/** All sites, or those of one mark, are not shown from nearer: px a radian. */
export const ALL_NEAREST = 9_000
export const MARK_NEAREST = 90_000
/** One site, with what is around it. */
export const SITE_SCALE = 14_000

export const overseasView = ({ corners }: Overseas, size: MapSize): MapView =>
  viewOf(corners, size, ANY_SCALE) ?? FRANCE
export const mainlandView = (size: MapSize): MapView => viewOf(MAINLAND, size, ANY_SCALE) ?? FRANCE
export const worldView = (size: MapSize): MapView => viewOf(WORLD, size, ANY_SCALE) ?? FRANCE

export const isWithin = ({ corners: [northWest, southEast] }: Overseas, { latitude, longitude }: GeoPoint): boolean =>
  northWest !== undefined &&
  southEast !== undefined &&
  latitude <= northWest.latitude &&
  latitude >= southEast.latitude &&
  longitude >= northWest.longitude &&
  longitude <= southEast.longitude
