import { formatCount, formatNumber } from '../../lib/format.ts'

/** Words of walls. */
export const fr = {
  title: 'Mode mural',
  views: { problems: 'Problèmes non traités', hosts: 'Équipements', sites: 'Statuts par site' },
  page: (page: number, pages: number) => `page ${page} sur ${pages}`,
  problems: (shown: number, total: number) =>
    shown < total
      ? `les ${formatNumber(shown, 0)} pires sur ${formatCount(total, 'problème')}`
      : formatCount(total, 'problème'),
  hosts: (count: number) => formatCount(count, 'équipement'),
  sites: (count: number) => formatCount(count, 'site'),
  tiles: {
    label: 'Compteurs',
    acknowledged: 'Acquittés',
    inMaintenance: 'En maintenance',
    probesOffline: 'Sondes hors ligne',
  },
  upToDate: (ago: string) => `Données à jour ${ago}`,
  frozen: (duration: string) => `Données figées depuis ${duration}`,
  frozenHelp: 'Le serveur ne répond plus\u202f: ce qui est affiché peut avoir changé.',
  never: 'Connexion au serveur…',
  noAnswer: 'Le serveur ne répond pas. Nouvel essai toutes les 3 secondes.',
  refusedTitle: 'Cet affichage n’est plus autorisé',
  refusedText:
    'Son jeton a expiré ou a été révoqué. Un administrateur peut en créer un autre (Services, Affichage mural).',
  missingTitle: 'Adresse d’affichage incomplète',
  missingText: 'Elle doit finir par le jeton d’affichage\u202f: …/wall#narvalmur_…',
  noProblems: 'Aucun problème non traité',
  noHosts: 'Aucun équipement',
  since: (text: string) => `depuis ${text}`,
  unconfirmed: 'non confirmé',
  leave: 'Quitter le mode mural',
} as const
