import { FIELD_PREFIX, type FieldDefinition } from '@narval/contracts'
import { customField as words } from '../i18n/custom-field.ts'
import { isNumeric, shownText } from '../lib/custom-field.ts'
import type { OptionSource } from '../lib/option-source.ts'
import type { TableColumn, TableFilter } from './data-table-types.ts'

/** What a row of a list must carry: the texts of its fields, by key. */
export interface WithFields {
  readonly customFields: Readonly<Record<string, string>>
}
/** Its name as a column, a filter, a variable. */
export const nameOf = ({ key }: FieldDefinition): string => `${FIELD_PREFIX}${key}`

/** A field as a column, shown once it is chosen: numbers at the right, with their unit. */
export const fieldColumn = <T extends WithFields>(definition: FieldDefinition): TableColumn<T> => ({
  id: nameOf(definition),
  header: definition.label,
  hidden: true,
  cell: row => shownText(definition, row.customFields[definition.key] ?? ''),
  ...(isNumeric(definition.type) && { align: 'right' as const }),
})

const YES_NO = [
  { value: 'true', label: words.yes },
  { value: 'false', label: words.no },
]
/** Where the records that a field may be are found. */
export type FieldSources = Readonly<Record<'host' | 'site' | 'user', OptionSource>>

/** A field as a filter: choices where it has some, else what one writes. */
export const fieldFilter = (definition: FieldDefinition, sources: FieldSources): TableFilter => {
  const named = { name: nameOf(definition), label: definition.label }
  switch (definition.type) {
    case 'boolean':
      return { ...named, choices: YES_NO, single: true }
    case 'choice':
    case 'multiple-choice':
      return { ...named, choices: definition.choices.map(choice => ({ value: choice, label: choice })) }
    case 'host':
    case 'site':
    case 'user':
      return { ...named, source: sources[definition.type] }
    case 'integer':
    case 'decimal':
      return { ...named, typed: 'number' }
    case 'date':
      return { ...named, typed: 'date' }
    default:
      return { ...named, typed: 'text' }
  }
}
