import { ABSENT, type Claim, fold, placeOfWord, type SearchKind } from '@narval/contracts'

/** What an action does where it leads nowhere. */
export type ActionRun = 'theme' | 'themeAuto' | 'signOut'
export type ActionIcon = 'act' | 'add' | 'import' | 'theme' | 'leave' | 'screen'

interface ActionBase {
  readonly label: string
  readonly icon: ActionIcon
  /** Other words for it. */
  readonly words: string
  /** Offered to who holds all of these. */
  readonly claims: readonly Claim[]
  /** And holds them without limit: what is changed is everybody's. */
  readonly wide?: true
}
/** One thing that can be done from anywhere: a page where it is begun, or something done at once. */
export type SearchAction = ActionBase & ({ readonly to: string } | { readonly run: ActionRun })

/** Actions by what they ask for. Each leads to a page that its claims open (`search.test.ts`). */
export const SEARCH_ACTIONS: readonly SearchAction[] = [
  {
    ...{ label: 'Acquitter des incidents…', icon: 'act', to: '/dashboard/live-view/incident' },
    ...{ words: 'prendre en charge problème ack', claims: ['incident_write'] },
  },
  {
    ...{ label: 'Planifier une maintenance', icon: 'act', to: '/dashboard/live-view/maintenance/new' },
    ...{ words: 'travaux programmer nouvelle plage', claims: ['incident_write'] },
  },
  {
    ...{ label: 'Écrire une relève', icon: 'act', to: '/comments/log-book/handover/new' },
    ...{ words: 'nouvelle passation main courante', claims: ['incident_write'] },
  },
  {
    ...{ label: 'Ajouter un équipement', icon: 'add', to: '/host/edit/new' },
    ...{ words: 'nouveau créer hôte machine serveur', claims: ['host_write'] },
  },
  {
    ...{ label: 'Superviser une adresse pas à pas', icon: 'add', to: '/host/first' },
    ...{ words: 'premier équipement essayer assistant', claims: ['host_write'] },
  },
  {
    ...{ label: 'Ajouter un site', icon: 'add', to: '/site/edit/new' },
    ...{ words: 'nouveau créer lieu agence', claims: ['site_write'] },
  },
  {
    ...{ label: 'Ajouter un scanner', icon: 'add', to: '/scanner/edit/new' },
    ...{ words: 'nouveau créer contrôle', claims: ['scanner_read', 'scanner_write'] },
  },
  {
    ...{ label: 'Ajouter une métrique', icon: 'add', to: '/metric/edit/new' },
    ...{ words: 'nouvelle créer mesure', claims: ['metric_write'] },
  },
  {
    ...{ label: 'Ajouter un modèle de supervision', icon: 'add', to: '/host/model/new' },
    ...{ words: 'nouveau créer gabarit', claims: ['scanner_read', 'host_write'], wide: true },
  },
  {
    ...{ label: 'Ajouter un compte', icon: 'add', to: '/user/edit/new' },
    ...{ words: 'nouveau créer utilisateur personne', claims: ['user_read', 'user_write'] },
  },
  {
    ...{ label: 'Ajouter un groupe', icon: 'add', to: '/user/group/new' },
    ...{ words: 'nouveau créer utilisateurs droits équipe', claims: ['user_group_read', 'user_group_write'] },
  },
  {
    ...{ label: 'Ajouter un champ dynamique', icon: 'add', to: '/customfield/edit/new' },
    ...{ words: 'nouveau créer personnalisé', claims: ['custom_field_write'] },
  },
  {
    ...{ label: 'Explorer une plage d’adresses', icon: 'add', to: '/scanner/discovery/new' },
    ...{ words: 'nouvelle découverte balayage', claims: ['scanner_read', 'scanner_write'], wide: true },
  },
  {
    ...{ label: 'Ajouter un canal de notification', icon: 'add', to: '/system/notification/channel/new' },
    ...{ words: 'nouveau créer e-mail webhook SMS', claims: ['notification_write'] },
  },
  {
    ...{ label: 'Ajouter une règle de notification', icon: 'add', to: '/system/notification/rule/new' },
    ...{ words: 'nouvelle créer prévenir escalade', claims: ['notification_write'] },
  },
  {
    ...{ label: 'Importer des équipements', icon: 'import', to: '/host/edit/import' },
    ...{ words: 'CSV fichier tableur', claims: ['host_write'], wide: true },
  },
  {
    ...{ label: 'Importer des sites', icon: 'import', to: '/site/edit/import' },
    ...{ words: 'CSV fichier tableur', claims: ['site_write'], wide: true },
  },
  {
    ...{ label: 'Importer des métriques', icon: 'import', to: '/metric/edit/import' },
    ...{ words: 'CSV fichier tableur seuils', claims: ['metric_write'], wide: true },
  },
  {
    ...{ label: 'Passer en mode mural', icon: 'screen', to: '/dashboard/wall' },
    ...{ words: 'écran mur affichage', claims: [] },
  },
  { label: 'Changer de thème', icon: 'theme', run: 'theme', words: 'sombre clair nuit jour dark', claims: [] },
  {
    ...{ label: 'Suivre le thème du système', icon: 'theme', run: 'themeAuto' },
    ...{ words: 'automatique', claims: [] },
  },
  { label: 'Se déconnecter', icon: 'leave', run: 'signOut', words: 'déconnexion quitter sortir', claims: [] },
]

/** What can be done about an object that is named after it: « acquitter srv-lyon ». */
export const SEARCH_VERBS = ['acknowledge', 'maintain', 'check'] as const
export type SearchVerb = (typeof SEARCH_VERBS)[number]

interface Verb {
  readonly verb: SearchVerb
  /** Words that begin so many letters alike are taken for it. */
  readonly said: readonly string[]
  readonly kinds: readonly SearchKind[]
}

/** All ask for `incident_write`. */
export const VERBS: readonly Verb[] = [
  { verb: 'acknowledge', said: ['acquitter'], kinds: ['incident'] },
  { verb: 'maintain', said: ['planifier', 'maintenance'], kinds: ['host', 'site'] },
  { verb: 'check', said: ['verifier', 'retester'], kinds: ['host', 'metric'] },
]
const VERB_LETTERS = 4
/** What may stand between the verb and the name. */
const FILLERS = new Set(['de', 'du', 'des', 'le', 'la', 'les', 'un', 'une', 'maintenance', 'sur', 'pour'])

/** The verb that a term begins with, and what it is about; null where it says none, or nothing after it. */
export const verbOf = (term: string): (Verb & { readonly about: string }) | null => {
  const [first = '', ...others] = fold(term).split(' ')
  const found = VERBS.find(({ said }) => said.some(word => first.length >= VERB_LETTERS && isSaid(word, first)))
  const about = others.slice(others.findIndex(word => !FILLERS.has(word)))
  return found === undefined || others.every(word => FILLERS.has(word)) ? null : { ...found, about: about.join(' ') }
}

const isSaid = (word: string, typed: string): boolean => {
  const { quality, at } = placeOfWord(word, typed)
  return at === 0 && quality !== ABSENT
}
