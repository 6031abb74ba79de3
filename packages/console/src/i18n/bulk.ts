import { formatNumber } from '../lib/format.ts'

const number = (value: number): string => formatNumber(value, 0)
const plural = (count: number, one: string, several: string): string => (count > 1 ? several : one)

/** Words of changes to many records at once. */
export const bulk = {
  edit: 'Modifier',
  editTitle: (what: string) => `Modifier ${what}`,
  enableTitle: (what: string) => `Activer ${what}`,
  disableTitle: (what: string) => `Désactiver ${what}`,
  deleteTitle: (what: string) => `Supprimer ${what}`,
  inherit: 'Revenir à l’héritage',
  inheritTitle: (what: string) => `Revenir à l’héritage\u202f: ${what}`,
  inherited: 'Valeur héritée',
  activity: 'Activité',
  activities: { true: 'Activer', false: 'Désactiver' },
  enable: 'Activer',
  disable: 'Désactiver',
  delete: 'Supprimer',
  more: 'Autres actions',
  cancel: 'Annuler',
  back: 'Revenir',
  close: 'Fermer',
  foresee: 'Voir ce qui changera',
  apply: (count: number) => `Appliquer à ${number(count)}`,
  keep: 'Ne pas changer',
  replace: 'Remplacer par',
  empty: 'Vider',
  planning: 'Calcul de ce qui changera…',
  willChange: (what: string, count: number) => `${what} ${plural(count, 'changera', 'changeront')}.`,
  unchanged: (count: number) => `${number(count)} ${plural(count, 'est déjà ainsi', 'sont déjà ainsi')}.`,
  refused: (count: number) => `${number(count)} ${plural(count, 'est refusé', 'sont refusés')}\u202f:`,
  moreRefused: (count: number) => `… et ${number(count)} ${plural(count, 'autre', 'autres')}.`,
  nothing: 'Rien ne changera.',
  done: (what: string, count: number) => `${what} ${plural(count, 'modifié', 'modifiés')}`,
  deleted: (what: string, count: number) => `${what} ${plural(count, 'supprimé', 'supprimés')}`,
  failed: 'Rien n’a été changé',
  takenAlong: (parts: readonly string[]) => `Disparaîtront\u202f: ${parts.join(', ')}.`,
  forGood: 'Ce qui est supprimé ne revient pas, son historique non plus.',
  confirmDeletion: 'Je comprends que tout cela sera supprimé',
} as const
