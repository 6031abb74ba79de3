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

/** What is expected of the recipient: refusing a foreign one shows that the server relays for nobody. */
const RECIPIENT_EXPECTATIONS = ['accepted', 'refused'] as const

/** An address as SMTP's commands bear it, or nothing. */
const mailbox = wordParameter(254).check(
  z.regex(/^(?:[^\s<>@]+@[^\s<>@]+)?$/u, 'Une adresse de messagerie est attendue'),
)

export const smtp = defineCheck({
  kind: 'smtp',
  rank: 80,
  concurrency: 128,
  label: 'SMTP',
  family: 'Messagerie',
  description: 'Serveur de messagerie\u202f: accueil, chiffrement, authentification et destinataire accepté.',
  keywords: ['mail', 'courriel', 'messagerie', 'postfix', 'exchange', 'starttls', 'relais'],
  parameters: z.strictObject({
    port: z._default(portParameter, 25),
    security: z._default(z.enum(SECURITIES), 'none'),
    verifyTls: verifyTlsParameter,
    /** Name given by EHLO; empty: the probe's address. */
    hello: z._default(wordParameter(253).check(z.regex(/^\S*$/u, 'Un nom ne contient pas d’espace')), ''),
    /** Text that the greeting must contain; empty: any. */
    greeting: z._default(wordParameter(200), ''),
    authentication: authenticationParameter,
    /** Sender of MAIL FROM; empty: the null sender. */
    sender: z._default(mailbox, ''),
    /** Recipient of RCPT TO; empty: not asked. No message is ever sent. */
    recipient: z._default(mailbox, ''),
    recipientExpected: z._default(z.enum(RECIPIENT_EXPECTATIONS), 'accepted'),
  }),
  fields: {
    port: portField('25 entre serveurs, 587 pour le dépôt avec STARTTLS, 465 pour le dépôt en TLS.'),
    security: securityField('TLS dès la connexion'),
    greeting: {
      type: 'text',
      label: 'Texte d’accueil attendu',
      help: 'L’accueil doit le contenir\u202f; vide\u202f: tout accueil convient.',
    },
    hello: { type: 'text', label: 'Nom présenté (EHLO)', help: 'Vide\u202f: l’adresse de la sonde.' },
    authentication: authenticationField(
      'Les identifiants de messagerie de l’équipement, seulement une fois la liaison chiffrée.',
    ),
    sender: {
      type: 'text',
      label: 'Expéditeur essayé',
      help: 'Vide\u202f: l’expéditeur vide des avis de non-remise.',
      when: ({ recipient }) => recipient !== '',
    },
    recipient: {
      type: 'text',
      label: 'Destinataire essayé',
      help: 'Annoncé sans rien envoyer\u202f; vide\u202f: non essayé.',
      placeholder: 'postmaster@exemple.fr',
    },
    recipientExpected: {
      type: 'choice',
      label: 'Le destinataire doit être',
      help: 'Refusé\u202f: vérifie que le serveur ne relaie pas vers un domaine étranger.',
      choices: [
        { value: 'accepted', label: 'Accepté' },
        { value: 'refused', label: 'Refusé' },
      ],
      when: ({ recipient }) => recipient !== '',
    },
    verifyTls: verifyTlsField,
  },
  credential: ({ authentication }) => (authentication === 'host' ? 'mail' : null),
  metrics: [
    AVAILABILITY,
    CONNECT_TIME,
    GREETING_TIME,
    { key: 'hello_time', name: 'Réponse à EHLO', unit: 'ms', type: 'gauge' },
    TLS_TIME,
    { key: 'login_time', name: 'Authentification', unit: 'ms', type: 'gauge', optional: true },
    { key: 'recipient_time', name: 'Essai du destinataire', unit: 'ms', type: 'gauge', optional: true },
    EXPIRES_IN,
  ],
})
