import { scannerBody } from '@narval/contracts'
import { parameterIssues } from '../../lib/scanner-kinds.ts'

/** The contract's body, with the parameters checked by their kind's own schema, each sentence at its field. */
export const scannerForm = scannerBody.check(context => {
  const { kind, parameters } = context.value
  context.issues.push(...parameterIssues(kind, parameters))
})
