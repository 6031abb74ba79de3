import * as z from 'zod/mini'
import { UNITS } from './check-definition.ts'
import { route } from './route.ts'
import { basedOn, idParams, idValue, line, requiredLine, stamps } from './schema.ts'

/** Types of custom fields, in the order of the form that defines them. */
export const FIELD_TYPES = [
  'text',
  'long-text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'choice',
  'multiple-choice',
  'url',
  'email',
  'phone',
  'ip',
  'mac',
  'host',
  'site',
  'user',
  'secret',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]
/** What a field describes. */
export const FIELD_SCOPES = ['site', 'host'] as const
export type FieldScope = (typeof FIELD_SCOPES)[number]

/** Longest value, by type `long-text` and by the others. */
export const FIELD_TEXT_MAX = 500
export const FIELD_LONG_TEXT_MAX = 8_000
/** Choices of a multiple choice are joined by this in filters, exports and imports. */
export const FIELD_CHOICE_SEPARATOR = ', '
/** Prefix under which a field is a column, a filter, a variable of a formula: `champ.debit`. */
export const FIELD_PREFIX = 'champ.'
/** What stands for a field that one may not read: a name that no formula can be written with, sent back as it is. */
export const UNREADABLE_FIELD = `${FIELD_PREFIX}?`

const fields = {
  /** Its name in formulas, filters and exports; never changes. */
  key: requiredLine(40).check(
    z.regex(/^[a-z][a-z0-9_]*$/, 'Minuscules sans accent, chiffres et _, en commençant par une lettre'),
  ),
  label: requiredLine(80),
  help: z._default(line(300), ''),
  type: z.enum(FIELD_TYPES),
  /** Of numbers only: shown beside the value. */
  unit: z._default(z.union([z.enum(UNITS), line(16)]), ''),
  /** As text in the form of the type; '' for none. Shown where a record has no value of its own. */
  defaultValue: z._default(line(FIELD_TEXT_MAX), ''),
  required: z._default(z.boolean(), false),
  /** ECMAScript pattern that the whole text must match; '' for none. Checked within a bound of steps (S41). */
  regex: z._default(line(200), ''),
  min: z._default(z.nullable(z.number()), null),
  max: z._default(z.nullable(z.number()), null),
  choices: z._default(z.array(requiredLine(80)).check(z.maxLength(200)), []),
  groupId: idValue,
  scope: z.enum(FIELD_SCOPES),
  /** Types of sites or of hosts concerned; empty: all. */
  types: z._default(z.array(idValue).check(z.maxLength(200)), []),
}
export const fieldDefinitionBody = z.object(fields)
export const fieldDefinitionUpdateBody = z.object({ ...fields, ...basedOn })
export type FieldDefinitionInput = z.output<typeof fieldDefinitionBody>

export const fieldDefinition = z.object({
  ...stamps,
  ...fields,
  position: z.int(),
  groupName: z.string(),
  /** Records that have a value. */
  values: z.int(),
})
export type FieldDefinition = z.output<typeof fieldDefinition>

const groupFields = { name: requiredLine(80) }
export const fieldGroupBody = z.object(groupFields)
export const fieldGroup = z.object({ ...stamps, ...groupFields, position: z.int(), definitions: z.int() })
export type FieldGroup = z.output<typeof fieldGroup>

/** Wire value by type: text, number, boolean, list of texts (multiple choice), id (host, site, user); a secret reads as true when there is one. */
export const fieldValue = z.nullable(
  z.union([
    z.string().check(z.maxLength(FIELD_LONG_TEXT_MAX)),
    z.number(),
    z.boolean(),
    z.array(z.string().check(z.maxLength(FIELD_TEXT_MAX))).check(z.maxLength(200)),
  ]),
)
export type FieldValue = z.output<typeof fieldValue>

/** A value of one definition wherever it is set: « fields by definition ». */
export const fieldHolder = z.object({ ownerId: idValue, ownerName: z.string(), value: fieldValue, text: z.string() })

const write = 'custom_field_write' as const
/** Definitions and groups of fields. */
export const fieldDefinitionRoutes = {
  definitions: route({
    method: 'GET',
    path: '/api/CustomField/Definition',
    access: 'user',
    summary: 'Définitions des champs que l’on peut lire',
    reply: z.array(fieldDefinition),
  }),
  createDefinition: route({
    method: 'POST',
    path: '/api/CustomField/Definition',
    access: write,
    summary: 'Définir un champ',
    body: fieldDefinitionBody,
    status: 201,
    reply: fieldDefinition,
  }),
  updateDefinition: route({
    method: 'PUT',
    path: '/api/CustomField/Definition/:id',
    access: write,
    summary: 'Modifier la définition d’un champ',
    params: idParams,
    body: fieldDefinitionUpdateBody,
    reply: fieldDefinition,
  }),
  orderDefinitions: route({
    method: 'PUT',
    path: '/api/CustomField/Definition/Order',
    access: write,
    summary: 'Ordonner les champs d’un groupe',
    body: z.object({ groupId: idValue, ids: z.array(idValue).check(z.maxLength(1_000)) }),
    reply: z.array(fieldDefinition),
  }),
  deleteDefinition: route({
    method: 'DELETE',
    path: '/api/CustomField/Definition/:id',
    access: write,
    summary: 'Supprimer un champ et ses valeurs',
    params: idParams,
    query: z.object({
      plan: z.optional(z.enum(['true', 'false'])),
      cascade: z.optional(z.enum(['true', 'false'])),
    }),
    reply: z.object({ deleted: z.boolean(), values: z.int(), formulas: z.int() }),
  }),
  holders: route({
    method: 'GET',
    path: '/api/CustomField/Definition/:id/Field',
    access: 'user',
    rate: 'heavy',
    summary: 'Les valeurs d’un champ, partout où il en a une',
    params: idParams,
    reply: z.array(fieldHolder),
  }),
  groups: route({
    method: 'GET',
    path: '/api/CustomField/Group',
    access: 'user',
    summary: 'Groupes de champs, dans leur ordre',
    reply: z.array(fieldGroup),
  }),
  createGroup: route({
    method: 'POST',
    path: '/api/CustomField/Group',
    access: write,
    summary: 'Créer un groupe de champs',
    body: fieldGroupBody,
    status: 201,
    reply: fieldGroup,
  }),
  updateGroup: route({
    method: 'PUT',
    path: '/api/CustomField/Group/:id',
    access: write,
    summary: 'Renommer un groupe de champs',
    params: idParams,
    body: z.object({ ...groupFields, ...basedOn }),
    reply: fieldGroup,
  }),
  orderGroups: route({
    method: 'PUT',
    path: '/api/CustomField/Group/Order',
    access: write,
    summary: 'Ordonner les groupes de champs',
    body: z.object({ ids: z.array(idValue).check(z.maxLength(200)) }),
    reply: z.array(fieldGroup),
  }),
  deleteGroup: route({
    method: 'DELETE',
    path: '/api/CustomField/Group/:id',
    access: write,
    summary: 'Supprimer un groupe de champs vide',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
} as const
