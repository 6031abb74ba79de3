import { IconArrowBackUp, IconLink, IconPencil, IconPoint } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { inherited as words } from '../i18n/inherited.ts'
import classes from './inherited-field.module.css'

interface InheritedFieldProps {
  /** Name of the field, for those who hear the buttons. */
  readonly label: string
  /** Where the value comes from: « Hérité du modèle Routeur », « Propre à ce scanner ». */
  readonly origin: string
  readonly own: boolean
  /** Gives the field a value of its own; without it, typing one does. */
  readonly onCustomize?: (() => void) | undefined
  /** Takes the own value away; without it there is no way back, e.g. for a reader. */
  readonly onRevert?: (() => void) | undefined
  /** What that way is called; left out: « Revenir à l’héritage ». */
  readonly revert?: string
  /** The field; it may also stand elsewhere, e.g. when it is several. */
  readonly children?: ReactNode
}

/** A field with the origin of its value under it, and the way to a value of its own or back to inheritance. */
export const InheritedField = (props: InheritedFieldProps) => {
  const { label, origin, own, onCustomize, onRevert, revert = words.revert, children } = props
  const change = own ? onRevert : onCustomize
  const [Icon, text] = own ? [IconArrowBackUp, revert] : [IconPencil, words.customize]
  return (
    <div className={classes.field} data-own={own || undefined}>
      {children}
      <div className={classes.line}>
        <span className={classes.origin}>
          {own ? <IconPoint size={14} aria-hidden /> : <IconLink size={13} stroke={1.8} aria-hidden />}
          {origin}
        </span>
        {change !== undefined && (
          <button type="button" className={classes.change} onClick={change} aria-label={`${text}\u202f: ${label}`}>
            <Icon size={13} stroke={1.8} aria-hidden />
            {text}
          </button>
        )}
      </div>
    </div>
  )
}
