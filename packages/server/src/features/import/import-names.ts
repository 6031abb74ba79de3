import { fold } from '@narval/contracts'
import type { Fault } from './import-object.ts'

/** Objects found by their folded names; several may have the same. */
export interface Names {
  find(name: string): readonly number[]
  nameOf(id: number): string
  add(id: number, name: string): void
  readonly size: number
}

export const createNames = (rows: Iterable<{ readonly id: number; readonly name: string }> = []): Names => {
  const byName = new Map<string, number[]>()
  const names = new Map<number, string>()
  const add = (id: number, name: string): void => {
    names.set(id, name)
    const folded = fold(name)
    const same = byName.get(folded)
    if (same === undefined) byName.set(folded, [id])
    else same.push(id)
  }
  for (const row of rows) add(row.id, row.name)
  return {
    find: name => byName.get(fold(name)) ?? [],
    nameOf: id => names.get(id) ?? '',
    add,
    get size() {
      return names.size
    },
  }
}

/** The one object of a name: of several that of `preferred`, else a fault. */
export const oneOf = (
  ids: readonly number[],
  what: string,
  name: string,
  preferred: (id: number) => boolean = () => false,
): number | Fault => {
  const [first, second] = ids
  if (first === undefined) return { fault: `${what} « ${short(name)} » n'existe pas.` }
  if (second === undefined) return first
  const better = ids.filter(preferred)
  return better.length === 1 && better[0] !== undefined
    ? better[0]
    : { fault: `${what} « ${short(name)} » existe plusieurs fois : précisez lequel.` }
}

export const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
