import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, textParameter } from '../check-definition.ts'

export const HTTP_AUTHENTICATIONS = ['none', 'host', 'bearer'] as const
export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
/** What the check itself says of a request. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|authorization|accept-encoding|upgrade|te|trailer)$/i
const withBody = ({ method }: Readonly<Record<string, unknown>>) => method !== 'GET' && method !== 'HEAD'
const hasPath = ({ jsonPath }: Readonly<Record<string, unknown>>) => jsonPath !== ''

export const http = defineCheck({
  kind: 'http',
  rank: 30,
  concurrency: 256,
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
    method: z._default(z.enum(HTTP_METHODS), 'GET'),
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
    /** Pattern (RE2) that the answer must match somewhere; empty: not looked for. */
    pattern: z._default(textParameter(500), ''),
    /** Place in a JSON answer: `status.disks[0].free`; empty: none. A number found there is a metric. */
    jsonPath: z._default(
      textParameter(200).check(
        z.regex(
          /^$|^(?:[\p{L}\p{N}_-]+|\[\d{1,6}\])(?:\.[\p{L}\p{N}_-]+|\[\d{1,6}\])*$/u,
          'Chemin attendu : des noms séparés par des points, et [n] pour un rang',
        ),
      ),
      '',
    ),
    /** What must stand there, as a text; empty: anything that is there. */
    jsonValue: z._default(textParameter(500), ''),
    /** Sent with the request, to its own origin only. */
    headers: z._default(
      z
        .array(
          z.strictObject({
            name: z.string().check(
              z.maxLength(100),
              z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Nom d’en-tête incorrect'),
              z.refine(name => !OWN_HEADERS.test(name), { error: 'Cet en-tête est fixé par le contrôle' }),
            ),
            value: z
              .string()
              .check(z.maxLength(1000), z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Une ligne de texte simple est attendue')),
          }),
        )
        .check(z.maxLength(20)),
      [],
    ),
    /** Of methods that carry one. */
    body: z._default(textParameter(20_000), ''),
    followRedirects: z._default(z.boolean(), true),
    /** When false, a certificate that does not verify is accepted. */
    verifyTls: z._default(z.boolean(), true),
    /** With the HTTP credentials that the host has or inherits: `host` Basic, `bearer` their password as a token. */
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
      choices: HTTP_METHODS.map(method => ({ value: method, label: method })),
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
    pattern: {
      type: 'text',
      label: 'Motif attendu',
      help: 'Expression régulière (RE2) que la réponse doit vérifier. Exemple\u202f: état\\s*:\\s*(ok|prêt)',
      wide: true,
    },
    jsonPath: {
      type: 'text',
      label: 'Chemin JSON',
      help: 'Valeur à lire dans une réponse JSON\u202f; un nombre devient une métrique. Exemple\u202f: disques[0].libre',
    },
    jsonValue: {
      type: 'text',
      label: 'Valeur JSON attendue',
      help: 'Vide\u202f: toute valeur convient.',
      when: hasPath,
    },
    authentication: {
      type: 'choice',
      label: 'Authentification',
      help: 'Les identifiants HTTP que l’équipement a ou dont il hérite, envoyés à son adresse seulement.',
      choices: [
        { value: 'none', label: 'Aucune' },
        { value: 'host', label: 'Basic\u202f: identifiants de l’équipement' },
        { value: 'bearer', label: 'Jeton (Bearer)\u202f: mot de passe de ces identifiants' },
      ],
      wide: true,
    },
    body: {
      type: 'paragraph',
      label: 'Corps de la requête',
      help: 'Envoyé tel quel\u202f; dites son genre par l’en-tête Content-Type.',
      wide: true,
      when: withBody,
    },
    headers: {
      type: 'table',
      label: 'En-têtes',
      help: 'Pas de secret ici\u202f: un jeton se confie aux identifiants de l’équipement.',
      columns: { name: { type: 'text', label: 'Nom' }, value: { type: 'text', label: 'Valeur' } },
      empty: { name: '', value: '' },
      add: 'Ajouter un en-tête',
    },
    followRedirects: { type: 'switch', label: 'Suivre les redirections' },
    verifyTls: {
      type: 'switch',
      label: 'Vérifier le certificat',
      help: 'Sans cela, un certificat expiré ou inconnu est accepté.',
    },
  },
  credential: ({ authentication }) => (authentication === 'none' ? null : 'http'),
  patterns: ({ pattern }) => (pattern === '' ? [] : [['pattern', pattern]]),
  metrics: [
    AVAILABILITY,
    { key: 'total_time', name: 'Temps total', unit: 'ms', type: 'gauge' },
    { key: 'dns_time', name: 'Résolution du nom', unit: 'ms', type: 'gauge', optional: true },
    { key: 'connect_time', name: 'Temps de connexion', unit: 'ms', type: 'gauge' },
    { key: 'tls_time', name: 'Négociation TLS', unit: 'ms', type: 'gauge', optional: true },
    { key: 'first_byte_time', name: 'Premier octet', unit: 'ms', type: 'gauge' },
    { key: 'status_code', name: 'Code de réponse', unit: 'code', type: 'gauge' },
    { key: 'size', name: 'Taille de la réponse', unit: 'bytes', type: 'gauge' },
    { key: 'json_value', name: 'Valeur lue dans la réponse', unit: '', type: 'gauge', optional: true },
  ],
})
