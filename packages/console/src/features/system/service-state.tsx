import type { ServiceHealth } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { SeverityBadge } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './system.module.css'

/** The severity in whose colour a service's state is shown; null is neutral. */
export const SERVICE_SEVERITY: Readonly<Record<ServiceHealth, Severity | null>> = {
  ok: 'ok',
  warning: 'warning',
  error: 'error',
  unknown: 'unknown',
  off: null,
}

/** Icon, word and colour of a service's state. */
export const ServiceStateBadge = ({ state }: { readonly state: ServiceHealth }) => {
  const severity = SERVICE_SEVERITY[state]
  return severity === null ? (
    <span className={classes.off}>{fr.states[state]}</span>
  ) : (
    <SeverityBadge severity={severity}>{fr.states[state]}</SeverityBadge>
  )
}
