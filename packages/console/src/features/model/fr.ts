import type { ModelPlan } from '@narval/contracts'
import { formatCount, formatNumber } from '../../lib/format.ts'

const hosts = (count: number): string => formatCount(count, 'équipement')
const scanners = (count: number): string => formatCount(count, 'scanner')
const metrics = (count: number): string => formatCount(count, 'métrique')

/** « 412 équipements, 37 changeront d’état ». */
const planned = ({ hosts: all, hostsChangingState: changing }: ModelPlan): string => {
  if (all === 0) return 'Aucun équipement n’a ce modèle'
  const change =
    changing === 0
      ? 'aucun ne changera d’état'
      : `${formatNumber(changing, 0)} ${changing === 1 ? 'changera' : 'changeront'} d’état`
  return `${hosts(all)}, ${change}`
}

/** Words of the monitoring models. */
export const fr = {
  title: 'Modèles de supervision',
  newTitle: 'Nouveau modèle de supervision',
  oneTitle: 'Modèle de supervision',
  hostSection: 'Équipements',
  model: (count: number) => formatCount(count, 'modèle'),
  add: 'Ajouter un modèle',
  search: 'Chercher par nom, description…',
  emptyTitle: 'Aucun modèle de supervision',
  emptyText:
    'Un modèle dit une fois pour toutes quels scanners et quels seuils ont les équipements d’une même sorte\u202f: routeurs, serveurs web… Le changer les change tous.',
  emptyTextReader: 'Les modèles de supervision paraîtront ici. Un administrateur peut en ajouter.',
  columns: {
    name: 'Nom',
    description: 'Description',
    scanners: 'Scanners',
    hosts: 'Équipements',
    updated: 'Modifié',
  },
  tabs: { model: 'Modèle', versions: 'Versions', hosts: 'Équipements' },
  sections: {
    identity: 'Identité',
    identityHelp: 'Le nom sous lequel on le choisit sur la fiche d’un équipement.',
    scanners: 'Scanners',
    scannersHelp:
      'Ce que chaque équipement du modèle reçoit. Une valeur vide vient des paramètres de la plateforme\u202f; un équipement peut avoir les siennes.',
    fields: 'Champs dynamiques',
    fieldsHelp: 'Valeurs données aux équipements qui n’en ont pas d’autre.',
  },
  fields: { name: 'Nom', description: 'Description', definition: 'Scanners et champs' },
  noChange: 'Rien de changé',
  sameScanner: 'Un autre scanner de ce genre porte déjà ce nom',
  gallery: 'Ajouter un scanner',
  noScanner: 'Ce modèle n’a pas encore de scanner. Choisissez-en un genre ci-dessous.',
  scannerName: 'Nom du scanner',
  scannerEnabled: 'Scanner actif',
  scannerEnabledHelp: 'Désactivé, il n’est lancé sur aucun équipement du modèle.',
  parameters: 'Paramètres',
  schedule: 'Planification',
  metrics: 'Métriques',
  metricsHelp: 'Une métrique a les seuils de son genre tant qu’elle n’est pas réglée ici.',
  card: {
    up: (name: string) => `Monter ${name}`,
    down: (name: string) => `Descendre ${name}`,
    copy: (name: string) => `Dupliquer ${name}`,
    remove: (name: string) => `Retirer ${name}`,
    off: 'désactivé',
    every: (text: string) => `toutes les ${text}`,
    set: (count: number) => (count === 0 ? '' : `${metrics(count)} ${count === 1 ? 'réglée' : 'réglées'}`),
    wrong: 'à corriger',
  },
  metric: {
    set: 'Régler',
    setOf: (name: string) => `Régler ${name}`,
    reset: 'Revenir aux réglages du genre',
    resetOf: (name: string) => `${name}\u202f: revenir aux réglages du genre`,
    kind: (summary: string) => (summary === '' ? 'aucun seuil' : summary),
    own: 'Réglée par ce modèle',
    fromKind: 'Seuils du genre',
    thresholds: 'Seuils',
    all: 'toutes les instances',
    instance: 'Instance',
    instanceHelp: 'Ce que la clé mesure. Exemples\u202f: /data, eth0',
    addInstance: 'Régler une instance',
    add: 'Ajouter',
    attempts: 'Nombre de tentatives avant validation',
    attemptsHelp: 'Vide\u202f: celui du scanner.',
    noData: 'Sans donnée',
    noDataHelp: 'Après trois intervalles sans résultat (90\u202fs au moins).',
    enabled: 'Métrique active',
  },
  noFields: 'Aucun champ dynamique d’équipement n’est défini.',
  fieldInherited: 'Vide\u202f: la valeur par défaut du champ.',
  plan: {
    title: (name: string) => `Appliquer «\u202f${name}\u202f»\u202f?`,
    undoTitle: (name: string) => `Revenir à la version précédente de «\u202f${name}\u202f»\u202f?`,
    deleteTitle: (name: string) => `Supprimer «\u202f${name}\u202f»\u202f?`,
    planned,
    apply: 'Appliquer',
    back: 'Revenir à la saisie',
    undo: 'Revenir à cette version',
    undoBack: 'Ne rien changer',
    delete: 'Supprimer',
    deleteBack: 'Garder le modèle',
    facts: {
      scannersCreated: (count: number) => `${scanners(count)} ${count > 1 ? 'créés' : 'créé'}`,
      scannersUpdated: (count: number) => `${scanners(count)} ${count > 1 ? 'modifiés' : 'modifié'}`,
      scannersDeleted: (count: number) => `${scanners(count)} ${count > 1 ? 'supprimés' : 'supprimé'}`,
      metricsUpdated: (count: number) => `${metrics(count)} ${count > 1 ? 'modifiées' : 'modifiée'}`,
      metricsDeleted: (count: number) => `${metrics(count)} ${count > 1 ? 'supprimées' : 'supprimée'}`,
    },
    lost: 'L’historique des métriques supprimées est perdu\u202f; annuler le changement ne le rend pas.',
    nothing: 'Rien ne change sur ces équipements.',
    deleteText: 'Le modèle et ses versions sont supprimés. Cette action ne peut pas être annulée.',
    examples: 'Équipements qui changeraient d’état',
    moreExamples: (count: number) => `et ${formatNumber(count, 0)} ${count > 1 ? 'autres' : 'autre'}`,
    becomes: 'devient',
    planning: 'Recherche de ce qui changerait…',
    refused: 'Action refusée',
  },
  applied: (count: number) => `Modèle appliqué à ${hosts(count)}`,
  saved: (name: string) => `«\u202f${name}\u202f» est enregistré.`,
  deleted: (name: string) => `«\u202f${name}\u202f» est supprimé.`,
  undo: 'Annuler ce changement',
  undone: (count: number) => `Changement annulé sur ${hosts(count)}`,
  undoFailed: 'Annulation impossible',
  versions: {
    current: 'Version en vigueur',
    first: 'Première version gardée',
    changedBy: (by: string | null) => (by === null ? 'par la plateforme' : `par ${by}`),
    created: 'Création du modèle',
    sameAs: 'Aucune différence avec la version d’avant.',
    back: 'Revenir à cette version',
    emptyText: 'Ce modèle n’a pas encore changé. Chaque changement gardera ici la version d’avant.',
  },
  hosts: {
    none: 'Aucun équipement n’a ce modèle',
    noneText: 'Donnez-le à un équipement sur sa fiche, ou à plusieurs depuis la liste.',
    see: 'Voir dans la liste des équipements',
    search: 'Chercher par nom, adresse, site…',
    count: hosts,
  },
  hostColumns: { state: 'État', name: 'Nom', address: 'Adresse', site: 'Site', metrics: 'Métriques', since: 'Depuis' },
  diff: {
    name: (before: string, after: string) => `Nom\u202f: «\u202f${before}\u202f» → «\u202f${after}\u202f»`,
    description: 'Description changée',
    scannerAdded: (name: string, kind: string) => `Scanner ajouté\u202f: ${name} (${kind})`,
    scannerRemoved: (name: string, kind: string) => `Scanner retiré\u202f: ${name} (${kind})`,
    scannerRenamed: (before: string, after: string) => `Scanner renommé\u202f: ${before} → ${after}`,
    order: 'Ordre des scanners changé',
    off: 'désactivé',
    on: 'activé',
    platform: 'valeur de la plateforme',
    ofScanner: 'celui du scanner',
    value: (what: string, before: string, after: string) => `${what} ${before} → ${after}`,
    of: (what: string, change: string) => `${what}\u202f: ${change}`,
    field: (label: string) => `Champ ${label}`,
    empty: 'vide',
  },
} as const
