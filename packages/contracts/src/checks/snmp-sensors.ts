import type { Thresholds } from '@narval/engine'
import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck } from '../check-definition.ts'
import { errorAbove, patternsField, patternsParameter, snmpCredential, warningAbove } from './snmp-shared.ts'

/** A supply stays within a tenth of what it gave when it was discovered. */
const aroundVoltage = (value: number): Partial<Thresholds> => {
  const [low, high] = value < 0 ? [value * 1.1, value * 0.9] : [value * 0.9, value * 1.1]
  return value === 0 ? {} : { warningLow: low, warningHigh: high }
}

export const snmpSensors = defineCheck({
  kind: 'snmp_sensors',
  rank: 160,
  concurrency: 256,
  label: 'Capteurs (SNMP)',
  family: 'SNMP',
  description: 'Températures, ventilateurs, tensions, courants et puissances d’un équipement, lus de ses capteurs.',
  keywords: ['température', 'ventilateur', 'alimentation', 'optique', 'entity-sensor', 'lm-sensors', 'humidité'],
  parameters: z.strictObject({
    include: z._default(patternsParameter, []),
    exclude: z._default(patternsParameter, []),
  }),
  fields: {
    include: patternsField('Capteurs suivis', 'Noms, avec * et ?. Vide\u202f: tous.'),
    exclude: patternsField('Capteurs écartés', 'Noms, avec * et ?. Exemple\u202f: *DIMM*'),
  },
  credential: snmpCredential,
  maxMetrics: 2_000,
  metrics: [
    AVAILABILITY,
    {
      key: 'temperature',
      name: 'Température {instance}',
      unit: 'celsius',
      type: 'gauge',
      thresholds: { warningHigh: 70, errorHigh: 85 },
    },
    {
      key: 'fan',
      name: 'Ventilateur {instance}',
      unit: 'rpm',
      type: 'gauge',
      // A fan that turned is expected to turn: at half its speed it is tired, below a tenth it has stopped.
      learn: value => (value > 0 ? { warningLow: value * 0.5, errorLow: value * 0.1 } : {}),
    },
    { key: 'voltage', name: 'Tension {instance}', unit: 'volts', type: 'gauge', learn: aroundVoltage },
    { key: 'current', name: 'Courant {instance}', unit: 'amperes', type: 'gauge' },
    { key: 'power', name: 'Puissance {instance}', unit: 'watts', type: 'gauge' },
    { key: 'frequency', name: 'Fréquence {instance}', unit: 'hertz', type: 'gauge' },
    {
      key: 'humidity',
      name: 'Humidité {instance}',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningLow: 0.2, warningHigh: 0.8 },
    },
    {
      key: 'optical_power',
      name: 'Puissance optique {instance}',
      unit: 'dbm',
      type: 'gauge',
      // Half of the light lost since the discovery: a connector to clean, a fibre that is bent.
      learn: value => ({ warningLow: value - 3, warningLowClear: value - 2 }),
    },
    { key: 'other', name: 'Mesure {instance}', unit: '', type: 'gauge' },
    {
      key: 'sensor_status',
      name: 'Capteur {instance}',
      unit: '',
      type: 'state',
      states: { 1: 'en service', 2: 'illisible', 3: 'en panne' },
      learn: value => (value === 1 ? { ...warningAbove(1), ...errorAbove(2) } : {}),
    },
  ],
})
