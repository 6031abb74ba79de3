import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, portField, portParameter, textParameter } from '../check-definition.ts'
import {
  CONNECT_TIME,
  EXPIRES_IN,
  TLS_TIME,
  unitField,
  unitParameter,
  verifyTlsField,
  verifyTlsParameter,
  wordParameter,
} from './service-parameters.ts'

const SQL_DIALECTS = ['postgresql', 'mysql'] as const
export type SqlDialect = (typeof SQL_DIALECTS)[number]

/** Statements that read and write no file; the session is read-only besides, and servers refuse a second statement. */
const READING =
  /^\s*(?:(?:select|with|show|values|table)\b(?![\s\S]*\binto\b[\s\S]*\b(?:outfile|dumpfile)\b)[\s\S]*)?$/iu
const asksQuery = ({ query }: Readonly<Record<string, unknown>>): boolean => query !== ''

export const sql = defineCheck({
  kind: 'sql',
  rank: 190,
  concurrency: 64,
  label: 'Base de données',
  family: 'Annuaire et données',
  description: 'PostgreSQL, MySQL ou MariaDB\u202f: connexion, temps et résultat d’une requête de lecture.',
  keywords: ['sql', 'postgresql', 'mysql', 'mariadb', 'requête', 'base'],
  parameters: z.strictObject({
    dialect: z._default(z.enum(SQL_DIALECTS), 'postgresql'),
    port: z._default(portParameter, 5_432),
    /** Empty: the account's own. */
    database: z._default(wordParameter(128), ''),
    security: z._default(z.enum(['none', 'tls']), 'none'),
    verifyTls: verifyTlsParameter,
    /** One statement that reads; empty: only signing in is measured. */
    query: z._default(
      textParameter(4_000).check(
        z.regex(READING, 'Une seule lecture est acceptée\u202f: SELECT, WITH, SHOW, VALUES ou TABLE'),
      ),
      '',
    ),
    /** Text of the first column of the first row; empty: any. */
    expected: z._default(wordParameter(500), ''),
    /** Name and unit of the metric of that column. */
    valueName: z._default(wordParameter(100), ''),
    unit: unitParameter,
  }),
  fields: {
    dialect: {
      type: 'choice',
      label: 'Serveur',
      choices: [
        { value: 'postgresql', label: 'PostgreSQL' },
        { value: 'mysql', label: 'MySQL, MariaDB' },
      ],
    },
    port: portField('5432 pour PostgreSQL, 3306 pour MySQL et MariaDB.'),
    database: { type: 'text', label: 'Base', help: 'Vide\u202f: celle que le serveur donne au compte.' },
    security: {
      type: 'choice',
      label: 'Chiffrement',
      choices: [
        { value: 'none', label: 'Aucun' },
        { value: 'tls', label: 'TLS' },
      ],
    },
    query: {
      type: 'paragraph',
      label: 'Requête',
      help: 'Une lecture, exécutée en lecture seule. La première colonne de la première ligne est la valeur. Vide\u202f: connexion seule.',
      placeholder: "SELECT count(*) FROM commandes WHERE etat = 'en attente'",
      wide: true,
    },
    expected: {
      type: 'text',
      label: 'Valeur attendue',
      help: 'Vide\u202f: toute valeur convient. Pour des seuils, réglez ceux de la métrique.',
      when: asksQuery,
    },
    valueName: { type: 'text', label: 'Nom de la métrique', placeholder: 'Valeur de la requête', when: asksQuery },
    unit: unitField(asksQuery),
    verifyTls: verifyTlsField,
  },
  credential: () => 'sql',
  metrics: [
    AVAILABILITY,
    CONNECT_TIME,
    TLS_TIME,
    { key: 'login_time', name: 'Ouverture de session', unit: 'ms', type: 'gauge' },
    { key: 'query_time', name: 'Temps de la requête', unit: 'ms', type: 'gauge', optional: true },
    { key: 'rows', name: 'Lignes', unit: 'count', type: 'gauge', optional: true },
    EXPIRES_IN,
  ],
  metricsOf: ({ query, valueName, unit }) =>
    query.trim() === ''
      ? []
      : [
          {
            key: 'value',
            name: valueName.trim() === '' ? 'Valeur de la requête' : valueName.trim(),
            unit,
            type: 'gauge',
            optional: true,
          },
        ],
})
