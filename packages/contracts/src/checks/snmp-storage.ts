import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck } from '../check-definition.ts'
import { patternsField, patternsParameter, snmpCredential } from './snmp-shared.ts'

export const STORAGE_TYPES = ['disk', 'network', 'removable', 'memory', 'swap'] as const
const TYPE_NAMES: Readonly<Record<(typeof STORAGE_TYPES)[number], string>> = {
  disk: 'Disques',
  network: 'Partages réseau',
  removable: 'Supports amovibles',
  memory: 'Mémoire vive',
  swap: 'Mémoire virtuelle',
}

export const snmpStorage = defineCheck({
  kind: 'snmp_storage',
  rank: 130,
  concurrency: 256,
  label: 'Disques (SNMP)',
  family: 'SNMP',
  description:
    'Espace de chaque disque ou volume d’un équipement\u202f: taux d’occupation, espace libre, taille attendue.',
  keywords: ['volume', 'espace', 'stockage', 'partition', 'hrstorage', 'host-resources', 'nas'],
  parameters: z.strictObject({
    types: z._default(z.array(z.enum(STORAGE_TYPES)).check(z.minLength(1, 'Au moins un type est attendu')), [
      'disk',
      'network',
    ]),
    include: z._default(patternsParameter, []),
    exclude: z._default(patternsParameter, [
      '/dev*',
      '/proc*',
      '/run*',
      '/sys*',
      '/snap/*',
      '/var/lib/docker/*',
      '/var/lib/containers/*',
    ]),
  }),
  fields: {
    types: {
      type: 'choices',
      label: 'Types de volumes',
      choices: STORAGE_TYPES.map(value => ({ value, label: TYPE_NAMES[value] })),
      required: true,
      wide: true,
    },
    include: patternsField('Volumes suivis', 'Noms, avec * et ?. Vide\u202f: tous. Exemples\u202f: C:*, /srv*'),
    exclude: patternsField('Volumes écartés', 'Noms, avec * et ?. Exemple\u202f: /run*'),
  },
  credential: snmpCredential,
  metrics: [
    AVAILABILITY,
    {
      key: 'used_ratio',
      name: 'Espace disque {instance}',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.9, errorHigh: 0.95 },
    },
    { key: 'free', name: 'Espace libre {instance}', unit: 'bytes', type: 'gauge' },
    {
      key: 'size',
      name: 'Taille {instance}',
      unit: 'bytes',
      type: 'gauge',
      // A volume that shrinks has lost a disk, or another was mounted in its place.
      learn: value => ({ warningLow: value * 0.95, warningLowClear: value * 0.95 }),
    },
  ],
})
