import type { Severity } from '@narval/engine'
import type { ReactNode } from 'react'
import type { OptionSource } from '../lib/option-source.ts'

/** One column of a list. `id` is the name the server sorts by. */
export interface TableColumn<T> {
  readonly id: string
  readonly header: string
  readonly cell: (row: T) => ReactNode
  readonly sortable?: boolean
  /** Numbers and durations go right. */
  readonly align?: 'right'
  /** Words that take a second line rather than be cut. */
  readonly wrap?: boolean
  /** Pixels; without it the column takes a share of what is left, `grow` times (1). */
  readonly width?: number
  readonly grow?: number
  /** Shown only once somebody chooses it among the columns. */
  readonly hidden?: boolean
  /** Stands last whatever is chosen: what acts on the row. */
  readonly fixed?: boolean
  /** Its place on a narrow screen's card: the title, the corner beside it, a labelled line (default), or nowhere. */
  readonly card?: 'title' | 'corner' | 'line' | 'none'
}

export interface FilterChoice {
  readonly value: string
  readonly label: string
  readonly icon?: ReactNode
}
/** A filter that one writes: a text that is contained, or a range of numbers or of days. */
export interface TypedFilter {
  readonly typed: 'text' | 'number' | 'date'
}
/** A filter chip: a closed set of choices, things that the server is asked for, or what one writes. `name` is the request's and the URL's. */
export type TableFilter = {
  readonly name: string
  readonly label: string
} & (
  | { readonly choices: readonly FilterChoice[]; readonly single?: boolean }
  | { readonly source: OptionSource }
  | TypedFilter
)

/** What a list without any row says: what it would hold, and what to do next. */
export interface TableEmpty {
  readonly title: string
  readonly text: string
  readonly icon?: ReactNode
  readonly action?: ReactNode
}

/** How one row looks and what it opens. */
export interface RowLook<T> {
  readonly key: (row: T) => number | string
  readonly href?: (row: T) => string
  /** Its accessible name: what opens. */
  readonly name: (row: T) => string
  /** Colour of the 3 px edge; null for none. */
  readonly edge?: (row: T) => Severity | null
  /** Tinted ground, only while it is new. */
  readonly fresh?: (row: T) => boolean
  /** Greyed: out of use. */
  readonly muted?: (row: T) => boolean
}
