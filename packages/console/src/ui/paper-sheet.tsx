import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import classes from './paper-sheet.module.css'

/** What stands on paper in the place of the console: light, without its menus; on a screen nothing. */
export const PaperSheet = ({ children }: { readonly children: ReactNode }) =>
  createPortal(
    <section className={classes.sheet} data-print-sheet>
      {children}
    </section>,
    document.body,
  )
