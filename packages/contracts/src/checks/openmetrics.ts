import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck } from '../check-definition.ts'
import { parseSelector } from '../selector.ts'
import {
  CONNECT_TIME,
  TLS_TIME,
  unitField,
  unitParameter,
  verifyTlsField,
  verifyTlsParameter,
  wordParameter,
} from './service-parameters.ts'

const AGGREGATIONS = ['sum', 'min', 'max', 'avg', 'count'] as const

/** Chosen series of one scanner. */
const SERIES_MAX = 50

const series = z.strictObject({
  /** Names the metric: a new name is a new metric. */
  name: wordParameter(100).check(z.minLength(1)),
  /** As Prometheus writes it: `node_load1`, `http_requests_total{code=~"5.."}`. */
  selector: wordParameter(500).check(
    z.refine(text => parseSelector(text) !== null, {
      error: 'Un choix de série s’écrit nom{étiquette="valeur"}, avec =, !=, =~ ou !~',
    }),
  ),
  /** What several series become. */
  aggregation: z._default(z.enum(AGGREGATIONS), 'sum'),
  type: z._default(z.enum(['gauge', 'counter']), 'gauge'),
  unit: unitParameter,
})
export type ChosenSeries = z.output<typeof series>

/** Key of the metric of a chosen series. */
export const seriesKey = (name: string): string => `series[${name}]`

const hasOwnNames = (list: readonly { readonly name: string }[]): boolean =>
  new Set(list.map(({ name }) => name)).size === list.length

export const openmetrics = defineCheck({
  kind: 'openmetrics',
  rank: 230,
  concurrency: 16,
  label: 'Métriques Prometheus',
  family: 'Web',
  description: 'Lecture d’un exportateur Prometheus ou OpenMetrics, avec un choix de séries.',
  keywords: ['prometheus', 'openmetrics', 'exporter', 'node exporter', 'grafana', 'métriques'],
  parameters: z.strictObject({
    /** `{address}` stands for the host's address. */
    url: z._default(
      z
        .string()
        .check(z.maxLength(2000), z.regex(/^https?:\/\/[^\s]+$/i, 'Une adresse en http:// ou https:// est attendue')),
      'http://{address}:9100/metrics',
    ),
    verifyTls: verifyTlsParameter,
    /** `host`: Basic authentication with the host's HTTP credentials; `bearer`: their password as a token. */
    authentication: z._default(z.enum(['none', 'host', 'bearer']), 'none'),
    series: z._default(
      z
        .array(series)
        .check(z.maxLength(SERIES_MAX), z.refine(hasOwnNames, { error: 'Chaque nom ne peut servir qu’une fois' })),
      [],
    ),
  }),
  fields: {
    url: {
      type: 'text',
      label: 'Adresse de l’exportateur',
      help: '{address} est remplacé par l’adresse de l’équipement.',
      required: true,
      wide: true,
    },
    authentication: {
      type: 'choice',
      label: 'Authentification',
      help: 'Les identifiants HTTP de l’équipement, envoyés à son adresse seulement.',
      choices: [
        { value: 'none', label: 'Aucune' },
        { value: 'host', label: 'Identifiants de l’équipement' },
        { value: 'bearer', label: 'Jeton (mot de passe des identifiants)' },
      ],
      wide: true,
    },
    series: {
      type: 'table',
      label: 'Séries suivies',
      help: '« Tester maintenant » montre toutes celles que l’exportateur propose. Un compteur est montré par seconde.',
      add: 'Ajouter une série',
      empty: { name: '', selector: '', aggregation: 'sum', type: 'gauge', unit: '' },
      columns: {
        name: { type: 'text', label: 'Nom', required: true, placeholder: 'Charge' },
        selector: { type: 'text', label: 'Série', required: true, placeholder: 'node_load1' },
        aggregation: {
          type: 'choice',
          label: 'Si plusieurs',
          choices: [
            { value: 'sum', label: 'Somme' },
            { value: 'min', label: 'Minimum' },
            { value: 'max', label: 'Maximum' },
            { value: 'avg', label: 'Moyenne' },
            { value: 'count', label: 'Nombre' },
          ],
        },
        type: {
          type: 'choice',
          label: 'Type',
          choices: [
            { value: 'gauge', label: 'Valeur' },
            { value: 'counter', label: 'Compteur' },
          ],
        },
        unit: unitField(),
      },
      wide: true,
    },
    verifyTls: { ...verifyTlsField, when: ({ url }) => String(url).toLowerCase().startsWith('https:') },
  },
  credential: ({ authentication }) => (authentication === 'none' ? null : 'http'),
  metrics: [
    AVAILABILITY,
    { key: 'total_time', name: 'Temps de lecture', unit: 'ms', type: 'gauge' },
    CONNECT_TIME,
    TLS_TIME,
    { key: 'first_byte_time', name: 'Premier octet', unit: 'ms', type: 'gauge' },
    { key: 'exposed', name: 'Séries exposées', unit: 'count', type: 'gauge' },
    { key: 'size', name: 'Taille de la réponse', unit: 'bytes', type: 'gauge' },
  ],
  metricsOf: ({ series: chosen }) =>
    chosen.map(({ name, unit, type }) => ({ key: seriesKey(name), name, unit, type, optional: true })),
})
