import type { AlertType } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { IconMessageCircle } from '@tabler/icons-react'
import classes from './alert-sign.module.css'
import { SeverityIcon } from './severity.tsx'

interface AlertSignProps {
  readonly type: AlertType
  readonly severity: Severity
  /** What the severity is called; an information says it itself. */
  readonly label?: string
  readonly size?: number
}

const words = { information: 'Information' } as const

/** The sign of an alert: its severity, or, of what tells of no state (a mention), that it is an information. */
export const AlertSign = ({ type, severity, label, size = 16 }: AlertSignProps) =>
  type === 'Info' ? (
    <IconMessageCircle className={classes.information} size={size} role="img" aria-label={words.information} />
  ) : (
    <SeverityIcon severity={severity} size={size} {...(label !== undefined && { label })} />
  )
