import * as z from 'zod/mini'
import { fieldDefinition } from './custom-field.ts'
import { route } from './route.ts'
import { basedOn, idParams, idValue, line, requiredLine, stamps } from './schema.ts'

/** What a user group may do with a field, from the least. */
export const PRIVILEGE_LEVELS = ['none', 'read', 'write'] as const
export type PrivilegeLevel = (typeof PRIVILEGE_LEVELS)[number]

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

const groupFields = { name: requiredLine(80), description: z._default(line(300), '') }
const groupMembers = z.array(z.object({ idUser: idValue, login: z.string(), name: z.string() }))

const write = 'custom_field_write' as const
/** What user groups may do with fields. */
export const fieldPrivilegeRoutes = {
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
    body: z.object(groupFields),
    status: 201,
    reply: privilegeGroup,
  }),
  updatePrivilegeGroup: route({
    method: 'PUT',
    path: '/api/CustomField/PrivilegeGroup/:id',
    access: write,
    summary: 'Renommer un groupe d’utilisateurs sans droits',
    params: idParams,
    body: z.object({ ...groupFields, ...basedOn }),
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
    reply: groupMembers,
  }),
  setPrivilegeGroupUsers: route({
    method: 'PUT',
    path: '/api/CustomField/PrivilegeGroup/:id/User',
    access: write,
    summary: 'Remplacer les membres d’un groupe d’utilisateurs',
    params: idParams,
    body: z.object({ users: z.array(idValue).check(z.maxLength(10_000)) }),
    reply: groupMembers,
  }),
  privilegeGroupFields: route({
    method: 'GET',
    path: '/api/CustomField/PrivilegeGroup/:id/Field',
    access: write,
    summary: 'Champs d’un groupe d’utilisateurs, avec ce qu’il en peut',
    params: idParams,
    reply: z.array(z.object({ definition: fieldDefinition, level: z.enum(PRIVILEGE_LEVELS) })),
  }),
} as const
