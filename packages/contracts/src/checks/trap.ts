import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, textParameter } from '../check-definition.ts'
import {
  holdField,
  holdParameter,
  patternsOfRules,
  RECEIVED_METRICS,
  ruleColumns,
  ruleParameters,
  rulesOf,
} from './reception.ts'

const rule = z.strictObject({
  ...ruleParameters,
  /** OID of the trap, or one above it; empty: any. */
  oid: z._default(
    textParameter(120).check(
      z.regex(/^(\.?[0-2](\.\d{1,10}){1,60})?$/, 'Un OID est attendu\u202f: 1.3.6.1.6.3.1.1.5.3 par exemple'),
    ),
    '',
  ),
})
export type TrapRule = z.output<typeof rule>

export const trap = defineCheck({
  kind: 'trap',
  rank: 200,
  concurrency: 256,
  label: 'Traps SNMP',
  family: 'Réception',
  description: 'Traps et informs SNMP (v1, v2c, v3) que l’équipement envoie à la sonde, triés par des règles.',
  keywords: ['inform', 'notification', 'alarme', 'snmptrap', '162'],
  parameters: z.strictObject({
    rules: rulesOf(rule),
    holdMinutes: holdParameter,
    /** Takes v1 and v2c whatever their community: the host needs no credential. */
    anyCommunity: z._default(z.boolean(), false),
  }),
  fields: {
    rules: {
      type: 'table',
      label: 'Règles',
      help: 'Un trap suit une règle quand son OID est celui-ci ou en dessous, et que le texte s’y trouve. Vide\u202f: n’importe lequel.',
      columns: {
        ...ruleColumns,
        oid: { type: 'text', label: 'OID du trap', placeholder: '1.3.6.1.6.3.1.1.5.3' },
      },
      empty: { name: '', severity: 'warning', pattern: '', oid: '' },
      add: 'Ajouter une règle',
    },
    holdMinutes: holdField,
    anyCommunity: {
      type: 'switch',
      label: 'Accepter toute communauté',
      help: 'Sans cela, les identifiants SNMP de l’équipement sont exigés. En v3, ils le sont toujours.',
    },
  },
  credential: ({ anyCommunity }) => (anyCommunity ? null : 'snmp'),
  patterns: patternsOfRules,
  metrics: [
    AVAILABILITY,
    ...RECEIVED_METRICS,
    { key: 'refused', name: 'Traps refusés (identifiants)', unit: 'count', type: 'gauge' },
  ],
  passive: true,
})
