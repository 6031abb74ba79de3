import { CHECKS, type CheckKind, type ParameterField } from '@narval/contracts'

/** Parameters with which a form of this kind begins: what can't be guessed is left out. */
export const initialParameters = (kind: CheckKind): Record<string, unknown> => {
  const { parameters, initial } = CHECKS[kind]
  // A field without default is refused when it is left out: the others still have theirs.
  const shape = 'shape' in parameters && isRecord(parameters.shape) ? parameters.shape : {}
  const defaults = Object.entries(shape).flatMap(([key, schema]) => {
    const parsed = hasParse(schema) ? schema.safeParse(undefined) : null
    return parsed?.success === true && parsed.data !== undefined ? [[key, parsed.data] as const] : []
  })
  return { ...Object.fromEntries(defaults), ...initial }
}

interface Parser {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: unknown }
}
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const hasParse = (value: unknown): value is Parser => isRecord(value) && typeof value.safeParse === 'function'

/** What is wrong with the parameters of a scanner by its kind's own schema, each sentence at its field. */
export const parameterIssues = (kind: CheckKind, parameters: unknown, at: readonly PropertyKey[] = []) =>
  (CHECKS[kind].parameters.safeParse(parameters).error?.issues ?? []).map(issue => ({
    code: 'custom' as const,
    path: [...at, 'parameters', ...issue.path],
    message: issue.message,
    input: parameters,
    continue: true,
  }))

/** The fields of a kind's form, in their order. */
export const parameterFields = (kind: CheckKind): readonly (readonly [string, ParameterField])[] =>
  Object.entries<ParameterField | undefined>(CHECKS[kind].fields).flatMap(([key, field]) =>
    field === undefined ? [] : [[key, field] as const],
  )
