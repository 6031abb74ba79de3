import type { DiscoveryRunState, FindingState } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { SeverityBadge } from '../../ui/severity.tsx'
import classes from './discovery.module.css'
import { fr } from './fr.ts'

/** The severity in whose colour a state is shown; null is neutral. */
export const FINDING_SEVERITY: Readonly<Record<FindingState, Severity | null>> = {
  new: null,
  changed: 'warning',
  vanished: 'unknown',
  known: 'ok',
  ignored: null,
}

/** Word and colour of what a found address is to a person: new ones stand out, those to ignore do not. */
export const FindingStateBadge = ({ state }: { readonly state: FindingState }) => {
  const severity = FINDING_SEVERITY[state]
  return severity === null ? (
    <span className={state === 'new' ? classes.fresh : classes.quiet}>{fr.states[state]}</span>
  ) : (
    <SeverityBadge severity={severity}>{fr.states[state]}</SeverityBadge>
  )
}

const RUN_SEVERITY: Readonly<Record<DiscoveryRunState, Severity | null>> = {
  waiting: null,
  running: null,
  done: 'ok',
  cancelled: null,
  interrupted: 'warning',
  failed: 'error',
}

/** Word and colour of how a run stands. */
export const RunStateBadge = ({ state }: { readonly state: DiscoveryRunState }) => {
  const severity = RUN_SEVERITY[state]
  return severity === null ? (
    <span className={classes.quiet}>{fr.runs[state]}</span>
  ) : (
    <SeverityBadge severity={severity}>{fr.runs[state]}</SeverityBadge>
  )
}
