import {
  CHECKS,
  type CheckKind,
  fold,
  type ModelScanner,
  type MonitoringModel,
  modelScanner,
  monitoringModelBody,
  monitoringModel as monitoringModelSchema,
  NO_THRESHOLDS,
  parseMetricKey,
} from '@narval/contracts'
import type { Control, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { formulaIssues } from '../../lib/formula-text.ts'
import { initialParameters, parameterIssues } from '../../lib/scanner-kinds.ts'
import { fr } from './fr.ts'

/** Kind and name of a scanner, by which two of one model must differ. */
const identity = ({ kind, name }: Pick<ModelScanner, 'kind' | 'name'>): string => `${kind} ${fold(name)}`

/** The contract's body, with the parameters of each scanner checked by its kind's own schema, and no two alike. */
export const modelForm = monitoringModelBody.check(context => {
  const seen = new Set<string>()
  for (const [index, scanner] of context.value.definition.scanners.entries()) {
    const at = ['definition', 'scanners', index]
    context.issues.push(...parameterIssues(scanner.kind, scanner.parameters, at))
    for (const [place, metric] of scanner.metrics.entries())
      context.issues.push(...formulaIssues(metric.formulas, [...at, 'metrics', place]))
    if (seen.has(identity(scanner)))
      context.issues.push({
        code: 'custom',
        path: [...at, 'name'],
        message: fr.sameScanner,
        input: scanner.name,
        continue: true,
      })
    seen.add(identity(scanner))
  }
})
export type ModelFormValues = z.input<typeof modelForm>
export type ModelFormOutput = z.output<typeof modelForm>
export type ModelFormHandle = UseFormReturn<ModelFormValues, unknown, ModelFormOutput>
export type ModelControl = Control<ModelFormValues, unknown, ModelFormOutput>

export const NEW_MODEL: ModelFormOutput = {
  name: '',
  description: '',
  definition: { scanners: [], fields: {} },
}

/** The part of a model that the form edits. */
export const valuesOf = (model: MonitoringModel): ModelFormOutput => monitoringModelBody.parse(model)

/** The same of a newer version that the server shows; null when it can't be read. */
export const readNewer = (current: unknown): ModelFormOutput | null => {
  const parsed = monitoringModelSchema.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}

const ITEM_BYTES = 10
/** An identity for a scanner of a model, out of random bytes. */
export const newItem = (randomBytes: (length: number) => Uint8Array): string =>
  Array.from(randomBytes(ITEM_BYTES), byte => byte.toString(16).padStart(2, '0')).join('')

/** « Ping », or « Ping 2 » when there is one already. */
const freeName = (kind: CheckKind, wanted: string, others: readonly Pick<ModelScanner, 'kind' | 'name'>[]): string => {
  const taken = new Set(others.map(identity))
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted} ${count}`
    if (!taken.has(identity({ kind, name }))) return name
  }
}

/** A scanner of this kind with nothing of its own yet. */
export const newScanner = (
  kind: CheckKind,
  item: string,
  others: readonly Pick<ModelScanner, 'kind' | 'name'>[],
): ModelScanner => ({
  ...modelScanner.parse({ item, kind, name: freeName(kind, CHECKS[kind].label, others) }),
  parameters: initialParameters(kind),
})

/** The same scanner once more, under a name of its own. */
export const copyOfScanner = (
  scanner: ModelScanner,
  item: string,
  others: readonly Pick<ModelScanner, 'kind' | 'name'>[],
): ModelScanner => ({ ...structuredClone(scanner), item, name: freeName(scanner.kind, scanner.name, others) })

/** What the check kind says of a metric, with or without its instance; null when it knows no such metric. */
export const kindMetric = (kind: CheckKind, key: string) => {
  const parsed = parseMetricKey(key)
  const definition = CHECKS[kind].metrics.find(one => one.key === parsed?.key)
  if (definition === undefined || parsed === null) return null
  return {
    name: definition.name.replace('{instance}', () => parsed.instance ?? '').trim(),
    unit: definition.unit,
    thresholds: { ...NO_THRESHOLDS, ...definition.thresholds },
    hasInstances: definition.name.includes('{instance}'),
    instance: parsed.instance,
  }
}
