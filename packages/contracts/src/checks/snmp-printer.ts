import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, type MetricDefinition } from '../check-definition.ts'
import { errorAbove, snmpCredential, warningAbove } from './snmp-shared.ts'

/** Faults by the bit that says them in hrPrinterDetectedErrorState (RFC 2790), and whether nothing is printed meanwhile. */
export const PRINTER_FAULTS = [
  { bit: 1, key: 'no_paper', name: 'Papier', good: 'présent', bad: 'épuisé', stops: true },
  { bit: 3, key: 'no_toner', name: 'Encre ou toner', good: 'présent', bad: 'épuisé', stops: true },
  { bit: 4, key: 'door_open', name: 'Capots', good: 'fermés', bad: 'ouverts', stops: true },
  { bit: 5, key: 'jammed', name: 'Chemin du papier', good: 'libre', bad: 'bourrage', stops: true },
  { bit: 6, key: 'offline', name: 'Mise en ligne', good: 'en ligne', bad: 'hors ligne', stops: true },
  { bit: 7, key: 'service', name: 'Entretien', good: 'à jour', bad: 'demandé', stops: false },
] as const

const faults = PRINTER_FAULTS.map(
  ({ key, name, good, bad, stops }): MetricDefinition => ({
    key,
    name,
    unit: '',
    type: 'state',
    states: { 0: good, 1: bad },
    thresholds: stops ? errorAbove(0) : warningAbove(0),
    optional: true,
  }),
)

export const snmpPrinter = defineCheck({
  kind: 'snmp_printer',
  rank: 150,
  concurrency: 256,
  label: 'Imprimante (SNMP)',
  family: 'SNMP',
  description: 'Imprimante suivie par la Printer-MIB\u202f: consommables, bacs, pages imprimées, pannes et alertes.',
  keywords: ['toner', 'encre', 'papier', 'bourrage', 'copieur', 'photocopieur', 'rfc 3805'],
  parameters: z.strictObject({}),
  fields: {},
  credential: snmpCredential,
  metrics: [
    AVAILABILITY,
    {
      key: 'device_status',
      name: 'État de l’imprimante',
      unit: '',
      type: 'state',
      states: { 1: 'inconnu', 2: 'en service', 3: 'avertissement', 4: 'en test', 5: 'en panne' },
      thresholds: { ...warningAbove(2), ...errorAbove(4) },
      optional: true,
    },
    {
      key: 'activity',
      name: 'Activité',
      unit: '',
      type: 'state',
      states: { 1: 'autre', 2: 'inconnue', 3: 'au repos', 4: 'impression', 5: 'préchauffage' },
      optional: true,
    },
    { key: 'pages', name: 'Pages imprimées', unit: 'count', type: 'gauge', optional: true },
    {
      key: 'alerts_critical',
      name: 'Alertes critiques',
      unit: 'count',
      type: 'gauge',
      thresholds: { errorHigh: 0 },
      optional: true,
    },
    {
      key: 'alerts_warning',
      name: 'Alertes d’avertissement',
      unit: 'count',
      type: 'gauge',
      thresholds: { warningHigh: 0 },
      optional: true,
    },
    ...faults,
    {
      key: 'supply_ratio',
      name: 'Niveau {instance}',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningLow: 0.15, errorLow: 0.05 },
    },
    {
      key: 'waste_ratio',
      name: 'Remplissage {instance}',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningHigh: 0.85, errorHigh: 0.95 },
    },
    {
      key: 'tray_ratio',
      name: 'Papier {instance}',
      unit: 'ratio',
      type: 'gauge',
      thresholds: { warningLow: 0.05, warningLowClear: 0.1 },
    },
  ],
})
