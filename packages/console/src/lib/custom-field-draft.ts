import type { FieldValue, Problem, RecordField } from '@narval/contracts'
import { orNothing, sameFieldValue } from './custom-field.ts'

/** A value typed and not saved; `basedOn` is the `updatedAt` of the field as it was when it was first touched. */
export interface FieldDraft {
  readonly value: FieldValue
  readonly basedOn: string | null
}
export type FieldDrafts = ReadonlyMap<string, FieldDraft>
export const NO_DRAFTS: FieldDrafts = new Map()

const without = (drafts: FieldDrafts, key: string): FieldDrafts =>
  new Map([...drafts].filter(([other]) => other !== key))

/** What is typed again as it was is no change. */
export const withDraft = (drafts: FieldDrafts, field: RecordField, value: FieldValue): FieldDrafts => {
  const { key } = field.definition
  if (sameFieldValue(value, shownValue(field))) return without(drafts, key)
  const basedOn = drafts.has(key) ? (drafts.get(key)?.basedOn ?? null) : field.updatedAt
  return new Map([...drafts, [key, { value: orNothing(value), basedOn }]])
}

/** The field goes back to what it inherits: its own value, if it has one, is taken away. */
export const withoutOwnValue = (drafts: FieldDrafts, field: RecordField): FieldDrafts =>
  field.origin === 'own'
    ? new Map([...drafts, [field.definition.key, { value: null, basedOn: field.updatedAt }]])
    : without(drafts, field.definition.key)

/** Gives up what was typed, for the server's value. */
export const takeServer = (drafts: FieldDrafts, field: RecordField): FieldDrafts =>
  without(drafts, field.definition.key)
/** Keeps what was typed, knowing what the server holds now. */
export const keepMine = (drafts: FieldDrafts, field: RecordField): FieldDrafts => {
  const draft = drafts.get(field.definition.key)
  return draft === undefined
    ? drafts
    : new Map([...drafts, [field.definition.key, { ...draft, basedOn: field.updatedAt }]])
}

/** The value an input begins with; a secret is never read, so that it begins empty. */
export const shownValue = ({ definition, value }: RecordField): FieldValue =>
  definition.type === 'secret' ? null : value

/** True when somebody else changed a field that is being changed here. */
export const isStale = (drafts: FieldDrafts, field: RecordField): boolean => {
  const draft = drafts.get(field.definition.key)
  return draft !== undefined && draft.basedOn !== field.updatedAt
}

/** What is sent: the values, and the newest instant that they are based on. */
export const draftBody = (
  drafts: FieldDrafts,
): { readonly values: Record<string, FieldValue>; readonly basedOn: string | null } => ({
  values: Object.fromEntries([...drafts].map(([key, { value }]) => [key, value])),
  basedOn: [...drafts.values()].reduce<string | null>(
    (newest, { basedOn }) => (newest === null || (basedOn !== null && basedOn > newest) ? basedOn : newest),
    null,
  ),
})

/** Sentences of a refusal by field, and those that belong to none. */
export const readFieldProblem = (
  problem: Problem,
  keys: ReadonlySet<string>,
): { readonly fields: ReadonlyMap<string, string>; readonly general: string } => {
  const keyOf = (path: string): string => path.replace(/^values\./, '').split('.')[0] ?? ''
  const entries = Object.entries(problem.fields ?? {})
  const fields = new Map(
    entries.map(([path, message]) => [keyOf(path), message] as const).filter(([key]) => keys.has(key)),
  )
  const homeless = entries.filter(([path]) => !keys.has(keyOf(path))).map(([, message]) => message)
  if (fields.size > 0) return { fields, general: homeless.join(' ') }
  return { fields, general: problem.errors.join(' ') || problem.detail || problem.title }
}
