import { formatCount } from '../../lib/format.ts'

/** Words of display tokens. */
export const fr = {
  title: 'Affichage mural',
  intro:
    'Un jeton d’affichage ouvre le mode mural sur un écran sans compte ni session. Il ne permet que de lire ce que l’écran montre\u202f: ni autre page, ni autre appel, ni aucune action.',
  create: 'Nouveau jeton',
  dialog: 'Nouveau jeton d’affichage',
  name: 'Nom',
  nameHelp: 'L’écran, ou l’endroit où il est.',
  site: 'Site',
  siteHelp: 'L’écran ne montre que ce site. Sans choix, il les montre tous.',
  allSites: 'Tous les sites',
  life: 'Expire dans',
  days: (count: number) => (count >= 365 ? formatCount(count / 365, 'an') : formatCount(count, 'jour')),
  submit: 'Créer le jeton',
  once: 'Copiez l’adresse maintenant\u202f: le jeton n’est montré que cette fois.',
  address: 'Adresse à ouvrir sur l’écran',
  fragment:
    'Le jeton suit le signe #\u202f: le navigateur ne l’envoie dans aucune adresse, il n’apparaît dans aucun journal. Qui connaît cette adresse voit l’écran.',
  open: 'Ouvrir cet affichage',
  close: 'Terminé',
  copy: 'Copier',
  copied: 'Copié',
  selected: 'Sélectionné\u202f: Ctrl+C pour copier',
  none: 'Aucun jeton d’affichage',
  noneText: 'Créez-en un pour chaque écran\u202f: on révoque celui qui disparaît sans toucher aux autres.',
  columns: {
    name: 'Nom',
    site: 'Site montré',
    expires: 'Expire',
    used: 'Dernière utilisation',
    screens: 'Écrans',
    created: 'Créé',
    actions: 'Actions',
  },
  by: (who: string) => `par ${who}`,
  from: (address: string) => `depuis ${address}`,
  never: 'jamais utilisé',
  over: 'Expiré',
  revoke: (name: string) => `Révoquer le jeton ${name}`,
  confirm: 'Révoquer\u202f?',
} as const
