import * as z from 'zod/mini'
import { BULK_MAX_IDS, bulkReply } from './bulk.ts'
import { CLAIMS } from './claims.ts'
import { datatableRequest, datatableRoutes } from './datatable.ts'
import { historyEntry } from './history.ts'
import { accountShape, ownAccount, ownUpdateBody, PICTURE_MAX_BYTES } from './own-account.ts'
import { PASSWORD_INPUT_MAX } from './password.ts'
import { route } from './route.ts'
import { idParams, idText, idValue, instant, lastUpdate, rawBytes, requiredLine } from './schema.ts'

export const claimEntry = z.object({ claim: z.enum(CLAIMS) })
export const loginName = requiredLine(64).check(
  z.regex(/^[\p{L}\p{N}._@-]+$/u, 'Lettres, chiffres et . _ @ - seulement'),
)

/** An account as administrators see it: groups and own claims apart, effective claims beside. */
export const account = z.object({
  ...accountShape,
  enabled: z.boolean(),
  /** With what each gives, and where; `limited`: only on its sites and on the hosts that bear one of its tags. */
  groups: z.array(
    z.object({
      id: idValue,
      name: z.string(),
      claims: z.array(z.object({ claim: z.string() })),
      limited: z.boolean(),
      sites: z.array(z.object({ id: idValue, name: z.string() })),
      tags: z.array(z.string()),
    }),
  ),
  ownClaims: z.array(z.object({ claim: z.string() })),
  /** What it may do: own claims and those of its groups, but those on the whole platform while it is limited. */
  claims: z.array(z.object({ claim: z.string() })),
  /** It reads some sites and hosts only. */
  limited: z.boolean(),
  /** Until when one who signs in from a device that it does not know has to wait, after wrong passwords. */
  lockedUntil: z.nullable(instant),
  /** When its provisional password ends. */
  passwordExpiresAt: z.nullable(instant),
  /** Open sessions. */
  sessions: z.int(),
  /** Signing in asks for a code too. */
  secondFactor: z.boolean(),
  lastLoginAt: z.nullable(instant),
  createdAt: instant,
  updatedAt: instant,
  updatedBy: z.nullable(z.string()),
})
export type Account = z.output<typeof account>

const { firstName, lastName, email, phone, avatar } = ownUpdateBody.shape
const groups = z.array(idValue).check(z.maxLength(100))
const claims = z.array(claimEntry).check(z.maxLength(CLAIMS.length * 2))

export const accountCreateBody = z.object({
  login: loginName,
  ...{ firstName, lastName, email, phone, avatar },
  password: z.optional(z.string().check(z.maxLength(PASSWORD_INPUT_MAX))),
  groups: z.optional(groups),
  claims: z.optional(claims),
})
export const accountUpdateBody = z.object({
  ...ownUpdateBody.shape,
  login: z.optional(loginName),
  enabled: z.optional(z.boolean()),
  groups: z.optional(groups),
  updatedAt: z.optional(instant),
})
export const claimsBody = z.object({ claims })
export const createdAccount = z.object({ ...account.shape, temporaryPassword: z.optional(z.string()) })

export const accountRow = z.object({
  idUser: idValue,
  login: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  avatar: z.string(),
  enabled: z.boolean(),
  firstConnection: z.boolean(),
  /** Holds `admin`, by itself or by a group. */
  admin: z.boolean(),
  limited: z.boolean(),
  lockedUntil: z.nullable(instant),
  groups: z.string(),
  /** How many claims it has in all. */
  claims: z.int(),
  sessions: z.int(),
  lastLoginAt: z.nullable(instant),
  createdAt: instant,
  updatedAt: instant,
})
export type AccountRow = z.output<typeof accountRow>

/** What becomes of what an account owns, once it is deleted: what goes with it, and what stays under its name. */
export const accountPlan = z.object({
  sessions: z.int(),
  apiTokens: z.int(),
  views: z.int(),
  /** Of these views, those that others use too. */
  sharedViews: z.int(),
  notifications: z.int(),
  comments: z.int(),
  acknowledgements: z.int(),
  /** Open incidents that it has taken: they stay under its name. */
  ownedIncidents: z.int(),
  maintenances: z.int(),
  /** Rules that tell it by name: they tell the others. */
  notificationRules: z.int(),
  fieldValues: z.int(),
})
export type AccountPlan = z.output<typeof accountPlan>

export const accountChange = z
  .strictObject({
    enabled: z.optional(z.boolean()),
    addGroups: z.optional(groups),
    removeGroups: z.optional(groups),
    /** Ends the wait after wrong passwords. */
    unlock: z.optional(z.literal(true)),
  })
  .check(z.refine(change => Object.values(change).some(value => value !== undefined), 'Aucun changement demandé'))
