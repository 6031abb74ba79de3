import * as z from 'zod/mini'
import { route } from './route.ts'
import { basedOn, idParams, requiredLine, stamps } from './schema.ts'

/** Lists that keep columns and views; the console's own names. */
export const LIST_NAMES = [
  'sites',
  'hosts',
  'metrics',
  'scanners',
  'problems',
  'models',
  'incidents',
  'accounts',
  'groups',
] as const
export type ListName = (typeof LIST_NAMES)[number]
/** Lists that keep columns: where one edits, other ones are wanted than where one looks. */
export const COLUMN_LISTS = [
  ...LIST_NAMES,
  'sites-edit',
  'hosts-edit',
  'metrics-edit',
  'deliveries',
  'availability',
  'availability-metric',
  'host-status',
  'log',
] as const
export type ColumnList = (typeof COLUMN_LISTS)[number]
export const SAVED_VIEWS_MAX = 100

const columnIds = z.array(requiredLine(64)).check(z.maxLength(100))
const fields = {
  list: z.enum(LIST_NAMES),
  name: requiredLine(80),
  /** Filters, search, order and length as the list's address carries them: `q=lyon&sort=-name`. */
  query: z
    .string()
    .check(z.maxLength(2_000), z.regex(/^[^\s#<>"]*$/, 'Une suite de paramètres d’adresse est attendue')),
  /** Others may use it; only its author changes it. */
  shared: z._default(z.boolean(), false),
}
export const savedViewBody = z.object(fields)
export const savedView = z.object({ ...stamps, ...fields, mine: z.boolean(), author: z.string() })
export type SavedView = z.output<typeof savedView>
/** Columns shown in a list, in their order; null: the list's own. */
export const listPreference = z.object({ list: z.enum(COLUMN_LISTS), columns: z.nullable(columnIds) })
export type ListPreference = z.output<typeof listPreference>

export const savedViewRoutes = {
  list: route({
    method: 'GET',
    path: '/api/View/Get',
    access: 'user',
    summary: 'Ses vues enregistrées et celles qui sont partagées',
    reply: z.array(savedView),
  }),
  create: route({
    method: 'POST',
    path: '/api/View/Create',
    access: 'user',
    summary: 'Enregistrer une vue',
    body: savedViewBody,
    status: 201,
    reply: savedView,
  }),
  update: route({
    method: 'PUT',
    path: '/api/View/Update/:id',
    access: 'user',
    summary: 'Modifier une de ses vues',
    params: idParams,
    body: z.object({ ...fields, ...basedOn }),
    reply: savedView,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/View/Delete/:id',
    access: 'user',
    summary: 'Supprimer une de ses vues',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
  preferences: route({
    method: 'GET',
    path: '/api/View/Column',
    access: 'user',
    summary: 'Colonnes choisies dans chaque liste',
    reply: z.array(listPreference),
  }),
  setPreference: route({
    method: 'PUT',
    path: '/api/View/Column',
    access: 'user',
    summary: 'Choisir les colonnes d’une liste',
    body: listPreference,
    reply: listPreference,
  }),
} as const
