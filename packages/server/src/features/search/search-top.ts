import { ABSENT, SEARCH_PER_KIND } from '@narval/contracts'
import { type Severity, severityRank } from '@narval/engine'
import { pageOf } from '../../store/page-of.ts'

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
  const page = pageOf<Hit<T>>(0, SEARCH_PER_KIND, order)
  return {
    offer(one, quality) {
      if (quality < ABSENT) page.offer({ one, quality, severity: severityOf(one) })
    },
    take: () => page.take(),
  }
}
