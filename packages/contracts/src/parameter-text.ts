import { CHECKS, type CheckKind } from './check.ts'
import type { ParameterField } from './check-definition.ts'

/** What stands for a parameter that is empty. */
const NOTHING = 'vide'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const fieldOf = (kind: CheckKind, key: string): ParameterField | undefined => CHECKS[kind].fields[key]

/** The French name of a parameter; its key when it has none. */
export const parameterName = (kind: CheckKind, key: string): string => fieldOf(kind, key)?.label ?? key

/** A parameter's value as one reads it; a row of a table by the names of its columns. */
export const parameterText = (kind: CheckKind, key: string, value: unknown): string =>
  valueText(fieldOf(kind, key), value)

const valueText = (field: ParameterField | undefined, value: unknown): string => {
  const label = choiceText(field, value)
  if (label !== null) return label
  if (value === undefined || value === null || value === '') return NOTHING
  if (typeof value === 'boolean') return value ? 'oui' : 'non'
  if (!Array.isArray(value)) return String(value)
  if (value.length === 0) return NOTHING
  return field?.type === 'table'
    ? value.map(row => rowText(field.columns, row)).join('\u202f; ')
    : value.map(one => choiceText(field, one) ?? String(one)).join(', ')
}

/** What the choice of a closed set is called; null for what is none. */
const choiceText = (field: ParameterField | undefined, value: unknown): string | null =>
  field !== undefined && 'choices' in field
    ? (field.choices.find(choice => choice.value === value)?.label ?? null)
    : null

/** « Nom : température, OID : 1.3.6.1 »: what is left empty is not told. */
const rowText = (columns: Readonly<Record<string, ParameterField>>, row: unknown): string =>
  isRecord(row)
    ? Object.entries(columns)
        .filter(([key]) => row[key] !== undefined && row[key] !== '' && row[key] !== null)
        .map(([key, column]) => `${column.label}\u202f: ${valueText(column, row[key])}`)
        .join(', ')
    : String(row)
