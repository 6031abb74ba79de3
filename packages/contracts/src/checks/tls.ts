import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, portField, portParameter, textParameter } from '../check-definition.ts'

/** Protocols that turn to TLS after some words in clear. */
export const START_TLS = ['none', 'smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgresql'] as const
export type StartTls = (typeof START_TLS)[number]
export const TLS_VERSIONS = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

const START_TLS_NAMES: Readonly<Record<StartTls, string>> = {
  none: 'Aucun\u202f: TLS dès l’ouverture',
  smtp: 'SMTP',
  imap: 'IMAP',
  pop3: 'POP3',
  ftp: 'FTP',
  ldap: 'LDAP',
  postgresql: 'PostgreSQL',
}

export const tls = defineCheck({
  kind: 'tls',
  rank: 70,
  concurrency: 256,
  label: 'Certificat TLS',
  family: 'Web',
  description:
    'Certificat d’un service\u202f: temps avant son expiration, chaîne et nom, version de TLS, STARTTLS compris.',
  keywords: ['ssl', 'certificat', 'expiration', 'https', 'starttls', 'chiffrement'],
  parameters: z.strictObject({
    port: z._default(portParameter, 443),
    startTls: z._default(z.enum(START_TLS), 'none'),
    /** Asked for by SNI, and what the certificate must be made for; empty: the host's own name or address. */
    serverName: z._default(
      textParameter(253).check(z.regex(/^[^\s\p{Cc}]*$/u, 'Un nom ne contient ni espace ni caractère de contrôle')),
      '',
    ),
    /** When false, the chain and the name are measured but do not make the check fail. */
    verify: z._default(z.boolean(), true),
    /** Versions below this fail the check. */
    minVersion: z._default(z.enum(TLS_VERSIONS), 'TLSv1.2'),
  }),
  fields: {
    port: portField('443 pour le web, 465 ou 587 pour SMTP, 993 pour IMAP, 636 pour LDAP.'),
    startTls: {
      type: 'choice',
      label: 'Passage à TLS',
      help: 'Le protocole parlé en clair avant de passer à TLS (STARTTLS).',
      choices: START_TLS.map(value => ({ value, label: START_TLS_NAMES[value] })),
    },
    serverName: {
      type: 'text',
      label: 'Nom du service',
      help: 'Celui que le certificat doit porter. Vide\u202f: le nom ou l’adresse de l’équipement.',
      wide: true,
    },
    minVersion: {
      type: 'choice',
      label: 'Version minimale',
      choices: TLS_VERSIONS.map(value => ({ value, label: value.replace('TLSv', 'TLS ') })),
    },
    verify: {
      type: 'switch',
      label: 'Vérifier la chaîne et le nom',
      help: 'Sans cela, seule l’expiration compte\u202f: utile pour un certificat auto-signé.',
    },
  },
  metrics: [
    AVAILABILITY,
    {
      key: 'expires_in',
      name: 'Certificat\u202f: temps restant',
      unit: 's',
      type: 'gauge',
      thresholds: { warningLow: 21 * 86_400, errorLow: 7 * 86_400 },
    },
    {
      key: 'chain_expires_in',
      name: 'Chaîne du certificat\u202f: temps restant',
      unit: 's',
      type: 'gauge',
      thresholds: { warningLow: 21 * 86_400, errorLow: 7 * 86_400 },
      optional: true,
    },
    {
      key: 'trusted',
      name: 'Chaîne et nom du certificat',
      unit: '',
      type: 'state',
      states: { 0: 'refusés', 1: 'valables' },
    },
    {
      key: 'version',
      name: 'Version de TLS',
      unit: '',
      type: 'state',
      states: { 10: '1.0', 11: '1.1', 12: '1.2', 13: '1.3' },
    },
    { key: 'connect_time', name: 'Temps de connexion', unit: 'ms', type: 'gauge' },
    { key: 'handshake_time', name: 'Négociation TLS', unit: 'ms', type: 'gauge' },
  ],
})
