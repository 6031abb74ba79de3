import { IconArrowsUpDown } from '@tabler/icons-react'
import { rule as words } from '../i18n/rule.ts'
import { formatNumber } from '../lib/format.ts'
import classes from './flapping-mark.module.css'

interface FlappingMarkProps {
  /** Share of changes of state; null: it does not flap. */
  readonly percent: number | null
  /** With the word beside the icon. */
  readonly full?: boolean
}

/** « Bagotant » beside a state that changes all the time. */
export const FlappingMark = ({ percent, full = false }: FlappingMarkProps) => {
  if (percent === null) return null
  const text = words.inForce.flaps(formatNumber(percent, 0))
  return full ? (
    <span className={classes.mark}>
      <IconArrowsUpDown size={15} aria-hidden />
      {text}
    </span>
  ) : (
    <span className={classes.mark} title={text}>
      <IconArrowsUpDown size={15} role="img" aria-label={text} />
    </span>
  )
}
