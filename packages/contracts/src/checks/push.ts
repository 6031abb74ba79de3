import * as z from 'zod/mini'
import { AVAILABILITY, AVAILABILITY_KEY, defineCheck, type MetricDefinition } from '../check-definition.ts'
import { unitField, unitParameter } from './service-parameters.ts'

/** Values that one scanner may be sent. */
export const PUSH_VALUES_MAX = 50
const PUSH_TYPES = ['gauge', 'counter'] as const

const pushedValue = z.strictObject({
  /** As senders write it, and the key of its metric. */
  name: z
    .string()
    .check(z.regex(/^[a-z][a-z0-9_]{0,39}$/, 'Une lettre minuscule, puis minuscules, chiffres ou _ (40 au plus)')),
  label: z.string().check(z.minLength(1, 'Champ requis'), z.maxLength(80)),
  unit: unitParameter,
  type: z._default(z.enum(PUSH_TYPES), 'gauge'),
})

const areUnique = (names: readonly string[]): boolean => new Set(names).size === names.length

export const push = defineCheck({
  kind: 'push',
  rank: 220,
  concurrency: 1,
  label: 'Valeurs reçues (push)',
  family: 'Réception',
  description: 'Valeurs qu’un programme envoie au serveur avec un jeton\u202f: sauvegarde, tâche planifiée, capteur.',
  keywords: ['battement', 'heartbeat', 'cron', 'sauvegarde', 'webhook', 'curl', 'jeton'],
  parameters: z.strictObject({
    values: z._default(z.array(pushedValue), [{ name: 'value', label: 'Valeur', unit: '', type: 'gauge' }]).check(
      z.minLength(1, 'Au moins une valeur est attendue'),
      z.maxLength(PUSH_VALUES_MAX),
      z.refine(values => areUnique(values.map(({ name }) => name)), 'Deux valeurs ont le même nom'),
      z.refine(values => values.every(({ name }) => name !== AVAILABILITY_KEY), 'Le nom availability est réservé'),
    ),
    silence: z._default(z.enum(['unknown', 'error']), 'unknown'),
  }),
  fields: {
    values: {
      type: 'table',
      label: 'Valeurs attendues',
      help: 'Le nom est celui que le programme envoie\u202f; chaque valeur devient une métrique.',
      columns: {
        name: { type: 'text', label: 'Nom', placeholder: 'duration' },
        label: { type: 'text', label: 'Libellé', placeholder: 'Durée de la sauvegarde' },
        unit: unitField(),
        type: {
          type: 'choice',
          label: 'Genre',
          choices: [
            { value: 'gauge', label: 'Valeur' },
            { value: 'counter', label: 'Compteur' },
          ],
        },
      },
      empty: { name: '', label: '', unit: '', type: 'gauge' },
      add: 'Ajouter une valeur',
    },
    silence: {
      type: 'choice',
      label: 'Un silence est',
      help: 'Sans nouvelle depuis trois intervalles (90 s au moins). L’intervalle du scanner est celui des envois.',
      choices: [
        { value: 'unknown', label: 'Inconnu' },
        { value: 'error', label: 'Une erreur' },
      ],
    },
  },
  metrics: [AVAILABILITY],
  metricsOf: ({ values }) =>
    values.map(
      ({ name, label, unit, type }): MetricDefinition => ({ key: name, name: label, unit, type, optional: true }),
    ),
  maxMetrics: PUSH_VALUES_MAX + 1,
  runner: 'server',
})
