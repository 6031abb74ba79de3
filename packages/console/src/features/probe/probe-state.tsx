import type { ProbeState } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { SeverityBadge } from '../../ui/severity.tsx'
import { fr } from './fr.ts'

/** The severity in whose colour a probe's state is shown; null is neutral. */
export const PROBE_SEVERITY: Readonly<Record<ProbeState, Severity | null>> = {
  pending: 'warning',
  online: 'ok',
  offline: 'error',
  revoked: null,
}

/** Icon, word and colour of a probe's state. */
export const ProbeStateBadge = ({ state }: { readonly state: ProbeState }) => {
  const severity = PROBE_SEVERITY[state]
  return severity === null ? (
    <span>{fr.states[state]}</span>
  ) : (
    <SeverityBadge severity={severity}>{fr.states[state]}</SeverityBadge>
  )
}
