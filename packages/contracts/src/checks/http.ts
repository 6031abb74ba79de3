import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, textParameter } from '../check-definition.ts'

export const HTTP_AUTHENTICATIONS = ['none', 'host'] as const

export const http = defineCheck({
  kind: 'http',
  label: 'HTTP',
  family: 'Web',
  description: 'Requête HTTP ou HTTPS\u202f: code, temps de chaque étape, taille, texte attendu.',
  keywords: ['https', 'web', 'site', 'page', 'api', 'url'],
  parameters: z.strictObject({
    /** `{address}` stands for the host's address. */
    url: z._default(
      z
        .string()
        .check(z.maxLength(2000), z.regex(/^https?:\/\/[^\s]+$/i, 'Une adresse en http:// ou https:// est attendue')),
      'http://{address}/',
    ),
    method: z._default(z.enum(['GET', 'HEAD', 'POST']), 'GET'),
    /** Accepted status codes: `200`, `200-299`, separated by commas. */
    status: z._default(
      z
        .string()
        .check(
          z.regex(/^\d{3}(-\d{3})?(,\d{3}(-\d{3})?)*$/, 'Codes attendus : 200 ou 200-299, séparés par des virgules'),
        ),
      '200-399',
    ),
    /** Text that the answer must contain; empty: not looked for. */
    contains: z._default(textParameter(500), ''),
    followRedirects: z._default(z.boolean(), true),
    /** When false, a certificate that does not verify is accepted. */
    verifyTls: z._default(z.boolean(), true),
    /** `host`: Basic authentication with the HTTP credentials that the host has or inherits. */
    authentication: z._default(z.enum(HTTP_AUTHENTICATIONS), 'none'),
  }),
  fields: {
    url: {
      type: 'text',
      label: 'Adresse de la page',
      help: '{address} est remplacé par l’adresse de l’équipement.',
      required: true,
      wide: true,
    },
    method: {
      type: 'choice',
      label: 'Méthode',
      choices: ['GET', 'HEAD', 'POST'].map(method => ({ value: method, label: method })),
    },
    status: {
      type: 'text',
      label: 'Codes acceptés',
      help: 'Codes ou plages séparés par des virgules. Exemple\u202f: 200-299,301',
      required: true,
    },
    contains: {
      type: 'text',
      label: 'Texte attendu',
      help: 'La réponse doit le contenir\u202f; vide\u202f: non cherché.',
      wide: true,
    },
    authentication: {
      type: 'choice',
      label: 'Authentification',
      help: 'Les identifiants HTTP que l’équipement a ou dont il hérite, envoyés à son adresse seulement.',
      choices: [
        { value: 'none', label: 'Aucune' },
        { value: 'host', label: 'Identifiants de l’équipement' },
      ],
      wide: true,
    },
    followRedirects: { type: 'switch', label: 'Suivre les redirections' },
    verifyTls: {
      type: 'switch',
      label: 'Vérifier le certificat',
      help: 'Sans cela, un certificat expiré ou inconnu est accepté.',
    },
  },
  credential: ({ authentication }) => (authentication === 'host' ? 'http' : null),
  metrics: [
    AVAILABILITY,
    { key: 'total_time', name: 'Temps total', unit: 'ms', type: 'gauge' },
    { key: 'dns_time', name: 'Résolution du nom', unit: 'ms', type: 'gauge', optional: true },
    { key: 'connect_time', name: 'Temps de connexion', unit: 'ms', type: 'gauge' },
    { key: 'tls_time', name: 'Négociation TLS', unit: 'ms', type: 'gauge', optional: true },
    { key: 'first_byte_time', name: 'Premier octet', unit: 'ms', type: 'gauge' },
    { key: 'status_code', name: 'Code de réponse', unit: 'code', type: 'gauge' },
    { key: 'size', name: 'Taille de la réponse', unit: 'bytes', type: 'gauge' },
  ],
})
