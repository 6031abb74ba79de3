import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, portField, portParameter } from '../check-definition.ts'
import {
  authenticationField,
  authenticationParameter,
  CONNECT_TIME,
  EXPIRES_IN,
  SECURITIES,
  securityField,
  TLS_TIME,
  verifyTlsField,
  verifyTlsParameter,
  wordParameter,
} from './service-parameters.ts'

const FILTER_FORM = 'Un filtre s’écrit entre parenthèses, toutes fermées\u202f: (objectClass=person)'
const LDAP_SCOPES = ['base', 'one', 'sub'] as const

/** Every parenthesis has its other one; those of values are written \28 and \29 (RFC 4515). */
const isBalanced = (filter: string): boolean => {
  let depth = 0
  const signs = Array.from(filter)
  for (const [at, one] of signs.entries()) {
    if (one === '(') depth += 1
    if (one === ')') depth -= 1
    if (depth < 0 || (depth === 0 && at < signs.length - 1)) return false
  }
  return depth === 0
}

export const ldap = defineCheck({
  kind: 'ldap',
  rank: 180,
  concurrency: 128,
  label: 'LDAP',
  family: 'Annuaire et données',
  description: 'Annuaire LDAP ou Active Directory\u202f: connexion d’un compte, recherche et nombre d’entrées.',
  keywords: ['annuaire', 'active directory', 'openldap', 'ldaps'],
  parameters: z.strictObject({
    port: z._default(portParameter, 389),
    security: z._default(z.enum(SECURITIES), 'none'),
    verifyTls: verifyTlsParameter,
    /** `none`: an anonymous bind. */
    authentication: authenticationParameter,
    /** Empty with an empty filter: no search, or of the root entry when a filter is given. */
    base: z._default(wordParameter(500), ''),
    filter: z._default(wordParameter(1_000).check(z.refine(isBalanced, { error: FILTER_FORM })), ''),
    scope: z._default(z.enum(LDAP_SCOPES), 'sub'),
  }),
  fields: {
    port: portField('389 sans chiffrement ou avec STARTTLS, 636 en TLS (LDAPS).'),
    security: securityField('TLS dès la connexion (LDAPS)'),
    authentication: authenticationField(
      'Les identifiants LDAP de l’équipement\u202f; aucune\u202f: connexion anonyme.',
    ),
    base: {
      type: 'text',
      label: 'Base de recherche',
      help: 'Vide, sans filtre\u202f: pas de recherche.',
      placeholder: 'ou=personnes,dc=exemple,dc=fr',
      wide: true,
    },
    filter: {
      type: 'text',
      label: 'Filtre',
      help: 'Vide\u202f: toutes les entrées. Exemple\u202f: (&(objectClass=person)(mail=*))',
      wide: true,
    },
    scope: {
      type: 'choice',
      label: 'Portée',
      choices: [
        { value: 'sub', label: 'Toute la branche' },
        { value: 'one', label: 'Un niveau sous la base' },
        { value: 'base', label: 'La base seule' },
      ],
    },
    verifyTls: verifyTlsField,
  },
  credential: ({ authentication }) => (authentication === 'host' ? 'ldap' : null),
  metrics: [
    AVAILABILITY,
    CONNECT_TIME,
    TLS_TIME,
    { key: 'bind_time', name: 'Connexion à l’annuaire', unit: 'ms', type: 'gauge' },
    { key: 'search_time', name: 'Recherche', unit: 'ms', type: 'gauge', optional: true },
    { key: 'entries', name: 'Entrées trouvées', unit: 'count', type: 'gauge', optional: true },
    EXPIRES_IN,
  ],
})
