import * as z from 'zod/mini'
import { claimEntry } from './account.ts'
import { CLAIMS, isSiteClaim } from './claims.ts'
import { datatableRoutes } from './datatable.ts'
import { historyEntry } from './history.ts'
import { hostTag } from './host.ts'
import { route } from './route.ts'
import { basedOn, idParams, idText, idValue, instant, line, requiredLine } from './schema.ts'

/** Sites that one group may be limited to; those under them come with them. */
export const GROUP_SITES_MAX = 500
export const GROUP_MEMBERS_MAX = 5_000
/** Tags that one group may be limited to: each host that bears one of them is in its scope. */
export const GROUP_TAGS_MAX = 50

const named = z.object({ id: idValue, name: z.string() })

/** A group of accounts: what it gives to its members, and where. */
export const userGroup = z.object({
  id: idValue,
  name: z.string(),
  description: z.string(),
  claims: z.array(z.object({ claim: z.string() })),
  members: z.int(),
  /** What it gives, and what its members read, is limited to its sites, those under them, and the hosts that bear a tag. */
  limited: z.boolean(),
  sites: z.array(named),
  tags: z.array(z.string()),
  createdAt: instant,
  updatedAt: instant,
  updatedBy: z.nullable(z.string()),
})
export type UserGroup = z.output<typeof userGroup>

/** With its members by name. */
export const userGroupDetail = z.extend(userGroup, {
  memberList: z.array(z.object({ idUser: idValue, login: z.string(), name: z.string(), enabled: z.boolean() })),
})
export type UserGroupDetail = z.output<typeof userGroupDetail>

const fields = {
  name: requiredLine(64),
  description: z._default(line(500), ''),
  claims: z._default(z.array(claimEntry).check(z.maxLength(CLAIMS.length * 2)), []),
  members: z._default(z.array(idValue).check(z.maxLength(GROUP_MEMBERS_MAX)), []),
  limited: z._default(z.boolean(), false),
  siteIds: z._default(z.array(idValue).check(z.maxLength(GROUP_SITES_MAX)), []),
  tags: z._default(z.array(hostTag).check(z.maxLength(GROUP_TAGS_MAX)), []),
}
interface GroupLimits {
  readonly limited: boolean
  readonly claims: readonly { readonly claim: string }[]
  readonly siteIds: readonly number[]
  readonly tags: readonly string[]
}
const onlySiteClaims = ({ limited, claims }: GroupLimits): boolean =>
  !limited || claims.every(({ claim }) => isSiteClaim(claim))
const somewhere = ({ limited, siteIds, tags }: GroupLimits): boolean => !limited || siteIds.length + tags.length > 0
const PLATFORM_CLAIM = 'Un groupe limité ne donne que des droits sur des sites et des équipements'
const NOWHERE = 'Choisir au moins un site ou une étiquette'

export const userGroupBody = z
  .object(fields)
  .check(z.refine(onlySiteClaims, { error: PLATFORM_CLAIM, path: ['claims'] }))
  .check(z.refine(somewhere, { error: NOWHERE, path: ['siteIds'] }))
export type UserGroupInput = z.output<typeof userGroupBody>
export const userGroupUpdateBody = z
  .object({ ...fields, ...basedOn })
  .check(z.refine(onlySiteClaims, { error: PLATFORM_CLAIM, path: ['claims'] }))
  .check(z.refine(somewhere, { error: NOWHERE, path: ['siteIds'] }))
export type UserGroupUpdate = z.output<typeof userGroupUpdateBody>

/** What becomes of what hangs on a group. */
export const userGroupPlan = z.object({
  members: z.int(),
  /** Members who read all sites once it is gone, and do not now. */
  freed: z.int(),
  /** Rights on custom fields that were given by it. */
  fieldPrivileges: z.int(),
  /** Rules that tell it: they tell it no more. */
  notificationRules: z.int(),
})
export type UserGroupPlan = z.output<typeof userGroupPlan>

export const userGroupRoutes = {
  list: route({
    method: 'GET',
    path: '/api/UserGroup/Get',
    access: 'user_group_read',
    summary: "Les groupes d'utilisateurs",
    reply: z.array(userGroup),
  }),
  get: route({
    method: 'GET',
    path: '/api/UserGroup/Get/:id',
    access: 'user_group_read',
    summary: "Un groupe d'utilisateurs, avec ses membres",
    params: idParams,
    reply: userGroupDetail,
  }),
  plan: route({
    method: 'GET',
    path: '/api/UserGroup/Plan/:id',
    access: 'user_group_read',
    summary: 'Ce que la suppression d’un groupe changerait',
    params: idParams,
    reply: userGroupPlan,
  }),
  history: route({
    method: 'GET',
    path: '/api/UserGroup/History/:id',
    access: 'log_read',
    summary: 'Les changements d’un groupe, le plus récent d’abord',
    params: idParams,
    query: z.object({ before: z.optional(idText) }),
    reply: z.array(historyEntry),
  }),
  create: route({
    method: 'POST',
    path: '/api/UserGroup/Create',
    access: 'user_group_write',
    summary: "Créer un groupe d'utilisateurs",
    body: userGroupBody,
    status: 201,
    reply: userGroupDetail,
  }),
  update: route({
    method: 'PUT',
    path: '/api/UserGroup/Update/:id',
    access: 'user_group_write',
    summary: "Modifier un groupe d'utilisateurs",
    params: idParams,
    body: userGroupUpdateBody,
    reply: userGroupDetail,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/UserGroup/Delete/:id',
    access: 'user_group_write',
    summary: "Supprimer un groupe d'utilisateurs",
    params: idParams,
  }),
  datatable: datatableRoutes('UserGroupDatatable', 'user_group_read', "Groupes d'utilisateurs", userGroup),
} as const
