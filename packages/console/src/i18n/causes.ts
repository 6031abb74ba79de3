import type { UnknownCause } from '@narval/engine'

/** Why a metric is unknown, in words. */
export const causes = {
  'probe-offline': 'Sonde hors ligne',
  'probe-link': 'Liaison de la sonde en cause',
  'host-unreachable': 'Équipement injoignable',
  'scanner-failed': 'Scanner en échec',
  'credentials-refused': 'Identifiants refusés',
  'metric-vanished': 'Métrique disparue',
  'no-data': 'Sans nouvelles',
  pending: 'En attente du premier résultat',
} as const satisfies Record<UnknownCause, string>
