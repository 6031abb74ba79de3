import type { ReactNode } from 'react'
import classes from './two-columns.module.css'

interface TwoColumnsProps {
  readonly children: ReactNode
  readonly side: ReactNode
  readonly isSideNarrow?: boolean
  /** Where there is room for one column alone, the side stands above what it goes with. */
  readonly isSideFirst?: boolean
}

/** A page of two columns of cards: what it is about, and at its right what goes with it. */
export const TwoColumns = ({ children, side, isSideNarrow = false, isSideFirst = false }: TwoColumnsProps) => (
  <div className={classes.columns} data-narrow={isSideNarrow || undefined} data-side-first={isSideFirst || undefined}>
    <div className={classes.main}>{children}</div>
    <aside className={classes.side}>{side}</aside>
  </div>
)
