import type { ReactNode } from 'react'
import classes from './action-bar.module.css'

interface ActionBarProps {
  /** Stays at the bottom of the window while its form goes on below; true unless told. */
  readonly sticks?: boolean
  readonly children: ReactNode
}

/** Where what was typed is saved or given up. */
export const ActionBar = ({ sticks = true, children }: ActionBarProps) => (
  <div className={classes.bar} data-sticky={sticks || undefined} data-keep-clear>
    {children}
  </div>
)

/** Beside the buttons, where there is room. */
export const ActionHint = ({ children }: { readonly children: ReactNode }) => (
  <span className={classes.hint}>{children}</span>
)
