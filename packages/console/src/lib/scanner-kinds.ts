import { CHECK_PARAMETERS, type CheckKind } from '@narval/contracts'
import { scanner as words } from '../i18n/scanner.ts'

/** Parameters with which a form of this kind begins; the port of a TCP check has no default: it must be said. */
export const initialParameters = (kind: CheckKind): Record<string, unknown> => {
  const parsed = CHECK_PARAMETERS[kind].safeParse(kind === 'tcp' ? { port: 1 } : {})
  if (!parsed.success) return {}
  const { port: _, ...rest } = { port: undefined, ...parsed.data }
  return rest
}

/** What is wrong with the parameters of a scanner by its kind's own schema, each sentence at its field. */
export const parameterIssues = (kind: CheckKind, parameters: unknown, at: readonly PropertyKey[] = []) =>
  (CHECK_PARAMETERS[kind].safeParse(parameters).error?.issues ?? []).map(issue => ({
    code: 'custom' as const,
    path: [...at, 'parameters', ...issue.path],
    message: issue.message,
    input: parameters,
    continue: true,
  }))

const NAMES: Readonly<Record<string, unknown>> = words.parameters
/** The French name of a parameter; its key when it has none. */
export const parameterName = (key: string): string => {
  const name = NAMES[key]
  return typeof name === 'string' ? name : key
}

const AUTHENTICATIONS: Readonly<Record<string, string>> = words.parameters.authentications
/** A parameter's value as one reads it. */
export const parameterText = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return words.nothing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  const text = String(value)
  return AUTHENTICATIONS[text] ?? text
}
