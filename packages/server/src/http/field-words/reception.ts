import type { FieldWords } from './field-word.ts'

export const RECEPTION_WORDS: FieldWords = {
  'Push.values': {
    text: 'Valeurs, par le nom que le scanner leur donne ; absent : un simple signe de vie.',
    example: { value: 12 },
  },
  'Push.state': 'ok, ou error : le programme dit lui-même qu’il a échoué ; ok par défaut.',
  'Push.message': 'Texte gardé avec le résultat, sur une ligne.',
  'PushToken.createdAt': 'Création du jeton en vigueur ; null : aucun, rien ne peut être envoyé.',
  'PushToken.createdBy': 'Compte qui l’a créé.',
  'Scanner/Token.token': 'Le jeton, montré cette seule fois.',
  'ReceivedEvent.at': 'Instant de la réception.',
  'ReceivedEvent.severity': 'Ce que le message veut dire : error, warning, ou ok (retour à la normale).',
  'ReceivedEvent.source': 'Qui l’a envoyé : adresse, et programme s’il est dit.',
  'ReceivedEvent.text': 'Le message tel que l’expéditeur l’a écrit : à montrer comme un texte.',
}
