import type { FieldWords } from './field-word.ts'

export const AVAILABILITY_WORDS: FieldWords = {
  'AvailabilityRow.id': 'Identifiant de l’équipement, du site ou du type ; 0 : les équipements sans type.',
  availableMs: 'Temps disponible, en ms.',
  downMs: 'Temps indisponible, en ms.',
  unreachableMs: 'Temps injoignable, en ms.',
  flappingMs: 'Temps où l’état bagotait, en ms : ni bon ni mauvais.',
  unknownMs: 'Temps dont on ne sait rien, en ms.',
  maintenanceMs: 'Temps en maintenance, en ms.',
  outOfServiceMs: 'Temps hors des heures d’ouverture du site, en ms.',
  notMonitoredMs: 'Temps non supervisé, en ms : avant la création, ou désactivé.',
  outages: 'Nombre de pannes.',
  longestOutageMs: 'Plus longue panne, en ms de temps compté.',
  ratio:
    'Part du temps compté où il était disponible, arrondie vers le bas à cinq décimales ; null : aucun temps compté.',
  mttrMs: 'Durée moyenne d’une panne, en ms ; null : aucune.',
  mtbfMs: 'Temps disponible moyen entre deux pannes, en ms ; null : aucune panne.',
  'AvailabilitySummary.from': 'Début de la période.',
  'AvailabilitySummary.to': 'Fin de la période, au plus tard maintenant.',
  'AvailabilitySummary.total': 'Somme des temps de tous les équipements.',
  'AvailabilityOfHost.from': 'Début de la période.',
  'AvailabilityOfHost.to': 'Fin de la période, au plus tard maintenant.',
  'AvailabilityOfHost.row': 'Ses temps sur toute la période.',
  'AvailabilityOfHost.intervals':
    'Intervalles qui font ces temps, du plus ancien au plus récent, sans trou ; les 2 000 premiers.',
  intervalCount: 'Nombre d’intervalles en tout.',
  'AvailabilityInterval.from': 'Début.',
  'AvailabilityInterval.to': 'Fin.',
  'AvailabilityInterval.reason': 'Ce que compte cet intervalle.',
  'AvailabilityInterval.state': 'État de l’équipement pendant ce temps, qu’il compte ou non.',
  'AvailabilityInterval.source':
    'live : constaté ; late : rapporté après coup par la sonde ; stopped : le serveur était arrêté ; none : rien n’est gardé.',
  'AvailabilityInterval.incident': 'Incident qui en parle ; null : aucun.',
  'incident.title': 'Ce qui ne va pas, en mots.',
  'AvailabilityInterval.maintenances': 'Maintenances qui le couvraient.',
  'maintenances.id': 'Maintenance ; null : supprimée depuis.',
  'maintenances.comment': 'Pourquoi.',
}
