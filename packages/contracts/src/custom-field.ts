import * as z from 'zod/mini'
import { UNITS } from './check-definition.ts'
import { datatableRoutes, select2Query, select2Reply } from './datatable.ts'
import { route } from './route.ts'
import { basedOn, idParams, idText, idValue, instant, line, requiredLine, stamps } from './schema.ts'

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
/** What a user group may do with a field, from the least. */
export const PRIVILEGE_LEVELS = ['none', 'read', 'write'] as const
export type PrivilegeLevel = (typeof PRIVILEGE_LEVELS)[number]

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

/** One cell of the matrix: `level` null in a field's own cell means that of its group. */
export const privilegeCell = z.object({
  userGroupId: idValue,
  groupId: z.nullable(idValue),
  definitionId: z.nullable(idValue),
  level: z.nullable(z.enum(PRIVILEGE_LEVELS)),
})
export type PrivilegeCell = z.output<typeof privilegeCell>
/** A user group as the matrix shows it; one with the claim `admin` reads and writes everything whatever its cells say. */
export const privilegeGroup = z.object({
  ...stamps,
  name: z.string(),
  description: z.string(),
  admin: z.boolean(),
  members: z.int(),
})
export type PrivilegeGroup = z.output<typeof privilegeGroup>
export const privilegeMatrix = z.object({ userGroups: z.array(privilegeGroup), cells: z.array(privilegeCell) })
export type PrivilegeMatrix = z.output<typeof privilegeMatrix>

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

/** A field of one record that the caller may read, with its value. */
export const recordField = z.object({
  definition: fieldDefinition,
  level: z.enum(['read', 'write']),
  value: fieldValue,
  /** Where the value comes from: the record itself, a monitoring model of the host, the definition's default, or nowhere. */
  origin: z.enum(['own', 'model', 'default', 'none']),
  /** Name of the model, or of what an id stands for (host, site, user); '' otherwise. */
  originName: z.string(),
  text: z.string(),
  updatedAt: z.nullable(instant),
  updatedBy: z.nullable(z.string()),
})
export type RecordField = z.output<typeof recordField>
export const recordFields = z.object({ groups: z.array(fieldGroup), fields: z.array(recordField) })
export type RecordFields = z.output<typeof recordFields>
/** Changes of one record by key: null takes the own value away. What is left out stays; all or nothing. */
export const recordFieldsBody = z.object({
  values: z.record(z.string().check(z.maxLength(40)), fieldValue),
  /** The newest `updatedAt` of the fields sent, as read; a field changed since gets 409. Null: there was none. */
  updatedAt: z._default(z.nullable(instant), null),
})
export const fieldChange = z.object({
  id: idValue,
  key: z.string(),
  label: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  at: instant,
  by: z.nullable(z.string()),
})

/** A value of one definition wherever it is set: « fields by definition ». */
export const fieldHolder = z.object({ ownerId: idValue, ownerName: z.string(), value: fieldValue, text: z.string() })

