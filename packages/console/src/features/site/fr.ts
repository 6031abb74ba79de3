import { HOLIDAY_REGION_LABELS } from '@narval/contracts'
import type { HolidayRegion } from '@narval/engine'
import { formatCount } from '../../lib/format.ts'

/** Words of the sites' section. */
export const fr = {
  title: 'Sites',
  editTitle: 'Édition des sites',
  newTitle: 'Nouveau site',
  oneTitle: 'Site',
  site: (count: number) => formatCount(count, 'site'),
  hosts: (count: number) => formatCount(count, 'équipement'),
  host: 'Équipements du site',
  add: 'Ajouter un site',
  deleteWithAll: 'Supprimer avec tout ce qui en dépend',
  deleteWithAllTitle: (what: string) => `Supprimer ${what} avec tout ce qui en dépend`,
  edit: 'Modifier',
  searchSites: 'Chercher par nom, code, ville…',
  searchHosts: 'Chercher un équipement du site',
  emptyTitle: 'Aucun site',
  emptyText:
    'Un site est un lieu\u202f: siège, agence, usine… Chaque équipement appartient à un site. Commencez par en créer un.',
  emptyTextReader: 'Un site est un lieu\u202f: siège, agence, usine… Un administrateur peut en créer.',
  emptyHostsTitle: 'Aucun équipement sur ce site',
  emptyHostsText: 'Ajoutez un équipement à ce site pour commencer à le superviser.',
  addHost: 'Ajouter un équipement',
  partial:
    'Vous ne voyez que certains équipements de ce site\u202f: ceux qui portent une de vos étiquettes. Les chiffres ne comptent qu’eux.',
  columns: {
    state: 'État',
    name: 'Nom',
    code: 'Code',
    city: 'Ville',
    type: 'Type',
    parent: 'Site parent',
    probe: 'Sonde par défaut',
    hosts: 'Équipements',
    counts: 'États des équipements',
    updated: 'Modifié',
    address: 'Adresse',
    since: 'Depuis',
    metrics: 'Métriques',
  },
  facts: {
    type: 'Type',
    code: 'Code',
    parent: 'Site parent',
    address: 'Adresse',
    position: 'Coordonnées',
    timeZone: 'Fuseau horaire',
    contact: 'Contact',
    phone: 'Téléphone',
    email: 'E-mail',
    probe: 'Sonde par défaut',
    updated: 'Dernière modification',
    instruction: 'Consigne',
  },
  seeDetail: 'Voir la fiche',
  by: (who: string) => ` par ${who}`,
  sections: {
    identity: 'Identité',
    identityHelp: 'Le code est unique et court\u202f: il sert aux recherches et aux imports.',
    place: 'Adresse et carte',
    placeHelp: 'L’adresse aide à intervenir\u202f; les coordonnées placent le site sur la carte.',
    operation: 'Exploitation',
    operationHelp:
      'Quand le site est en service, qui joindre, quoi faire. La sonde (collecteur) par défaut contrôle les équipements du site qui n’en ont pas d’autre.',
  },
  fields: {
    name: 'Nom',
    code: 'Code',
    typeId: 'Type de site',
    parentId: 'Site parent',
    address: 'Adresse',
    postalCode: 'Code postal',
    city: 'Ville',
    country: 'Pays',
    latitude: 'Latitude',
    longitude: 'Longitude',
    openingHours: 'Heures de service',
    holidays: 'Jours fériés',
    timeZone: 'Fuseau horaire',
    contactName: 'Nom du contact',
    contactPhone: 'Téléphone',
    contactEmail: 'E-mail',
    probeId: 'Sonde par défaut',
    instruction: 'Consigne',
  },
  help: {
    code: 'Lettres, chiffres et . _ - seulement. Exemple\u202f: LYO-01',
    parentId: 'Vide\u202f: le site n’est rattaché à aucun autre.',
    latitude: 'Degrés décimaux, de −90 à 90. Exemple\u202f: 45,7606',
    longitude: 'Degrés décimaux, de −180 à 180. Exemple\u202f: 4,8596',
    timeZone: 'Celui des horaires du site.',
    localTime: (time: string) => `Il y est ${time}.`,
    openingHours:
      'Dans le fuseau du site. Servent au calcul de la disponibilité. Minuit en fin de plage s’écrit 24:00.',
    holidays: (region: HolidayRegion | null) =>
      region === null
        ? 'Narval ne connaît pas les jours fériés de ce pays\u202f: aucun jour n’y est férié.'
        : `Ceux de\u202f: ${HOLIDAY_REGION_LABELS[region]}, d’après le pays et le code postal.`,
    probeInherited: (origin: string, name: string) => `Héritée de ${origin}\u202f: ${name}`,
    probeFrom: (origin: string) => `héritée de ${origin}`,
    probeLocal: (name: string) =>
      name === '' || name.toLowerCase() === 'sonde locale'
        ? 'Sonde locale de la plateforme'
        : `Sonde locale\u202f: ${name}`,
    probeIdNoClaim: 'La changer demande le droit «\u202fSondes\u202f».',
    instruction:
      'Ce qu’il faut faire, et ne pas faire, en cas d’alerte. Affichée sur les incidents et dans leurs notifications.',
  },
  map: {
    pick: 'Carte\u202f: choisir l’emplacement du site',
    show: (name: string) => `Carte\u202f: emplacement de ${name}`,
    clear: 'Effacer le point',
  },
  view: { label: 'Présentation', list: 'Liste', tree: 'Arborescence' },
  tree: {
    label: 'Arborescence des sites',
    search: 'Chercher par nom ou code',
    expand: 'Tout déplier',
    collapse: 'Tout replier',
    none: 'Aucun site ne correspond',
    found: (count: number, total: number) => `${formatCount(count, 'site')} sur ${formatCount(total, 'site')}`,
    noHost: 'aucun équipement',
    below: (count: number) => `et ${formatCount(count, 'site')} au-dessous`,
  },
  family: { above: 'Sites au-dessus', below: 'Sites rattachés' },
  service: {
    localTime: 'Heure locale',
    hours: 'Heures de service',
    open: 'En service',
    closed: 'Hors des heures de service',
    holidays: (what: string, region: HolidayRegion | null) =>
      region === null
        ? 'Jours fériés\u202f: inconnus pour ce pays'
        : `Jours fériés (${HOLIDAY_REGION_LABELS[region]})\u202f: ${what.toLowerCase()}`,
  },
  types: {
    title: 'Types de site',
    link: 'Types de site',
    help: 'Un type classe les sites et leur donne une icône dans l’arborescence.',
    add: 'Ajouter un type',
    newTitle: 'Nouveau type de site',
    empty: 'Aucun type de site',
  },
  deleteBlocked: (hosts: number) =>
    `Ce site a encore ${formatCount(hosts, 'équipement')}\u202f: déplacez-les d’abord, ou demandez à qui peut les supprimer (droit «\u202fÉquipements\u202f»).`,
  showHosts: 'Voir ces équipements',
} as const
