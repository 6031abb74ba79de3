import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck } from '../check-definition.ts'

export const ping = defineCheck({
  kind: 'ping',
  rank: 10,
  concurrency: 4_000,
  label: 'Ping',
  family: 'Réseau',
  description: 'Échos ICMP\u202f: perte de paquets, temps de réponse et gigue.',
  keywords: ['icmp', 'écho', 'latence', 'perte'],
  parameters: z.strictObject({
    /** Echoes per run. */
    count: z._default(z.int().check(z.minimum(1), z.maximum(20)), 5),
    /** Which address of a name is asked; `auto`: the first that the system gives. */
    family: z._default(z.enum(['auto', 'ipv4', 'ipv6']), 'auto'),
    /** Bytes of payload. */
    size: z._default(z.int().check(z.minimum(16), z.maximum(1472)), 56),
  }),
  fields: {
    count: { type: 'number', label: 'Nombre d’échos', help: 'Envoyés à chaque contrôle, de 1 à 20.' },
    family: {
      type: 'choice',
      label: 'Version d’IP',
      help: 'Pour un équipement connu par son nom.',
      choices: [
        { value: 'auto', label: 'La première adresse du nom' },
        { value: 'ipv4', label: 'IPv4' },
        { value: 'ipv6', label: 'IPv6' },
      ],
    },
    size: { type: 'number', label: 'Taille des paquets', help: 'De 16 à 1\u202f472 octets.', unit: 'octets' },
  },
  metrics: [
    AVAILABILITY,
    {
      key: 'loss_ratio',
      name: 'Perte de paquets',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.1, errorHigh: 0.5 },
    },
    { key: 'rtt_avg', name: 'Temps de réponse', unit: 'ms', type: 'gauge' },
    { key: 'rtt_min', name: 'Temps de réponse minimal', unit: 'ms', type: 'gauge' },
    { key: 'rtt_max', name: 'Temps de réponse maximal', unit: 'ms', type: 'gauge' },
    { key: 'jitter', name: 'Gigue', unit: 'ms', type: 'gauge' },
  ],
})
