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
  offer(one: T, quality: number, severity: Severity | null): void
  take(): Hit<T>[]
}

const NO_STATE = 9
const rankOf = (severity: Severity | null): number => (severity === null ? NO_STATE : severityRank(severity))

const order = <T extends Sortable>(a: Hit<T>, b: Hit<T>): number =>
  a.quality - b.quality ||
  rankOf(a.severity) - rankOf(b.severity) ||
  (a.one.folded < b.one.folded ? -1 : a.one.folded > b.one.folded ? 1 : a.one.id - b.one.id)

export const createTop = <T extends Sortable>(): Top<T> => {
  const page = pageOf<Hit<T>>(0, SEARCH_PER_KIND, order)
  return {
    offer(one, quality, severity) {
      if (quality < ABSENT) page.offer({ one, quality, severity })
    },
    take: () => page.take(),
  }
}