const write = 'custom_field_write' as const
export const customFieldRoutes = {
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
  privileges: route({
    method: 'GET',
    path: '/api/CustomField/Privilege',
    access: write,
    summary: 'La matrice des privilèges',
    reply: privilegeMatrix,
  }),
  setPrivileges: route({
    method: 'PUT',
    path: '/api/CustomField/Privilege',
    access: write,
    summary: 'Changer des cases de la matrice',
    body: z.object({ cells: z.array(privilegeCell).check(z.minLength(1), z.maxLength(1_000)) }),
    reply: privilegeMatrix,
  }),
  privilegeGroups: route({
    method: 'GET',
    path: '/api/CustomField/PrivilegeGroup',
    access: write,
    summary: 'Groupes d’utilisateurs, vus par leurs privilèges',
    reply: z.array(privilegeGroup),
  }),
  createPrivilegeGroup: route({
    method: 'POST',
    path: '/api/CustomField/PrivilegeGroup',
    access: write,
    summary: 'Créer un groupe d’utilisateurs sans droits',
    body: z.object({ name: requiredLine(80), description: z._default(line(300), '') }),
    status: 201,
    reply: privilegeGroup,
  }),
  updatePrivilegeGroup: route({
    method: 'PUT',
    path: '/api/CustomField/PrivilegeGroup/:id',
    access: write,
    summary: 'Renommer un groupe d’utilisateurs sans droits',
    params: idParams,
    body: z.object({ name: requiredLine(80), description: z._default(line(300), ''), ...basedOn }),
    reply: privilegeGroup,
  }),
  deletePrivilegeGroup: route({
    method: 'DELETE',
    path: '/api/CustomField/PrivilegeGroup/:id',
    access: write,
    summary: 'Supprimer un groupe d’utilisateurs sans droits',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
  privilegeGroupUsers: route({
    method: 'GET',
    path: '/api/CustomField/PrivilegeGroup/:id/User',
    access: write,
    summary: 'Membres d’un groupe d’utilisateurs',
    params: idParams,
    reply: z.array(z.object({ idUser: idValue, login: z.string(), name: z.string() })),
  }),
  setPrivilegeGroupUsers: route({
    method: 'PUT',
    path: '/api/CustomField/PrivilegeGroup/:id/User',
    access: write,
    summary: 'Remplacer les membres d’un groupe d’utilisateurs',
    params: idParams,
    body: z.object({ users: z.array(idValue).check(z.maxLength(10_000)) }),
    reply: z.array(z.object({ idUser: idValue, login: z.string(), name: z.string() })),
  }),
  privilegeGroupFields: route({
    method: 'GET',
    path: '/api/CustomField/PrivilegeGroup/:id/Field',
    access: write,
    summary: 'Champs d’un groupe d’utilisateurs, avec ce qu’il en peut',
    params: idParams,
    reply: z.array(z.object({ definition: fieldDefinition, level: z.enum(PRIVILEGE_LEVELS) })),
  }),
  host: route({
    method: 'GET',
    path: '/api/CustomField/Host/:id',
    access: 'user',
    summary: 'Champs d’un équipement',
    params: idParams,
    reply: recordFields,
  }),
  setHost: route({
    method: 'PUT',
    path: '/api/CustomField/Host/:id',
    access: 'user',
    summary: 'Modifier des champs d’un équipement',
    params: idParams,
    body: recordFieldsBody,
    reply: recordFields,
  }),
  hostHistory: route({
    method: 'GET',
    path: '/api/CustomField/Host/:id/History',
    access: 'user',
    summary: 'Changements des champs d’un équipement, le plus récent d’abord',
    params: idParams,
    query: z.object({ before: z.optional(idText) }),
    reply: z.array(fieldChange),
  }),
  site: route({
    method: 'GET',
    path: '/api/CustomField/Site/:id',
    access: 'user',
    summary: 'Champs d’un site',
    params: idParams,
    reply: recordFields,
  }),
  setSite: route({
    method: 'PUT',
    path: '/api/CustomField/Site/:id',
    access: 'user',
    summary: 'Modifier des champs d’un site',
    params: idParams,
    body: recordFieldsBody,
    reply: recordFields,
  }),
  siteHistory: route({
    method: 'GET',
    path: '/api/CustomField/Site/:id/History',
    access: 'user',
    summary: 'Changements des champs d’un site, le plus récent d’abord',
    params: idParams,
    query: z.object({ before: z.optional(idText) }),
    reply: z.array(fieldChange),
  }),
  /** Enabled accounts by name, « Jeanne MARTIN (jmartin) »; `id` alone asks for the name of one. */
  users: route({
    method: 'GET',
    path: '/api/CustomField/Select2D/GetUser',
    access: 'user',
    summary: 'Comptes, pour un champ de type utilisateur',
    query: z.object({ ...select2Query.shape, id: z.optional(idText) }),
    reply: select2Reply,
  }),
  datatable: datatableRoutes('CustomFieldDefinitionDatatable', write, 'Définitions de champs', fieldDefinition),
} as const
