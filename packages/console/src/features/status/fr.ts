import { causes } from '../../i18n/causes.ts'
import { formatCount } from '../../lib/format.ts'

const day = new Intl.DateTimeFormat('fr-FR', { weekday: 'long', day: 'numeric', month: 'long' })
const shortDay = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'short' })
const clock = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit' })

const clockOf = (ms: number): string => clock.format(ms).replace(':00', '\u202fh').replace(':', '\u202fh\u202f')
const dayOf = (ms: number): string => day.format(ms)

export const fr = {
  ranges: { '24h': '24 h', '7d': '7 jours', '30d': '30 jours' },
  rangeLabel: 'Période',
  site: 'Site',
  allSites: 'Tous les sites',
  shows: { all: 'Tout', problems: 'Problèmes seuls' },
  showLabel: 'États montrés',
  hours: 'État des métriques, heure par heure',
  days: 'État des métriques, jour par jour',
  hoursOf: (ms: number) => `Heures du ${dayOf(ms)}`,
  hint: 'Choisissez une colonne pour voir ce qui a changé\u202f: d’un clic, ou par les flèches et Entrée.',
  chart: 'Colonnes empilées\u202f: nombre moyen de métriques dans chaque état',
  average: (count: string) => `${count} en moyenne`,
  wholeRange: 'Toute la période',
  unwatched: 'Non surveillé',
  unwatchedFor: (duration: string) => `non surveillé pendant ${duration}`,
  nothingWatched: 'non surveillé',
  columnName: (what: string, figures: string) => `${what}\u202f: ${figures}`,
  figure: (word: string, share: string) => `${word} ${share}`,
  hour: (from: number, to: number) => `${dayOf(from)}, ${clockOf(from)} – ${clockOf(to)}`,
  day: dayOf,
  clock: clockOf,
  shortDay: (ms: number) => shortDay.format(ms),
  asTable: 'Voir ces chiffres en tableau',
  tableTime: { hour: 'Heure', day: 'Jour' },
  empty: 'Rien n’a encore été supervisé sur cette période',
  emptyText: 'Chaque heure apparaît ici dès que des métriques sont contrôlées.',
  changes: {
    title: (what: string) => `Ce qui a changé\u202f: ${what}`,
    list: 'Changements d’état',
    groups: 'Changements semblables',
    count: (count: number) => formatCount(count, 'métrique'),
    from: (from: string, to: string) => `${from} → ${to}`,
    all: 'Tous les changements',
    noun: (count: number) => formatCount(count, 'changement'),
    search: 'Chercher un équipement, une métrique, un site',
    none: 'Aucun changement',
    noneText: 'Aucune métrique n’a changé d’état confirmé pendant ce temps.',
    notCounted: 'Non comptée',
    columns: {
      at: 'Instant',
      change: 'Changement',
      host: 'Équipement',
      metric: 'Métrique',
      site: 'Site',
      cause: 'Cause',
      incident: 'Incident',
    },
    incident: (id: number) => `Incident n° ${id}`,
  },
  causes,
  matrix: {
    title: 'Sites et états, à présent',
    label: 'Métriques et équipements de chaque site, par état',
    site: 'Site',
    metrics: 'Métriques',
    hosts: 'Équipements',
    cell: (count: number, state: string, site: string) => `${count} · ${state} · ${site}`,
    empty: 'Aucun site',
    emptyText: 'Créez un site, puis un premier équipement\u202f: son état apparaît ici aussitôt.',
    addSite: 'Ajouter un site',
  },
} as const
