import type { SettingSection } from '@narval/contracts'
import { formatCount, formatNumber, NNBSP } from '../../lib/format.ts'

const number = (value: number): string => formatNumber(value, 0)

const sections: Readonly<Record<SettingSection, { readonly title: string; readonly help: string }>> = {
  check: { title: 'Contrôles', help: 'Le rythme des scanners qui n’ont pas le leur.' },
  validation: { title: 'Validation des états', help: 'Ce qu’il faut de résultats avant qu’un état soit confirmé.' },
  flapping: { title: 'Bagotage', help: 'Une métrique qui change sans cesse n’est annoncée qu’une fois.' },
  silence: { title: 'Silence', help: 'Quand une métrique dont rien n’arrive devient inconnue.' },
  incident: { title: 'Incidents', help: 'Leur réouverture, leur acquittement et leur annonce.' },
  cause: { title: 'Recherche de la cause', help: 'Ce qui est vérifié avant d’accuser un équipement.' },
  keeping: { title: 'Conservation', help: 'Ce qui est gardé, et combien de temps.' },
  shift: { title: 'Postes', help: 'Comment la main courante partage la journée.' },
  beat: { title: 'Surveillance de Narval', help: 'Ce qui fait savoir ailleurs que Narval est arrêté.' },
  product: { title: 'Produit et liens', help: 'Son nom, et où mènent ses liens.' },
  password: { title: 'Mots de passe', help: 'Ce qui est accepté au prochain changement.' },
  session: { title: 'Sessions', help: 'Quand il faut se connecter de nouveau.' },
  notification: {
    title: 'Notifications',
    help: 'Quand un groupe d’incidents est annoncé, puis rappelé. Le serveur d’e-mail (SMTP) se règle avec son canal.',
  },
  other: { title: 'Autres', help: '' },
}

/** Words of the platform's settings. */
export const fr = {
  title: 'Paramètres',
  tabs: { collect: 'Collecte et règles', configuration: 'Produit, accès et notifications' },
  helpCollect:
    'Ces valeurs sont celles de toute la plateforme. Un site, un modèle, un équipement, un scanner ou une métrique peut avoir les siennes\u202f: elles l’emportent.',
  helpConfiguration: 'Ces valeurs sont celles de toute la plateforme.',
  sections,
  logo: {
    title: 'Image du produit',
    help: 'À côté du nom, sur chaque page et avant la connexion. Elle est enregistrée dès qu’elle est choisie.',
    choose: 'Choisir une image',
    remove: 'Revenir à celle de Narval',
    saved: 'Image enregistrée',
    removed: 'L’image de Narval est de retour',
    unreadable: 'Cette image ne peut pas être lue\u202f: un PNG, un JPEG ou un WebP est attendu.',
    tooLarge: 'Cette image dépasse 20 Mo.',
  },
  save: 'Enregistrer',
  cancel: 'Annuler',
  saved: (count: number) => `${formatCount(count, 'paramètre')} ${count >= 2 ? 'enregistrés' : 'enregistré'}`,
  savedCollect: 'Les règles valent dès le prochain résultat.',
  savedConfiguration: 'En vigueur dès maintenant.',
  changes: (count: number) => formatCount(count, 'changement non enregistré', 'changements non enregistrés'),
  revert: 'Revenir à la valeur par défaut',
  byDefault: 'Valeur par défaut',
  isChanged: (value: string) => `Changé · par défaut\u202f: ${value}`,
  changedBy: (who: string) => `Changé par ${who} · par défaut\u202f: `,
  between: (min: number, max: number, unit: string) =>
    `De\u00a0${number(min)}\u00a0à\u00a0${number(max)}${unit === '' ? '' : `${NNBSP}${unit}`}.`,
  required: 'Un nombre entier est attendu',
  outOf: (min: number, max: number) => `Un nombre de ${number(min)} à ${number(max)} est attendu`,
  tooLong: (max: number) => `Au plus ${number(max)} caractères`,
  yes: 'Oui',
  no: 'Non',
  none: 'aucune',
  refused: 'Enregistrement refusé',
  refusedFields: (count: number) => `${formatCount(count, 'champ')} à corriger ci-dessous.`,
  unreachable: 'Le serveur ne répond pas. Rien de ce que vous avez saisi n’est perdu\u202f: réessayez.',
  staleTitle: 'Quelqu’un a changé les mêmes paramètres entre-temps',
  staleText: 'Rien n’est enregistré. Choisissez, puis enregistrez\u202f: votre saisie est gardée.',
  stale: (label: string, who: string, theirs: string, mine: string) =>
    `${label}\u202f: ${who} a mis ${theirs}, vous avez saisi ${mine}.`,
  somebody: 'quelqu’un',
  take: 'Prendre la sienne',
  takeOf: (label: string) => `Prendre la sienne\u202f: ${label}`,
} as const
