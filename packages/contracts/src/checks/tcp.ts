import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, portField, portParameter, textParameter } from '../check-definition.ts'

export const tcp = defineCheck({
  kind: 'tcp',
  rank: 20,
  concurrency: 512,
  label: 'Port TCP',
  family: 'Réseau',
  description: 'Ouverture d’une connexion TCP, et texte d’accueil du service si on le demande.',
  keywords: ['connexion', 'socket', 'bannière'],
  parameters: z.strictObject({
    port: portParameter,
    /** What the service's first bytes must contain; empty: not read. */
    banner: z._default(textParameter(200), ''),
  }),
  fields: {
    port: { ...portField('De 1 à 65\u202f535. Exemples\u202f: 22 (SSH), 25 (SMTP), 443 (HTTPS).'), required: true },
    banner: {
      type: 'text',
      label: 'Texte d’accueil attendu',
      help: 'Ce que le service doit dire en premier\u202f; vide\u202f: l’ouverture suffit. Exemple\u202f: SSH-2.0',
    },
  },
  metrics: [AVAILABILITY, { key: 'connect_time', name: 'Temps de connexion', unit: 'ms', type: 'gauge' }],
})
