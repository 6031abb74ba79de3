import type { CommentKind } from '@narval/contracts'
import { formatCount } from '../lib/format.ts'

/** Words of comments. */
export const comment = {
  title: 'Commentaires',
  label: 'Écrire un commentaire',
  placeholder: 'Ce qu’il faut savoir, ce qui a été fait…',
  keys: 'Ctrl + Entrée pour publier',
  send: 'Publier',
  save: 'Enregistrer',
  cancel: 'Annuler',
  edit: 'Modifier',
  delete: 'Supprimer',
  confirm: 'Supprimer pour de bon',
  pin: 'Épingler',
  unpin: 'Détacher',
  pinned: 'Épinglé',
  edited: 'modifié',
  none: 'Aucun commentaire pour l’instant.',
  of: (author: string) => `Commentaire de ${author}`,
  kept: 'Votre texte est gardé ici\u202f: réessayez.',
  count: (count: number) => formatCount(count, 'commentaire'),
  about: 'À propos de',
  instructions: (count: number) => (count >= 2 ? 'Consignes' : 'Consigne'),
  instructionOf: 'Consigne de',
  kinds: { site: 'Site', host: 'Équipement', metric: 'Métrique', incident: 'Incident' } satisfies Record<
    CommentKind,
    string
  >,
  mentionHelp: '@ pour mentionner quelqu’un',
  mentionable: 'Comptes que l’on peut mentionner',
  nobody: 'Personne de ce nom ne voit cet objet',
  unread: 'Non lu',
} as const
