import type { FieldGroup, RecordField, RecordFields } from '@narval/contracts'
import { customField as words } from '../i18n/custom-field.ts'
import { isReference } from './custom-field.ts'

interface FieldsOfGroup {
  readonly group: FieldGroup
  readonly fields: readonly RecordField[]
}
/** Fields of a record under their groups, both in their order; groups without any are left out. */
export const byGroup = ({ groups, fields }: RecordFields): FieldsOfGroup[] =>
  groups
    .toSorted((a, b) => a.position - b.position)
    .map(group => ({
      group,
      fields: fields
        .filter(field => field.definition.groupId === group.id)
        .toSorted((a, b) => a.definition.position - b.definition.position),
    }))
    .filter(({ fields: own }) => own.length > 0)

/** Where a value that is not the record's own comes from; '' for its own. */
export const originText = ({ definition, origin, originName }: RecordField): string =>
  origin === 'default'
    ? words.byDefault
    : origin === 'model'
      ? // Of a reference, the name is that of what it stands for.
        words.fromModel(isReference(definition.type) ? '' : originName)
      : ''
