import { CHECK_PARAMETERS, type CheckKind, scannerBody } from '@narval/contracts'

/** Parameters with which a form of this kind begins; the port of a TCP check has no default: it must be said. */
export const initialParameters = (kind: CheckKind): Record<string, unknown> => {
  const parsed = CHECK_PARAMETERS[kind].safeParse(kind === 'tcp' ? { port: 1 } : {})
  if (!parsed.success) return {}
  const { port: _, ...rest } = { port: undefined, ...parsed.data }
  return rest
}

/** The contract's body, with the parameters checked by their kind's own schema, each sentence at its field. */
export const scannerForm = scannerBody.check(context => {
  const { kind, parameters } = context.value
  const parsed = CHECK_PARAMETERS[kind].safeParse(parameters)
  for (const issue of parsed.error?.issues ?? []) {
    context.issues.push({
      code: 'custom',
      path: ['parameters', ...issue.path],
      message: issue.message,
      input: parameters,
      continue: true,
    })
  }
})
