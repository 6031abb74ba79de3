import { type FieldDefinition, fieldDefinition, fieldDefinitionBody } from '@narval/contracts'
import type { DefaultValues } from 'react-hook-form'
import type * as z from 'zod/mini'

/** A definition as the form holds it, and as its schema gives it out. */
export type DefinitionValues = z.input<typeof fieldDefinitionBody>
export type DefinitionOutput = z.output<typeof fieldDefinitionBody>

export const definitionValues = (definition: FieldDefinition): DefinitionValues => fieldDefinitionBody.parse(definition)

const { groupId: _, ...blank } = fieldDefinitionBody.parse({
  key: 'a',
  label: '-',
  type: 'text',
  scope: 'host',
  groupId: 1,
})
/** A new field; the only group there is needs no choosing. */
export const newDefinition = (groupId: number | null): DefaultValues<DefinitionValues> => ({
  ...blank,
  key: '',
  label: '',
  ...(groupId !== null && { groupId }),
})

/** The values of the newer version that a refusal brings; null when it can't be read. */
export const readNewerDefinition = (current: unknown): DefinitionValues | null => {
  const parsed = fieldDefinition.safeParse(current)
  return parsed.success ? definitionValues(parsed.data) : null
}
