import type { AvailabilityReason, MetricReason } from '@narval/engine'

/** Words of availability that several sections share. */
export const availability = {
  title: 'Disponibilité',
  lastDays: (days: number) => `Disponibilité des ${days} derniers jours`,
  report: 'Voir le rapport',
  nothing: 'Aucun temps compté sur la période.',
  reasons: {
    available: 'Disponible',
    ok: 'OK',
    warning: 'Alerte',
    error: 'Erreur',
    down: 'Indisponible',
    unreachable: 'Injoignable',
    flapping: 'Bagotant',
    unknown: 'Inconnu',
    maintenance: 'En maintenance',
    'out-of-service': 'Hors service',
    'not-monitored': 'Non supervisé',
  } satisfies Record<AvailabilityReason | MetricReason, string>,
  outages: 'Pannes',
  longest: 'Plus longue panne',
  share: (reason: string, duration: string, percent: string) => `${reason}\u202f: ${duration} (${percent})`,
} as const
