import { type CSSProperties, memo, useMemo } from 'react'
import { SeverityIcon } from '../../ui/severity.tsx'
import type { Diagram } from './diagram-layout.ts'
import classes from './far-signs.module.css'
import { signsOf } from './signs.ts'

interface FarSignsProps {
  readonly drawing: Diagram
  /** As `stepOf` gives it: signs do not dance while one zooms. */
  readonly step: number
  /** What one looks at; null: all. */
  readonly lit: ReadonlySet<string> | null
}

/** The shape of each severity at its own size over a diagram that is shown too small for it. */
export const FarSigns = memo(({ drawing, step, lit }: FarSignsProps) => {
  const signs = useMemo(() => signsOf(drawing, step), [drawing, step])
  return signs.map(({ key, x, y, severity, px }) => (
    <span
      key={key}
      className={classes.sign}
      style={{ left: x, top: y }}
      data-dim={(lit !== null && !lit.has(key)) || undefined}
      aria-hidden
    >
      {severity === null ? <span className={classes.neutral} /> : <SeverityIcon severity={severity} size={px} />}
    </span>
  ))
})

/** What the signs need of the sheet they stand on: how large it is shown. */
export const sheetScale = (scale: number): CSSProperties & Record<'--sheet-scale', number> => ({
  '--sheet-scale': scale,
})
