import type { FieldWords } from './field-word.ts'

export const INCIDENT_WORDS: FieldWords = {
  severities: 'Métriques par sévérité confirmée.',
  'DashboardMain.hosts': 'Équipements par sévérité.',
  'DashboardMain.at': 'Instant du calcul.',
  acknowledged: 'Nombre de problèmes acquittés.',
  inMaintenance: 'Nombre de problèmes en maintenance.',
  probesOffline: 'Nombre de sondes hors ligne.',
  soft: 'Métriques vues en défaut mais pas encore confirmées.',
  openedAt: 'Début de l’incident.',
  closedAt: 'Fin de l’incident ; null : il est ouvert.',
  acknowledgedBy: 'Qui l’a acquitté.',
  acknowledgedAt: 'Quand il a été acquitté.',
  acknowledgedComment: 'Commentaire de l’acquittement.',
  comment: { text: 'Pourquoi, et qui s’en occupe.', example: 'Pris en charge, pièce commandée.' },
  'Incident.opinion': 'Ce qu’une autre sonde a constaté de l’équipement ; null : aucune n’a été interrogée.',
  verdict: 'answers : l’équipement répond à cette sonde ; fails : le contrôle y échoue aussi.',
  'SecondOpinion.message': 'Phrase qui explique l’échec ; vide quand l’équipement répond.',
  'Scanner/Opinion.probeId': 'Sonde à interroger ; null : celle qui convient le mieux.',
}
