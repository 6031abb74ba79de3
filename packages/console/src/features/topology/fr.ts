import type { TopologyProbe } from '@narval/contracts'
import { formatCount } from '../../lib/format.ts'

const probeStates: Readonly<Record<TopologyProbe['state'], string>> = {
  online: 'En ligne',
  offline: 'Hors ligne',
  pending: 'À approuver',
  revoked: 'Révoquée',
}

export const fr = {
  title: 'Topologie',
  diagram: 'Schéma des dépendances',
  list: 'Liste des dépendances',
  views: { label: 'Présentation', diagram: 'Schéma', list: 'Liste' },
  help: 'Flèches\u202f: suivre les dépendances. Entrée\u202f: ouvrir. + et −\u202f: agrandir, réduire. 0\u202f: tout voir. Maj et une flèche\u202f: déplacer.',
  site: 'Site',
  allSites: 'Tous les sites',
  find: 'Chercher un équipement',
  findNothing: 'Aucun équipement de ce nom',
  all: 'Tout voir',
  hosts: (count: number) => formatCount(count, 'équipement'),
  group: (count: number) => formatCount(count, 'équipement'),
  hiddenBranch: (count: number) => `${formatCount(count, 'équipement')} repliés`,
  openGroup: (text: string) => `${text}, ouvrir`,
  closeGroup: (text: string) => `${text}, replier`,
  moreCells: (count: number) => `et ${formatCount(count, 'autre', 'autres')}, moins graves`,
  limited: (shown: number, total: number) =>
    `${shown} équipements sur ${total} sont montrés, ceux dont d’autres dépendent d’abord. Choisissez un site pour voir tous les siens.`,
  folded:
    'Le parc est grand\u202f: les équipements sont repliés sous ce dont ils dépendent. Cliquez sur un groupe pour l’ouvrir.',
  probeStates,
  nothingKnown: 'Sans état',
  inMaintenance: 'en maintenance',
  emptyTitle: 'Aucun équipement',
  emptyText: 'Les équipements apparaîtront ici, avec ce dont ils dépendent.',
  since: 'depuis',
  reachedBy: 'Atteint par',
  reaches: 'Donne accès à',
  more: (count: number) => `et ${formatCount(count, 'autre', 'autres')}`,
  incidents: 'Incidents ouverts',
  noIncidents: 'Aucun incident ouvert.',
  links: { host: 'Fiche de l’équipement', site: 'Topologie de son site', probe: 'Sondes' },
  again: '(déjà montré)',
  below: (word: string) => `${word} en dessous`,
  open: (name: string) => `Déplier ${name}`,
  shut: (name: string) => `Replier ${name}`,
} as const
