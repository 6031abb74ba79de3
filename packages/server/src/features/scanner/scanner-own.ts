import {
  fold,
  type ModelScanner,
  SCANNER_INHERITED,
  type ScannerInherited,
  type ScannerUpdate,
} from '@narval/contracts'
import { hasSameValue } from '../../store/model-reconcile.ts'
import { type ScannerValues, scannerValues } from '../../store/model-values.ts'

type Input = Omit<ScannerUpdate, 'updatedAt'>

const valuesOf = (input: Input): ScannerValues => ({
  interval_seconds: input.intervalSeconds,
  retry_interval_seconds: input.retryIntervalSeconds,
  timeout_ms: input.timeoutMs,
  attempts: input.attempts,
  parameters: JSON.stringify(input.parameters),
  enabled: input.enabled ? 1 : 0,
})

/** Fields that are to be its own of a scanner that comes from a model: those said, else those that differ from the model. */
export const ownFields = (input: Input, said: ModelScanner): readonly ScannerInherited[] => {
  const { overrides } = input
  if (overrides !== undefined) return SCANNER_INHERITED.filter(field => overrides.includes(field))
  const [values, inherited] = [valuesOf(input), scannerValues(said)]
  return SCANNER_INHERITED.filter(field => !hasSameValue(field, input.kind, values, inherited))
}

/** The input of a scanner that comes from a model, with what is not its own as the model says. */
export const inheritedInput = (input: Input, said: ModelScanner, own: readonly ScannerInherited[]): Input => {
  const { intervalSeconds, retryIntervalSeconds, timeoutMs, attempts, parameters, enabled } = said
  const inherited = { intervalSeconds, retryIntervalSeconds, timeoutMs, attempts, parameters, enabled }
  const kept = Object.fromEntries(own.map(field => [field, input[field]]))
  return { ...input, ...inherited, ...kept }
}

/** The row of a scanner but what never changes of it. */
export const scannerColumns = (input: Input, own: readonly ScannerInherited[]) => ({
  name: input.name,
  name_folded: fold(input.name),
  probe_id: input.probeId,
  ...valuesOf(input),
  overrides: JSON.stringify(own),
})
