import { type GeoContext, geoCentroid, geoMercator, geoPath } from 'd3-geo'
import { feature, mesh } from 'topojson-client'
import { type WorldPoint, worldOf } from './map-view.ts'

/** What `world-atlas` and `geography/france.json` give: topologies, whose objects are collections. */
export type Atlas = Parameters<typeof feature>[0]
type Shape = ReturnType<typeof readShapes>[number]
type Drawable = Shape | ReturnType<typeof mesh>

/** An area drawn on Mercator's plane, with the box that holds it, so that what is out of sight is not drawn. */
export interface Land {
  readonly id: string
  readonly path: Path2D
  readonly from: WorldPoint
  readonly to: WorldPoint
}
interface LandName {
  readonly name: string
  readonly at: WorldPoint
}
interface France {
  readonly departments: readonly Land[]
  /** Countries around them, as exact as they are. */
  readonly around: readonly Land[]
  /** Between departments, and around them. */
  readonly inner: Path2D
  readonly outer: Path2D
  readonly names: readonly LandName[]
}

/** What there is to draw, as far as it has come: the world from far, from near, and France by departments. */
export interface Outline {
  readonly far?: readonly Land[]
  readonly near?: readonly Land[]
  readonly france?: France
}

/** Natural Earth's own number of France, whose departments are drawn instead. */
export const FRANCE_ID = '250'

const projection = geoMercator().scale(1).translate([0, 0]).precision(0)
const measure = geoPath(projection)

/** Only what d3 calls of a canvas, onto a path that is drawn many times. */
const onto = (path: Path2D): GeoContext => ({
  beginPath: () => {},
  moveTo: (x, y) => path.moveTo(x, y),
  lineTo: (x, y) => path.lineTo(x, y),
  closePath: () => path.closePath(),
  arc: (x, y, radius, start, end) => path.arc(x, y, radius, start, end),
})

const pathOf = (shape: Drawable): Path2D => {
  const path = new Path2D()
  geoPath(projection, onto(path))(shape)
  return path
}

const readShapes = (atlas: Atlas, name: string) => {
  const object = atlas.objects[name]
  const shapes = object === undefined ? null : feature(atlas, object)
  if (shapes?.type !== 'FeatureCollection') throw new Error(`the atlas holds no ${name}`)
  return shapes.features
}

const landOf = (shape: Shape): Land => {
  const [from, to] = measure.bounds(shape)
  return { id: String(shape.id ?? ''), path: pathOf(shape), from, to }
}

const readLands = (atlas: Atlas, name: string): Land[] => readShapes(atlas, name).map(landOf)

const nameOf = (shape: Shape): LandName => {
  const [longitude, latitude] = geoCentroid(shape)
  return { name: String(shape.properties?.name ?? ''), at: worldOf({ latitude, longitude }) }
}

type Meshed = NonNullable<Parameters<typeof mesh>[1]>
/** The same object: `mesh` looks at lines alone, but its types want properties that are not null. */
const withoutProperties = (object: Atlas['objects'][string] | undefined) => object as Meshed | undefined

const bordersOf = (atlas: Atlas, isInner: boolean): Path2D =>
  pathOf(mesh(atlas, withoutProperties(atlas.objects.departments), (a, b) => (a === b) !== isInner))

const readFrance = (atlas: Atlas): France => ({
  departments: readLands(atlas, 'departments'),
  around: readLands(atlas, 'around'),
  inner: bordersOf(atlas, true),
  outer: bordersOf(atlas, false),
  names: readShapes(atlas, 'departments').map(nameOf),
})

const parts = {
  far: () => import('world-atlas/countries-110m.json').then(({ default: atlas }) => readLands(atlas, 'countries')),
  near: () => import('world-atlas/countries-50m.json').then(({ default: atlas }) => readLands(atlas, 'countries')),
  france: () => import('./geography/france.json').then(({ default: atlas }) => readFrance(atlas)),
} as const

let known: Outline = {}
const asked = new Map<keyof Outline, Promise<void>>()

const loadPart = <Key extends keyof Outline>(key: Key, told: (outline: Outline) => void): Promise<void> => {
  const loading =
    asked.get(key) ??
    parts[key]()
      .then(part => {
        known = { ...known, [key]: part }
      })
      .catch((error: unknown) => {
        // Forgotten, so that one may try again.
        asked.delete(key)
        throw error
      })
  asked.set(key, loading)
  return loading.then(() => told(known))
}

/**
 * The outlines, from our own host, each asked for once: told as they come, the coarsest first. Rejects where one of them
 * can't be had.
 */
export const loadOutline = async (told: (outline: Outline) => void): Promise<void> => {
  await loadPart('far', told)
  await Promise.all([loadPart('near', told), loadPart('france', told)])
}
