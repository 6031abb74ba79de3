import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { feature } from 'topojson-client'

/**
 * Makes the console's outlines of France: `npm run node -- packages/console/tools/geography.ts <fra.json>`, where `fra.json` is Natural Earth's
 * admin-1 at 1:10,000,000 as GeoJSON (docs/decisions/0026-geographie.md says where to take it). Not part of any build: what it
 * writes is kept in the repository.
 */
type Position = readonly [longitude: number, latitude: number]
type Ring = readonly Position[]
interface Place {
  readonly name: string
  readonly polygons: readonly (readonly Ring[])[]
  /** A bend is kept where it encloses more, km². */
  readonly bendKm2: number
}

const OUT = new URL('../src/lib/geography/france.json', import.meta.url)
/** Degrees: some 100 m. */
const GRID = 0.001
/** Islands smaller than that are left out, km². */
const LEAST_KM2 = 0.4
/** What the source misspells. */
const NAMES: Readonly<Record<string, string>> = {
  'Haute-Rhin': 'Haut-Rhin',
  'Meurhe-et-Moselle': 'Meurthe-et-Moselle',
  'Seien-et-Marne': 'Seine-et-Marne',
  'Guyane française': 'Guyane',
  "Côte-d'Or": 'Côte-d’Or',
  "Côtes-d'Armor": 'Côtes-d’Armor',
  "Val-d'Oise": 'Val-d’Oise',
}
const BENDS: Readonly<Record<string, number>> = {
  Guyane: 1,
  Guadeloupe: 0.05,
  Martinique: 0.05,
  Mayotte: 0.05,
  'La Réunion': 0.05,
}
const MAINLAND_BEND = 0.3
const AROUND_BEND = 3
/** Countries that share a border with French departments, by their ISO numbers: as exact as these, or there would be gaps. */
const AROUND = new Set(['020', '056', '076', '276', '380', '442', '492', '724', '740', '756'])

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>> | null
  readonly id?: string | number | undefined
  readonly geometry: { readonly type: string; readonly coordinates?: unknown }
}

const polygonsOf = ({ geometry }: Shape): readonly (readonly Ring[])[] => {
  // Guaranteed by the format: GeoJSON's own two kinds of areas.
  const given = geometry.coordinates as readonly (readonly Ring[])[]
  return geometry.type === 'Polygon' ? [given as unknown as readonly Ring[]] : given
}

const readDepartments = (path: string): Place[] => {
  const { features }: { features: readonly Shape[] } = JSON.parse(readFileSync(path, 'utf8'))
  return features.map(one => {
    const given = String(one.properties?.name)
    const name = NAMES[given] ?? given
    return { name, polygons: polygonsOf(one), bendKm2: BENDS[name] ?? MAINLAND_BEND }
  })
}

const readCountries = (): Place[] => {
  const atlas: Parameters<typeof feature>[0] = createRequire(import.meta.url)('world-atlas/countries-10m.json')
  const { countries } = atlas.objects
  const found = countries === undefined ? null : feature(atlas, countries)
  if (found?.type !== 'FeatureCollection') throw new Error('the atlas holds no countries')
  return found.features
    .filter(one => AROUND.has(String(one.id)))
    .map(one => ({ name: String(one.id), polygons: polygonsOf(one), bendKm2: AROUND_BEND }))
}

const snapped = (value: number): number => Math.round(value / GRID)
const keyOf = ([x, y]: Position): string => `${x},${y}`
const KM_PER_STEP = 111.2 * GRID

/** Twice nothing is nothing: triangle of three grid points, km². */
const areaOf = (a: Position, b: Position, c: Position): number => {
  const across = KM_PER_STEP * Math.cos((b[1] * GRID * Math.PI) / 180)
  return (Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2) * across * KM_PER_STEP
}
const ringArea = (ring: Ring): number => {
  const [first] = ring
  if (first === undefined) return 0
  let sum = 0
  for (let at = 1; at < ring.length; at += 1) {
    const [a, b] = [ring[at - 1] ?? first, ring[at] ?? first]
    sum += (a[0] - first[0]) * (b[1] - first[1]) - (b[0] - first[0]) * (a[1] - first[1])
  }
  return (Math.abs(sum) / 2) * KM_PER_STEP ** 2 * Math.cos((first[1] * GRID * Math.PI) / 180)
}

/** On the grid, without points that fall together; the last one, which repeats the first, is left out. */
const gridded = (ring: Ring): Ring => {
  const points: Position[] = []
  for (const [x, y] of ring) {
    const next: Position = [snapped(x), snapped(y)]
    const last = points.at(-1)
    if (last === undefined || keyOf(last) !== keyOf(next)) points.push(next)
  }
  const [first, last] = [points[0], points.at(-1)]
  if (first !== undefined && last !== undefined && points.length > 1 && keyOf(first) === keyOf(last)) points.pop()
  return points
}

