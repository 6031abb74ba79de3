import { CHECKS, type CheckKind, fieldErrors } from '@narval/contracts'
import { compilePattern } from './field-pattern.ts'

type Parsed =
  | { readonly data: Record<string, unknown>; readonly faults: null }
  | { readonly data: null; readonly faults: readonly (readonly [field: string, message: string])[] }

/** The parameters of a scanner in the shape of their kind, or what is wrong with them, field by field. */
export const parseCheckParameters = (kind: CheckKind, parameters: unknown): Parsed => {
  const { parameters: schema, patterns } = CHECKS[kind]
  const parsed = schema.safeParse(parameters)
  if (!parsed.success)
    return { data: null, faults: fieldErrors(parsed.error).map(({ field, message }) => [field, message] as const) }
  const unusable = (patterns?.(parsed.data) ?? []).filter(([, pattern]) => compilePattern(pattern) === null)
  if (unusable.length === 0) return { data: parsed.data, faults: null }
  return { data: null, faults: unusable.map(([field]) => [field, UNUSABLE] as const) }
}

const UNUSABLE =
  'Motif incorrect ou trop complexe : la syntaxe est celle de RE2, sans regard en avant ni référence arrière'
