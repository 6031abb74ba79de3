import type { ServiceHealth, StorePart } from '@narval/contracts'
import { formatCount, formatNumber, NNBSP } from '../../lib/format.ts'

/** Three figures at most before the comma count: « 0,4 », « 12 », « 1 240 ». */
const rate = (perSecond: number): string => formatNumber(perSecond, perSecond >= 10 ? 0 : perSecond >= 1 ? 1 : 2)

export const fr = {
  title: 'Services Narval',
  links: { notifications: 'Notifications', display: 'Affichage mural', parameters: 'Paramètres' },
  noun: (count: number) => formatCount(count, 'service'),
  search: 'Chercher un service ou une sonde',
  emptyTitle: 'Rien n’est encore mesuré',
  emptyText: 'Les services se présentent dans la seconde qui suit le démarrage.',
  columns: {
    state: 'État',
    name: 'Service',
    reason: 'Pourquoi',
    since: 'Depuis',
    rate: 'Débit',
    queue: 'File',
    lastError: 'Dernière erreur',
    version: 'Version',
    kind: 'Genre',
  },
  states: { ok: 'OK', warning: 'Alerte', error: 'Erreur', unknown: 'Inconnu', off: 'Désactivé' } satisfies Record<
    ServiceHealth,
    string
  >,
  kinds: { internal: 'Serveur', probe: 'Sonde' },
  filters: { state: 'État', kind: 'Genre' },
  rate: (perSecond: number, of: string) => `${rate(perSecond)}${NNBSP}${of}/s`,
  queue: (count: number, of: string) => `${formatNumber(count, 0)}${NNBSP}${of}`,
  times: (count: number) => (count === 1 ? '' : `${formatNumber(count, 0)} fois`),
  drawer: {
    figures: 'Ce qui est mesuré',
    errors: 'Dernières erreurs',
    noErrors: 'Aucune depuis le démarrage du serveur.',
    errorsHelp: 'Depuis le démarrage du serveur, les vingt plus récentes.',
    probe: 'Page de la sonde',
    beat: 'Régler le battement',
    delivery: 'Voir les envois',
    discovery: 'Voir la découverte',
    chain: 'Voir le log',
  },
  storage: {
    title: 'Place des données',
    measured: 'mesurée',
    waiting: 'Les fichiers sont mesurés toutes les 30 secondes.',
    unknown: 'Le dossier des données n’est pas connu.',
    total: 'Données de Narval',
    used: (bytes: string) => `${bytes} occupés`,
    free: (bytes: string) => `${bytes} libres`,
    outside: 'Base PostgreSQL (sur son propre disque)',
    growth: 'Croissance',
    early: 'Il faut une journée de tailles, notées d’heure en heure.',
    perDay: (bytes: string) => `${bytes} par jour`,
    basis: (sizes: number) => `${formatCount(sizes, 'taille notée', 'tailles notées')}, la première`,
    history: (days: number) => `Taille des données, ${formatCount(days, 'dernier jour', 'derniers jours')}`,
    files: (count: number) => formatCount(count, 'fichier'),
    parts: {
      database: 'Base de données',
      journal: 'Journal des mesures',
      chunks: 'Blocs compressés',
      rollups: 'Moyennes de 5 min et d’une heure',
      anchor: 'Repère du log',
      probe: 'Sonde locale',
      other: 'Autres fichiers',
    } satisfies Record<StorePart, string>,
  },
  retention: {
    title: 'Conservation',
    days: (days: number) => formatCount(days, 'jour'),
    change: 'Changer',
    fixed: 'fixe',
  },
} as const
