import * as z from 'zod/mini'
import {
  AVAILABILITY,
  defineCheck,
  type MetricDefinition,
  textParameter,
  UNITS,
  type Unit,
} from '../check-definition.ts'
import { errorAbove, snmpCredential } from './snmp-shared.ts'

/** `text`: what the OID says is compared with the expected text, and gives 1 when it is the same, 0 otherwise. */
export const SNMP_VALUE_TYPES = ['gauge', 'counter', 'state', 'text'] as const
const TYPE_NAMES: Readonly<Record<(typeof SNMP_VALUE_TYPES)[number], string>> = {
  gauge: 'Mesure',
  counter: 'Compteur (par seconde)',
  state: 'État (nombre)',
  text: 'Texte attendu',
}
const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  '': 'Sans unité',
  ms: 'ms',
  s: 's',
  ratio: '% (de 0 à 1)',
  bytes: 'octets',
  'bytes/s': 'octets/s',
  'bits/s': 'bits/s',
  count: 'nombre',
  'count/s': 'nombre/s',
  code: 'code',
  celsius: '°C',
  volts: 'V',
  amperes: 'A',
  watts: 'W',
  hertz: 'Hz',
  rpm: 'tr/min',
  dbm: 'dBm',
}

const value = z.strictObject({
  name: textParameter(100).check(z.minLength(1)),
  oid: textParameter(120).check(
    z.regex(
      /^\.?[0-2](\.\d{1,10}){2,}$/,
      'Un OID est attendu\u202f: des nombres séparés par des points, comme 1.3.6.1.2.1.1.3.0',
    ),
  ),
  type: z._default(z.enum(SNMP_VALUE_TYPES), 'gauge'),
  unit: z._default(z.enum(UNITS), ''),
  /** What is read is multiplied by it. */
  factor: z._default(z.number(), 1),
  /** Value that a state must have, or text of a `text`; empty: none in particular. */
  expected: z._default(textParameter(200), ''),
})
export type SnmpValueParameter = z.output<typeof value>

/** The OID as it travels: without a leading point. */
export const bareOid = (oid: string): string => (oid.startsWith('.') ? oid.slice(1) : oid)
/** Key of the metric of an OID: it stays when the value is renamed or moved. */
export const snmpValueKey = (oid: string): string => `value[${bareOid(oid)}]`

const metricOf = ({ name, oid, type, unit, expected }: SnmpValueParameter): MetricDefinition => {
  const key = snmpValueKey(oid)
  if (type === 'text')
    return {
      key,
      name,
      unit: '',
      type: 'state',
      states: { 0: 'autre texte', 1: 'texte attendu' },
      thresholds: { errorLow: 0.5, errorLowClear: 1 },
    }
  const good = expected === '' ? Number.NaN : Number(expected)
  if (type !== 'state' || Number.isNaN(good)) return { key, name, unit, type }
  const thresholds = { ...errorAbove(good), errorLow: good - 0.5, errorLowClear: good }
  return { key, name, unit, type, thresholds }
}

export const snmp = defineCheck({
  kind: 'snmp',
  rank: 100,
  concurrency: 256,
  label: 'Valeurs SNMP',
  family: 'SNMP',
  description: 'Valeurs lues par leur OID\u202f: mesures, compteurs, états et textes attendus.',
  keywords: ['oid', 'mib', 'get', 'compteur', 'v1', 'v2c', 'v3'],
  parameters: z.strictObject({
    values: z.array(value).check(
      z.minLength(1, 'Au moins une valeur est attendue'),
      z.maxLength(100),
      z.refine(values => new Set(values.map(({ oid }) => bareOid(oid))).size === values.length, {
        error: 'Le même OID ne peut être demandé deux fois',
      }),
      z.refine(
        values =>
          values.every(one => one.type !== 'state' || one.expected === '' || Number.isFinite(Number(one.expected))),
        { error: 'La valeur attendue d’un état est un nombre' },
      ),
      z.refine(values => values.every(one => one.type !== 'text' || one.expected !== ''), {
        error: 'Un texte attendu est à donner',
      }),
    ),
  }),
  fields: {
    values: {
      type: 'table',
      label: 'Valeurs',
      help: 'Un nombre, ou un texte qui commence par un nombre. Les compteurs sont montrés par seconde.',
      required: true,
      wide: true,
      add: 'Ajouter une valeur',
      empty: { name: '', oid: '', type: 'gauge', unit: '', factor: 1, expected: '' },
      columns: {
        name: { type: 'text', label: 'Nom', required: true },
        oid: { type: 'text', label: 'OID', placeholder: '1.3.6.1.2.1.1.3.0', required: true },
        type: {
          type: 'choice',
          label: 'Type',
          choices: SNMP_VALUE_TYPES.map(type => ({ value: type, label: TYPE_NAMES[type] })),
        },
        unit: {
          type: 'choice',
          label: 'Unité',
          choices: UNITS.map(unit => ({ value: unit, label: UNIT_NAMES[unit] })),
        },
        factor: { type: 'number', label: 'Facteur', decimals: 9 },
        expected: { type: 'text', label: 'Valeur attendue' },
      },
    },
  },
  initial: { values: [] },
  credential: snmpCredential,
  metrics: [AVAILABILITY],
  metricsOf: ({ values }) => values.map(metricOf),
})
