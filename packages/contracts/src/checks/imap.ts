import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, portField, portParameter } from '../check-definition.ts'
import {
  authenticationField,
  authenticationParameter,
  CONNECT_TIME,
  EXPIRES_IN,
  GREETING_TIME,
  SECURITIES,
  securityField,
  TLS_TIME,
  verifyTlsField,
  verifyTlsParameter,
  wordParameter,
} from './service-parameters.ts'

export const imap = defineCheck({
  kind: 'imap',
  rank: 90,
  concurrency: 128,
  label: 'IMAP',
  family: 'Messagerie',
  description: 'Serveur de boîtes aux lettres\u202f: accueil, chiffrement, connexion d’un compte, nombre de messages.',
  keywords: ['mail', 'courriel', 'messagerie', 'dovecot', 'exchange', 'boîte'],
  parameters: z.strictObject({
    port: z._default(portParameter, 993),
    security: z._default(z.enum(SECURITIES), 'tls'),
    verifyTls: verifyTlsParameter,
    authentication: authenticationParameter,
    /** Its messages are counted after signing in; empty: none is. */
    mailbox: z._default(wordParameter(200), ''),
  }),
  fields: {
    port: portField('993 en TLS, 143 sans chiffrement ou avec STARTTLS.'),
    security: securityField('TLS dès la connexion'),
    authentication: authenticationField(
      'Les identifiants de messagerie de l’équipement, seulement une fois la liaison chiffrée.',
    ),
    mailbox: {
      type: 'text',
      label: 'Dossier compté',
      help: 'Ses messages sont comptés, non lus. Exemple\u202f: INBOX\u202f; vide\u202f: aucun.',
      when: ({ authentication }) => authentication === 'host',
    },
    verifyTls: verifyTlsField,
  },
  credential: ({ authentication }) => (authentication === 'host' ? 'mail' : null),
  metrics: [
    AVAILABILITY,
    CONNECT_TIME,
    TLS_TIME,
    GREETING_TIME,
    { key: 'capability_time', name: 'Réponse à CAPABILITY', unit: 'ms', type: 'gauge' },
    { key: 'login_time', name: 'Authentification', unit: 'ms', type: 'gauge', optional: true },
    { key: 'messages', name: 'Messages', unit: 'count', type: 'gauge', optional: true },
    { key: 'unseen', name: 'Messages non lus', unit: 'count', type: 'gauge', optional: true },
    EXPIRES_IN,
  ],
})
