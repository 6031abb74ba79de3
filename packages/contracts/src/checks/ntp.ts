import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, portField, portParameter } from '../check-definition.ts'

export const ntp = defineCheck({
  kind: 'ntp',
  rank: 60,
  concurrency: 256,
  label: 'NTP',
  family: 'Réseau',
  description: 'Serveur de temps\u202f: écart avec l’horloge de la sonde, délai, strate et synchronisation.',
  keywords: ['heure', 'horloge', 'temps', 'chrony', 'synchronisation'],
  parameters: z.strictObject({
    port: z._default(portParameter, 123),
    /** Furthest stratum that is accepted; 16 means not synchronised. */
    maxStratum: z._default(z.int().check(z.minimum(1), z.maximum(15)), 15),
  }),
  fields: {
    port: portField('123 d’ordinaire.'),
    maxStratum: {
      type: 'number',
      label: 'Strate maximale',
      help: 'Distance à une horloge de référence, de 1 à 15. Au-delà, le contrôle est en échec.',
    },
  },
  metrics: [
    AVAILABILITY,
    {
      key: 'offset',
      name: 'Écart d’horloge avec la sonde',
      unit: 'ms',
      type: 'gauge',
      thresholds: { warningHigh: 500, errorHigh: 5_000, warningLow: -500, errorLow: -5_000 },
    },
    { key: 'delay', name: 'Aller-retour NTP', unit: 'ms', type: 'gauge' },
    { key: 'stratum', name: 'Strate', unit: 'code', type: 'gauge' },
    { key: 'root_delay', name: 'Délai jusqu’à la référence', unit: 'ms', type: 'gauge' },
    { key: 'root_dispersion', name: 'Incertitude de la référence', unit: 'ms', type: 'gauge' },
  ],
})
