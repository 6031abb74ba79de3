import { geoBounds, geoGraticule, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import { MAP_TOWNS } from './map-towns.ts'
import { type GeoPoint, type MapSize, type MapView, pixelOf, projectionOf } from './map-view.ts'

type Land = ReturnType<typeof readLand>[number]
/** The countries, each with the box that holds it, so that those out of sight are not drawn. */
export type Outline = readonly Land[]

/** What `world-atlas` gives: a topology whose `countries` are a collection. */
export type Atlas = Parameters<typeof feature>[0]

const readLand = (atlas: Atlas) => {
  const { countries } = atlas.objects
  const shapes = countries === undefined ? null : feature(atlas, countries)
  if (shapes?.type !== 'FeatureCollection') throw new Error('the atlas holds no countries')
  return shapes.features.map(shape => ({ shape, box: geoBounds(shape) }))
}

let loading: Promise<Outline> | null = null
/** The outlines of the countries, asked for once, from our own host; a failure is forgotten, so that one may try again. */
export const loadOutline = (): Promise<Outline> => {
  loading ??= import('world-atlas/countries-50m.json')
    .then(({ default: atlas }) => readLand(atlas))
    .catch((error: unknown) => {
      loading = null
      throw error
    })
  return loading
}

export interface MapColours {
  readonly sea: string
  readonly land: string
  readonly border: string
  readonly grid: string
  readonly town: string
  readonly others: string
  readonly font: string
}

interface Drawing {
  readonly context: CanvasRenderingContext2D
  readonly view: MapView
  readonly size: MapSize
  readonly colours: MapColours
  readonly outline: Outline | null
  readonly others: readonly GeoPoint[]
}

/** Draws sea, grid, countries, the larger towns and the other sites. */
export const drawMap = ({ context, view, size, colours, outline, others }: Drawing): void => {
  const path = geoPath(projectionOf(view, size), context)
  context.fillStyle = colours.sea
  context.fillRect(0, 0, size.width, size.height)
  context.lineWidth = 1
  context.beginPath()
  path(geoGraticule().step(gridStep(view))())
  context.strokeStyle = colours.grid
  context.stroke()
  context.beginPath()
  for (const land of outline ?? []) if (isNear(land, view, size)) path(land.shape)
  context.fillStyle = colours.land
  context.fill()
  context.strokeStyle = colours.border
  context.stroke()
  if (outline !== null) drawTowns(context, view, size, colours)
  context.fillStyle = colours.others
  context.strokeStyle = colours.land
  for (const point of others) {
    const [x, y] = pixelOf(view, size, point)
    if (!inside([x, y], size)) continue
    context.beginPath()
    context.arc(x, y, 4, 0, 2 * Math.PI)
    context.fill()
    context.stroke()
  }
}

const gridStep = ({ scale }: MapView): [number, number] => {
  const step = scale < 400 ? 20 : scale < 1_500 ? 10 : scale < 6_000 ? 5 : scale < 30_000 ? 1 : 0.25
  return [step, step]
}

const inside = ([x, y]: readonly [number, number], { width, height }: MapSize): boolean =>
  x > -8 && y > -8 && x < width + 8 && y < height + 8

/** A box whose west lies east of its east crosses the date line: always drawn. */
const isNear = ({ box: [[west, south], [east, north]] }: Land, view: MapView, size: MapSize): boolean => {
  if (west > east || view.scale < 300) return true
  const [left, top] = pixelOf(view, size, { longitude: west, latitude: north })
  const [right, bottom] = pixelOf(view, size, { longitude: east, latitude: south })
  if (left > right) return true
  return right > 0 && left < size.width && bottom > 0 && top < size.height
}

const drawTowns = (context: CanvasRenderingContext2D, view: MapView, size: MapSize, colours: MapColours): void => {
  const rank = view.scale < 700 ? 0 : view.scale < 1_600 ? 1 : view.scale < 3_500 ? 2 : 3
  const taken: [number, number, number][] = []
  context.font = `11px ${colours.font}`
  context.textBaseline = 'middle'
  context.lineWidth = 3
  context.lineJoin = 'round'
  for (const [name, latitude, longitude, from] of MAP_TOWNS) {
    if (from > rank) continue
    const [x, y] = pixelOf(view, size, { latitude, longitude })
    const width = context.measureText(name).width + 10
    if (!inside([x, y], size) || taken.some(([tx, ty, tw]) => Math.abs(ty - y) < 14 && x < tx + tw && tx < x + width))
      continue
    taken.push([x, y, width])
    context.fillStyle = colours.town
    context.strokeStyle = colours.land
    context.fillRect(x - 1.5, y - 1.5, 3, 3)
    context.strokeText(name, x + 5, y)
    context.fillText(name, x + 5, y)
  }
  context.lineWidth = 1
}
