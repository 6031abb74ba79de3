import type { DatatableInput } from '@narval/contracts'
import { useCallback, useMemo, useRef, useState } from 'react'

/** Rows that an action is about: those ticked, or all that the list's filter matches. */
export interface BulkSelection {
  readonly count: number
  readonly target: { readonly ids: number[] } | { readonly filter: DatatableInput }
  readonly clear: () => void
}

interface Ticked {
  /** What the list was narrowed to when rows were ticked: of another list, nothing is ticked. */
  readonly of: string
  readonly ids: ReadonlySet<number>
  readonly all: boolean
}

export interface SelectionHandle {
  readonly ids: ReadonlySet<number>
  /** All that the filter matches, beyond the page too. */
  readonly all: boolean
  readonly count: number
  readonly isTicked: (id: number) => boolean
  /** `through`: also every row between the last one ticked and this one (Shift). */
  readonly toggle: (id: number, page: readonly number[], through?: boolean) => void
  readonly togglePage: (page: readonly number[]) => void
  readonly takeAll: () => void
  readonly clear: () => void
}

/** Which rows are ticked, kept from page to page until the search or a filter changes. `matching`: rows that the filter matches. */
export const useSelection = (narrowing: string, matching: number): SelectionHandle => {
  const [held, setTicked] = useState<Ticked>({ of: narrowing, ids: new Set(), all: false })
  const last = useRef<number | null>(null)
  const ticked = held.of === narrowing ? held : { of: narrowing, ids: new Set<number>(), all: false }
  const set = useCallback(
    (ids: Iterable<number>, all = false) => setTicked({ of: narrowing, ids: new Set(ids), all }),
    [narrowing],
  )
  return useMemo(() => {
    const { ids, all } = ticked
    return {
      ids,
      all,
      count: all ? matching : ids.size,
      isTicked: id => all || ids.has(id),
      toggle(id, page, through = false) {
        const from = last.current === null ? -1 : page.indexOf(last.current)
        const to = page.indexOf(id)
        const between = through && from >= 0 ? page.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
        last.current = id
        // One row taken out of « all » leaves the others of its page.
        const before = all ? new Set(page) : ids
        const wanted = !before.has(id)
        const next = new Set(before)
        for (const one of between) wanted ? next.add(one) : next.delete(one)
        set(next)
      },
      togglePage(page) {
        const whole = all || page.every(id => ids.has(id))
        set(whole ? [...ids].filter(id => !page.includes(id)) : [...ids, ...page])
      },
      takeAll: () => set(ids, true),
      clear: () => set([]),
    }
  }, [ticked, matching, set])
}
