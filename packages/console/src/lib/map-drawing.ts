import { FRANCE_ID, type Land, type Outline } from './map-outline.ts'
import { MAP_TOWNS } from './map-towns.ts'
import {
  type GeoPoint,
  type MapPixel,
  type MapSize,
  type MapView,
  pixelOf,
  pixelOfWorld,
  type WorldPoint,
  worldOf,
} from './map-view.ts'

export interface MapColours {
  readonly sea: string
  readonly land: string
  readonly border: string
  readonly division: string
  readonly grid: string
  readonly town: string
  readonly others: string
  readonly font: string
}

interface Drawing {
  /** Its transform holds nothing but the screen's ratio. */
  readonly context: CanvasRenderingContext2D
  readonly view: MapView
  readonly size: MapSize
  readonly colours: MapColours
  readonly outline: Outline
  readonly others: readonly GeoPoint[]
  /** Without words and grid. */
  readonly isBare: boolean
  /** Where marks stand over the map, px: words go beside them. */
  readonly marks: readonly MapPixel[]
}

/** From here on the world is drawn from near, France by departments, and the departments have their names: px a radian. */
const NEAR_SCALE = 330
const FRANCE_SCALE = 900
const NAMES_SCALE = 7_500
const TURN = 2 * Math.PI

/** Draws sea, grid, countries, French departments, the larger towns and the other sites. */
export const drawMap = (drawing: Drawing): void => {
  const { context, view, size, colours, others, isBare } = drawing
  context.fillStyle = colours.sea
  context.fillRect(0, 0, size.width, size.height)
  if (!isBare) drawGrid(drawing)
  const ratio = context.getTransform()
  for (const turn of [-1, 0, 1]) {
    const window = windowOf(view, size, turn)
    if (window.to[0] < -Math.PI || window.from[0] > Math.PI) continue
    const { scale } = view
    context.setTransform(ratio)
    context.transform(scale, 0, 0, scale, -window.from[0] * scale, -window.from[1] * scale)
    drawLands(drawing, window)
  }
  context.setTransform(ratio)
  if (!isBare) drawWords(drawing)
  context.fillStyle = colours.others
  context.strokeStyle = colours.land
  for (const point of others) {
    const [x, y] = pixelOf(view, size, point)
    if (!inside([x, y], size)) continue
    context.beginPath()
    context.arc(x, y, 4, 0, TURN)
    context.fill()
    context.stroke()
  }
}

const drawWords = (drawing: Drawing): void => {
  const { far, near } = drawing.outline
  const taken: Taken[] = []
  if (far !== undefined || near !== undefined) drawTowns(drawing, taken)
  if (drawing.view.scale >= NAMES_SCALE) drawNames(drawing, taken)
}

interface Window {
  readonly from: WorldPoint
  readonly to: WorldPoint
}

/** What a map shows of Mercator's plane, seen from the world that lies `turn` worlds to the east. */
const windowOf = ({ centre, scale }: MapView, { width, height }: MapSize, turn: number): Window => {
  const [x, y] = worldOf(centre)
  const [left, top] = [x - turn * TURN - width / 2 / scale, y - height / 2 / scale]
  return { from: [left, top], to: [left + width / scale, top + height / scale] }
}

const meets = ({ from, to }: Window, land: Land): boolean =>
  land.to[0] > from[0] && land.from[0] < to[0] && land.to[1] > from[1] && land.from[1] < to[1]

const drawLands = ({ context, view, colours, outline }: Drawing, window: Window): void => {
  const { france } = outline
  const world = (view.scale < NEAR_SCALE ? outline.far : outline.near) ?? outline.near ?? outline.far ?? []
  const isDivided = france !== undefined && view.scale >= FRANCE_SCALE
  const replaced = new Set(isDivided ? [FRANCE_ID, ...france.around.map(({ id }) => id)] : [])
  context.lineWidth = 1 / view.scale
  context.lineJoin = 'round'
  context.fillStyle = colours.land
  context.strokeStyle = colours.border
  const fill = (lands: readonly Land[], isEdged: boolean): void => {
    for (const land of lands) {
      if (!meets(window, land)) continue
      context.fill(land.path)
      if (isEdged) context.stroke(land.path)
    }
  }
  fill(
    world.filter(({ id }) => !replaced.has(id)),
    true,
  )
  if (!isDivided) return
  fill(france.around, true)
  fill(france.departments, false)
  context.strokeStyle = colours.division
  context.stroke(france.inner)
  context.strokeStyle = colours.border
  context.stroke(france.outer)
}

