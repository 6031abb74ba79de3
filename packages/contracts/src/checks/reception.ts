import * as z from 'zod/mini'
import { type MetricDefinition, type ParameterField, textParameter } from '../check-definition.ts'
import { EVENT_SEVERITIES } from '../probe-events.ts'

/** Rules of one scanner. */
export const RULES_MAX = 30

/** What every rule of received messages has. */
export const ruleParameters = {
  /** Names its metric. */
  name: textParameter(60).check(z.minLength(1, 'Champ requis'), z.regex(/^[^\p{Cc}]*$/u)),
  /** RE2, looked for in the text; empty: any text. */
  pattern: z._default(textParameter(200), ''),
  severity: z._default(z.enum(EVENT_SEVERITIES), 'warning'),
}

export const rulesOf = <T extends z.ZodMiniType<{ readonly name: string }>>(rule: T) =>
  z._default(z.array(rule), []).check(
    z.maxLength(RULES_MAX),
    z.refine(rules => new Set(rules.map(({ name }) => name)).size === rules.length, 'Deux règles ont le même nom'),
  )

/** Minutes that a state lasts after the last message that made it; 0: until a message says that all is well again. */
export const holdParameter = z._default(z.int().check(z.minimum(0), z.maximum(43_200)), 60)
export const holdField: ParameterField = {
  type: 'number',
  unit: 'min',
  label: 'Durée d’un état',
  help: 'Après le dernier message qui l’a causé. 0\u202f: jusqu’à un message de retour à la normale.',
}

export const ruleColumns = {
  name: { type: 'text', label: 'Nom' },
  severity: {
    type: 'choice',
    label: 'Effet',
    choices: [
      { value: 'error', label: 'Erreur' },
      { value: 'warning', label: 'Alerte' },
      { value: 'ok', label: 'Retour à la normale' },
    ],
  },
  pattern: { type: 'text', label: 'Texte (expression régulière)', placeholder: 'link (down|up)' },
} as const satisfies Record<string, ParameterField>

export const patternsOfRules = ({ rules }: { readonly rules: readonly { readonly pattern: string }[] }) =>
  rules.flatMap(({ pattern }, index) => (pattern === '' ? [] : [[`rules.${index}.pattern`, pattern] as const]))

/** Metrics of what is received; `refused` counts what did not prove who sent it. */
export const RECEIVED_STATE: MetricDefinition = {
  key: 'state',
  name: 'État selon les messages',
  unit: '',
  type: 'state',
  states: { 0: 'normal', 1: 'alerte', 2: 'erreur' },
  thresholds: { warningHigh: 0.5, warningHighClear: 0, errorHigh: 1.5, errorHighClear: 1 },
}
export const RECEIVED_METRICS: readonly MetricDefinition[] = [
  RECEIVED_STATE,
  { key: 'messages', name: 'Messages reçus', unit: 'count', type: 'gauge' },
  { key: 'matched', name: 'Messages retenus par une règle', unit: 'count', type: 'gauge' },
  {
    key: 'dropped',
    name: 'Messages perdus (trop nombreux)',
    unit: 'count',
    type: 'gauge',
    thresholds: { warningHigh: 0.5, warningHighClear: 0 },
  },
  { key: 'rule', name: 'Messages «\u202f{instance}\u202f»', unit: 'count', type: 'gauge' },
]
