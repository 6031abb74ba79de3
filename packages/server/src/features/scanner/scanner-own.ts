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

/**
 * Fields that are to be its own of a scanner that comes from a model: those said, else those that differ from the model.
 * A value that is neither what was nor the model's was chosen by whoever sends it, whatever list comes back as it was read.
 */
export const ownFields = (input: Input, said: ModelScanner, before: Input): readonly ScannerInherited[] => {
  const { overrides } = input
  const [values, inherited, held] = [valuesOf(input), scannerValues(said), valuesOf(before)]
  const differs = (field: ScannerInherited, from: ScannerValues) => !hasSameValue(field, input.kind, values, from)
  return SCANNER_INHERITED.filter(field =>
    overrides === undefined
      ? differs(field, inherited)
      : overrides.includes(field) || (differs(field, inherited) && differs(field, held)),
  )
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