/** Points where borders part: their neighbours are not the same in all the rings that pass there. */
const junctionsOf = (rings: readonly Ring[]): ReadonlySet<string> => {
  const neighbours = new Map<string, string>()
  const junctions = new Set<string>()
  for (const ring of rings)
    for (const [at, point] of ring.entries()) {
      const before = ring.at(at - 1) ?? point
      const after = ring[(at + 1) % ring.length] ?? point
      const pair = [keyOf(before), keyOf(after)].toSorted().join(' ')
      const key = keyOf(point)
      const known = neighbours.get(key)
      if (known === undefined) neighbours.set(key, pair)
      else if (known !== pair) junctions.add(key)
    }
  return junctions
}

/** Leaves out the flattest bends first (Visvalingam); both ends stay. */
const simplified = (line: Ring, bendKm2: number, least: number): Ring => {
  const points = [...line]
  while (points.length > least) {
    let flattest = -1
    let smallest = bendKm2
    for (let at = 1; at < points.length - 1; at += 1) {
      const [a, b, c] = [points[at - 1], points[at], points[at + 1]]
      if (a === undefined || b === undefined || c === undefined) continue
      const area = areaOf(a, b, c)
      if (area < smallest) {
        smallest = area
        flattest = at
      }
    }
    if (flattest < 0) break
    points.splice(flattest, 1)
  }
  return points
}

/** Cuts rings into the lines that they share, each kept once. */
const createArcs = (junctions: ReadonlySet<string>) => {
  const arcs: Ring[] = []
  const known = new Map<string, number>()
  const add = (line: Ring, bendKm2: number): number => {
    const keys = line.map(keyOf)
    const there = known.get(keys.join(' '))
    if (there !== undefined) return there
    const back = known.get(keys.toReversed().join(' '))
    if (back !== undefined) return ~back
    known.set(keys.join(' '), arcs.length)
    const closed = keys[0] === keys.at(-1)
    arcs.push(simplified(line, bendKm2, closed ? 5 : 2))
    return arcs.length - 1
  }
  const cut = (ring: Ring, bendKm2: number): number[] => {
    const starts = [...ring.keys()].filter(at => junctions.has(keyOf(ring[at] ?? [0, 0])))
    const [first = 0] = starts
    const turned = [...ring.slice(first), ...ring.slice(0, first + 1)]
    const ends = starts.length === 0 ? [ring.length] : [...starts.slice(1), first + ring.length].map(at => at - first)
    let from = 0
    return ends.map(end => {
      const line = turned.slice(from, end + 1)
      from = end
      return add(line, bendKm2)
    })
  }
  return { arcs, cut }
}

const encode = (line: Ring): number[][] => {
  let [x, y] = [0, 0]
  return line.map(([toX, toY]) => {
    const step = [toX - x, toY - y]
    ;[x, y] = [toX, toY]
    return step
  })
}

const topologyOf = (groups: Readonly<Record<string, readonly Place[]>>) => {
  const places = Object.entries(groups).map(([group, all]) => ({
    group,
    places: all.map(place => ({
      ...place,
      polygons: place.polygons
        .map(rings => rings.map(gridded).filter(ring => ring.length > 2 && ringArea(ring) > LEAST_KM2))
        .filter(rings => rings.length > 0),
    })),
  }))
  const rings = places.flatMap(one => one.places.flatMap(place => place.polygons.flat()))
  const { arcs, cut } = createArcs(junctionsOf(rings))
  const objects = places.map(({ group, places: all }) => {
    const geometries = all.map(({ name, polygons, bendKm2 }) => ({
      type: 'MultiPolygon',
      ...(group === 'around' ? { id: name } : { properties: { name } }),
      arcs: polygons.map(one => one.map(ring => cut(ring, bendKm2))),
    }))
    return [group, { type: 'GeometryCollection', geometries }] as const
  })
  return {
    type: 'Topology',
    transform: { scale: [GRID, GRID], translate: [0, 0] },
    objects: Object.fromEntries(objects),
    arcs: arcs.map(encode),
  }
}

const [, , source] = process.argv
if (source === undefined) throw new Error('which fra.json?')
const made = JSON.stringify(topologyOf({ departments: readDepartments(source), around: readCountries() }))
writeFileSync(OUT, `${made}\n`)
console.log(`${made.length} bytes, ${gzipSync(made, { level: 9 }).length} compressed`)
