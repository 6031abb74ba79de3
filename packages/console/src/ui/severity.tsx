import type { HostStateName } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { fr } from '../i18n/fr.ts'
import classes from './severity.module.css'

/** What a severity looks like: octagon ✕, triangle !, diamond ?, disc ✓; shape, word and colour always together. */
const SHAPES: Readonly<Record<Severity, { readonly outline: string; readonly mark: string }>> = {
  error: { outline: 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z', mark: 'M5.6 5.6l4.8 4.8m0-4.8l-4.8 4.8' },
  warning: {
    outline: 'M8 1.2c.5 0 .9.2 1.1.7l6 11.2c.4.8-.1 1.7-1.1 1.7H2c-1 0-1.5-.9-1.1-1.7l6-11.2c.2-.5.6-.7 1.1-.7z',
    mark: 'M8 6v4m0 2.3v.1',
  },
  unknown: {
    outline:
      'M7.2.9a1.1 1.1 0 0 1 1.6 0l6.3 6.3a1.1 1.1 0 0 1 0 1.6l-6.3 6.3a1.1 1.1 0 0 1-1.6 0L.9 8.8a1.1 1.1 0 0 1 0-1.6z',
    mark: 'M6.3 6.3C6.3 5.2 7 4.6 8 4.6s1.7.6 1.7 1.6c0 1.3-1.7 1.4-1.7 2.7m0 2.3v.1',
  },
  ok: { outline: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z', mark: 'M4.9 8.3l2.1 2.1 4.2-4.6' },
}

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
      {fr.hostState[state]}
    </span>
  )
}
