import * as z from 'zod/mini'
import { fieldDefinition, fieldGroup, fieldValue } from './custom-field.ts'
import { select2Query, select2Reply } from './datatable.ts'
import { route } from './route.ts'
import { idParams, idText, idValue, instant } from './schema.ts'

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

/** Fields of hosts and sites, with their values. */
export const recordFieldRoutes = {
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
} as const
