/** A file that the bundler would make, left alone. */
export interface PlannedFile {
  /** Bytes of its code before it is made small: what is compared, not what is sent. */
  readonly size: number
  /** Those that it needs before it runs. */
  readonly imports: readonly string[]
}

export interface PlanOptions {
  /** Every file by its name. */
  readonly files: ReadonlyMap<string, PlannedFile>
  /** What each page has loaded, whatever it is. */
  readonly main: string
  /** What each page has loaded too, but those of `apart`. */
  readonly shell: string
  /** Files of what is seen without the shell. */
  readonly apart: readonly string[]
  /** All other files that are loaded on demand: pages, and what they load later. */
  readonly pages: readonly string[]
}

/** One more request costs a page as much as so many bytes of source, some 800 once compressed: with more, pages grow. */
const REQUEST_BYTES = 3_000
/** What opens the product counts for so many pages. */
const FIRST_WEIGHT = 20

/** What goes into one file, and the entries that need it. */
interface Piece {
  readonly users: ReadonlySet<string>
  readonly size: number
  readonly names: readonly string[]
}

/**
 * The name of the file that each shared one becomes a part of; what is loaded on demand stays as it is. Left alone the bundler
 * makes a file for each set of entries that share something: with a hundred pages, some two hundred files for one of
 * them. Here files are merged two by two as long as the requests saved outweigh the bytes that some page loads in vain.
 * No two of the merged ones need each other, directly or not: something would run before what it needs.
 */
export const planChunks = (options: PlanOptions): ReadonlyMap<string, string> => {
  const { files, main, shell, apart, pages } = options
  const users = findUsers(options)
  const opening = new Set([main, shell, ...apart])
  const entries = new Set([...opening, ...pages])
  const pieces = [...users]
    .filter(([name]) => !entries.has(name))
    .map(([name, by]): Piece => ({ names: [name], users: by, size: files.get(name)?.size ?? 0 }))
  const merged = mergePieces(pieces, files, one => (opening.has(one) ? FIRST_WEIGHT : 1))
  return new Map(
    merged.flatMap((piece, index) => {
      const kind = piece.users.has(main) ? 'main' : piece.users.has(shell) ? 'shell' : 'shared'
      return piece.names.map(name => [name, `${kind}-${index}`] as const)
    }),
  )
}

/** The entries that each file is loaded for: those that have it loaded already are left out. */
const findUsers = ({ files, main, shell, apart, pages }: PlanOptions): Map<string, Set<string>> => {
  const users = new Map<string, Set<string>>()
  const note = (entry: string, ...loaded: readonly ReadonlySet<string>[]): ReadonlySet<string> => {
    const needed = new Set<string>()
    const walk = (id: string): void => {
      if (needed.has(id)) return
      needed.add(id)
      for (const imported of files.get(id)?.imports ?? []) walk(imported)
    }
    walk(entry)
    for (const id of needed) {
      if (!loaded.some(one => one.has(id))) users.set(id, (users.get(id) ?? new Set()).add(entry))
    }
    return needed
  }
  const always = note(main)
  const framed = note(shell, always)
  for (const entry of apart) note(entry, always)
  for (const entry of pages) note(entry, always, framed)
  return users
}

/** Merges the two whose merging saves most, again and again, until none does. */
const mergePieces = (
  pieces: readonly Piece[],
  files: PlanOptions['files'],
  weightOf: (entry: string) => number,
): Piece[] => {
  const open = new Map<number, Piece>(pieces.entries())
  const needs = findNeeds(pieces, files)
  const weigh = (piece: Piece, other: Piece, together: boolean): number =>
    [...piece.users].reduce((sum, entry) => (other.users.has(entry) === together ? sum + weightOf(entry) : sum), 0)
  const gainOf = (a: Piece, b: Piece): number =>
    REQUEST_BYTES * weigh(a, b, true) - b.size * weigh(a, b, false) - a.size * weigh(b, a, false)
  const gains = new Map<number, Map<number, number>>()
  const noteGains = (index: number): void => {
    const piece = open.get(index)
    if (piece === undefined) return
    const own = new Map<number, number>()
    for (const [other, that] of open) {
      const gain = other === index ? 0 : gainOf(piece, that)
      if (gain > 0) own.set(other, gain)
    }
    gains.set(index, own)
  }
  const best = (): [number, number] | null => {
    let found: [number, number] | null = null
    let most = 0
    for (const [a, own] of gains) {
      for (const [b, gain] of own) {
        if (open.has(b) && gain > most) [found, most] = [[a, b], gain]
      }
    }
    return found
  }
  for (const index of open.keys()) noteGains(index)
  for (let next = best(), last = pieces.length; next !== null; next = best()) {
    const [a, b] = next
    const [one, other] = [open.get(a), open.get(b)]
    if (one === undefined || other === undefined || isBetween(needs, a, b) || isBetween(needs, b, a)) {
      gains.get(a)?.delete(b)
      gains.get(b)?.delete(a)
      continue
    }
    const merged = last
    last += 1
    open.delete(a)
    open.delete(b)
    gains.delete(a)
    gains.delete(b)
    open.set(merged, {
      users: new Set([...one.users, ...other.users]),
      size: one.size + other.size,
      names: [...one.names, ...other.names],
    })
    joinNeeds(needs, a, b, merged)
    noteGains(merged)
  }
  return [...open.values()]
}

type Needs = Map<number, Set<number>>

/** The other pieces that each one imports; entries, which are merged with nothing, are among them. */
const findNeeds = (pieces: readonly Piece[], files: PlanOptions['files']): Needs => {
  const numbers = new Map(pieces.flatMap(({ names }, index) => names.map(name => [name, index] as const)))
  for (const name of files.keys()) if (!numbers.has(name)) numbers.set(name, -1 - numbers.size)
  return new Map(
    [...numbers].map(([name, number]) => {
      const imported = (files.get(name)?.imports ?? []).map(one => numbers.get(one)).filter(one => one !== undefined)
      return [number, new Set(imported)] as const
    }),
  )
}

/** Whether `from` needs `to` by way of a third. */
const isBetween = (needs: Needs, from: number, to: number): boolean => {
  const seen = new Set<number>()
  const reaches = (piece: number): boolean => {
    if (piece === to) return true
    if (seen.has(piece)) return false
    seen.add(piece)
    return [...(needs.get(piece) ?? [])].some(reaches)
  }
  return [...(needs.get(from) ?? [])].some(next => next !== to && reaches(next))
}

const joinNeeds = (needs: Needs, a: number, b: number, merged: number): void => {
  const own = new Set([...(needs.get(a) ?? []), ...(needs.get(b) ?? [])])
  own.delete(a)
  own.delete(b)
  needs.delete(a)
  needs.delete(b)
  for (const [, others] of needs) {
    const had = [others.delete(a), others.delete(b)]
    if (had.includes(true)) others.add(merged)
  }
  needs.set(merged, own)
}
