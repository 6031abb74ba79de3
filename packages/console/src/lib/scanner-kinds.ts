import { CHECK_PARAMETERS, type CheckKind } from '@narval/contracts'

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
