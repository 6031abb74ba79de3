import type { Claim } from '@narval/contracts'
import type { MenuIcon, PlacedLink } from '../menu.ts'

/** A page that the search leads to. */
export interface SearchPage {
  readonly label: string
  readonly to: string
  readonly icon: MenuIcon
  /** The group of the menu that it stands in: also found by it. */
  readonly group: string | null
  /** Where it is found otherwise; shown, and not searched. */
  readonly under?: string
  /** Other words for it. */
  readonly words?: string
  /** Found by who holds one of these only. */
  readonly claims?: readonly Claim[]
  /** And holds it without limit: what it shows is everybody's. */
  readonly wide?: true
}

/** Words that people use for what the menu calls otherwise. */
const MENU_WORDS: Readonly<Record<string, string>> = {
  '/dashboard/live-view': 'problèmes vue générale tableau de bord accueil temps réel',
  '/dashboard/status-view': 'états historique',
  '/dashboard/host-status': 'grille coup d’œil',
  '/site': 'lieux agences',
  '/host': 'machines serveurs hôtes hosts',
  '/metric': 'mesures seuils services',
  '/scanner/edit': 'contrôles sondages checks',
  '/user/edit': 'utilisateurs personnes',
  '/user/group': 'droits membres',
  '/probe/edit': 'collecteur',
  '/system': 'état santé stockage file',
  '/log': 'journal audit historique',
  '/customfield/edit': 'champs personnalisés',
}

const [LIVE, STATUS, HOSTS, SYSTEM, SCANNER] = ['Général', 'Statuts', 'Équipements', 'Services Narval', 'Scanner']

/** Pages that the menu does not name. */
export const OTHER_PAGES: readonly SearchPage[] = [
  {
    ...{ label: 'Incidents', to: '/dashboard/live-view/incident', icon: 'general', group: null, under: LIVE },
    words: 'pannes problèmes alertes acquittements',
  },
  {
    ...{ label: 'Maintenances', to: '/dashboard/live-view/maintenance', icon: 'general', group: null, under: LIVE },
    words: 'calendrier travaux plages',
  },
  {
    ...{
      label: 'Disponibilité',
      to: '/dashboard/status-view/availability',
      icon: 'status',
      group: null,
      under: STATUS,
    },
    words: 'rapport SLA taux',
  },
  {
    ...{ label: 'Carte des sites', to: '/dashboard/status-view/map', icon: 'site', group: null, under: STATUS },
    words: 'plan géographie',
  },
  {
    ...{ label: 'Topologie', to: '/dashboard/status-view/topology', icon: 'status', group: null, under: STATUS },
    words: 'dépendances schéma réseau parents',
  },
  {
    ...{ label: 'Graphique', to: '/metric/graph', icon: 'metric', group: null, under: 'Métriques' },
    words: 'comparer courbes',
  },
  {
    ...{ label: 'Modèles de supervision', to: '/host/model', icon: 'host', group: null, under: HOSTS },
    ...{ words: 'gabarits templates', claims: ['scanner_read'] },
  },
  {
    ...{ label: 'Types et modèles matériels', to: '/host/edit/type', icon: 'edit', group: null, under: HOSTS },
    ...{ words: 'constructeur fabricant catalogue', claims: ['host_write'], wide: true },
  },
  {
    ...{ label: 'Types de site', to: '/site/edit/type', icon: 'edit', group: null, under: 'Sites' },
    claims: ['site_write'],
    wide: true,
  },
  { label: 'Pings', to: '/scanner/edit/ping', icon: 'scanner', group: null, under: SCANNER, claims: ['scanner_read'] },
  {
    ...{ label: 'Découverte', to: '/scanner/discovery', icon: 'scanner', group: null, under: SCANNER },
    ...{ words: 'balayage plages adresses inventaire', claims: ['scanner_read'], wide: true },
  },
  {
    ...{ label: 'Canaux de notification', to: '/system/notification', icon: 'service', group: null, under: SYSTEM },
    ...{ words: 'e-mail SMS webhook Teams messagerie', claims: ['notification_write'] },
  },
  {
    ...{
      label: 'Règles de notification',
      to: '/system/notification/rule',
      icon: 'service',
      group: null,
      under: SYSTEM,
    },
    ...{ words: 'qui est prévenu escalade astreinte', claims: ['notification_write'] },
  },
  {
    ...{ label: 'Simulateur', to: '/system/notification/simulator', icon: 'service', group: null, under: SYSTEM },
    ...{ words: 'qui est prévenu si notification', claims: ['notification_write'] },
  },
  {
    ...{ label: 'Envois', to: '/system/notification/delivery', icon: 'service', group: null, under: SYSTEM },
    ...{ words: 'messages envoyés notifications échecs', claims: ['notification_write'] },
  },
  {
    ...{ label: 'Paramètres', to: '/system/parameter', icon: 'service', group: null, under: SYSTEM },
    ...{ words: 'réglages configuration collecte conservation intervalles', claims: ['parameter_write'] },
  },
  {
    ...{ label: 'Affichage mural', to: '/system/display', icon: 'service', group: null, under: SYSTEM },
    ...{ words: 'écran mur jetons', claims: ['parameter_write'] },
  },
  {
    ...{ label: 'Mon compte', to: '/user/myaccount', icon: 'user', group: null },
    words: 'profil avatar thème mot de passe second facteur 2FA double authentification sessions jetons API alertes',
  },
  { label: 'Commentaires', to: '/comments', icon: 'general', group: null },
  {
    ...{ label: 'Main courante', to: '/comments/log-book', icon: 'general', group: null, under: 'Commentaires' },
    words: 'journal de bord poste',
  },
  {
    ...{ label: 'Relèves', to: '/comments/log-book/handover', icon: 'general', group: null, under: 'Commentaires' },
    words: 'passation consignes',
  },
  { label: 'Notifications', to: '/notifications', icon: 'general', group: null, words: 'alertes non lues' },
  {
    label: 'Référence de l’API',
    to: '/api/docs',
    icon: 'service',
    group: null,
    words: 'documentation OpenAPI intégration',
  },
]

/** All pages that the search knows: those of the menu that one sees, and the others. */
export const searchPages = (links: readonly PlacedLink[]): SearchPage[] => [
  ...links.map(({ link, group }) => ({
    ...{ label: link.label, to: link.to, icon: link.icon, group },
    words: MENU_WORDS[link.to] ?? '',
  })),
  ...OTHER_PAGES,
]
