import * as z from 'zod/mini'
import { type MetricDefinition, type ParameterField, UNITS, type Unit } from '../check-definition.ts'

/** Parameters, fields and metrics that the checks of services share. */

/** How a connection is encrypted: not, after some words in clear (STARTTLS), or from its opening. */
export const SECURITIES = ['none', 'starttls', 'tls'] as const
const SERVICE_AUTHENTICATIONS = ['none', 'host'] as const

export const authenticationParameter = z._default(z.enum(SERVICE_AUTHENTICATIONS), 'none')
/** When false, a certificate that does not verify is accepted. */
export const verifyTlsParameter = z._default(z.boolean(), true)
/** One line without control characters: it becomes part of a command. */
export const wordParameter = (max: number) =>
  z.string().check(z.maxLength(max), z.regex(/^[^\p{Cc}]*$/u, 'Les caractères de contrôle ne sont pas acceptés'))

export const securityField = (direct: string, none = 'Aucun'): ParameterField => ({
  type: 'choice',
  label: 'Chiffrement',
  choices: [
    { value: 'none', label: none },
    { value: 'starttls', label: 'STARTTLS' },
    { value: 'tls', label: direct },
  ],
})

export const verifyTlsField: ParameterField = {
  type: 'switch',
  label: 'Vérifier le certificat',
  help: 'Sans cela, un certificat expiré ou inconnu est accepté.',
  when: ({ security }) => security !== 'none',
}

export const authenticationField = (help: string): ParameterField => ({
  type: 'choice',
  label: 'Authentification',
  help,
  choices: [
    { value: 'none', label: 'Aucune' },
    { value: 'host', label: 'Identifiants de l’équipement' },
  ],
})

export const CONNECT_TIME: MetricDefinition = {
  key: 'connect_time',
  name: 'Temps de connexion',
  unit: 'ms',
  type: 'gauge',
}
export const GREETING_TIME: MetricDefinition = { key: 'greeting_time', name: 'Accueil', unit: 'ms', type: 'gauge' }
export const TLS_TIME: MetricDefinition = {
  key: 'tls_time',
  name: 'Négociation TLS',
  unit: 'ms',
  type: 'gauge',
  optional: true,
}
export const EXPIRES_IN: MetricDefinition = {
  key: 'expires_in',
  name: 'Certificat\u202f: temps restant',
  unit: 's',
  type: 'gauge',
  thresholds: { warningLow: 21 * 86_400, errorLow: 7 * 86_400 },
  optional: true,
}

/** Units as a form offers them. */
const UNIT_NAMES = {
  '': 'Sans unité',
  count: 'Nombre',
  'count/s': 'Par seconde',
  ratio: 'Part (1 montré comme 100\u202f%)',
  ms: 'Millisecondes',
  s: 'Secondes',
  bytes: 'Octets',
  'bytes/s': 'Octets par seconde',
  'bits/s': 'Bits par seconde',
  celsius: 'Degrés Celsius',
  volts: 'Volts',
  amperes: 'Ampères',
  watts: 'Watts',
  hertz: 'Hertz',
  rpm: 'Tours par minute',
  dbm: 'dBm',
  code: 'Code, numéro',
} as const satisfies Record<Unit, string>

export const unitParameter = z._default(z.enum(UNITS), '')
export const unitField = (when?: ParameterField['when']): ParameterField => ({
  type: 'choice',
  label: 'Unité',
  choices: Object.entries(UNIT_NAMES).map(([value, label]) => ({ value, label })),
  ...(when === undefined ? {} : { when }),
})
