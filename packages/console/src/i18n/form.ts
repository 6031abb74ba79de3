import { formatCount as plural } from '../lib/format.ts'

/** « a, b et c ». */
export const listOf = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} et ${parts.at(-1) ?? ''}`

/** Words of forms and of what they refuse. */
export const form = {
  save: 'Enregistrer',
  create: 'Créer',
  cancel: 'Annuler',
  delete: 'Supprimer',
  reload: 'Recharger en gardant ma saisie',
  required: 'Champ requis',
  optional: 'facultatif',
  none: 'Aucun',
  search: 'Chercher…',
  nothingFound: 'Aucun résultat',
  more: 'D’autres résultats existent\u202f: précisez la recherche.',
  loading: 'Recherche…',
  loadFailed: 'La liste n’a pas pu être chargée',
  refused: 'Enregistrement refusé',
  fieldsToCorrect: (count: number) => `${plural(count, 'champ')} à corriger ci-dessous.`,
  unreachable: 'Le serveur ne répond pas. Rien de ce que vous avez saisi n’est perdu\u202f: réessayez.',
  readOnly: 'Lecture seule\u202f: votre compte n’a pas le droit de modifier.',
  staleTitle: 'Cette fiche a changé entre-temps',
  staleBy: (by: string | null, when: string) => (by === null ? `Modifiée ${when}.` : `Modifiée par ${by}, ${when}.`),
  staleFields: (labels: readonly string[]) => (labels.length === 0 ? '' : `Champs changés\u202f: ${listOf(labels)}.`),
  staleHelp:
    'Rien n’est enregistré pour l’instant. « Recharger » reprend la version du serveur dans les champs auxquels vous n’avez pas touché et garde votre saisie dans les autres\u202f; vérifiez, puis enregistrez.',
  rebased: 'Fiche rechargée\u202f: votre saisie est gardée. Vérifiez, puis enregistrez.',
  unsavedTitle: 'Quitter sans enregistrer\u202f?',
  unsavedText: 'Des changements ne sont pas enregistrés\u202f: ils seront perdus.',
  unsavedStay: 'Rester sur la page',
  unsavedLeave: 'Quitter sans enregistrer',
  unsavedHint: 'Changements non enregistrés',
  inherited: (value: string) => `valeur de la plateforme\u202f: ${value}`,
  deleteTitle: (name: string) => `Supprimer «\u202f${name}\u202f»\u202f?`,
  deletePlanning: 'Recherche de ce qui serait supprimé avec…',
  deleteAlone: 'Rien d’autre n’en dépend.',
  deleteAlong: (parts: readonly string[]) => `Seraient aussi supprimés\u202f: ${listOf(parts)}.`,
  deleteCascade: 'Supprimer aussi tout ce qui en dépend',
  deleteHistory: 'L’historique des mesures est perdu. Cette action ne peut pas être annulée.',
  deleteRefused: 'Suppression refusée',
  deleted: (name: string) => `«\u202f${name}\u202f» est supprimé.`,
  saved: (name: string) => `«\u202f${name}\u202f» est enregistré.`,
  plan: {
    sites: (count: number) => plural(count, 'site'),
    hosts: (count: number) => plural(count, 'équipement'),
    scanners: (count: number) => plural(count, 'scanner'),
    metrics: (count: number) => plural(count, 'métrique'),
  },
} as const
