import type { FieldWords } from './field-word.ts'

const TIME = (severity: string) =>
  `Temps passé à l’état ${severity}, en millisecondes de métriques : dix métriques pendant une heure font 36 000 000.`

export const STATUS_WORDS: FieldWords = {
  'StatusHour.hour': 'Début de l’heure.',
  watched: 'Temps de cette heure où le serveur supervisait, en ms ; le reste n’est à aucun état.',
  'StatusHour.error': TIME('Erreur'),
  'StatusHour.warning': TIME('Alerte'),
  'StatusHour.unknown': TIME('Inconnu'),
  'StatusHour.ok': TIME('OK'),
  'StatusChange.at': 'Instant du changement.',
  'StatusChange.from': 'Sévérité d’avant ; null : la métrique ne comptait pas.',
  'StatusChange.to': 'Sévérité confirmée ; null : la métrique ne compte plus.',
  'StatusChange.cause': 'Pourquoi elle est inconnue ; null : elle ne l’est pas.',
  'StatusChange.incidentId': 'Incident dont ce changement est le début, un moment ou la fin ; null : aucun.',
  'StatusChangeGroup.from': 'Sévérité d’avant ; null : les métriques ne comptaient pas.',
  'StatusChangeGroup.to': 'Sévérité confirmée ; null : elles ne comptent plus.',
  'StatusChangeGroup.cause': 'Pourquoi elles sont inconnues ; null : elles ne le sont pas.',
  'StatusChangeGroup.changes': 'Nombre de changements.',
  'StatusSite.counts': 'Équipements par sévérité.',
  'StatusSite.metrics': 'Métriques par sévérité confirmée.',
  'StatusSite.states': 'Équipements par état.',
  'StatusSite.severity': 'La pire sévérité de ses équipements.',
  down: 'Nombre d’équipements indisponibles.',
  pending: 'Nombre d’équipements en attente d’un premier résultat.',
  available: 'Nombre d’équipements disponibles.',
  disabled: 'Nombre d’équipements désactivés.',
}
