import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck } from '../check-definition.ts'
import { errorAbove, patternsField, patternsParameter, snmpCredential } from './snmp-shared.ts'

/** What is counted beside the state and the speed. */
export const INTERFACE_MEASURES = ['traffic', 'usage', 'errors', 'discards', 'packets'] as const
const MEASURE_NAMES: Readonly<Record<(typeof INTERFACE_MEASURES)[number], string>> = {
  traffic: 'Débits',
  usage: 'Taux d’utilisation',
  errors: 'Erreurs',
  discards: 'Paquets rejetés',
  packets: 'Paquets, diffusions comprises',
}

export const snmpInterfaces = defineCheck({
  kind: 'snmp_interfaces',
  rank: 120,
  concurrency: 256,
  label: 'Interfaces réseau (SNMP)',
  family: 'SNMP',
  description: 'Chaque port d’un équipement\u202f: état et vitesse attendus, débits, utilisation, erreurs, rejets.',
  keywords: ['port', 'débit', 'bande passante', 'commutateur', 'routeur', 'if-mib', 'ifxtable', 'trafic'],
  parameters: z.strictObject({
    /** Names or aliases; none: every interface. Those that match are taken whatever their type. */
    include: z._default(patternsParameter, []),
    exclude: z._default(patternsParameter, []),
    /** Loopback, tunnels, VLAN and other interfaces that are no port. */
    virtual: z._default(z.boolean(), false),
    /** Interfaces that the administrator shut down, as « désactivée ». */
    disabled: z._default(z.boolean(), false),
    measures: z._default(z.array(z.enum(INTERFACE_MEASURES)), ['traffic', 'usage', 'errors', 'discards']),
  }),
  fields: {
    include: patternsField(
      'Interfaces suivies',
      'Noms ou descriptions (alias), avec * et ?. Vide\u202f: toutes celles qui sont des ports. Exemple\u202f: Gi0/*',
    ),
    exclude: patternsField(
      'Interfaces écartées',
      'Noms ou descriptions, avec * et ?. Exemple\u202f: *poste de travail*',
    ),
    measures: {
      type: 'choices',
      label: 'Mesures',
      help: 'L’état et la vitesse sont toujours mesurés.',
      choices: INTERFACE_MEASURES.map(value => ({ value, label: MEASURE_NAMES[value] })),
      wide: true,
    },
    virtual: { type: 'switch', label: 'Interfaces virtuelles', help: 'Bouclage, tunnels, VLAN, ponts.' },
    disabled: { type: 'switch', label: 'Interfaces désactivées', help: 'Celles que l’administrateur a fermées.' },
  },
  credential: snmpCredential,
  maxMetrics: 5_000,
  metrics: [
    AVAILABILITY,
    { key: 'interfaces', name: 'Interfaces suivies', unit: 'count', type: 'gauge' },
    { key: 'interfaces_up', name: 'Interfaces actives', unit: 'count', type: 'gauge' },
    {
      key: 'status',
      name: 'État {instance}',
      unit: '',
      type: 'state',
      states: {
        0: 'désactivée',
        1: 'active',
        2: 'inactive',
        3: 'en test',
        4: 'inconnu',
        5: 'en attente',
        6: 'absente',
        7: 'couche inférieure inactive',
      },
      // Up when it was discovered: it is expected to be. What was down is not: a free port is no fault.
      learn: value => (value === 1 ? errorAbove(1) : {}),
    },
    {
      key: 'speed',
      name: 'Vitesse {instance}',
      unit: 'bits/s',
      type: 'gauge',
      learn: value => ({ warningLow: value, warningLowClear: value }),
    },
    { key: 'in', name: 'Débit entrant {instance}', unit: 'bits/s', type: 'counter' },
    { key: 'out', name: 'Débit sortant {instance}', unit: 'bits/s', type: 'counter' },
    {
      key: 'in_ratio',
      name: 'Utilisation entrante {instance}',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.8, errorHigh: 0.95 },
    },
    {
      key: 'out_ratio',
      name: 'Utilisation sortante {instance}',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.8, errorHigh: 0.95 },
    },
    {
      key: 'in_errors',
      name: 'Erreurs entrantes {instance}',
      unit: 'count/s',
      type: 'counter',
      thresholds: { warningHigh: 1, errorHigh: 10 },
    },
    {
      key: 'out_errors',
      name: 'Erreurs sortantes {instance}',
      unit: 'count/s',
      type: 'counter',
      thresholds: { warningHigh: 1, errorHigh: 10 },
    },
    {
      key: 'in_discards',
      name: 'Paquets entrants rejetés {instance}',
      unit: 'count/s',
      type: 'counter',
      thresholds: { warningHigh: 10 },
    },
    {
      key: 'out_discards',
      name: 'Paquets sortants rejetés {instance}',
      unit: 'count/s',
      type: 'counter',
      thresholds: { warningHigh: 10 },
    },
    { key: 'in_packets', name: 'Paquets entrants {instance}', unit: 'count/s', type: 'counter' },
    { key: 'out_packets', name: 'Paquets sortants {instance}', unit: 'count/s', type: 'counter' },
    { key: 'in_broadcasts', name: 'Diffusions entrantes {instance}', unit: 'count/s', type: 'counter' },
    { key: 'out_broadcasts', name: 'Diffusions sortantes {instance}', unit: 'count/s', type: 'counter' },
  ],
})
