import type { LogKind, LogOutcome, LogPeriod } from '@narval/contracts'
import { formatNumber } from '../../lib/format.ts'

const number = (count: number): string => formatNumber(count, 0)

export const fr = {
  title: 'Log',
  noun: (count: number) => `${number(count)} ${count >= 2 ? 'entrées' : 'entrée'}`,
  search: 'Chercher dans le journal',
  columns: {
    at: 'Instant',
    action: 'Action',
    object: 'Objet',
    message: 'Message',
    actor: 'Auteur',
    address: 'Adresse',
    outcome: 'Issue',
    kind: 'Nature',
  },
  kinds: { audit: 'Audit', event: 'Évènement' } satisfies Record<LogKind, string>,
  outcomes: { success: 'Réussi', refused: 'Refusé', failure: 'Échec', received: 'Reçu' } satisfies Record<
    LogOutcome,
    string
  >,
  periods: {
    hour: 'Dernière heure',
    day: 'Dernières 24 h',
    week: '7 derniers jours',
    month: '30 derniers jours',
  } satisfies Record<LogPeriod, string>,
  filters: {
    kind: 'Nature',
    family: 'Sujet',
    period: 'Période',
    at: 'Jours',
    actor: 'Auteur',
    object: 'Objet',
    action: 'Action',
    outcome: 'Issue',
  },
  own: 'Narval',
  unknown: 'inconnu',
  emptyTitle: 'Rien dans le journal',
  emptyText:
    'Les connexions, les changements et ce qui arrive aux sondes, aux notifications et au serveur s’écrivent ici.',
  live: 'En direct',
  pause: 'Mettre en pause',
  resume: 'Reprendre le direct',
  paused: (count: number) =>
    count === 0
      ? 'En pause\u202f: rien de nouveau'
      : count === 1
        ? 'En pause\u202f: 1 entrée de plus'
        : `En pause\u202f: ${number(count)} entrées de plus`,
  detail: {
    title: 'Entrée du journal',
    newer: 'Entrée plus récente (flèche gauche)',
    older: 'Entrée plus ancienne (flèche droite)',
    changes: 'Ce qui a changé',
    facts: 'Ce qui est dit',
    noChanges: 'Rien d’autre n’est dit de cette entrée.',
    field: 'Champ',
    before: 'Avant',
    after: 'Après',
    empty: 'vide',
    becomes: 'devient',
    gone: 'n’existe plus',
    sealed: (position: number) => `Scellée, n° ${number(position)}`,
    unsealed: 'Pas encore scellée',
    message: 'Message reçu\u202f: les messages ne sont pas scellés',
    seal: 'Sceau',
  },
  verify: {
    open: 'Vérifier les sceaux',
    title: 'Sceaux du journal',
    busy: 'Chaque sceau est recalculé…',
    intact: 'Le journal est intact',
    intactText: 'Aucune entrée n’a été modifiée, ajoutée à la main ni supprimée depuis sa mise sous scellé.',
    broken: (count: number) => (count === 1 ? '1 anomalie' : `${number(count)} anomalies`),
    more: (count: number) => `… et ${number(count)} de plus.`,
    checked: 'Entrées vérifiées',
    places: 'Places',
    range: (from: number, to: number) => `n° ${number(from)} à ${number(to)}`,
    older: (count: number) =>
      count === 1
        ? '1 entrée a été écrite avant que le journal soit scellé\u202f: rien ne dit si elle avait été modifiée avant.'
        : `${number(count)} entrées ont été écrites avant que le journal soit scellé\u202f: rien ne dit si elles avaient été modifiées avant.`,
    seal: 'Dernier sceau',
    sealHelp:
      'Notez-le ailleurs\u202f: «\u202fnpm run audit:verify -- numéro:sceau\u202f» prouvera que rien d’avant n’a changé depuis.',
    again: 'Vérifier de nouveau',
    copyWords: { copy: 'Copier', copied: 'Copié', selected: 'Sélectionné\u202f: Ctrl+C' },
  },
} as const
