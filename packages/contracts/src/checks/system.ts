import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck } from '../check-definition.ts'

export const system = defineCheck({
  kind: 'system',
  rank: 40,
  concurrency: 4,
  label: 'Système de la sonde',
  family: 'Système',
  description: 'La machine où tourne la sonde\u202f: processeur, mémoire, charge, disques, réseau.',
  keywords: ['cpu', 'disque', 'mémoire', 'charge', 'linux'],
  parameters: z.strictObject({}),
  fields: {},
  metrics: [
    AVAILABILITY,
    {
      key: 'cpu_used_ratio',
      name: 'Processeur',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.9, errorHigh: 0.98 },
    },
    { key: 'load_1m', name: 'Charge sur 1 min', unit: '', type: 'gauge' },
    {
      key: 'memory_used_ratio',
      name: 'Mémoire',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.9, errorHigh: 0.97 },
    },
    { key: 'swap_used_ratio', name: 'Espace d’échange', unit: 'ratio', type: 'gauge', optional: true },
    { key: 'uptime', name: 'En marche depuis', unit: 's', type: 'gauge' },
    {
      key: 'disk_used_ratio',
      name: 'Espace disque {instance}',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.9, errorHigh: 0.95 },
    },
    { key: 'disk_free', name: 'Espace libre {instance}', unit: 'bytes', type: 'gauge' },
    { key: 'network_in', name: 'Débit entrant {instance}', unit: 'bytes/s', type: 'counter' },
    { key: 'network_out', name: 'Débit sortant {instance}', unit: 'bytes/s', type: 'counter' },
  ],
})
