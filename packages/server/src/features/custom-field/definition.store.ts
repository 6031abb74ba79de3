import { FIELD_SCOPES, FIELD_TYPES, type FieldDefinition, type FieldDefinitionInput, fold } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import { idFilter, type ListSpec, wordFilter } from '../../store/datatable.ts'
import { DEFINITION_COLUMNS, type FieldDefinitionRow, toFieldDef } from '../../store/field-definitions.ts'

export interface DefinitionRow extends FieldDefinitionRow {
  value_count: number
}

const VALUES = sql`(select count(*) from field_value v where v.definition_id = d.id)`
const words = (all: readonly string[]) => new Map(all.map(word => [word, word]))

/** Definitions as those who define them see them: all, or those of one condition. */
export const definitionList = (visible: RawBuilder<boolean> = sql<boolean>`1 = 1`): ListSpec => ({
  select: sql`${DEFINITION_COLUMNS}, ${VALUES} as value_count`,
  from: sql`field_definition d join field_group g on g.id = d.group_id`,
  visible,
  columns: {
    id: { sort: sql`d.id` },
    key: { sort: sql`d.key`, search: sql`d.key` },
    label: { sort: sql`d.label_folded`, search: sql`d.label_folded` },
    help: { sort: sql`d.help` },
    type: { sort: sql`d.type`, search: sql`d.type` },
    unit: { sort: sql`d.unit` },
    defaultValue: { sort: sql`d.default_value` },
    required: { sort: sql`d.required` },
    groupName: { sort: sql`g.name_folded`, search: sql`g.name_folded` },
    scope: { sort: sql`d.scope` },
    position: { sort: sql`g.position * 100000 + d.position` },
    values: { sort: VALUES },
    createdAt: { sort: sql`d.created_at` },
    updatedAt: { sort: sql`d.updated_at` },
  },
  filters: {
    id: idFilter(sql`d.id`),
    groupId: idFilter(sql`d.group_id`),
    scope: wordFilter(sql`d.scope`, words(FIELD_SCOPES)),
    type: wordFilter(sql`d.type`, words(FIELD_TYPES)),
  },
  order: sql`g.position, g.id, d.position`,
  tie: sql`d.id`,
})

export const toDefinition = (row: DefinitionRow): FieldDefinition => ({
  ...toFieldDef(row),
  values: Number(row.value_count),
})

export const definitionColumns = (input: FieldDefinitionInput) => ({
  key: input.key,
  label: input.label,
  label_folded: fold(input.label),
  help: input.help,
  type: input.type,
  unit: input.unit,
  default_value: input.defaultValue,
  required: input.required ? (1 as const) : (0 as const),
  regex: input.regex,
  min_value: input.min,
  max_value: input.max,
  choices: JSON.stringify(input.choices),
  group_id: input.groupId,
  scope: input.scope,
  types: JSON.stringify([...new Set(input.types)].toSorted((a, b) => a - b)),
})