const gridStep = (scale: number): number =>
  scale < 400 ? 20 : scale < 1_500 ? 10 : scale < 6_000 ? 5 : scale < 30_000 ? 1 : 0.25

const drawGrid = ({ context, view, size, colours }: Drawing): void => {
  const step = gridStep(view.scale)
  context.lineWidth = 1
  context.strokeStyle = colours.grid
  context.beginPath()
  const across = (size.width / view.scale) * (180 / Math.PI)
  const west = view.centre.longitude - across / 2
  for (let longitude = Math.ceil(west / step) * step; longitude < west + across; longitude += step) {
    const x = size.width / 2 + ((longitude - view.centre.longitude) * Math.PI * view.scale) / 180
    context.moveTo(x, 0)
    context.lineTo(x, size.height)
  }
  for (let latitude = -80; latitude <= 80; latitude += step) {
    const [, y] = pixelOf(view, size, { latitude, longitude: view.centre.longitude })
    if (y < 0 || y > size.height) continue
    context.moveTo(0, y)
    context.lineTo(size.width, y)
  }
  context.stroke()
}

const inside = ([x, y]: readonly [number, number], { width, height }: MapSize): boolean =>
  x > -8 && y > -8 && x < width + 8 && y < height + 8

type Taken = readonly [left: number, y: number, width: number]
const isFree = (taken: readonly Taken[], left: number, y: number, width: number): boolean =>
  !taken.some(([from, at, wide]) => Math.abs(at - y) < 14 && left < from + wide && from < left + width)

/** A town's name stands clear of the mark that covers it, px. */
const MARK_PX = 22
const besideMarks = ([x, y]: MapPixel, marks: readonly MapPixel[]): MapPixel | null => {
  const over = marks.find(mark => Math.abs(mark[1] - y) < MARK_PX && mark[0] > x - MARK_PX && mark[0] < x + MARK_PX)
  return over === undefined ? null : [over[0] + MARK_PX, over[1]]
}

const drawTowns = ({ context, view, size, colours, marks }: Drawing, taken: Taken[]): void => {
  const rank = view.scale < 700 ? 0 : view.scale < 1_600 ? 1 : view.scale < 3_500 ? 2 : 3
  context.font = `11px ${colours.font}`
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.lineWidth = 3
  context.lineJoin = 'round'
  for (const [name, latitude, longitude, from] of MAP_TOWNS) {
    if (from > rank) continue
    const at = pixelOf(view, size, { latitude, longitude })
    if (!inside(at, size)) continue
    const width = context.measureText(name).width + 10
    const beside = besideMarks(at, marks)
    const [x, y] = beside ?? at
    if (!isFree(taken, x, y, width)) continue
    taken.push([x, y, width])
    context.fillStyle = colours.town
    context.strokeStyle = colours.land
    if (beside === null) context.fillRect(x - 1.5, y - 1.5, 3, 3)
    context.strokeText(name, x + 5, y)
    context.fillText(name, x + 5, y)
  }
  context.lineWidth = 1
}

const drawNames = ({ context, view, size, colours, outline }: Drawing, taken: Taken[]): void => {
  context.font = `500 10.5px ${colours.font}`
  context.textAlign = 'center'
  context.fillStyle = colours.town
  context.globalAlpha = 0.75
  for (const { name, at } of outline.france?.names ?? []) {
    const [x, y] = pixelOfWorld(view, size, at)
    if (!inside([x, y], size)) continue
    const text = name.toLocaleUpperCase('fr')
    const width = context.measureText(text).width + 8
    if (!isFree(taken, x - width / 2, y, width)) continue
    taken.push([x - width / 2, y, width])
    context.fillText(text, x, y)
  }
  context.globalAlpha = 1
  context.textAlign = 'left'
}
