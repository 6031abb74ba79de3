import type { CheckKind } from '@narval/contracts'
import { invalid } from '../../http/refusal.ts'
import { parseCheckParameters } from '../../store/check-parameters.ts'

/** The parameters in the shape of their kind. @throws Refusal that says what is wrong with them, field by field. */
export const checkedParameters = (
  kind: CheckKind,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const parsed = parseCheckParameters(kind, parameters)
  if (parsed.data !== null) return parsed.data
  const errors = parsed.faults.map(([field, message]) => [`parameters.${field}`, message] as const)
  throw invalid(
    errors.map(([field, message]) => `${field} : ${message}.`),
    Object.fromEntries(errors),
  )
}