export type AccountChange = z.output<typeof accountChange>
const bulkTarget = {
  ids: z.optional(z.array(idValue).check(z.minLength(1), z.maxLength(BULK_MAX_IDS))),
  filter: z.optional(datatableRequest),
  /** Changes nothing: only says what it would do. */
  plan: z._default(z.boolean(), false),
}
export const accountBulkBody = z
  .object({ ...bulkTarget, change: accountChange })
  .check(
    z.refine(
      ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
      'Donner soit « ids », soit « filter »',
    ),
  )

export const accountRoutes = {
  own: route({
    method: 'GET',
    path: '/api/Account/Get',
    access: 'self',
    summary: 'Son propre compte',
    reply: ownAccount,
  }),
  get: route({
    method: 'GET',
    path: '/api/Account/Get/:id',
    access: 'user_read',
    summary: 'Un compte',
    params: idParams,
    reply: account,
  }),
  lastUpdate: route({
    method: 'GET',
    path: '/api/Account/Get/LastUpdate',
    access: 'user_read',
    summary: 'Dernier changement des comptes',
    reply: lastUpdate,
  }),
  create: route({
    method: 'POST',
    path: '/api/Account/Create',
    access: 'user_write',
    summary: 'Créer un compte',
    body: accountCreateBody,
    status: 201,
    reply: createdAccount,
  }),
  ownUpdate: route({
    method: 'PUT',
    path: '/api/Account/Update',
    access: 'user',
    sessionOnly: true,
    summary: 'Modifier son propre compte',
    body: ownUpdateBody,
    reply: ownAccount,
  }),
  pictureSet: route({
    method: 'PUT',
    path: '/api/Account/Picture',
    access: 'user',
    sessionOnly: true,
    rate: 'heavy',
    summary: 'Donner sa propre image comme avatar (PNG de 256 × 256 pixels)',
    rawLimit: PICTURE_MAX_BYTES,
    body: rawBytes,
    reply: ownAccount,
  }),
  update: route({
    method: 'PUT',
    path: '/api/Account/Update/:id',
    access: 'user_write',
    summary: 'Modifier un compte',
    params: idParams,
    body: accountUpdateBody,
    reply: account,
  }),
  passwordReset: route({
    method: 'POST',
    path: '/api/Account/Password/Reset/:id',
    access: 'user_write',
    summary: 'Donner un mot de passe provisoire',
    params: idParams,
    reply: z.object({ temporaryPassword: z.string() }),
  }),
  ownDelete: route({
    method: 'DELETE',
    path: '/api/Account/Delete',
    access: 'user',
    sessionOnly: true,
    summary: 'Supprimer son propre compte',
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Account/Delete/:id',
    access: 'user_write',
    summary: 'Supprimer un compte',
    params: idParams,
  }),
  unlock: route({
    method: 'POST',
    path: '/api/Account/Unlock/:id',
    access: 'user_write',
    summary: 'Déverrouiller un compte après des mots de passe incorrects',
    params: idParams,
    reply: account,
  }),
  plan: route({
    method: 'GET',
    path: '/api/Account/Plan/:id',
    access: 'user_write',
    summary: 'Ce que deviendrait ce qu’un compte possède s’il était supprimé',
    params: idParams,
    reply: accountPlan,
  }),
  bulk: route({
    method: 'POST',
    path: '/api/Account/Bulk',
    access: 'user_write',
    rate: 'heavy',
    summary: 'Modifier plusieurs comptes',
    body: accountBulkBody,
    reply: bulkReply,
  }),
  history: route({
    method: 'GET',
    path: '/api/Account/History/:id',
    access: 'log_read',
    summary: 'Les changements d’un compte, le plus récent d’abord',
    params: idParams,
    query: z.object({ before: z.optional(idText) }),
    reply: z.array(historyEntry),
  }),
  ownClaims: route({
    method: 'GET',
    path: '/api/Claim/User/Get',
    access: 'self',
    summary: 'Ses propres droits',
    reply: z.array(z.object({ claim: z.string() })),
  }),
  claims: route({
    method: 'GET',
    path: '/api/Claim/User/Get/:id',
    access: 'user_read',
    summary: "Les droits effectifs d'un compte",
    params: idParams,
    reply: z.array(z.object({ claim: z.string() })),
  }),
  allClaims: route({
    method: 'GET',
    path: '/api/Claim/Get',
    access: 'user_read',
    summary: 'Tous les droits',
    reply: z.array(z.object({ claim: z.string(), label: z.string(), description: z.string() })),
  }),
  setClaims: route({
    method: 'PUT',
    path: '/api/Claim/:id',
    access: 'user_write',
    summary: "Remplacer les droits propres d'un compte",
    params: idParams,
    body: claimsBody,
    reply: account,
  }),
  datatable: datatableRoutes('AccountDatatable', 'user_read', 'Comptes', accountRow),
} as const
