import type { ProbeDuties, ProbeState } from '@narval/contracts'
import { formatCount, formatNumber } from '../../lib/format.ts'

const count = (value: number, one: string, many?: string): string => (value === 0 ? '' : formatCount(value, one, many))
const LIST = new Intl.ListFormat('fr')
const listed = (parts: readonly string[]): string => LIST.format(parts.filter(part => part !== ''))

/** Words of the probes' section. */
export const fr = {
  title: 'Sonde',
  incidents: 'Incidents',
  probe: (count: number) => formatCount(count, 'sonde'),
  search: 'Chercher par nom, site, adresse…',
  add: 'Ajouter une sonde',
  emptyTitle: 'Aucune sonde',
  emptyText: 'Une sonde (collecteur) est le programme qui contrôle les équipements d’un site. Installez la première.',
  states: {
    pending: 'En attente',
    online: 'En ligne',
    offline: 'Hors ligne',
    revoked: 'Révoquée',
  } as const satisfies Record<ProbeState, string>,
  local: 'locale',
  columns: {
    state: 'État',
    name: 'Nom',
    site: 'Site',
    version: 'Version',
    address: 'Adresse',
    contact: 'Dernier contact',
    backlog: 'En attente',
    lag: 'Retard',
    skew: 'Écart d’horloge',
    rate: 'Contrôles/s',
  },
  backlogHelp: 'Lots de résultats que la sonde n’a pas encore pu remettre',
  perSecond: (value: number) => formatNumber(value, 1),
  filters: { site: 'Site' },
  approve: 'Approuver',
  approveHelp: 'Une sonde approuvée reçoit ses contrôles et ses résultats sont acceptés.',
  approved: (name: string) => `La sonde «\u202f${name}\u202f» est approuvée.`,
  revoke: 'Révoquer',
  revokeTitle: (name: string) => `Révoquer «\u202f${name}\u202f»\u202f?`,
  revokeText: (hosts: number) =>
    `Ses résultats ne seront plus acceptés et elle ne reçoit plus rien. ${
      hosts === 0
        ? 'Elle ne contrôle aucun équipement.'
        : `${formatCount(hosts, 'équipement')} ne ${hosts > 1 ? 'seront plus contrôlés' : 'sera plus contrôlé'} et ${hosts > 1 ? 'passeront' : 'passera'} à «\u202fInconnu\u202f» tant qu’une autre sonde ne s’en charge.`
    } Pour la remettre en service, il faudra l’enrôler de nouveau.`,
  revoked: (name: string) => `La sonde «\u202f${name}\u202f» est révoquée.`,
  refused: 'Action refusée',
  pendingTitle: (count: number) =>
    count === 1 ? 'Une sonde attend d’être approuvée' : `${formatCount(count, 'sonde')} attendent d’être approuvées`,
  pendingFrom: (address: string) => `depuis ${address}`,
  sections: {
    identity: 'Identité',
    identityHelp: 'Le nom sous lequel on la reconnaît, et le site où elle est installée.',
    figures: 'Fonctionnement',
  },
  fields: { name: 'Nom', siteId: 'Site' },
  help: { siteId: 'Là où elle est installée. La sonde par défaut d’un site se choisit dans la fiche du site.' },
  facts: {
    state: 'État',
    version: 'Version',
    address: 'Adresse',
    contact: 'Dernier contact',
    backlog: 'Lots en attente',
    lag: 'Retard',
    skew: 'Écart d’horloge',
    rate: 'Contrôles par seconde',
    late: 'Contrôles en retard',
    dropped: 'Résultats perdus',
    cpu: 'Processeur',
    memory: 'Mémoire',
    group: 'Groupe',
    hosts: 'Équipements',
    scanners: 'Scanners',
  },
  compare: (name: string) => `Vérifiez que «\u202f${name}\u202f» dit la même empreinte dans son journal\u202f:`,
  key: {
    title: 'Clé de la sonde',
    fingerprint: 'Empreinte',
    since: 'En vigueur depuis',
    renew: 'Renouveler la clé',
    renewed: 'La clé de la sonde est renouvelée\u202f; l’ancienne n’est plus acceptée.',
    failed: 'La clé n’a pas été renouvelée',
    help: 'La sonde signe par cette clé tout ce qu’elle envoie. Elle ne quitte pas sa machine\u202f; renouvelez-la si quelqu’un a pu la lire.',
  },
  move: {
    title: 'Déplacer les équipements',
    what: 'Une autre sonde s’en charge aussitôt\u202f; leurs états et leurs mesures restent.',
    to: 'Nouvelle sonde',
    which: 'Équipements',
    all: 'Tous, avec les sites et les scanners qui la nomment',
    some: 'Seulement ceux-ci',
    hosts: 'Équipements à déplacer',
    nothing: 'Rien n’est à déplacer.',
    plan: ({ hosts, scanners, sites, discoveryRanges }: ProbeDuties) =>
      `Changeront de sonde\u202f: ${listed([
        count(hosts, 'équipement'),
        count(scanners, 'scanner'),
        count(sites, 'site'),
        count(discoveryRanges, 'plage de découverte', 'plages de découverte'),
      ])}.`,
    run: 'Déplacer',
    done: (hosts: number) =>
      hosts === 0 ? 'Déplacement fait.' : `${formatCount(hosts, 'équipement')} déplacé${hosts > 1 ? 's' : ''}.`,
  },
  deletion: ({ hosts, scanners, sites, discoveryRanges }: ProbeDuties) => {
    const left = [
      count(hosts, 'équipement'),
      count(scanners, 'scanner'),
      count(sites, 'site'),
      count(discoveryRanges, 'plage de découverte', 'plages de découverte'),
    ]
    return left.every(part => part === '')
      ? 'Plus rien ne nomme cette sonde.'
      : `N’auront plus de sonde choisie\u202f: ${listed(left)}. La sonde de leur site, ou la sonde locale, s’en chargera.`
  },
  enroll: {
    title: 'Ajouter une sonde',
    intro:
      'Sur la machine qui sera la sonde (collecteur), dans une copie de Narval, lancez cette commande. Le code ne sert qu’une fois.',
    code: 'Code d’enrôlement',
    command: 'Commande à lancer',
    expires: 'Valable jusqu’au',
    next: 'La sonde paraît ensuite dans cette liste, en attente\u202f: approuvez-la.',
    copy: 'Copier',
    copied: 'Copié',
    selected: 'Sélectionné\u202f: Ctrl+C pour copier',
    again: 'Obtenir un autre code',
    close: 'Fermer',
    failed: 'Le code n’a pas pu être obtenu',
  },
} as const
