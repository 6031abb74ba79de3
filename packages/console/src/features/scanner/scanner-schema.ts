import { scannerBody, scannerUpdateBody } from '@narval/contracts'
import * as z from 'zod/mini'
import { parameterIssues } from '../../lib/scanner-kinds.ts'

/** The contract's body, with the parameters checked by their kind's own schema, each sentence at its field. */
export const scannerForm = z
  .object({ ...scannerBody.shape, overrides: scannerUpdateBody.shape.overrides })
  .check(context => {
    const { kind, parameters } = context.value
    context.issues.push(...parameterIssues(kind, parameters))
  })
