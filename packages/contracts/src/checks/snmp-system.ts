import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck } from '../check-definition.ts'
import { snmpCredential } from './snmp-shared.ts'

/** A start more recent than this is a warning: that is how a restart is seen. */
const RESTART_S = 600

export const snmpSystem = defineCheck({
  kind: 'snmp_system',
  rank: 110,
  concurrency: 256,
  label: 'Système par SNMP',
  family: 'SNMP',
  description: 'Processeur, mémoire, charge, processus et durée de marche d’un équipement, redémarrages vus.',
  keywords: ['cpu', 'mémoire', 'uptime', 'charge', 'host-resources', 'ucd', 'cisco', 'sysname'],
  parameters: z.strictObject({}),
  fields: {},
  credential: snmpCredential,
  metrics: [
    AVAILABILITY,
    {
      key: 'uptime',
      name: 'En marche depuis',
      unit: 's',
      type: 'gauge',
      thresholds: { warningLow: RESTART_S, warningLowClear: RESTART_S },
    },
    {
      key: 'cpu_used_ratio',
      name: 'Processeur',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.9, errorHigh: 0.98 },
      optional: true,
    },
    {
      key: 'cpu_max_ratio',
      name: 'Processeur le plus chargé',
      unit: 'ratio',
      type: 'gauge',
      optional: true,
    },
    {
      key: 'memory_used_ratio',
      name: 'Mémoire',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.9, errorHigh: 0.97 },
      optional: true,
    },
    { key: 'memory_free', name: 'Mémoire libre', unit: 'bytes', type: 'gauge', optional: true },
    {
      key: 'swap_used_ratio',
      name: 'Espace d’échange',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.8, errorHigh: 0.95 },
      optional: true,
    },
    { key: 'load_1m', name: 'Charge sur 1 min', unit: '', type: 'gauge', optional: true },
    { key: 'load_5m', name: 'Charge sur 5 min', unit: '', type: 'gauge', optional: true },
    { key: 'load_15m', name: 'Charge sur 15 min', unit: '', type: 'gauge', optional: true },
    { key: 'processes', name: 'Processus', unit: 'count', type: 'gauge', optional: true },
    { key: 'users', name: 'Sessions ouvertes', unit: 'count', type: 'gauge', optional: true },
  ],
})
