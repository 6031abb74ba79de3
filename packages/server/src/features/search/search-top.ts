import { ABSENT, SEARCH_PER_KIND } from '@narval/contracts'
import { type Severity, severityRank } from '@narval/engine'

/** What may be found, with the state in which it stands; null: it has none. */
export interface Sortable {
  readonly id: number
  readonly folded: string
}

export interface Hit<T> {
  readonly one: T
  readonly quality: number
  readonly severity: Severity | null
}

/** The best of one kind: by how well they match, then the worst state first, then by name. */
export interface Top<T> {
  offer(one: T, quality: number): void
  take(): Hit<T>[]
}

const NO_STATE = 9
const rankOf = (severity: Severity | null): number => (severity === null ? NO_STATE : severityRank(severity))

const order = <T extends Sortable>(a: Hit<T>, b: Hit<T>): number =>
  a.quality - b.quality ||
  rankOf(a.severity) - rankOf(b.severity) ||
  (a.one.folded < b.one.folded ? -1 : a.one.folded > b.one.folded ? 1 : a.one.id - b.one.id)

/** `severityOf` is asked of what is found alone: most of what is looked at is not, and reading its state would cost more than its name. */
export const createTop = <T extends Sortable>(severityOf: (one: T) => Severity | null): Top<T> => {
  const kept: Hit<T>[] = []
  const last = (): Hit<T> | undefined => (kept.length < SEARCH_PER_KIND ? undefined : kept[SEARCH_PER_KIND - 1])
  return {
    offer(one, quality) {
      const worst = last()
      if (quality >= ABSENT || (worst !== undefined && quality > worst.quality)) return
      const hit = { one, quality, severity: severityOf(one) }
      if (worst !== undefined && order(hit, worst) >= 0) return
      const place = kept.findIndex(other => order(hit, other) < 0)
      kept.splice(place < 0 ? kept.length : place, 0, hit)
      if (kept.length > SEARCH_PER_KIND) kept.pop()
    },
    take: () => kept,
  }
}
