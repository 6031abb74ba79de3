import { formatNumber } from '../lib/format.ts'

const number = (value: number): string => formatNumber(value, 0)

/** Words of lists. */
export const table = {
  search: 'Rechercher',
  clearSearch: 'Effacer la recherche',
  clearFilters: 'Effacer les filtres',
  clearFilter: (label: string) => `Effacer le filtre ${label}`,
  noMatch: 'Rien ne correspond',
  noMatchHelp: 'Aucune ligne ne correspond à cette recherche ou à ces filtres.',
  loading: 'Chargement de la liste',
  failed: 'La liste n’a pas pu être chargée',
  refreshFailed: 'Mise à jour impossible\u202f: ces lignes datent d’avant.',
  rowsPerPage: 'Lignes par page',
  sortBy: 'Trier par',
  ascending: 'croissant',
  descending: 'décroissant',
  sorted: (label: string, dir: 'asc' | 'desc') => `${label}, ${dir === 'asc' ? 'croissant' : 'décroissant'}`,
  firstPage: 'Première page',
  previousPage: 'Page précédente',
  nextPage: 'Page suivante',
  lastPage: 'Dernière page',
  page: (page: number, pages: number) => `Page ${number(page)} sur ${number(pages)}`,
  range: (from: number, to: number, of: number) => `${number(from)} à ${number(to)} sur ${number(of)}`,
  filtered: (filtered: number, total: number) => `${number(filtered)} sur ${number(total)}`,
  filterSearch: 'Chercher une valeur',
  filterMore: 'D’autres valeurs existent\u202f: précisez la recherche.',
  filterNone: 'Aucune valeur',
  live: 'En direct',
  liveHelp: 'Les lignes changent d’elles-mêmes.',
  interrupted: 'Liaison interrompue',
  interruptedHelp:
    'Les changements n’arrivent plus\u202f: ces lignes peuvent dater. La liaison est reprise dès que possible.',
} as const
