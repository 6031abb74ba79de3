import type { HostStateName } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { fr } from '../i18n/fr.ts'
import classes from './severity.module.css'
import { SHAPES } from './severity-shapes.ts'

interface SeverityIconProps {
  readonly severity: Severity
  /** Pixels; 16 unless told. */
  readonly size?: number
  /** Says the word to those who do not see the icon; leave it out beside the word itself. */
  readonly label?: string
}

/** The icon of a severity. */
export const SeverityIcon = ({ severity, size = 16, label }: SeverityIconProps) => (
  <svg
    className={classes.icon}
    data-severity={severity}
    width={size}
    height={size}
    viewBox="0 0 16 16"
    role={label === undefined ? undefined : 'img'}
    aria-label={label}
    aria-hidden={label === undefined ? true : undefined}
  >
    <path d={SHAPES[severity].outline} fill="currentColor" />
    <path d={SHAPES[severity].mark} className={classes.mark} />
  </svg>
)

interface SeverityBadgeProps {
  readonly severity: Severity
  /** Instead of the severity's own word. */
  readonly children?: string
  /** Not yet confirmed: lighter, the word stays. */
  readonly soft?: boolean
  /** The word alone, beside a larger icon of the same severity. */
  readonly plain?: boolean
}

/** Icon, word and colour of a severity, in one line. */
export const SeverityBadge = ({ severity, children, soft = false, plain = false }: SeverityBadgeProps) => (
  <span className={classes.badge} data-severity={severity} data-soft={soft || undefined}>
    {!plain && <SeverityIcon severity={severity} />}
    {children ?? fr.severity[severity]}
  </span>
)

/** The severity in whose colour a host's state is shown; null is neutral. */
export const HOST_STATE_SEVERITY: Readonly<Record<HostStateName, Severity | null>> = {
  down: 'error',
  unreachable: 'unknown',
  unknown: 'unknown',
  pending: null,
  available: 'ok',
  disabled: null,
}

interface HostStateBadgeProps {
  readonly state: HostStateName
  /** The word alone, beside a larger icon of the same severity. */
  readonly plain?: boolean
}

/** The icon of a host's state; a neutral ring where nothing is judged. */
export const HostStateIcon = ({ state }: { readonly state: HostStateName }) => {
  const severity = HOST_STATE_SEVERITY[state]
  if (severity !== null) return <SeverityIcon severity={severity} />
  return (
    <svg className={classes.icon} width={16} height={16} viewBox="0 0 16 16" aria-hidden="true">
      <circle
        cx="8"
        cy="8"
        r="6"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeDasharray={state === 'pending' ? '3 2.3' : undefined}
      />
    </svg>
  )
}

/** Icon, word and colour of a host's state. */
export const HostStateBadge = ({ state, plain = false }: HostStateBadgeProps) => {
  const severity = HOST_STATE_SEVERITY[state]
  if (severity !== null) {
    return (
      <SeverityBadge severity={severity} plain={plain}>
        {fr.hostState[state]}
      </SeverityBadge>
    )
  }
  return (
    <span className={classes.badge}>
      <HostStateIcon state={state} />
      {fr.hostState[state]}
    </span>
  )
}
