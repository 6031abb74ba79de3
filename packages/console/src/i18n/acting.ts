import { formatCount, formatNumber } from '../lib/format.ts'

const several = (count: number, one: string, many: string): string => (count >= 2 ? many : one)
const incidents = (count: number): string => formatCount(count, 'incident')

/** Words of what is done about problems, one or many. */
export const acting = {
  actions: 'Actions',
  of: (name: string) => `Actions sur ${name}`,
  menu: 'Autres actions sur les incidents',
  count: incidents,
  acknowledge: 'Acquitter',
  unacknowledge: 'Désacquitter',
  own: 'Prendre en charge',
  give: 'Confier…',
  release: 'Rendre',
  maintain: 'Planifier une maintenance',
  check: 'Vérifier maintenant',
  comment: 'Commenter',
  failed: 'Action impossible',
  noIncident: 'Aucun incident ouvert',
  close: 'Fermer',
  acknowledgeTitle: (what: string) => `Acquitter\u202f: ${what}`,
  giveTitle: (what: string) => `Confier\u202f: ${what}`,
  ownTitle: (what: string) => `Prendre en charge\u202f: ${what}`,
  unacknowledgeTitle: (what: string) => `Désacquitter\u202f: ${what}`,
  releaseTitle: (what: string) => `Rendre\u202f: ${what}`,
  commentTitle: (what: string) => `Commenter\u202f: ${what}`,
  commentMany: (what: string) => `Ce commentaire sera écrit sur ${what}.`,
  commentNone: 'Rien de ce qui est désigné n’existe plus.',
  commentGone: (count: number) => `${formatNumber(count, 0)} n’${several(count, 'existe', 'existent')} plus.`,
  commented: (count: number) => `${formatCount(count, 'commentaire')} ${several(count, 'publié', 'publiés')}`,
  commentManyLabel: 'Texte du commentaire',
  commentSend: 'Publier',
  commentCounting: 'Recherche de ce qui est désigné…',
  commentLabel: 'Commentaire',
  commentHelp: 'Qui s’en occupe, et comment. Il est montré à tous tant que l’acquittement tient.',
  commentRequired: 'Un commentaire est requis',
  lasts: 'Durée',
  lastsHelp: 'À son terme, le problème redevient non traité.',
  /** By the rules of what is acknowledged; null: not known yet, or nothing is. */
  byDefault: (hours: { readonly least: number; readonly most: number } | null) => {
    if (hours === null) return 'Par défaut, selon les règles'
    const { least, most } = hours
    return least === most
      ? `Par défaut (${formatNumber(least, 0)}\u202fh, selon les règles)`
      : `Par défaut (de ${formatNumber(least, 0)} à ${formatNumber(most, 0)}\u202fh, selon les règles de chacun)`
  },
  durations: {
    '1': '1 heure',
    '4': '4 heures',
    '8': '8 heures',
    '24': '24 heures',
    '72': '3 jours',
    '168': '7 jours',
    recovery: 'Jusqu’au retour à la normale',
  },
  sticky: 'Garder quand la sévérité change',
  stickyHelp: 'Sans cela, une alerte acquittée qui passe en erreur redevient non traitée.',
  owner: 'En charge',
  ownerKeep: 'Ne pas changer',
  ownerNobody: 'Personne',
  ownerMe: 'Moi',
  noOwner: 'Aucun compte n’a le droit d’agir ici.',
  counting: 'Recherche des incidents…',
  planned: (count: number) => `${incidents(count)} ${several(count, 'sera acquitté', 'seront acquittés')}.`,
  refused: (count: number) => `${formatNumber(count, 0)} ${several(count, 'est terminé', 'sont terminés')}.`,
  /** As the server says it. */
  over: 'Cet incident est terminé.',
  notDone: (count: number) => `${formatNumber(count, 0)} ${several(count, 'a été refusé', 'ont été refusés')}.`,
  nothing: 'Aucun incident ouvert n’est concerné.',
  acknowledged: (count: number) => `${incidents(count)} ${several(count, 'acquitté', 'acquittés')}`,
  unacknowledged: (count: number) => `${incidents(count)} ${several(count, 'désacquitté', 'désacquittés')}`,
  owned: (count: number) => `${incidents(count)} ${several(count, 'pris en charge', 'pris en charge')}`,
  given: (count: number, who: string) => `${incidents(count)} ${several(count, 'confié', 'confiés')} à ${who}`,
  released: (count: number) => `${incidents(count)} ${several(count, 'rendu', 'rendus')}`,
  unchanged: (count: number) => `${formatNumber(count, 0)} ${several(count, 'l’était déjà', 'l’étaient déjà')}.`,
  checked: (count: number) => `${formatCount(count, 'contrôle')} ${several(count, 'demandé', 'demandés')}`,
  checkedText: (probes: number) =>
    `${formatCount(probes, 'sonde')} ${several(probes, 'prévenue', 'prévenues')}\u202f; les résultats arrivent d’eux-mêmes.`,
  giveNow: 'Confier',
  chooseOwner: 'Choisir un compte',
} as const
